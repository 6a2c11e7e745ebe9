// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/command.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include "input/input_error.h"
#include "toolchain/cubin/module.h"

extern char** environ;

namespace g80::cuda {

namespace {

/// The folder that exists: a tool's own files go there, too. clang leaves some behind when it crashes on a full disk.
std::string folder_of_tools;

/// The environment of a tool: ours, but for its folder.
std::vector<char*> environment_of_tool(std::string& folder) {
  constexpr std::string_view kFolder = "TMPDIR=";
  folder = std::string(kFolder) + folder_of_tools;
  std::vector<char*> words;
  for (char** word = environ; *word != nullptr; ++word) {
    if (folder_of_tools.empty() || std::string_view(*word).substr(0, kFolder.size()) != kFolder) words.push_back(*word);
  }
  if (!folder_of_tools.empty()) words.push_back(folder.data());
  words.push_back(nullptr);
  return words;
}

std::string folder_for_temporaries() {
  const char* const chosen = getenv("TMPDIR");
  if (chosen != nullptr && *chosen == '\0') unsetenv("TMPDIR");  // as other programs read it
  std::error_code error;
  const std::string path = std::filesystem::temp_directory_path(error).string();
  if (error) throw InputError(fmt::format("cc: TMPDIR is '{}', which is no folder", chosen == nullptr ? "" : chosen));
  return path;
}

/// Everything that can be read from a pipe until its writers have closed it.
std::string read_all(int pipe) {
  std::string text;
  char part[4096];
  for (ssize_t bytes = 0; (bytes = read(pipe, part, sizeof part)) > 0 || (bytes < 0 && errno == EINTR);) {
    if (bytes > 0) text.append(part, static_cast<std::size_t>(bytes));
  }
  return text;
}

int run(const std::vector<std::string>& words, RunMode mode, std::string* said) {
  if (mode != RunMode::kQuiet) fmt::print(stderr, "{}{}\n", mode == RunMode::kDry ? "#$ " : "", fmt::join(words, " "));
  if (mode == RunMode::kDry) return 0;
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  int ends[2] = {-1, -1};
  if (said != nullptr) {
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw InputError(fmt::format("cc: {} cannot be started: {}", words[0], strerror(errno)));
    posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
  }
  pid_t child = 0;
  std::string folder;
  std::vector<char*> environment = environment_of_tool(folder);
  const int error = posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(),
                                 said != nullptr ? environment.data() : environ);
  posix_spawn_file_actions_destroy(&files);
  if (said != nullptr) {
    close(ends[1]);
    *said = read_all(ends[0]);
    close(ends[0]);
  }
  if (error == ENOENT)
    throw InputError(
        fmt::format("cc: the program {} was not found: install the Debian package of that name", words[0]));
  if (error != 0) throw InputError(fmt::format("cc: {} cannot be started: {}", words[0], strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int run_program(const std::vector<std::string>& words, RunMode mode) { return run(words, mode, nullptr); }

int run_tool(const std::vector<std::string>& words, RunMode mode, std::string& said) {
  const int status = run(words, mode, &said);
  if (status == 0) return status;
  for (const int error : {ENOSPC, EDQUOT, EFBIG}) {
    const char* const reason = strerror(error);
    if (said.find(reason) != std::string::npos)
      throw InputError(
          fmt::format("cc: {} cannot write its output or its temporary files in {} ({}); TMPDIR names another folder",
                      words[0], folder_for_temporaries(), reason));
  }
  return status;
}

int run_tool(const std::vector<std::string>& words, RunMode mode) {
  std::string said;
  const int status = run_tool(words, mode, said);
  fmt::print(stderr, "{}", said);
  return status;
}

std::string read_intermediate(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::string text(file ? static_cast<std::size_t>(file.tellg()) : 0, '\0');
  file.seekg(0);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file) throw SourceError(path + ": the file cannot be read");
  return text;
}

TemporaryFolder::TemporaryFolder() {
  const std::string parent = folder_for_temporaries();
  std::string name = (std::filesystem::path(parent) / "g80-cc-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw InputError(fmt::format("cc: no folder for temporary files can be made in {} ({}); TMPDIR names another one",
                                 parent, strerror(errno)));
  path_ = folder_of_tools = name;
}

TemporaryFolder::~TemporaryFolder() {
  folder_of_tools.clear();
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace g80::cuda
