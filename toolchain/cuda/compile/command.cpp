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

#include "hw/common/input_error.h"

extern char** environ;

namespace g80::cuda {

int run_program(const std::vector<std::string>& words, RunMode mode) {
  if (mode == RunMode::kTold || mode == RunMode::kDry)
    fmt::print(stderr, "{}{}\n", mode == RunMode::kDry ? "#$ " : "", fmt::join(words, " "));
  if (mode == RunMode::kDry) return 0;
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (mode == RunMode::kSilent) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT)
    throw InputError(
        fmt::format("cc: the program {} was not found: install the Debian package of that name", words[0]));
  if (error != 0) throw InputError(fmt::format("cc: {} cannot be started: {}", words[0], strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "g80-cc-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw InputError(fmt::format("cc: cannot create a folder in {}", std::filesystem::temp_directory_path().string()));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace g80::cuda
