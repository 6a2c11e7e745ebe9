// SPDX-License-Identifier: Apache-2.0
// Every CUDA program of the project with its multiprocessors in SystemVerilog: what it prints, its exit status and
// every count are those on SystemC blocks. Runs with `ctest -C long -L long` only.
#include <gmock/gmock.h>

#include "tests/runtime/program_runner.h"

namespace {

using namespace g80::testing;

std::vector<std::filesystem::path> programs() {
  std::vector<std::filesystem::path> list;
  for (const char* folder : {"kernels", "tests/runtime/programs"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source(folder))) {
      const std::string name = entry.path().stem().string();
      const bool ends = name != "dot_product_hang" && name != "reduction_endless";
      if (entry.path().extension() == ".cu" && ends) list.push_back(entry.path());
    }
  }
  return list;
}

class ProgramsInRtl : public ProgramTest {};

TEST_F(ProgramsInRtl, PrintAndCountTheSame) {
  unsigned run_both = 0;
  for (const std::filesystem::path& path : programs()) {
    SCOPED_TRACE(path.string());
    const std::string program = temporary("program"), plain = temporary("plain.json"), rtl = temporary("rtl.json");
    // One TPC of this chip has every unit that an SM can have.
    const std::string seed = path.stem() == "streams" ? " 1" : "";
    const auto command = [&](const std::string& options, const std::string& statistics) {
      return "G80_DEVICE=gtx280 G80_RUN='--set gpu.num_tpcs=1 --stats " + statistics + options + "' " + program + seed;
    };
    const Outcome made = compile("-arch=sm_13 -fmad=false -lmpfr " + path.string(), program);
    ASSERT_EQ(made.code, 0) << made.output;
    const Outcome expected = run(command("", plain)), outcome = run(command(" --rtl sm", rtl));
    EXPECT_EQ(outcome.code, expected.code);
    EXPECT_EQ(outcome.output, expected.output);
    if (!std::filesystem::exists(plain)) continue;  // it launches nothing here
    const Outcome difference = run(std::string(G80_PROGRAM) + " diff --quiet " + plain + " " + rtl);
    EXPECT_EQ(difference.code, 0) << difference.output;
    ++run_both;
    std::filesystem::remove(plain);
    std::filesystem::remove(rtl);
  }
  EXPECT_GT(run_both, 30u);
}

}  // namespace
