// SPDX-License-Identifier: Apache-2.0
// The documents, executed: what their examples print, the commands of the front page, the names of signals.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "source_dir.h"
#include "tests/pages/told_output.h"
#include "tests/support/shell.h"

namespace {

namespace fs = std::filesystem;
using ::g80::test::are_as_told;
using ::g80::test::Lines;
using ::g80::test::lines_of;
using ::g80::test::Outcome;

const fs::path kSource = G80_SOURCE_DIR;

Lines lines_of(const fs::path& file) { return lines_of(std::ifstream(file)); }

/// The pages of the project, by their names from its folder.
std::vector<std::string> pages() {
  std::vector<std::string> names;
  for (auto it = fs::recursive_directory_iterator(kSource); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() && (name == "build" || name.front() == '.')) it.disable_recursion_pending();
    if (it->is_regular_file() && it->path().extension() == ".md")
      names.push_back(fs::relative(it->path(), kSource).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// A copy of the project by links, in which examples may leave files, with the program that is tested where a build has
/// it, and a gtkwave that says what it was started with.
class Checkout : public ::testing::Test {
 protected:
  Checkout() {
    fs::remove_all(root_);
    fs::create_directories(root_ / "build/release");
    fs::create_directories(root_ / "path");
    for (const fs::directory_entry& entry : fs::directory_iterator(kSource)) {
      const fs::path name = entry.path().filename();
      if (name != "build" && name != ".git" && name != "waves") fs::create_symlink(entry.path(), root_ / name);
    }
    fs::create_directories(root_ / "waves");  // waves/view finds its folder by the real path of its name
    for (const fs::directory_entry& entry : fs::directory_iterator(kSource / "waves")) {
      if (entry.is_regular_file()) fs::copy(entry.path(), root_ / "waves" / entry.path().filename());
    }
    fs::create_symlink(fs::path(G80_PROGRAM).parent_path(), root_ / "build/release/bin");
    std::ofstream(root_ / "path/gtkwave") << "#!/bin/sh\necho gtkwave \"$@\"\nwhile [ $# -gt 1 ]; do case $1 in -f | "
                                             "-a) cat \"$2\" >/dev/null ;; esac; shift; done\n";
    fs::permissions(root_ / "path/gtkwave", fs::perms::owner_all);
  }
  ~Checkout() override { fs::remove_all(root_); }

  /// Folders of the project are left out of what is printed.
  Outcome run(const std::string& command) const {
    Outcome outcome =
        ::g80::test::shell("cd '" + root_.string() + "' && export PATH=\"$PWD/path:$PATH\" && " + command);
    for (const fs::path& folder : {kSource, root_}) {
      const std::string text = folder.string() + "/";
      for (std::size_t at; (at = outcome.output.find(text)) != std::string::npos;)
        outcome.output.erase(at, text.size());
    }
    return outcome;
  }

  const fs::path root_ = fs::path(::testing::TempDir()) / ("g80_pages_" + std::to_string(::getpid()));
};

TEST(Pages, ThreeDotsStandForAnyLines) {
  EXPECT_TRUE(are_as_told({"a", "b"}, {"a", "b"}));
  EXPECT_FALSE(are_as_told({"a", "b"}, {"a"}));
  EXPECT_FALSE(are_as_told({"a"}, {"a", "b"}));
  EXPECT_TRUE(are_as_told({"a", "b", "c", "b", "d"}, {"a", "...", "b", "d"}));
  EXPECT_TRUE(are_as_told({"a", "b"}, {"...", "a", "...", "b", "..."}));
  EXPECT_FALSE(are_as_told({"a", "b", "c"}, {"...", "b", "...", "a", "..."}));
  EXPECT_FALSE(are_as_told({"a", "b"}, {"a", "...", "a", "b"}));
}

// Blocks of kind `console`: a command behind "$ ", then what it prints; a line of three dots stands for any lines.
TEST_F(Checkout, EveryExampleOfAPagePrintsWhatThePageSays) {
  unsigned commands = 0;
  for (const std::string& page : pages()) {
    if (page == "docs/extend.md") continue;  // needs a program of its own: extend_page_test.cpp
    bool inside = false;
    std::string command;
    std::vector<std::string> expected;
    const auto compare = [&] {
      if (command.empty()) return;
      ++commands;
      const std::string output = run(command).output;
      EXPECT_TRUE(are_as_told(lines_of(std::istringstream(output)), expected))
          << page << ": $ " << command << "\nprints\n"
          << output;
      command.clear();
      expected.clear();
    };
    for (const std::string& line : lines_of(kSource / page)) {
      if (line.rfind("```", 0) == 0) {
        compare();
        inside = line == "```console";
      } else if (inside && line.rfind("$ ", 0) == 0) {
        compare();
        command = line.substr(2);
      } else if (inside) {
        expected.push_back(line);
      }
    }
  }
  EXPECT_GE(commands, 6u);
}

// A command with its output in a fence of another kind, or a sentence of the program in indented text, would go stale.
TEST_F(Checkout, NoPageQuotesOutputThatNoTestCompares) {
  const auto quotes_output = [](const std::string& fence, const std::string& line) {
    return fence.empty() ? line.rfind("    g80: ", 0) == 0 : fence != "```console" && line.rfind("$ ", 0) == 0;
  };
  EXPECT_TRUE(quotes_output("```text", "$ g80 run vec_add"));
  EXPECT_TRUE(quotes_output("", "    g80: unknown command 'rum'"));
  EXPECT_FALSE(quotes_output("```console", "$ g80 run vec_add"));
  for (const std::string& page : pages()) {
    std::string fence;
    for (const std::string& line : lines_of(kSource / page)) {
      if (line.rfind("```", 0) == 0) {
        fence = fence.empty() ? line : "";
      } else {
        EXPECT_FALSE(quotes_output(fence, line)) << page << ": " << line;
      }
    }
  }
}

// As written, on a fresh checkout; ./run and ./test build it.
TEST_F(Checkout, EveryCommandOfTheFrontPageWorks) {
  ASSERT_EQ(run("build/release/bin/g80 run vec_add --check off --wave build/vec_add.vcd --wave-on launch").code, 0)
      << "as ./run draws it";
  unsigned commands = 0;
  bool fenced = false;
  for (const std::string& line : lines_of(kSource / "README.md")) {
    if (line.rfind("```", 0) == 0) fenced = !fenced;
    if (fenced || line.rfind("    ", 0) != 0) continue;
    const std::string command =
        line.substr(4, line.find("  #") == std::string::npos ? std::string::npos : line.find("  #") - 4);
    if (command.rfind("./run", 0) == 0 || command.rfind("./test", 0) == 0) {
      EXPECT_EQ(::access((kSource / command.substr(0, command.find(' '))).c_str(), X_OK), 0) << command;
      continue;
    }
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << command << "\n" << outcome.output;
    ++commands;
  }
  EXPECT_GE(commands, 4u);
}

// A machine with RTL twins has every signal there is. Examples with another device have names of that.
TEST_F(Checkout, EverySignalThatAPageNamesIsOneOfTheDefaultDevice) {
  const std::regex signal(R"(\b(gpu\.)?(tpc\d\.)?(sm\d|channel\d)[._][a-z0-9_]+(\.[a-z0-9_]+|\[\d+\])*)");
  std::set<std::string> printed, stored;
  for (const std::string& page : pages()) {
    if (page == "docs/walkthrough.md" || page == "docs/extend.md")
      continue;                                  // of the device tiny; each has its own test
    bool example = false, about_faults = false;  // these change words that waves do not show, too
    for (const std::string& line : lines_of(kSource / page)) {
      if (line.rfind("## ", 0) == 0) about_faults = line == "## Injecting faults";
      if (line.rfind("```", 0) == 0) example = line == "```console";
      if (example || line.find("--device tiny") != std::string::npos || line.find("preset `tiny`") != std::string::npos)
        continue;
      for (std::sregex_iterator it(line.begin(), line.end(), signal), end; it != end; ++it) {
        (about_faults ? stored : printed).insert(it->str());
      }
    }
  }
  EXPECT_GE(printed.size() + stored.size(), 10u);
  std::ofstream script(root_ / "names");
  for (const std::string& name : printed) script << "print " << name << "\n";
  script.close();
  const Outcome shown = run("build/release/bin/g80 run vec_add --rtl all --check off --shell-script names");
  EXPECT_EQ(shown.code, 0) << shown.output;
  std::string faults;
  for (const std::string& name : stored) faults += " --inject '" + name + "=0@1000000000'";
  const Outcome planted = run("build/release/bin/g80 run vec_add --check off --arg n=32" + faults);
  EXPECT_EQ(planted.code, 0) << planted.output;
}

// Whatever docs/events.md calls an event is one on the default device.
TEST_F(Checkout, EveryEventOfItsPageIsOne) {
  const std::regex code("`([^`]+)`");
  const auto is_event = [](const std::string& text) {
    return std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
           std::regex_search(text, std::regex(R"(^(launch|fault|cycle=)|==|[a-z0-9]\*?\.[a-z])")) &&
           text.find("--") == std::string::npos && text.find("g80 ") == std::string::npos;
  };
  std::ofstream script(root_ / "events");
  unsigned events = 0;
  bool fenced = false;
  for (const std::string& line : lines_of(kSource / "docs/events.md")) {
    if (line.rfind("```", 0) == 0) fenced = !fenced;
    if (fenced || line.find("preset `tiny`") != std::string::npos) continue;
    for (std::sregex_iterator it(line.begin(), line.end(), code), end; it != end; ++it) {
      const std::string text = (*it)[1];
      if (!is_event(text)) continue;
      script << "break if " << text << "\n";
      ++events;
    }
  }
  script.close();
  EXPECT_GE(events, 8u);
  const Outcome outcome = run("build/release/bin/g80 run vec_add --check off --shell-script events");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

TEST_F(Checkout, TheViewerSaysWhatItCannotOpen) {
  std::ofstream(root_ / "empty.fst") << "";
  std::ofstream(root_ / "some.fst") << "x";
  std::ofstream(root_ / "some.txt") << "x";
  std::ofstream(root_ / "some.fst.part") << "x";
  const auto refusal = [&](const std::string& arguments) {
    const Outcome outcome = run("waves/view " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    return outcome.output;
  };
  const std::string views =
      "barrier, blocks, caches, coalescing, divergence, dram, issue, load, overview, partition, rtl, "
      "shared_memory, texture, tlb";
  // clang-format off
  EXPECT_EQ(refusal(""), "waves/view: usage: waves/view DUMP.vcd|DUMP.fst [VIEW] [@PLACE] [--sm N] [--tpc N] [--partition N] [GTKWAVE OPTION ..]; views are " + views + "\n");
  EXPECT_EQ(refusal("none.fst"), "waves/view: none.fst: there is no such file; `g80 run X --wave none.fst` draws one\n");
  EXPECT_EQ(refusal("waves"), "waves/view: waves: this is no file\n");
  EXPECT_EQ(refusal("some.txt"), "waves/view: some.txt: the name must end in .vcd or .fst\n");
  EXPECT_EQ(refusal("some.fst.part"), "waves/view: some.fst.part: the run that draws it has not ended, or was killed\n");
  EXPECT_EQ(refusal("empty.fst"), "waves/view: empty.fst: the file is empty\n");
  EXPECT_EQ(refusal("some.fst isue"), "waves/view: there is no view 'isue'; views are " + views + "\n");
  // clang-format on
  const Outcome opened = run("waves/view some.fst --rcvar 'splash_disable on'");
  EXPECT_EQ(opened.code, 0) << opened.output;
  EXPECT_EQ(opened.output, "gtkwave -f some.fst -a waves/overview.gtkw --rcvar splash_disable on\n");
}

// The source folder is that of the tested program, so the command names it.
TEST_F(Checkout, TheSuitePrintsTheCommandThatOpensItsWave) {
  const std::string wave = (root_ / "build/w.vcd").string();
  const Outcome outcome =
      ::g80::test::shell("cd '" + kSource.string() + "' && " G80_PROGRAM " suite --only vec_add --wave " + wave);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  const std::string command = "waves of vec_add:\n    waves/view " + wave + "\n";
  const std::string end = command + "1 of 1 runs came out as expected\n";
  ASSERT_GE(outcome.output.size(), end.size());
  EXPECT_EQ(outcome.output.substr(outcome.output.size() - end.size()), end);
  EXPECT_EQ(run(command.substr(command.find("waves/view"))).code, 0);
}

/// The commands of a page's block, indented or fenced, where one of them opens a wave.
std::vector<std::string> blocks_that_open_waves(const fs::path& page) {
  std::vector<std::string> blocks;
  std::string block, fence;
  const auto end_of_block = [&] {
    if (block.find("waves/view ") != std::string::npos) blocks.push_back(block);
    block.clear();
  };
  for (const std::string& line : lines_of(page)) {
    const bool is_fence = line.rfind("```", 0) == 0;
    if (is_fence) fence = fence.empty() ? line : "";
    const bool indented = fence.empty() && line.rfind("    ", 0) == 0;
    if (is_fence || (fence.empty() && !indented)) {
      end_of_block();
    } else if (indented || fence == "```sh") {
      block += (indented ? line.substr(4) : line) + "\n";
    } else if (fence == "```console" && line.rfind("$ ", 0) == 0) {
      block += line.substr(2) + "\n";
    }
  }
  end_of_block();
  return blocks;
}

// Each block of a page runs as it stands, one after the other; the viewer refuses a place that the wave does not have.
TEST_F(Checkout, EveryPlaceToWhichAPageSendsItsReaderExists) {
  const bool with_rtl = run("build/release/bin/g80 run vec_add --arg n=32 --rtl all --quiet").code == 0;
  ASSERT_EQ(run("build/release/bin/g80 run vec_add --check off --quiet --wave build/vec_add.vcd --wave-on launch").code,
            0)
      << "as ./run draws it";
  unsigned opened = 0, places = 0;
  for (const std::string& page : pages()) {
    for (const std::string& block : blocks_that_open_waves(kSource / page)) {
      if (!with_rtl && block.find("--rtl") != std::string::npos) continue;
      const Outcome outcome = run("set -e\n" + block);
      EXPECT_EQ(outcome.code, 0) << page << ":\n" << block << outcome.output;
      ++opened;
      for (std::size_t at = 0; (at = block.find(" @", at)) != std::string::npos; ++at) ++places;
      EXPECT_EQ(std::regex_search(block, std::regex("waves/view [^\n]*@[0-9]")), false)
          << page << " opens a wave at a cycle, which changes with the machine:\n"
          << block;
    }
  }
  EXPECT_GE(opened, 8u);
  EXPECT_GE(places, 7u);
}

TEST_F(Checkout, AViewShowsAnotherPartitionIfTheDumpHasIt) {
  std::ofstream(root_ / "path/gtkwave")
      << "#!/bin/sh\ngrep -oE '(channel|DRAM )[0-9]+' \"$4\" | sort -u | paste -sd,\n";
  for (const char* file : {"w.vcd", "w.fst"}) {
    const std::string view = std::string("waves/view ") + file + " dram ";
    ASSERT_EQ(run(std::string("build/release/bin/g80 run vec_add --arg n=64 --arg block=64 --wave ") + file).code, 0);
    EXPECT_EQ(run(view).output, "DRAM 0,channel0\n");
    EXPECT_EQ(run(view + "@'first burst' --partition 1").output, "DRAM 1,channel1\n");
    EXPECT_EQ(run(view + "--partition 77").output, "waves/view: the dump has no channel 77\n");
    EXPECT_EQ(run(view + "--partition x").output, "waves/view: --partition: needs a number\n");
  }
}

// Device tiny: a shader cycle takes 1000 ps, and edge N is at N times that.
TEST_F(Checkout, TheViewerOpensADumpAtAPlaceOrCycle) {
  std::ofstream(root_ / "path/gtkwave") << "#!/bin/sh\ngrep -E 'timestart|^\\*' \"$4\" | cut -d ' ' -f 1,2\n";
  for (const char* file : {"w.vcd", "w.fst"}) {
    const std::string dump = file;
    ASSERT_EQ(run("build/release/bin/g80 run vec_add --device tiny --arg n=64 --arg block=64 --wave " + dump).code, 0);
    EXPECT_EQ(run("waves/view " + dump + " issue @32600").output, "[timestart] 32576000\n*-11.000000 32600000\n")
        << dump;
    // A view opens at its own place; another place is as far from the left edge.
    const std::string issue = run("waves/view " + dump + " issue").output,
                      load = run("waves/view " + dump + " issue @'first load'").output;
    EXPECT_EQ(run("waves/view " + dump + " issue @first_issue").output, issue);
    const auto times = [](const std::string& text) {
      unsigned long long start = 0, marker = 0;
      EXPECT_EQ(std::sscanf(text.c_str(), "[timestart] %llu\n*-11.000000 %llu", &start, &marker), 2) << text;
      return std::make_pair(start, marker);
    };
    EXPECT_GT(times(load).second, times(issue).second);
    EXPECT_EQ(times(load).second - times(load).first, times(issue).second - times(issue).first);
    const Outcome missing = run("waves/view " + dump + " @'barrier open'");
    EXPECT_EQ(missing.code, 2);
    EXPECT_EQ(
        missing.output.find("waves/view: @barrier open: this wave has no such place; it has launch, first issue, "), 0u)
        << missing.output;
    EXPECT_EQ(run("waves/view " + dump + " issue @1k").code, 2);
    fs::remove(root_ / (dump + ".lines"));  // not needed for it
    EXPECT_EQ(run("waves/view " + dump + " @32600").output, "[timestart] 32576000\n*-20.000000 32600000\n") << dump;
    EXPECT_EQ(run("waves/view " + dump + " @3").output, "[timestart] 0\n*-20.000000 3000\n") << dump;
    const Outcome beyond = run("waves/view " + dump + " @99999999");
    EXPECT_EQ(beyond.code, 2);
    EXPECT_EQ(beyond.output, "waves/view: @99999999: the dump does not reach that shader cycle\n");
    EXPECT_EQ(run("waves/view " + dump + " @launch").output,
              "waves/view: @launch: the file " + dump + ".lines, in which the run noted its places, is not there\n");
    EXPECT_EQ(run("waves/view " + dump + " @").output,
              "waves/view: @: the place is missing: its name, or a shader cycle\n");
    // What lies before the file is refused like what lies behind it.
    ASSERT_EQ(
        run("build/release/bin/g80 run vec_add --device tiny --arg n=64 --arg block=64 --wave-from 37000 --wave " +
            dump)
            .code,
        0);
    const Outcome before = run("waves/view " + dump + " @36999");
    EXPECT_EQ(before.code, 2);
    EXPECT_EQ(before.output, "waves/view: @36999: the dump begins at shader cycle 37000\n");
    EXPECT_EQ(run("waves/view " + dump + " @37000").code, 0);
    EXPECT_EQ(run("waves/view " + dump + " @launch").code, 2) << "the launch comes before the file";
  }
}

// A program that is called by a link finds its kernels, headers and libraries.
TEST_F(Checkout, TheProgramWorksByALink) {
  fs::create_symlink(G80_PROGRAM, root_ / "path/g80");
  EXPECT_EQ(run("g80 run vec_add --model golden").code, 0);
  EXPECT_EQ(run("g80 compile kernels/saxpy/saxpy.cu -o build/saxpy.cubin").code, 0);
}

}  // namespace
