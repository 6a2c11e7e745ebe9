// SPDX-License-Identifier: Apache-2.0
// Locks in shared memory and the fp64 unit on the whole machine, in lock-step: everybody gets his turn whatever the
// lock table looks like, locks of ended blocks are free, a lock that nobody gives back is explained, faults in the
// table are caught.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tb/machine/gpu_backend.h"
#include "tb/scenario/golden_backend.h"
#include "tests/support/random_seed.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/compiler/compile.h"

namespace g80 {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kWords = 64;  // of the buffer `out`

struct Outcome {
  LaunchResult launch;
  std::vector<std::uint32_t> out;
};

Outcome launch(Backend& backend, const Module& module, unsigned blocks, unsigned threads) {
  backend.load(module);
  Outcome outcome;
  outcome.out.assign(kWords, 0);
  const std::uint32_t out = backend.allocate(kWords * 4, "out");
  outcome.launch =
      backend.launch({backend.config(), module.kernels.front(), {blocks, 1, 1}, {threads, 1, 1}, {out}, 0, 20'000'000});
  if (outcome.launch.end == LaunchEnd::kFinished) backend.read(out, outcome.out.data(), kWords * 4);
  return outcome;
}

Config machine_of(std::vector<std::string> sets) {
  sets.insert(sets.begin(), {"device.compute_minor=3", "sm.num_dps=1", "gpu.hang_cycles=5000"});
  return load_config("tiny", sets);
}

Outcome launch(const Module& module, const std::vector<std::string>& sets, unsigned blocks, unsigned threads,
               const MachineOptions& options = {}) {
  GpuBackend gpu(machine_of(sets), options);
  return launch(gpu, module, blocks, threads);
}

Module assembled(const std::string& body) {
  return assemble(".arch sm_13\n.kernel probe\n.param ptr out\n.shared word u32 4\n" + body, "probe.sasm");
}

/// Each thread adds one to a word that all share, and to one of two; the first thread adds both to out[0] and out[1].
const char* const kCount =
    "  and b32 $r2 $r0 0x1\n  shl $a1 $r2 0x2\n  shl b32 $r5 $r0 0x2\n  mov b32 $r6 0x1\n  joinat one\n"
    "all:\n  ld lock $c0 $r1 b32 s[0x14]\n  (lg $c0) add b32 $r1 $r1 $r6\n  (lg $c0) st unlock b32 s[0x14] $r1\n  (e "
    "$c0) bra all\n"
    "one:\n  join nop\n  joinat two\n"
    "own:\n  ld lock $c0 $r1 b32 s[$a1+0x18]\n  (lg $c0) add b32 $r1 $r1 $r6\n  (lg $c0) st unlock b32 s[$a1+0x18] "
    "$r1\n"
    "  (e $c0) bra own\n"
    "two:\n  join nop\n"
    "  bar inc wait 0x0 0xfff\n  set $c0 # e u32 $r0 $r124\n  add b32 $r5 b32 s[out] $r5\n"
    "  mov b32 $r2 b32 s[0x14]\n  mov b32 $r3 b32 s[0x18]\n  mov b32 $r4 b32 s[0x1c]\n"
    "  (lg $c0) red add u32 g14[$r5] $r2\n  add b32 $r5 $r5 0x4\n  (lg $c0) red add u32 g14[$r5] $r3\n"
    "  add b32 $r5 $r5 0x4\n  (lg $c0) red add u32 g14[$r5] $r4\n  exit nop\n";

class LockTables : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(LockTables, LetEveryThreadAddOnce) {
  const Outcome outcome = launch(assembled(kCount), GetParam(), 3, 128);
  ASSERT_EQ(outcome.launch.end, LaunchEnd::kFinished) << outcome.launch.message;
  EXPECT_EQ(outcome.out[0], 3 * 128u);
  EXPECT_EQ(outcome.out[1], 3 * 64u);
  EXPECT_EQ(outcome.out[2], 3 * 64u);
  MachineOptions awake;
  awake.no_sleep = true;
  EXPECT_EQ(launch(assembled(kCount), GetParam(), 3, 128, awake).launch.shader_cycles, outcome.launch.shader_cycles);
}

INSTANTIATE_TEST_SUITE_P(Sizes, LockTables,
                         ::testing::Values(std::vector<std::string>{}, std::vector<std::string>{"sm.locks_per_warp=32"},
                                           std::vector<std::string>{"sm.lock_flags=1", "sm.locks_per_warp=2"}));

/// A thread takes a lock and ends.
const char* const kTakeAndEnd =
    "again:\n  ld lock $c0 $r1 b32 s[word]\n  (e $c0) bra again\n  mov b32 $r1 b32 s[out]\n  mov b32 $r2 0x1\n"
    "  red add u32 g14[$r1] $r2\n  exit nop\n";

TEST(Locks, OfAnEndedBlockAreFree) {
  // With one flag the blocks that share an SM want the same lock.
  const Outcome outcome = launch(assembled(kTakeAndEnd), {"sm.lock_flags=1"}, 12, 1);
  ASSERT_EQ(outcome.launch.end, LaunchEnd::kFinished) << outcome.launch.message;
  EXPECT_EQ(outcome.out[0], 12u);
}

TEST(Locks, ThatNobodyGivesBackAreALivelockThatNamesTheirHolder) {
  const Outcome outcome = launch(
      assembled("again:\n  ld lock $c0 $r1 b32 s[word]\n  (e $c0) bra again\n  bar inc wait 0x0 0xfff\n  exit nop\n"),
      {}, 1, 32);
  EXPECT_EQ(outcome.launch.end, LaunchEnd::kLivelock) << outcome.launch.message;
  EXPECT_THAT(outcome.launch.message, HasSubstr("same architectural state"));
  EXPECT_THAT(outcome.launch.message, HasSubstr("; it has s[0x14] locked"));
}

TEST(Locks, ABlockThatWaitsForAnotherBlocksLockIsNoLivelock) {
  // The first to come keeps the only flag for longer than the watchdog's patience; the others spin in one state.
  const Outcome outcome =
      launch(assembled("again:\n  ld lock $c0 $r1 b32 s[word]\n  (e $c0) bra again\n  mov b32 $r3 0x1000\n"
                       "loop:\n  add b32 $r3 $r3 0xffffffff\n  set $c0 # lg u32 $r3 $r124\n  (lg $c0) bra loop\n"
                       "  st unlock b32 s[word] $r1\n  exit nop\n"),
             {"sm.lock_flags=1", "gpu.hang_cycles=1000"}, 3, 1);
  EXPECT_EQ(outcome.launch.end, LaunchEnd::kFinished) << outcome.launch.message;
  EXPECT_GT(outcome.launch.shader_cycles, 8'000u) << "too short to be suspected";
}

struct Planted {
  const char *fault, *says;
};
class LockFault : public ::testing::TestWithParam<Planted> {};

TEST_P(LockFault, IsCaught) {
  MachineOptions options;
  options.faults = {GetParam().fault};
  try {
    const Outcome outcome = launch(assembled(kCount), {}, 1, 64, options);
    FAIL() << "the run ended: " << outcome.launch.message;
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
  }
}

INSTANTIATE_TEST_SUITE_P(Places, LockFault,
                         ::testing::Values(Planted{"sm0.shared_memory.lock.flag[5].held=0@1..",
                                                   "lane 0 gets the lock of s[0x14], expected the opposite"},
                                           Planted{"sm0.shared_memory.lock.flag[5].held=1@1..",
                                                   "does not get the lock of s[0x14], expected the opposite"},
                                           Planted{"sm0.smem_request.lock=0@1..", "accesses s[] without its lock"},
                                           Planted{"sm0.smem_reply.granted^=0x4@1..",
                                                   "suspect: gpu.tpc0.sm0.operand_collector"}));

/// Threads that apply a random operation to random words of their operation, in random lanes, again and again.
std::string random_atomics(std::mt19937& random) {
  static const char* const kOps[] = {"add.u32", "min.u32", "max.u32", "and.b32",
                                     "or.b32",  "xor.b32", "add.u32", "max.s32"};
  std::string body;
  for (unsigned i = 0; i < 6; ++i) {
    const unsigned op = static_cast<unsigned>(random() % std::size(kOps));
    body += fmt::format(
        "  mad.lo.u32 %x, %x, {}, {};\n  shr.u32 %t, %x, 13;\n  and.b32 %a, %t, 3;\n  add.u32 %a, %a, {};\n  shl.b32 "
        "%a, %a, 2;\n"
        "  add.u32 %a, %a, %base;\n  shr.u32 %t, %x, 20;\n  and.b32 %t, %t, {};\n  setp.eq.u32 %p, %t, 0;\n",
        static_cast<std::uint32_t>(random()) | 5u, static_cast<std::uint32_t>(random()), 4 * op, random() % 4);
    const bool divergent = random() % 2 != 0;  // a branch around it, or a guard
    body += divergent ? fmt::format("  @!%p bra past{};\n", i) : "";
    body += fmt::format("  atom.shared.{} %r, [%a], %x;\n", kOps[op]);
    body += divergent ? fmt::format("past{}:\n", i) : "";
  }
  return fmt::format(R"(.version 1.4
.target sm_12
.entry probe (.param .u32 out) {{
  .reg .u32 %x, %t, %a, %r, %base, %me, %out, %i;
  .reg .u16 %h;
  .reg .pred %p;
  .shared .align 4 .b8 words[128];
  mov.u16 %h, %tid.x;
  cvt.u32.u16 %me, %h;
  mov.u32 %base, words;
  setp.gt.u32 %p, %me, 31;
  shl.b32 %a, %me, 2;
  add.u32 %a, %a, %base;
  mov.u32 %x, {};
  @!%p st.shared.u32 [%a], %x;
  bar.sync 0;
  mul.lo.u32 %x, %me, 2654435761;
  mov.u32 %i, 0;
loop:
{}  add.u32 %i, %i, 1;
  setp.lt.u32 %p, %i, 3;
  @%p bra loop;
  bar.sync 0;
  setp.gt.u32 %p, %me, 31;
  @%p exit;
  shl.b32 %t, %me, 2;
  add.u32 %a, %t, %base;
  ld.shared.u32 %x, [%a];
  ld.param.u32 %out, [out];
  add.u32 %out, %out, %t;
  st.global.u32 [%out], %x;
  exit;
}}
)",
                     static_cast<std::uint32_t>(random()), body);
}

TEST(Locks, RandomAtomicsOfSharedMemoryLeaveWhatTheReferenceAloneLeaves) {
  const unsigned seed = 1 + random_seed();
  std::mt19937 random(seed);
  for (unsigned run = 0; run < 8; ++run) {
    const std::string text = random_atomics(random);
    SCOPED_TRACE(fmt::format("seed {}, run {}\n{}", seed, run, text));
    CompileOptions options;
    options.arch = isa::Arch::kSm12;
    const Module module = compile_ptx(text, "random.ptx", options).module;
    const std::vector<std::string> sets = {fmt::format("sm.lock_flags={}", 1u << random() % 9),
                                           fmt::format("sm.locks_per_warp={}", 1 + random() % 5)};
    const unsigned threads = 32 + random() % 97;
    GoldenBackend reference(machine_of(sets));
    const Outcome expected = launch(reference, module, 1, threads);
    const Outcome seen = launch(module, sets, 1, threads);
    ASSERT_EQ(expected.launch.end, LaunchEnd::kFinished) << expected.launch.message;
    ASSERT_EQ(seen.launch.end, LaunchEnd::kFinished) << seen.launch.message;
    EXPECT_EQ(seen.out, expected.out);
  }
}

/// 64 sums of doubles.
Module doubles() {
  std::string body = "  mov b32 $r2 0x0\n  mov b32 $r3 0x3ff00000\n";
  for (unsigned i = 0; i < 64; ++i) body += fmt::format("  add rn f64 $r{}d $r2d $r2d\n", 4 + i % 8 * 2);
  return assembled(body + "  mov b32 $r1 b32 s[out]\n  st b32 g14[$r1] $r5\n  exit nop\n");
}

TEST(DoubleUnit, TakesAsManyLanesACycleAsConfigured) {
  std::vector<std::uint64_t> cycles;
  for (const char* lanes : {"sm.num_dps=1", "sm.num_dps=2"}) {
    const Outcome outcome = launch(doubles(), {lanes}, 1, 128);
    ASSERT_EQ(outcome.launch.end, LaunchEnd::kFinished) << outcome.launch.message;
    EXPECT_EQ(outcome.out[0], 0x40000000u);
    cycles.push_back(outcome.launch.shader_cycles);
  }
  EXPECT_NEAR(static_cast<double>(cycles[0] - cycles[1]), 4 * 64 * (32 - 16), 100) << "4 warps of 64 instructions";
}

TEST(DoubleUnit, MayBeMissingAndItsInstructionsAreIllegal) {
  const Outcome outcome = launch(doubles(), {"sm.num_dps=0"}, 1, 32);
  EXPECT_EQ(outcome.launch.end, LaunchEnd::kFault);
  EXPECT_THAT(outcome.launch.message, HasSubstr("illegal"));
  GoldenBackend reference(machine_of({"sm.num_dps=0"}));
  EXPECT_EQ(launch(reference, doubles(), 1, 32).launch.end, LaunchEnd::kFault);
}

}  // namespace
}  // namespace g80
