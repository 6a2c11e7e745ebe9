// SPDX-License-Identifier: Apache-2.0
// Counters per instruction, and the source lines in reports: from the program's files to what a user reads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/support/shell.h"

namespace {

using ::g80::test::Outcome;
using ::g80::test::shell;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;
namespace fs = std::filesystem;

class Folder : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(path_); }
  void TearDown() override { fs::remove_all(path_); }
  std::string file(const std::string& name, const std::string& text = "") const {
    if (!text.empty()) std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  Json statistics(const std::string& arguments) const {
    const std::string name = file("s.json");
    const Outcome outcome = shell(std::string(G80_PROGRAM) + " " + arguments + " --stats " + name);
    EXPECT_NE(outcome.code, 2) << arguments << "\n" << outcome.output;
    std::ifstream stream(name);
    return Json::parse(stream);
  }
  Outcome inside(const std::string& command) const { return shell("cd " + path_.string() + " && " + command); }

  const fs::path path_ = fs::path(::testing::TempDir()) / ("g80_lines_" + std::to_string(getpid()));
};

using Counters = Folder;
using SourceLines = Folder;

std::uint64_t sum_over_sms(const Json& launch, const std::string& counter) {
  std::uint64_t sum = 0;
  for (const Json& sm : launch["sms"]) sum += sm[counter].get<std::uint64_t>();
  return sum;
}

/// Every counter of a launch is the sum of those of its instructions.
void expect_conserved(const Json& run, const Json& launch) {
  SCOPED_TRACE(run["scenario"].get<std::string>() + " " + launch["kernel"].get<std::string>());
  ASSERT_TRUE(launch.contains("pcs"));
  std::map<std::string, std::uint64_t> sum, stall;
  for (const Json& pc : launch["pcs"]) {
    for (const char* counter : {"issued", "lanes", "transactions", "bank_conflict_passes"})
      sum[counter] += pc[counter].get<std::uint64_t>();
    for (const auto& [reason, cycles] : pc["stall"].items()) stall[reason] += cycles.get<std::uint64_t>();
  }
  EXPECT_EQ(sum["issued"], sum_over_sms(launch, "issued"));
  // Where a launch is stopped, an SM has counted instructions whose results are still on their way.
  const std::uint64_t executed = sum_over_sms(launch, "thread_instructions");
  const std::uint64_t under_way = launch["end"] == "finished" ? 0 : 24 * 32 * launch["sms"].size();
  EXPECT_LE(sum["lanes"], executed);
  EXPECT_GE(sum["lanes"] + under_way, executed);
  EXPECT_EQ(sum["transactions"], sum_over_sms(launch, "memory_transactions"));
  EXPECT_EQ(sum["bank_conflict_passes"], sum_over_sms(launch, "bank_conflict_passes"));
  std::map<std::string, std::uint64_t> expected;
  for (const Json& sm : launch["sms"])
    for (const auto& [reason, cycles] : sm["stall"].items()) expected[reason] += cycles.get<std::uint64_t>();
  expected.erase("no_warp");  // belongs to no instruction
  for (const auto& [reason, cycles] : expected) EXPECT_EQ(stall[reason], cycles) << reason;
  EXPECT_EQ(stall.count("no_warp"), 0u);
}

TEST_F(Counters, OfInstructionsAddUpToThoseOfTheLaunchForEveryKernel) {
  const Json root = statistics("suite --check off");
  EXPECT_EQ(root["format"], "g80-stats 2");
  std::size_t launches = 0;
  for (const Json& run : root["runs"]) {
    for (const Json& launch : run["launches"]) {
      expect_conserved(run, launch);
      ++launches;
    }
  }
  EXPECT_GT(launches, 20u);
}

TEST_F(Counters, AreTheSameAwake) {
  const std::string run = "run dot_product --check off";
  const auto pcs = [](const Json& root) { return root["runs"][0]["launches"][0]["pcs"]; };
  const Json expected = pcs(statistics(run));
  EXPECT_EQ(pcs(statistics(run + " --no-sleep")), expected);
}

TEST_F(Counters, HaveTheDocumentedKeys) {
  const Json root = statistics("run vec_add --check off");
  const Json& pcs = root["runs"][0]["launches"][0]["pcs"];
  const std::set<std::string> keys = {"pc",           "instruction",          "file", "line", "issued", "lanes",
                                      "transactions", "bank_conflict_passes", "stall"};
  std::uint64_t last = 0;
  for (const Json& pc : pcs) {
    std::set<std::string> found;
    for (const auto& entry : pc.items()) found.insert(entry.key());
    EXPECT_EQ(found, keys);
    EXPECT_THAT(pc["file"].get<std::string>(), HasSubstr("vec_add.sasm"));
    EXPECT_TRUE(last == 0 || pc["pc"].get<std::uint64_t>() > last);
    last = pc["pc"].get<std::uint64_t>();
  }
  const std::string csv = file("s.csv");
  ASSERT_EQ(shell(std::string(G80_PROGRAM) + " run vec_add --check off --stats " + csv).code, 0);
  std::ifstream stream(csv);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  EXPECT_THAT(text, HasSubstr(",0,,pc_0x0000_issued,"));
  EXPECT_THAT(shell(std::string(G80_PROGRAM) + " run vec_add --model golden --hot 3").output,
              HasSubstr("--hot needs the cycle model"));
}

constexpr const char* kProgram =
    "#include <stdio.h>\n"
    "__global__ void store(int* p, int at) {\n"
    "  int value = threadIdx.x;\n"
    "  p[threadIdx.x] = value;\n"
    "  p[at] = value;\n"
    "}\n"
    "__global__ void stuck(int* p) {\n"
    "  int i = 1;\n"
    "  while (i != 0) i = 2 * i + 1 | p[0] & 1;\n"
    "  p[threadIdx.x] = i;\n"
    "}\n"
    "int main(int argc, char** argv) {\n"
    "  int* p;\n"
    "  cudaMalloc(&p, 1024);\n"
    "  cudaMemset(p, 0, 1024);\n"
    "  if (argc > 1) {\n"
    "    stuck<<<1, 64>>>(p);\n"
    "  } else {\n"
    "    store<<<1, 32>>>(p, 1 << 26);\n"
    "  }\n"
    "  puts(cudaGetErrorString(cudaThreadSynchronize()));\n"
    "}\n";

TEST_F(SourceLines, AFaultInAUsersProgramNamesItsLine) {
  if (shell("clang --version").code != 0) GTEST_SKIP() << "clang was not found";
  file("user.cu", kProgram);
  const Outcome made = inside(std::string(G80_PROGRAM) + " cc user.cu -o user");
  ASSERT_EQ(made.code, 0) << made.output;
  for (const char* model : {"G80_RUN='--check lockstep'", "G80_RUN='--model golden'"}) {
    const Outcome fault = inside(std::string(model) + " ./user");
    EXPECT_THAT(fault.output, HasSubstr("(user.cu:5)")) << model;
    EXPECT_THAT(fault.output, Not(HasSubstr("user.cu:4"))) << model;
  }
  const Outcome hang = inside("G80_RUN='--check off --max-cycles 40000' ./user stuck");
  EXPECT_THAT(hang.output, HasSubstr("` (user.cu:9)\n"));
}

TEST_F(SourceLines, ABarrierThatCannotOpenIsNamedByItsLine) {
  for (const char* options : {"--check off", "--model golden"}) {
    const std::string text = shell(std::string(G80_PROGRAM) + " run dot_product_hang " + options).output;
    const std::size_t at = text.find("dot_product_hang.sasm:");
    ASSERT_NE(at, std::string::npos) << text;
    std::ifstream stream("kernels/dot_product_hang/dot_product_hang.sasm");
    std::string line;
    for (int number = std::stoi(text.substr(at + std::string("dot_product_hang.sasm:").size())); number > 0; --number)
      std::getline(stream, line);
    EXPECT_THAT(line, HasSubstr("bar ")) << options << text.substr(0, at + 40);
  }
}

TEST_F(SourceLines, ALoopThatDoesNothingIsNamedByItsLine) {
  if (shell("clang --version").code != 0) GTEST_SKIP() << "clang was not found";
  file("wait.cu", "__global__ void wait(int* out, int n) {\n  while (n);\n  out[0] = 1;\n}\n");
  for (const char* options : {"--check off", "--model golden"}) {
    const Outcome outcome =
        inside(std::string(G80_PROGRAM) + " run wait.cu --grid 1 --block 32 --arg 'out:s32[1]' --arg 1 " + options);
    EXPECT_EQ(outcome.code, 3) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("(wait.cu:2)")) << options;
  }
}

TEST_F(SourceLines, AWaveComesWithThoseOfItsKernels) {
  const std::string wave = file("w.vcd");
  ASSERT_EQ(
      shell(std::string(G80_PROGRAM) + " run vec_add --check off --wave-scope gpu.tpc0.sm0.issue --wave " + wave).code,
      0);
  std::ifstream stream(wave + ".lines");
  std::string idle, pc, valid_pc;
  std::getline(stream, idle) && std::getline(stream, pc) && std::getline(stream, valid_pc);
  EXPECT_EQ(idle, "0000000 -");
  EXPECT_THAT(pc, ::testing::MatchesRegex("[0-9a-f]{6} vec_add.sasm:[0-9]+  .+"));
  EXPECT_EQ(valid_pc, "1" + pc);
}

TEST_F(SourceLines, TheTraceEndsAnInstructionWithItsLine) {
  const Outcome outcome =
      shell(std::string(G80_PROGRAM) +
            " run vec_add --check off --device tiny --arg n=64 --arg block=64 --trace warp=0,pc=0x40");
  const std::size_t issue = outcome.output.find("gpu.tpc0.sm0.issue ");
  ASSERT_NE(issue, std::string::npos) << outcome.output;
  EXPECT_THAT(outcome.output.substr(issue, outcome.output.find('\n', issue) - issue),
              ::testing::MatchesRegex(".*pc=0x40 error=- insn=`ld .*` \\| vec_add.sasm:[0-9]+  ld .*"));
}

// Two kernels of a CUDA program, and the viewer itself: what it shows beside each pc is the line with that statement.
TEST_F(SourceLines, GtkWaveShowsThemForEveryKernelOfACudaProgram) {
  for (const char* program : {"clang --version", "command -v gtkwave", "command -v xvfb-run"}) {
    if (shell(program).code != 0) GTEST_SKIP() << program << " failed";
  }
  file("two.cu",
       "#include <cstdio>\n"
       "__global__ void first(float* x) {\n"
       "  x[threadIdx.x] = 3.0f;\n"
       "}\n"
       "__global__ void second(float* x) {\n"
       "  const float old = x[threadIdx.x];\n"
       "  __syncthreads();\n"
       "  x[31 - threadIdx.x] = old + 1.0f;\n"
       "}\n"
       "int main() {\n"
       "  float* x;\n"
       "  cudaMalloc(&x, 128);\n"
       "  first<<<1, 32>>>(x);\n"
       "  second<<<1, 32>>>(x);\n"
       "  return cudaThreadSynchronize();\n"
       "}\n");
  ASSERT_EQ(inside(std::string(G80_PROGRAM) + " cc two.cu -o two").code, 0);
  file("script.tcl",
       "foreach {time pc} [gtkwave::signalChangeList gpu.tpc0.sm0.issue.insn.pc] {\n"
       "  gtkwave::setMarker $time\n"
       "  puts \"<[gtkwave::getTraceValueAtMarkerFromName {source line}]>\"\n"
       "}\n"
       "gtkwave::/File/Quit\n");
  for (const char* wave : {"w.vcd", "w.fst"}) {
    SCOPED_TRACE(wave);
    const Outcome run =
        inside(std::string("G80_DEVICE=tiny G80_RUN='--check off --wave-scope *.sm0.* --wave ") + wave + "' ./two");
    ASSERT_EQ(run.code, 0) << run.output;
    const Outcome viewer = shell("HOME=" + path_.string() + " timeout 1000 xvfb-run -a waves/view " + file(wave) +
                                 " issue -S " + file("script.tcl"));
    for (const char* line : {"<two.cu:3  x[threadIdx.x] = 3.0f;>", "<two.cu:6  const float old = x[threadIdx.x];>",
                             "<two.cu:7  __syncthreads();>", "<two.cu:8  x[31 - threadIdx.x] = old + 1.0f;>"}) {
      EXPECT_THAT(viewer.output, HasSubstr(line));
    }
  }
}

TEST_F(SourceLines, TheHotListingShowsWhereWarpsWait) {
  if (shell("clang --version").code != 0) GTEST_SKIP() << "clang was not found";
  file("hot.cu",
       "__global__ void hot(float* out, const float* in) {\n"
       "  float sum = 0;\n"
       "  for (int i = 0; i < 64; ++i)\n"
       "    sum += in[i * 64];  // one word of every second line\n"
       "  out[threadIdx.x] = sum;\n"
       "}\n");
  const Outcome outcome =
      inside(std::string(G80_PROGRAM) + " run hot.cu --grid 1 --block 32 --arg 'f32[32]' --arg 'f32[4096]' --hot 2");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const std::size_t lines = outcome.output.find("source line");
  ASSERT_NE(lines, std::string::npos) << outcome.output;
  // The first row of the second table: the load and its use.
  const std::size_t row = outcome.output.find('\n', lines) + 1;
  EXPECT_THAT(outcome.output.substr(row, outcome.output.find('\n', row) - row),
              ::testing::AllOf(HasSubstr("memory"), HasSubstr("hot.cu:4  sum += in[i * 64];")));
}

}  // namespace
