// SPDX-License-Identifier: Apache-2.0
// Blocks and warps together: barriers, slots that are used again, textures, reductions, and sleep.
#include "tb/check/sleep_check.h"
#include "tests/sm/sm_kernels.h"
#include "tests/support/atomic_definition.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"

namespace g80 {
namespace {

using testing::kDataBase;
using testing::prologue;
using testing::SmBench;
using testing::operator+;
using Lines = std::vector<std::string>;
using SmBlocks = testing::SystemCTest;

TEST_F(SmBlocks, BarrierOrdersSharedMemoryBetweenWarps) {
  SmBench bench;
  bench.launch.threads = bench.launch.block_x = 64;
  bench.launch.shared_bytes = 0x300;
  // Each thread reads what the thread 33 places further wrote, twice, with the roles of the warps exchanged.
  Lines lines = prologue(2) + Lines{"shl $a1 $r1 0x2",     "add b32 $r4 $r1 0x21", "mov b32 $r5 0x3f",
                                    "and b32 $r4 $r4 $r5", "shl $a2 $r4 0x2",      "add b32 $r6 $r2 0x4"};
  for (const char* store : {"st b32 g14[$r2] $r7", "exit st b32 g14[$r6] $r7"}) {
    lines = lines + Lines{"add b32 $r8 $r1 0x64",    "st b32 s[$a1+0x100] $r8", "bar inc wait 0x0 0xfff",
                          "ld $r7 b32 s[$a2+0x100]", "bar inc wait 0x0 0xfff",  store};
  }
  bench.code(lines);
  ASSERT_TRUE(bench.run(7));
  for (unsigned t = 0; t < 7 * 64; ++t) {
    const unsigned other = (t % 64 + 33) % 64;
    ASSERT_EQ(bench.get(kDataBase + 8 * t), other + 100) << t;
    ASSERT_EQ(bench.get(kDataBase + 8 * t + 4), other + 100) << t;
  }
  EXPECT_EQ(bench.sm.barrier.counters().openings, 7u * 4);
  EXPECT_EQ(bench.sm.barrier.counters().arrivals, 7u * 8);
  EXPECT_EQ(bench.sm.barrier.counters().divergent, 0u);
}

TEST_F(SmBlocks, StoresOfAnEndedBlockDoNotReachTheNextOne) {
  SmBench bench;
  bench.launch.shared_bytes = 0x800;
  bench.launch.num_params = 2;
  bench.param = {0x1234, 0x5678};
  // The last stores have a 16-fold conflict and overwrite the head of s[].
  Lines lines = prologue(1) + Lines{"mov b32 $r3 b32 s[0x14]", "mov b32 $r4 u16 s[0xc]", "add b32 $r3 $r3 $r4",
                                    "st b32 g14[$r2] $r3", "shl $a1 $r1 0x6"};
  for (unsigned i = 0; i < 5; ++i) lines.push_back(fmt::format("st b32 s[$a1+0x{:x}] $r1", 0x14 - 4 * i));
  lines.push_back("exit st b32 s[$a1+0x14] $r1");
  bench.code(lines);
  ASSERT_TRUE(bench.run(24));
  for (unsigned b = 0; b < 24; ++b) {
    for (unsigned l = 0; l < 32; ++l)
      ASSERT_EQ(bench.get(kDataBase + 128 * b + 4 * l), 0x5678 + b) << "block " << b << " lane " << l;
  }
}

TEST_F(SmBlocks, ReductionsAndAtomicsOfAllLanesArePerformedOnce) {
  SmBench bench;
  bench.launch.threads = bench.launch.block_x = 96;
  bench.code(prologue(1) + Lines{"mov b32 $r4 0x50000", "mov b32 $r5 0x50004", "red add u32 g14[$r4] $r1",
                                 "mov b32 $r6 0x1", "ld add u32 $r7 g14[$r5] $r6", "exit st b32 g14[$r2] $r7"});
  ASSERT_TRUE(bench.run(3));
  EXPECT_EQ(bench.get(0x50000), 3u * 95 * 96 / 2);
  EXPECT_EQ(bench.get(0x50004), 3u * 96);
  std::vector<bool> seen(3 * 96);
  for (unsigned t = 0; t < 3 * 96; ++t) {
    const std::uint32_t old = bench.get(kDataBase + 4 * t);
    ASSERT_LT(old, seen.size());
    EXPECT_FALSE(seen[old]) << "the old value " << old << " was returned twice";
    seen[old] = true;
  }
}

// Each lane has a word and an operand of its own, so that signed and unsigned numbers, and every operation, part.
TEST_F(SmBlocks, AnAtomicReachesMemoryAsTheOperationThatItsInstructionNames) {
  for (const testing::AtomicText& atomic : testing::kAtomicTexts) {
    for (const bool returns : {false, true}) {
      renew_context();
      SmBench bench;
      for (unsigned l = 0; l < 32; ++l) {
        const auto [old_value, operand] = testing::atomic_operands(l + 4);
        bench.put(0x50000 + 8 * l, old_value);
        bench.put(0x50004 + 8 * l, operand);
      }
      bench.code(prologue(1) +
                 Lines{"shl b32 $r4 $r1 0x3", "add b32 $r4 $r4 0x50000", "add b32 $r5 $r4 0x4", "ld b32 $r6 g14[$r5]",
                       "mov b32 $r7 0x99",
                       fmt::format(returns ? "ld {} $r7 g14[$r4] $r6" : "red {} g14[$r4] $r6", atomic.text),
                       "exit st b32 g14[$r2] $r7"});
      ASSERT_TRUE(bench.run(1)) << atomic.text;
      for (unsigned l = 0; l < 32; ++l) {
        const auto [old_value, operand] = testing::atomic_operands(l + 4);
        EXPECT_EQ(bench.get(0x50000 + 8 * l),
                  testing::atomic_result(static_cast<unsigned>(atomic.op), atomic.is_signed, 4, old_value, operand, 0))
            << atomic.text << " of " << old_value << " and " << operand;
        EXPECT_EQ(bench.get(kDataBase + 4 * l), returns ? old_value : 0x99) << atomic.text;
      }
    }
  }
}

TEST_F(SmBlocks, TexelsArePackedByTheWriteMask) {
  SmBench bench;
  // Red and blue into $r4 and $r5; odd lanes only. The coordinate is in $r4.
  bench.code(prologue(2) + Lines{"mov b32 $r5 0x99", "add b32 $r4 $r1 0x3", "mov b32 $r6 0x1", "and b32 $c0 # $r1 $r6",
                                 "(lg $c0) texfetch live $r4:#:$r5:# $t5 $s0 $r4", "st b32 g14[$r2] $r4",
                                 "add b32 $r2 $r2 0x4", "exit st b32 g14[$r2] $r5"});
  ASSERT_TRUE(bench.run(1));
  ASSERT_EQ(bench.tex_requests.size(), 2u);
  EXPECT_EQ(bench.tex_requests[0].op, TexOp::kFetch);
  EXPECT_EQ(bench.tex_requests[0].lanes, 0xaaaau);
  for (unsigned l = 0; l < 32; ++l) {
    EXPECT_EQ(bench.get(kDataBase + 8 * l), l % 2 != 0 ? SmBench::texel(5, l + 3, 0) : l + 3);
    EXPECT_EQ(bench.get(kDataBase + 8 * l + 4), l % 2 != 0 ? SmBench::texel(5, l + 3, 2) : 0x99);
  }
}

TEST_F(SmBlocks, PostIncrementWritesTheAddressRegisterInExecutingLanes) {
  SmBench bench;
  bench.launch.num_params = 4;
  bench.param = {10, 20, 30, 40};
  bench.code(prologue(4) + Lines{"mov b32 $r6 0x4", "set $c0 # l s32 $r1 $r6", "add $a1 0x0 0x10",
                                 "mov b32 $r4 b32 s[$a1++0x4]", "(lg $c0) mov b32 $r5 b32 s[$a1++0x4]",
                                 "mov b32 $r7 b32 s[$a1]", "mov $r8 $a1", "st b32 g14[$r2] $r4", "add b32 $r2 $r2 0x4",
                                 "st b32 g14[$r2] $r5", "add b32 $r2 $r2 0x4", "st b32 g14[$r2] $r7",
                                 "add b32 $r2 $r2 0x4", "exit st b32 g14[$r2] $r8"});
  ASSERT_TRUE(bench.run(1));
  for (unsigned l = 0; l < 32; ++l) {
    EXPECT_EQ(bench.get(kDataBase + 16 * l), 10u);
    EXPECT_EQ(bench.get(kDataBase + 16 * l + 4), l < 4 ? 20u : 0u);
    EXPECT_EQ(bench.get(kDataBase + 16 * l + 8), l < 4 ? 30u : 20u);
    EXPECT_EQ(bench.get(kDataBase + 16 * l + 12), l < 4 ? 0x18u : 0x14u);
  }
}

TEST_F(SmBlocks, SpecialRegistersTellThePlaceAndTheTime) {
  constexpr unsigned kTpc = 5, kSmInTpc = 2, kWarps = 3;
  SmBench bench({}, SmBench::Place{kTpc, kSmInTpc});
  bench.launch.threads = bench.launch.block_x = 32 * kWarps;
  bench.code(prologue(4) + Lines{"mov $r3 $physid", "st b32 g14[$r2] $r3", "add b32 $r2 $r2 0x4", "mov $r3 $clock",
                                 "mov $r4 $clock", "st b32 g14[$r2] $r3", "add b32 $r2 $r2 0x4", "st b32 g14[$r2] $r4",
                                 "add b32 $r2 $r2 0x4", "mov b32 $r3 0x99", "mov $r3 $sr2",
                                 "exit st b32 g14[$r2] $r3"});
  ASSERT_TRUE(bench.run(1));
  std::map<std::uint32_t, std::vector<Cycle>> issued;  // by warp: the two reads of the clock
  for (const SmLog::Issue& issue : bench.log.issue) {
    EXPECT_EQ(issue.physid, kTpc << 20 | kSmInTpc << 16 | std::uint32_t{issue.warp} << 8);
    if (issue.fetched.pc == 8 * 10 || issue.fetched.pc == 8 * 11) issued[issue.warp].push_back(issue.cycle);
  }
  for (unsigned t = 0; t < 32 * kWarps; ++t) {
    const unsigned warp = t / 32;
    EXPECT_EQ(bench.get(kDataBase + 16 * t), kTpc << 20 | kSmInTpc << 16 | warp << 8 | t % 32);
    const std::uint32_t first = bench.get(kDataBase + 16 * t + 4), second = bench.get(kDataBase + 16 * t + 8);
    ASSERT_EQ(issued[warp].size(), 2u);
    EXPECT_EQ(second - first, issued[warp][1] - issued[warp][0]) << "thread " << t;
    EXPECT_GE(first, issued[warp][0]);
    EXPECT_LE(first, issued[warp][0] + 4);
    EXPECT_EQ(bench.get(kDataBase + 16 * t + 12), 0u) << "a special register that nothing drives";
  }
}

TEST_F(SmBlocks, AnUnlockingStoreWritesAndFinishes) {
  SmBench bench({"device.compute_minor=2"});
  bench.code(prologue(1) + Lines{"mov b32 $r4 0x1234", "st unlock b32 s[0x40] $r4", "bar inc wait 0x0 0xfff",
                                 "ld $r5 b32 s[0x40]", "exit st b32 g14[$r2] $r5"});
  ASSERT_TRUE(bench.run(1));
  for (unsigned l = 0; l < 32; ++l) EXPECT_EQ(bench.get(kDataBase + 4 * l), 0x1234u);
}

// Two warps ask for one word, and nobody gives it back before both have asked.
TEST_F(SmBlocks, ALockIsGotByOneLaneOfAllThatAsk) {
  SmBench bench({"device.compute_minor=2"});
  bench.launch.threads = bench.launch.block_x = 64;
  bench.code(prologue(1) +
             Lines{"ld lock $c0 $r5 b32 s[0x40]", "mov $r6 $c0", "bar inc wait 0x0 0xfff", "exit st b32 g14[$r2] $r6"});
  ASSERT_TRUE(bench.run(1));
  std::map<std::uint32_t, unsigned> lanes;  // by flags
  for (unsigned l = 0; l < 64; ++l) ++lanes[bench.get(kDataBase + 4 * l)];
  ASSERT_EQ(lanes.size(), 2u);
  EXPECT_EQ(std::min(lanes.begin()->second, lanes.rbegin()->second), 1u);
}

// Enough traffic of every kind to run all the credit counters, which count modulo 256, around several times. The
// accesses to s[] have conflicts of four passes.
Lines mixture() {
  return prologue(1) + Lines{"shl $a1 $r1 0x4",
                             "mov b32 $r9 0x30",
                             "breakaddr 0xc8",
                             "st b32 s[$a1+0x100] $r9",
                             "ld $r4 b32 s[$a1+0x100]",
                             "ld b32 $r5 g14[$r2]",
                             "rcp f32 $r6 $r4",
                             "add b32 $r5 $r5 $r4",
                             "add b32 $r5 $r5 c1[0x10]",
                             "st b32 g14[$r2] $r5",
                             "bar inc wait 0x0 0xfff",
                             "add b32 $r9 $r9 0xffffffff",
                             "set $c0 # le s32 $r9 $r124",
                             "(lg $c0) break",
                             "nop",
                             "bra 0x50",
                             "nop",
                             "nop",
                             "exit (never) nop"};
}

TEST_F(SmBlocks, AnIdleSmSleepsAndWakesForMoreWork) {
  SmBench bench;
  bench.launch.shared_bytes = 0x1000;
  bench.code(mixture());
  ASSERT_TRUE(bench.run(2));
  bench.idle(2000);
  const std::uint64_t asleep = bench.shader.activations();
  bench.idle(100000);
  EXPECT_EQ(bench.shader.activations(), asleep);
  EXPECT_TRUE(bench.sm.idle());
  ASSERT_TRUE(bench.run(3));
  EXPECT_GT(bench.shader.activations(), asleep);
}

/// A loop of `body`, repeated 200 times by one warp.
Lines loop_of(const Lines& body) {
  const Lines before = prologue(1) + Lines{"mov b32 $r9 0xc8", "shl $a1 $r1 0x2"};
  const std::size_t begin = 8 * before.size(), end = begin + 8 * (body.size() + 4);
  return before + Lines{fmt::format("breakaddr 0x{:x}", end + 8)} + body +
         Lines{"add b32 $r9 $r9 0xffffffff", "set $c0 # le s32 $r9 $r124", "(lg $c0) break",
               fmt::format("bra 0x{:x}", begin + 8), "exit nop"};
}

// Steps of the blocks that a loop does not use: some for each launch, none for each round of the loop.
TEST_F(SmBlocks, BlocksWithoutWorkSleepWhileOthersWork) {
  struct Use {
    const char* what;
    Lines body;
    std::vector<std::string> busy;
  };
  const Use uses[] = {
      {"additions", {"add f32 $r4 $r4 $r5"}, {}},
      {"special functions", {"rcp f32 $r4 $r4"}, {"sfu"}},
      {"shared memory",
       {"st b32 s[$a1+0x100] $r9", "ld $r4 b32 s[$a1+0x100]"},
       {"address_unit", "bank_conflict", "shared_memory"}},
      {"constants", {"add b32 $r5 $r5 c1[0x10]"}, {"address_unit", "constant_cache"}},
      {"global memory", {"ld b32 $r5 g14[$r2]", "add b32 $r5 $r5 $r5"}, {"address_unit", "load_table", "cta_launcher"}},
      {"barriers", {"bar inc wait 0x0 0xfff"}, {}},
  };
  for (const Use& use : uses) {
    SCOPED_TRACE(use.what);
    renew_context();
    SmBench bench;
    std::map<std::string, std::unique_ptr<testing::StepCount>> steps;
    for (ClockedBase* block : bench.shader.modules())
      steps.emplace(block->basename(), std::make_unique<testing::StepCount>(std::vector<ClockedBase*>{block}));
    bench.code(loop_of(use.body));
    ASSERT_TRUE(bench.run(1));
    ASSERT_GT(bench.log.issue.size(), 200u * 4);
    EXPECT_GT(steps.at("warp_scheduler")->of(0), 1000u);
    for (const char* block : {"sfu", "address_unit", "bank_conflict", "shared_memory", "constant_cache", "load_table",
                              "cta_launcher", "line_port", "fault_reporter"}) {
      ASSERT_EQ(steps.count(block), 1u) << block;
      if (std::count(use.busy.begin(), use.busy.end(), block) != 0) {
        EXPECT_GE(steps.at(block)->of(0), 200u) << block;
      } else {
        EXPECT_LE(steps.at(block)->of(0), 100u) << block;
      }
    }
  }
}

TEST_F(SmBlocks, NoWakeUpIsLost) {
  SmBench bench({}, 130);
  const SleepCheck check({&bench.shader});
  bench.launch.threads = bench.launch.block_x = 64;
  bench.launch.shared_bytes = 0x1000;
  bench.code(mixture());
  ASSERT_TRUE(bench.run(3));
  bench.idle(500);
  EXPECT_GT(check.probes(), 10'000u);
}

TEST_F(SmBlocks, ANarrowLoadIsExtendedAndAWideOneFillsItsRegisters) {
  struct Load {
    const char* text;
    unsigned bytes;
    bool is_signed;
  };
  for (const Load& load : {Load{"ld u8 $r8 g14[$r4]", 1, false},
                           {"ld s8 $r8 g14[$r4]", 1, true},
                           {"ld u16 $r8 g14[$r4]", 2, false},
                           {"ld s16 $r8 g14[$r4]", 2, true},
                           {"ld b32 $r8 g14[$r4]", 4, false},
                           {"ld b64 $r8d g14[$r4]", 8, false},
                           {"ld b128 $r8q g14[$r4]", 16, false}}) {
    const unsigned words = std::max(1u, load.bytes / 4);
    for (unsigned word = 0; word < words; ++word) {
      SCOPED_TRACE(fmt::format("{}, word {}", load.text, word));
      renew_context();
      SmBench bench;
      bench.code(prologue(1) + Lines{"shl b32 $r4 $r1 0x4", "add b32 $r4 $r4 0x50000", load.text,
                                     fmt::format("exit st b32 g14[$r2] $r{}", 8 + word)});
      for (unsigned l = 0; l < kWarpSize; ++l) {
        for (unsigned w = 0; w < 4; ++w) bench.put(0x50000 + 16 * l + 4 * w, 0x80ff7f00u + 0x01fd1021u * (4 * l + w));
      }
      ASSERT_TRUE(bench.run(1));
      for (unsigned l = 0; l < kWarpSize; ++l) {
        std::uint32_t expected = bench.get(0x50000 + 16 * l + 4 * word);
        if (load.bytes < 4) {
          const unsigned unused = 32 - 8 * load.bytes;
          expected <<= unused;
          expected = load.is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(expected) >> unused)
                                    : expected >> unused;
        }
        EXPECT_EQ(bench.get(kDataBase + 4 * l), expected) << l;
      }
    }
  }
}

TEST_F(SmBlocks, EveryBranchIsCounted) {
  SmBench bench;
  bench.launch.stack_depth = 0;  // as deep as the chip has it
  bench.code(loop_of({"add b32 $r4 $r4 $r4"}));
  ASSERT_TRUE(bench.run(1));
  EXPECT_EQ(bench.sm.reconvergence_stack.counters().branches, 200u - 1) << "the last round leaves by its break";
  EXPECT_EQ(bench.sm.reconvergence_stack.counters().divergent_branches, 0u);
}

TEST_F(SmBlocks, AResetInTheMiddleLeavesNothing) {
  for (const unsigned cycles : {3000u, 3006u, 3014u, 3026u, 3040u}) {
    renew_context();
    // With every unit: a port of the collector to a unit that is not there sends nothing.
    SmBench bench({"device.compute_minor=3", "sm.num_dps=1", "sm.sfu_mul=true"}, 130);
    std::vector<ClockedBase*> blocks;
    for (ClockedBase* block : bench.shader.modules()) {
      const std::string name = block->basename();
      // Operands and partial results have no reset: nobody reads them before they are written.
      if (name.find("sfu") != 0 && name != "dp" && name != "register_file") blocks.push_back(block);
    }
    const testing::ResetCheck check(blocks);
    bench.launch.threads = bench.launch.block_x = 64;
    bench.launch.shared_bytes = 0x1000;
    bench.code(mixture());
    ASSERT_FALSE(bench.run(3, cycles));
    check.expect_fresh();
  }
}

TEST_F(SmBlocks, SleepChangesNothing) {
  struct Seen {
    std::vector<std::uint64_t> events;
    std::vector<std::uint64_t> counters;
  };
  for (const unsigned replay_cycles : {2u, 16u}) {
    Seen seen[2];
    for (const bool no_sleep : {false, true}) {
      renew_context();
      SmBench bench({fmt::format("sm.replay_cycles={}", replay_cycles), "sm.max_ctas=2"}, 130, no_sleep);
      bench.launch.threads = bench.launch.block_x = 64;
      bench.launch.shared_bytes = 0x1000;
      bench.code(mixture());
      ASSERT_TRUE(bench.run(5));
      Seen& s = seen[no_sleep];
      for (const SmLog::Issue& i : bench.log.issue)
        s.events.insert(s.events.end(), {i.cycle, i.tag.bits, i.warp, i.active, i.lanes, i.fetched.pc});
      for (const SmLog::Retire& r : bench.log.retire)
        s.events.insert(s.events.end(), {r.cycle, r.tag.bits, r.lanes, r.value[0][5], r.flags[3]});
      for (const SmLog::Smem& m : bench.log.smem)
        s.events.insert(s.events.end(), {m.tag.bits, m.lanes, m.address[0], m.data[0]});
      for (const std::uint64_t n : bench.sm.warp_scheduler.counters().stall) s.counters.push_back(n);
      s.counters.insert(s.counters.end(),
                        {bench.sm.writeback.counters().bank_conflicts, bench.sm.registers.counters().bank_conflicts,
                         bench.sm.bank_conflict.counters().passes, bench.sm.constant_cache.counters().passes,
                         bench.sm.instruction_cache.counters().hits, bench.sm.barrier.counters().arrivals});
      EXPECT_GT(bench.log.issue.size(), 5u * 2 * 48 * 10) << "the credit counters have not wrapped";
    }
    EXPECT_TRUE(seen[0].events == seen[1].events) << replay_cycles;
    EXPECT_EQ(seen[0].counters, seen[1].counters) << replay_cycles;
  }
}

}  // namespace
}  // namespace g80
