// SPDX-License-Identifier: Apache-2.0
// What the program prints where: statistics on standard output, tables as wide as the terminal, colours, --quiet.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "source_dir.h"
#include "tests/support/shell.h"

namespace {

namespace fs = std::filesystem;
using ::g80::test::Outcome;
using ::nlohmann::json;

class Output : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    fs::create_symlink(G80_PROGRAM, folder_ / "g80");
  }
  void TearDown() override { fs::remove_all(folder_); }

  Outcome run(const std::string& command) const {
    return ::g80::test::shell("cd '" + folder_.string() + "' && export G80_DATA_DIR='" G80_SOURCE_DIR "' && " +
                              command);
  }
  /// The same on a terminal of so many columns. Standard error has the progress of a run that takes long.
  Outcome on_terminal(unsigned columns, const std::string& command) const {
    return run("script -qec \"stty cols " + std::to_string(columns) + "; " + command +
               " 2>errors\" /dev/null | tr -d '\\r'");
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / ("g80_output_" + std::to_string(::getpid()));
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST_F(Output, StatisticsOnStandardOutputAreAloneThere) {
  for (const char* command : {"run vec_add", "suite --only divergence"}) {
    const Outcome outcome = run("./g80 " + std::string(command) + " --model golden --stats - 2>errors");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(json::parse(outcome.output)["runs"].at(0)["as_expected"], true);
    EXPECT_NE(run("cat errors").output.find("main stall"), std::string::npos) << "the table is on standard error";
  }
  const Outcome full = run("./g80 run vec_add --model golden --stats - 2>errors >/dev/full");
  EXPECT_EQ(full.code, 2);
  EXPECT_NE(run("cat errors").output.find("g80: --stats -: standard output cannot be written"), std::string::npos);
  const Outcome twice = run("./g80 diff --run vec_add --a '--stats -'");
  EXPECT_EQ(twice.code, 2);
  EXPECT_NE(twice.output.find("--stats - is for g80 run and g80 suite"), std::string::npos) << twice.output;
}

TEST_F(Output, ACubinOnStandardOutputIsAloneThere) {
  EXPECT_EQ(run("printf '%s\\n' '.version 3.2' '.target sm_20' '.entry k() { ret; }' >k.ptx").code, 0);
  EXPECT_EQ(run("./g80 compile k.ptx -o k.cubin && ./g80 compile k.ptx -v -o - 2>details | cmp - k.cubin").output, "");
  EXPECT_NE(run("cat details").output.find("registers"), std::string::npos);
}

TEST_F(Output, ANamedPipeIsWrittenToItsReader) {
  const Outcome outcome =
      run("mkfifo pipe && { cat pipe >a.bin & } && timeout 1000 ./g80 run vec_add --model golden --arg n=32 --quiet "
          "--dump a=pipe && wait && stat -c %s a.bin");
  EXPECT_EQ(outcome.output, "128\n");
}

TEST_F(Output, ALimitThatEndsTheReferenceIsNoLivelock) {
  const std::string stats = run("./g80 run vec_add --model golden --max-cycles 3 --stats - 2>errors").output;
  EXPECT_EQ(json::parse(stats)["runs"].at(0)["launches"].at(0)["end"], "max_cycles");
  // Lane 0 counts, the others wait for it.
  std::ofstream(folder_ / "parked.sasm")
      << ".kernel parked\n  mov b16 $r1l u16 s[0x2]\n  mov b32 $r2 $r124\n  cvt u32 $r0 u16 $r0l\n  joinat met\n"
         "  set $c0 # lg u32 $r0 $r124\n  (lg $c0) bra met\nagain:\n  add b32 $r2 $r2 0x1\n  bra again\n"
         "met:\n  join nop\n  exit nop\n";
  const Outcome parked = run("./g80 run parked.sasm --grid 1 --block 32 --model golden --max-cycles 3000");
  EXPECT_EQ(parked.code, 3);
  EXPECT_NE(parked.output.find("block (0,0): warp 0: lanes 00000001, pc 0x"), std::string::npos) << parked.output;
  EXPECT_NE(parked.output.find(" (parked.sasm:"), std::string::npos) << parked.output;
  EXPECT_NE(parked.output.find("; lanes fffffffe wait to go on at pc 0x"), std::string::npos) << parked.output;
}

TEST_F(Output, ASuiteInProcessesHasTheSameStatisticsAndCounts) {
  for (const std::string file : {"s.json", "s.csv"}) {
    const std::string command = "suite --model golden --only divergence --stats " + file;
    const Outcome one = run("./g80 " + command + " && mv " + file + " one");
    const Outcome three = run("./g80 " + command + " -j 3 && sed -i 's/ -j 3//' " + file + " && cmp one " + file);
    EXPECT_EQ(one.code, 0) << one.output;
    EXPECT_EQ(three.code, 0) << three.output;
    EXPECT_EQ(lines_of(three.output).back(), "2 of 2 runs came out as expected");
    EXPECT_EQ(lines_of(three.output).size(), 4u) << three.output;
  }
  // A process that fails ends all of them, with its exit code and its reason.
  const Outcome refused = run("./g80 suite --check off -j 3 --only vec_add --inject nothing=1@1");
  EXPECT_EQ(refused.code, 2) << refused.output;
  EXPECT_NE(refused.output.find("--inject nothing=1@1: "), std::string::npos) << refused.output;
}

TEST_F(Output, ASuiteRunsTheScenariosOfAListAndItsLastLineSaysWhatChanged) {
  const auto last = [&](const std::string& options, const std::string& answer = "") {
    const Outcome outcome =
        run("echo " + answer + " | ./g80 suite --check off --quiet --only by_warp,in_warp " + options);
    const std::string line = lines_of(outcome.output).back(), question = "? [y/N] ";
    const std::size_t asked = line.find(question);
    return line.substr(asked == std::string::npos ? 0 : asked + question.size()) + fmt::format(" ({})", outcome.code);
  };
  const std::string right = "2 of 2 runs came out as expected; ", slow = " --set host.launch_cycles=2000";
  EXPECT_EQ(last("--bless r.tsv", "y"), right + "2 changes written to r.tsv (0)");
  EXPECT_EQ(last("--against r.tsv"), right + "cycles and counters are those of r.tsv (0)");
  EXPECT_EQ(last("--against r.tsv" + slow), right + "2 changes against r.tsv (1)");
  EXPECT_EQ(run("sed -i '$d' r.tsv").code, 0);
  EXPECT_EQ(last("--bless r.tsv", "n"), right + "r.tsv stays as it is (1)");
}

// The kernel has no end; it is stopped when the terminal has shown the progress.
TEST_F(Output, ATerminalShowsHowFarALongRunIs) {
  std::ofstream(folder_ / "endless.sasm") << ".kernel k\n.param ptr p\n.reg 3\nmov b32 $r0 b32 s[p]\n"
                                             "again:\nadd b32 $r1 $r1 0x1\nst b32 g14[$r0] $r1\nbra again\n";
  const Outcome shown =
      run("{ script -qefc './g80 run endless.sasm --grid 2 --block 32 --arg u32[1] --check off --max-cycles "
          "1000000000000000' "
          "shown >/dev/null & }; until grep -q 'k: 0 of 2 blocks, [0-9]* k cycles/s' shown; do sleep 0.1; "
          "kill -0 $! || exit 1; done 2>/dev/null; kill $!; wait");
  EXPECT_EQ(shown.code, 0) << shown.output << run("cat shown").output;
  EXPECT_EQ(run("./g80 run vec_add --arg n=32 --quiet --progress").output, "") << "no terminal: nothing";
}

TEST_F(Output, MeasurementsSayWhichRowTheyAreAt) {
  const Outcome outcome = run("./g80 silicon --row launch 2>&1 >table");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output.find("row 1 of "), 0u) << outcome.output;
  EXPECT_NE(run("cat table").output.find("launch"), std::string::npos);
}

TEST_F(Output, QuietCommandsPrintOnlyWhatIsWrong) {
  EXPECT_EQ(run("./g80 run vec_add --model golden --quiet --stats a.json").output, "");
  EXPECT_EQ(run("./g80 suite --model golden --quiet --only vec_add").output, "1 of 1 runs came out as expected\n");
  EXPECT_EQ(run("./g80 diff a.json a.json --quiet").output, "");
  ASSERT_EQ(run("./g80 run vec_add --model golden --quiet --arg n=999 --stats b.json").code, 0);
  EXPECT_EQ(run("./g80 run vec_add --model golden --quiet --max-cycles 3").output.find("kernel "), 0u);
  EXPECT_EQ(
      run("sed -i 's/\"c\": \"[0-9a-f]*/\"c\": \"0/' a.json; ./g80 run vec_add --model golden --quiet --stats b.json; "
          "./g80 diff a.json b.json --quiet")
          .output,
      "vec_add n=1000 block=256: the results differ\n");
}

TEST_F(Output, ColoursAreForTerminalsThatWantThem) {
  ASSERT_EQ(run("./g80 run vec_add --model golden --stats a.json").code, 0);
  const std::string command = "./g80 diff a.json a.json --gate 'warp_instructions<=-1%'", red = "\x1b[31mgate ";
  EXPECT_EQ(run(command).output.find('\x1b'), std::string::npos);
  EXPECT_NE(on_terminal(100, command).output.find(red), std::string::npos);
  EXPECT_EQ(on_terminal(100, "NO_COLOR=1 " + command).output.find('\x1b'), std::string::npos);
}

TEST_F(Output, TablesFitTheTerminal) {
  for (const unsigned columns : {80u, 100u, 120u}) {
    const Outcome outcome = on_terminal(columns, "./g80 run vec_add --check off --hot 3");
    EXPECT_EQ(outcome.code, 0);
    for (const std::string& line : lines_of(outcome.output)) EXPECT_LE(line.size(), columns) << line;
    for (const char* column : {"cycles  executing", "golden\n", "instruction\n", "ld b32 "}) {
      EXPECT_NE(outcome.output.find(column), std::string::npos) << columns << "\n" << outcome.output;
    }
  }
  EXPECT_NE(run("./g80 run vec_add --model golden").output.find("uncoalesced"), std::string::npos) << "elsewhere: all";
}

TEST_F(Output, SourceLinesAreWholeOnANarrowTerminal) {
  fs::create_directories(folder_ / "a/long/way");
  const std::string source =
      "extern \"C\" __global__ void scale(float* values, float factor) { "
      "values[threadIdx.x] = values[threadIdx.x] * factor; /* the end */ }";
  std::ofstream(folder_ / "a/long/way/scale.cu") << source << "\n";
  const std::string output =
      on_terminal(80, "./g80 run a/long/way/scale.cu --grid 1 --block 64 --arg f32[64] --arg 2.0 --check off --hot 2")
          .output;
  std::string words;
  std::istringstream in(output);
  for (std::string word; in >> word;) words += (words.empty() ? "" : " ") + word;
  for (const char* const place : {"scale.cu:1: ", "scale.cu:1 "})
    EXPECT_NE(words.find(place + source), std::string::npos) << output;
  for (const std::string& line : lines_of(output)) EXPECT_LE(line.size(), 80u) << line;
}

TEST_F(Output, AFaultHasTheNameOfTheKernelInTheProgram) {
  std::ofstream(folder_ / "store.sasm") << ".kernel _Z5storePf\nmov b32 $r0 0x1\nst b32 g14[$r0] $r0\nexit nop\n";
  const std::string output = run("./g80 run store.sasm --grid 1 --block 32 --model golden").output;
  EXPECT_NE(output.find("\nstore(float*): fault: "), std::string::npos) << output;
}

TEST_F(Output, ListsFoldAtTheEndOfTheTerminalAndLoseNoWord) {
  const auto words = [](const std::string& text) {
    std::istringstream in(text);
    return std::vector<std::string>(std::istream_iterator<std::string>(in), {});
  };
  ASSERT_EQ(run("./g80 run vec_add --check off --quiet --stats a.json && "
                "./g80 run vec_add --check off --quiet --stats b.json --set sm.scheduler=oldest_first")
                .code,
            0);
  for (const std::string command : {"list", "devices", "diff a.json b.json"}) {
    const std::string plain = run("./g80 " + command).output;
    for (const unsigned columns : {70u, 100u}) {
      const std::string folded = on_terminal(columns, "./g80 " + command).output;
      EXPECT_EQ(words(folded), words(plain)) << command;
      for (const std::string& line : lines_of(folded)) EXPECT_LE(line.size(), columns) << line;
    }
  }
}

// The same waits, but for the short ones; no issues, no bursts.
TEST_F(Output, ATimelineHasLongWaitsUnlessAllIsAskedFor) {
  const auto waits = [&](const std::string& level) {
    EXPECT_EQ(run("./g80 run vec_add --check off --quiet --timeline t.json" + level).code, 0);
    std::map<std::string, std::uint64_t> count;
    std::ifstream in(folder_ / "t.json");
    const json timeline = json::parse(in);
    for (const json& event : timeline["traceEvents"]) {
      const std::string kind = event.value("cat", "");
      if (kind != "wait" || event["dur"] >= 64) ++count[kind];
    }
    return count;
  };
  auto few = waits(""), all = waits(" --timeline-level all");
  EXPECT_GT(few["wait"], 10u);
  EXPECT_EQ(few["wait"], all["wait"]);
  EXPECT_EQ(few["warp"], all["warp"]);
  EXPECT_GT(all["issue"], 500u);
  EXPECT_EQ(few.size(), 3u) << "waits, warps, names";
}

TEST_F(Output, MessagesNameFilesFromTheCurrentFolder) {
  fs::create_directory(folder_ / "own");
  std::ofstream(folder_ / "own/x.sasm") << "#\n";
  EXPECT_EQ(run("./g80 asm \"$PWD/own/x.sasm\"").output.find("g80: own/x.sasm:1:1: "), 0u);
}

}  // namespace
