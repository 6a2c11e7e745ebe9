// SPDX-License-Identifier: Apache-2.0
// Every runnable case of the real kernels on the cycle model of four chips, in lock-step with the reference: memory
// exactly as expected. A case that a chip cannot run is refused with the reason, and counted.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/machine/run_case.h"
#include "tests/machine/variations.h"
#include "tests/support/data_dirs.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

using conformance::KernelCase;
using conformance::KernelCode;
using testing::CaseEnd;
using testing::run_case;

TEST(CasesOnDrawnMachines, LeaveTheExpectedMemory) {
  const std::string directory = conformance::cases_directory();
  const auto cases = conformance::read_kernel_cases(directory);
  if (!cases) GTEST_SKIP() << "cases.jsonl is not in " << directory;
  const unsigned seed = 1 + random_seed();
  std::mt19937 random(seed);
  std::size_t total = 0, passed = 0;
  for (const KernelCase& test : *cases) {
    testing::Variation machine = testing::combination(random);
    machine.sets.push_back("sm.init=zero");  // some of them read what nobody wrote
    machine.machine.lockstep = true;
    CaseEnd end;
    try {
      end = run_case(load_config("8600gts", machine.sets), test, conformance::load_kernel_code(directory, test.kernel),
                     machine.machine);
    } catch (const std::exception& error) {
      end.wrong = error.what();
    }
    if (!end.refused.empty()) continue;  // told by the test below
    ++total;
    EXPECT_EQ(end.wrong, "") << test.label << " on " << machine.name << ", seed " << seed;
    passed += end.wrong.empty();
  }
  test::tally("cases", passed, total,
              fmt::format("cases.jsonl on cycle models of other shapes, drawn with seed {}", seed));
  EXPECT_GT(total, 0u);
}

struct Machine {
  std::string name;
  std::string preset;
  std::vector<std::string> sets{};
};
void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.name; }

class Cases : public ::testing::TestWithParam<Machine> {};

TEST_P(Cases, EveryKernelLeavesTheExpectedMemory) {
  const std::string directory = conformance::cases_directory();
  const auto cases = conformance::read_kernel_cases(directory);
  if (!cases) GTEST_SKIP() << "cases.jsonl is not in " << directory;
  const Machine& machine = GetParam();
  const Config config = load_config(machine.preset, machine.sets);
  std::map<std::string, KernelCode> kernels;
  std::size_t total = 0, passed = 0, refused = 0;
  for (const KernelCase& test : *cases) {
    if (kernels.count(test.kernel) == 0) kernels[test.kernel] = conformance::load_kernel_code(directory, test.kernel);
    CaseEnd end;
    try {
      end = run_case(config, test, kernels[test.kernel]);
    } catch (const std::exception& error) {
      end.wrong = error.what();
    }
    if (!end.refused.empty()) {
      ++refused;
      std::printf("%s: refused: %s\n", test.label.c_str(), end.refused.c_str());
      EXPECT_TRUE(test.threads() > config.device.max_threads_per_block || config.device.compute_minor == 0)
          << test.label << ": " << end.refused;
      continue;
    }
    EXPECT_LE(test.threads(), config.device.max_threads_per_block) << test.label << " should have been refused";
    ++total;
    EXPECT_EQ(end.wrong, "") << test.label;
    passed += end.wrong.empty();
  }
  test::tally("cases", passed, total,
              fmt::format("cases.jsonl on the cycle model ({}){}", machine.name,
                          refused == 0 ? "" : fmt::format(", {} refused by the chip's limits", refused)));
  EXPECT_EQ(passed, total);
  EXPECT_GT(total, 0u);
}

INSTANTIATE_TEST_SUITE_P(Machines, Cases,
                         ::testing::Values(Machine{"tiny", "tiny"}, Machine{"8600gts", "8600gts"},
                                           Machine{"8800gtx", "8800gtx"},
                                           Machine{"gtx280 with two of its TPCs", "gtx280", {"gpu.num_tpcs=2"}}),
                         [](const auto& info) { return info.param.preset; });

}  // namespace
}  // namespace g80
