// SPDX-License-Identifier: Apache-2.0
// Bash completes the words of --help.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/shell.h"

namespace {

using ::g80::test::shell;

class CompletionScript : public ::testing::Test {
 protected:
  CompletionScript() { std::filesystem::create_directories(folder_); }
  ~CompletionScript() override { std::filesystem::remove_all(folder_); }
  const std::string folder_ = ::testing::TempDir() + "/g80_completion_" + std::to_string(::getpid());
};

/// The long options in a text of --help.
std::set<std::string> options_in(const std::string& help) {
  std::set<std::string> options;
  const std::regex word("^  (?:-[a-zA-Z],)?(--[a-z-]+)");
  std::istringstream lines(help);
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, match, word)) options.insert(match[1]);
  }
  return options;
}

TEST_F(CompletionScript, CompletesCommandsOptionsAndChoices) {
  const std::string script = folder_ + "/g80.bash";
  ASSERT_EQ(shell(G80_PROGRAM " completion bash >" + script).code, 0);
  const auto complete = [&](const std::string& words, unsigned at) {
    return shell("cd " + folder_ + " && bash -c 'source " + script +
                 "; PATH=$(dirname " G80_PROGRAM "):$PATH; COMP_WORDS=(g80 " + words +
                 "); COMP_CWORD=" + std::to_string(at) + "; _g80; echo \"${COMPREPLY[*]}\"'")
        .output;
  };
  EXPECT_EQ(complete("sw", 1), "sweep\n");
  EXPECT_EQ(complete("run --wave-l", 2), "--wave-level\n");
  EXPECT_EQ(complete("run --model g", 3), "gpu golden\n");
  EXPECT_EQ(complete("run --set dram.t_rcd", 3), "dram.t_rcd=\n");
  EXPECT_EQ(complete("run vec_a", 2), "vec_add\n");
  EXPECT_EQ(complete("list pre", 2), "presets\n");
  EXPECT_EQ(shell(G80_PROGRAM " completion tcsh").code, 2);
  for (const std::string command : {"run", "suite", "sweep", "diff", "compile", "list"}) {
    const auto options = options_in(shell(G80_PROGRAM " " + command + " --help").output);
    EXPECT_GE(options.size(), 3u) << command;
    const std::string words = complete(command + " --", 2);
    for (const std::string& option : options) EXPECT_NE(words.find(option), std::string::npos) << command << option;
  }
}

}  // namespace
