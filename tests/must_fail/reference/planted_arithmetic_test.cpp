// SPDX-License-Identifier: Apache-2.0
// Machine and reference are two implementations of the same arithmetic: lock-step stops a program where either of them
// has a mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tb/machine/gpu_backend.h"
#include "tests/must_fail/reference/mistake.h"
#include "toolchain/assembler/assembler.h"

namespace g80::must_fail {

unsigned mistake = 0;

namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

/// A program that stores what one instruction computes.
struct Arithmetic {
  const char* operands;  // instructions in front of it
  const char* computes;
  const char* result;  // its register
};
// $r1 is the thread's number.
const Arithmetic kMultiplyAdd = {
    "  mov b32 $r4 0x3f9d70a4\n  cvt rn f32 $r5 u32 $r1\n  add f32 $r5 $r5 $r4\n  mov b32 $r6 0x3eaaaaab\n",
    "add f32 $r7 (mul $r5 $r4) $r6", "$r7"};
const Arithmetic kDifference = {"  mov b32 $r5 0x12345\n", "sub b32 $r7 $r5 $r1", "$r7"};
const Arithmetic kReciprocal = {"  cvt rn f32 $r5 u32 $r1\n  mov b32 $r4 0x3f9d70a4\n  add f32 $r5 $r5 $r4\n",
                                "rcp f32 $r7 $r5", "$r7"};
const Arithmetic kDoubleSum = {"  cvt rn f64 $r4d u32 $r1\n  mov b32 $r6 0x12345678\n  mov b32 $r7 0x3fd12345\n",
                               "add rn f64 $r8d $r4d $r6d", "$r8"};
const Arithmetic kDoubleProduct = {"  cvt rn f64 $r4d u32 $r1\n  mov b32 $r6 0x12345678\n  mov b32 $r7 0xbfd12345\n",
                                   "fma rn f64 $r8d $r4d $r6d $r6d", "$r8"};
const Arithmetic kMaximum = {"  mov b32 $r5 0xfffffff0\n", "ld max s32 $r7 g14[$r2] $r5", "$r7"};

struct Ending {
  LaunchEnd end = LaunchEnd::kFinished;
  std::string message;
};

Ending run_probe(const Arithmetic& arithmetic, unsigned number, const std::vector<std::string>& faults) {
  mistake = number;
  const std::string text = std::string(".arch sm_13\n.kernel probe\n.param ptr out\n  cvt u32 $r1 u16 $r0l\n") +
                           "  mov b32 $r2 b32 s[out]\n" + arithmetic.operands + "  " + arithmetic.computes +
                           "\n  st b32 g14[$r2] " + arithmetic.result + "\n  exit nop\n";
  const Module module = assemble(text, "probe.sasm");
  MachineOptions options;
  options.faults = faults;
  GpuBackend gpu(load_config("tiny", {"device.compute_minor=3", "sm.num_dps=1", "gpu.hang_cycles=5000"}), options);
  gpu.load(module);
  const std::uint32_t out = gpu.allocate(256, "out");
  Ending result;
  try {
    const LaunchResult launch = gpu.launch({gpu.config(), module.kernels.front(), {1, 1, 1}, {32, 1, 1}, {out}});
    result = {launch.end, launch.message};
  } catch (const ModelError& error) {
    result = {LaunchEnd::kFault, error.what()};
  }
  mistake = 0;
  return result;
}

struct Planted {
  const char* name;
  const Arithmetic* arithmetic;
  unsigned mistake;   // of the reference; 0: none
  const char* fault;  // of the machine, or nothing
  const char* suspect;
};
void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.name; }

class PlantedArithmetic : public ::testing::TestWithParam<Planted> {};

TEST_P(PlantedArithmetic, IsStoppedByLockStepWithTheValueAndTheOneExpected) {
  const Planted& planted = GetParam();
  const Ending clean = run_probe(*planted.arithmetic, 0, {});
  ASSERT_EQ(clean.end, LaunchEnd::kFinished) << clean.message;
  std::vector<std::string> faults;
  if (planted.fault != nullptr) faults.emplace_back(planted.fault);
  const Ending wrong = run_probe(*planted.arithmetic, planted.mistake, faults);
  EXPECT_NE(wrong.end, LaunchEnd::kFinished);
  EXPECT_THAT(wrong.message, HasSubstr("lock-step: cycle "));
  // The second lane that performs an atomic finds the wrong word.
  const std::string differs = planted.arithmetic == &kMaximum ? "was read as" : "\\$r[0-9]+ is";
  EXPECT_THAT(wrong.message, ContainsRegex(differs + " 0x[0-9a-f]+, expected 0x[0-9a-f]+"));
  if (planted.mistake != 0) {  // a fault of the machine is there for every instruction
    EXPECT_THAT(wrong.message, HasSubstr(planted.arithmetic->computes));
  }
  EXPECT_THAT(wrong.message, HasSubstr(std::string("suspect: ") + planted.suspect + " ("));
}

const char* const kSp = "gpu.tpc0.sm0.sp_array";
const char* const kSfu = "gpu.tpc0.sm0.sfu";
const char* const kDp = "gpu.tpc0.sm0.dp";
const Planted kPlanted[] = {
    {"reference_truncates_no_product", &kMultiplyAdd, 1, nullptr, kSp},
    {"reference_subtracts_without_the_one", &kDifference, 2, nullptr, kSp},
    {"reference_reads_another_row", &kReciprocal, 3, nullptr, kSfu},
    {"reference_rounds_in_another_place", &kReciprocal, 4, nullptr, kSfu},
    {"reference_aligns_too_far", &kDoubleSum, 5, nullptr, kDp},
    {"reference_halves_a_product", &kDoubleProduct, 6, nullptr, kDp},
    {"reference_orders_signed_numbers_as_unsigned", &kMaximum, 7, nullptr, "gpu.channel0.controller"},
    {"sp_product", &kMultiplyAdd, 0, "sm0.sp_array.datapath.multiplied.sum[3]^=0x10000000000@1..", kSp},
    {"sp_sum", &kDifference, 0, "sm0.sp_array.datapath.sum.word[2]^=0x10@1..", kSp},
    {"sfu_lookup", &kReciprocal, 0, "sm0.sfu.datapath.looked_up.square_carry[1]^=0x4000@1..", kSfu},
    {"sfu_sum", &kReciprocal, 0, "sm0.sfu.datapath.sum.value[1]^=0x10000000@1..", kSfu},
    {"dp_product", &kDoubleProduct, 0, "sm0.dp.datapath.high.sum_high[0]^=0x10@1..", kDp},
    {"dp_alignment", &kDoubleSum, 0, "sm0.dp.datapath.high.distance[0]^=0x1@1..", kDp},
    {"dp_significand", &kDoubleSum, 0, "sm0.dp.datapath.shifted.significand[0]^=0x100000@1..", kDp},
};

INSTANTIATE_TEST_SUITE_P(MachineAndReference, PlantedArithmetic, ::testing::ValuesIn(kPlanted),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace g80::must_fail
