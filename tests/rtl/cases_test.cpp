// SPDX-License-Identifier: Apache-2.0
// Every runnable case of the real kernels with multiprocessors in SystemVerilog. Runs with `ctest -C long -L long`
// only.
#include <gtest/gtest.h>

#include "app/report/statistics.h"
#include "tests/machine/run_case.h"
#include "tests/support/data_dirs.h"

namespace g80 {
namespace {

using conformance::KernelCase;
using conformance::KernelCode;
using testing::CaseEnd;
using testing::run_case;

TEST(CasesInRtl, TakeTheSameCycles) {
  const std::string directory = conformance::cases_directory();
  const auto cases = conformance::read_kernel_cases(directory);
  if (!cases) GTEST_SKIP() << "cases.jsonl is not in " << directory;
  const Config config = load_config("gtx280", {"gpu.num_tpcs=1"});
  MachineOptions rtl;
  rtl.rtl = "sm";
  std::size_t total = 0, passed = 0;
  for (const KernelCase& test : *cases) {
    const KernelCode code = conformance::load_kernel_code(directory, test.kernel);
    const CaseEnd plain = run_case(config, test, code), end = run_case(config, test, code, rtl);
    if (!end.refused.empty()) continue;  // told by the test below
    ++total;
    EXPECT_EQ(end.wrong, "") << test.label;
    const bool equal = statistics_json({end.run}) == statistics_json({plain.run});
    EXPECT_TRUE(equal) << test.label << " counts something else";
    passed += end.wrong.empty() && equal;
  }
  test::tally("cases", passed, total, "cases.jsonl on multiprocessors in SystemVerilog, in as many cycles");
  EXPECT_GT(total, 0u);
}

}  // namespace
}  // namespace g80
