// SPDX-License-Identifier: Apache-2.0
// Manual pages and completion scripts: they have every command and option of --help, and their readers accept them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/shell.h"

namespace {

using ::g80::test::shell;

class Manual : public ::testing::Test {
 protected:
  Manual() { std::filesystem::create_directories(folder_); }
  ~Manual() override { std::filesystem::remove_all(folder_); }
  std::string page(const std::string& name) const {
    std::ifstream stream(folder_ + "/" + name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  const std::string folder_ = ::testing::TempDir() + "/g80_manual_" + std::to_string(::getpid());
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

const char* const kCommands[] = {"run", "suite", "sweep", "diff", "compile", "list"};

TEST_F(Manual, PagesHaveEveryOptionOfHelp) {
  ASSERT_EQ(shell(G80_PROGRAM " manual " + folder_).code, 0);
  for (const char* command : kCommands) {
    std::string text = page(std::string("g80-") + command + ".1");
    for (std::size_t at; (at = text.find("\\-")) != std::string::npos;) text.erase(at, 1);
    const auto options = options_in(shell(std::string(G80_PROGRAM " ") + command + " --help").output);
    EXPECT_GE(options.size(), 3u) << command;
    for (const std::string& option : options)
      EXPECT_NE(text.find(option), std::string::npos) << command << " " << option;
  }
  EXPECT_NE(page("g80.1").find("g80\\-sweep"), std::string::npos);
  if (shell("command -v groff").code != 0) GTEST_SKIP() << "groff is not installed";
  const auto formatted = shell("cd " + folder_ + " && for page in *.1; do groff -man -Tascii -ww -z $page; done");
  EXPECT_EQ(formatted.output, "");
}

TEST_F(Manual, BashCompletesCommandsOptionsAndChoices) {
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
}

TEST_F(Manual, ZshAndFishKnowEveryOption) {
  for (const char* name : {"zsh", "fish"}) {
    const std::string script = shell(std::string(G80_PROGRAM " completion ") + name).output;
    for (const char* command : kCommands) {
      for (const std::string& option : options_in(shell(std::string(G80_PROGRAM " ") + command + " --help").output)) {
        const std::string word = name[0] == 'f' ? " -l " + option.substr(2) : option + "[";
        EXPECT_NE(script.find(word), std::string::npos) << name << " " << command << " " << option;
      }
    }
    std::ofstream(folder_ + "/" + name) << script;
    if (shell(std::string("command -v ") + name).code != 0) continue;
    EXPECT_EQ(shell(std::string(name) + " -n " + folder_ + "/" + name).output, "");
  }
  EXPECT_EQ(shell(G80_PROGRAM " completion tcsh").code, 2);
}

}  // namespace
