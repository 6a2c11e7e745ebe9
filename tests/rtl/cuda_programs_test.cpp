// SPDX-License-Identifier: Apache-2.0
// Every CUDA program of the project with its multiprocessors in SystemVerilog: what it prints, its exit status and
// every count are those on SystemC blocks. Runs with `ctest -C long -L long` only.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>
#include <vector>

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

/// The programs whose usual run is long take less work.
std::string arguments_of(const std::filesystem::path& path) {
  return path.stem() == "streams" ? " 1" : path.stem() == "square_array" ? " 4" : "";
}

/// Runs a program with blocks of both kinds. Returns whether it launched anything.
bool runs_the_same(const std::filesystem::path& path) {
  SCOPED_TRACE(path.string());
  const std::string stem = path.stem().string(), program = temporary(stem);
  const std::string plain = program + "_plain.json", rtl = program + "_rtl.json";
  // One TPC of this chip has every unit that an SM can have.
  const auto command = [&](const std::string& options, const std::string& statistics) {
    return "G80_DEVICE=gtx280 G80_RUN='--set gpu.num_tpcs=1 --stats " + statistics + options + "' " + program +
           arguments_of(path);
  };
  const Outcome made = compile("-arch=sm_13 -fmad=false -lmpfr " + path.string(), program);
  EXPECT_EQ(made.code, 0) << made.output;
  if (made.code != 0) return false;
  const Outcome expected = run(command("", plain)), outcome = run(command(" --rtl sm", rtl));
  EXPECT_EQ(outcome.code, expected.code);
  EXPECT_EQ(outcome.output, expected.output);
  std::filesystem::remove(program);
  if (!std::filesystem::exists(plain)) return false;
  const Outcome difference = run(std::string(G80_PROGRAM) + " diff --quiet " + plain + " " + rtl);
  EXPECT_EQ(difference.code, 0) << difference.output;
  return true;
}

class ProgramsInRtl : public ProgramTest {};

TEST_F(ProgramsInRtl, PrintAndCountTheSame) {
  const std::vector<std::filesystem::path> all = programs();
  std::atomic<std::size_t> next{0};
  std::atomic<unsigned> launched{0};
  std::vector<std::thread> workers(std::thread::hardware_concurrency());
  for (std::thread& worker : workers) {
    worker = std::thread([&] {
      for (std::size_t i = next++; i < all.size(); i = next++) launched += runs_the_same(all[i]) ? 1 : 0;
    });
  }
  for (std::thread& worker : workers) worker.join();
  EXPECT_GT(launched, 30u);
}

}  // namespace
