// SPDX-License-Identifier: Apache-2.0
// Endless loops are proved and their lines named, by the watchdog of the machine and by the reference; loops that end
// are not taken for them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/machine/probe.h"

namespace g80 {
namespace {

using ::testing::HasSubstr;
using testing::launch;
using testing::launch_on_reference;
using testing::suspected;

// Its control-stack entries go to memory and come back in each turn.
TEST(Livelock, ProvesALivelockWithEntriesInMemory) {
  std::string body = "loop:\n";
  for (unsigned i = 0; i < 7; ++i) body += "  joinat loop\n";
  body += "  mov b32 $r1 0x1\n";
  for (unsigned i = 0; i < 7; ++i) body += "  join (never) nop\n";
  const RunResult result = launch(body + "  bra loop\n  exit nop\n", {1, 1, 1}, {32, 1, 1}, 0, 1'000'000);
  EXPECT_EQ(result.launches[0].end, LaunchEnd::kLivelock) << result.launches[0].message;
}

TEST(Livelock, ProvesThatWarpsWaitForALockThatNobodyReleases) {
  const std::string body =
      "  mov b32 $r1 b32 s[out]\n  mov b32 $r3 0x1\n  joinat met\n"
      "loop:\n  mov b32 $r2 $r124\n  cas b32 $r2 g14[$r1] $r2 $r3\n  set $c0 # lg u32 $r2 $r124\n"
      "  (lg $c0) bra loop\n"
      "met:\n  join (never) nop\n  mov b32 $r2 $r124\n  exch b32 $r2 g14[$r1] $r2\n  exit nop\n";
  // All want one word: the more there are and the slower memory is, the longer takes a turn.
  for (const std::vector<std::string>& sets :
       {std::vector<std::string>{}, {"clock.dram_mhz=50", "gpu.hang_cycles=1000"}}) {
    for (const unsigned blocks : {1, 2, 5}) {
      const LaunchResult result = launch(body, {blocks, 1, 1}, {96, 1, 1}, 0, 60'000'000, sets).launches[0];
      EXPECT_EQ(result.end, LaunchEnd::kLivelock) << result.message;
      EXPECT_THAT(result.message, HasSubstr("no device memory has changed"));
    }
  }
}

/// Bit n for each line n of the source that a message names.
std::uint64_t lines_named(const std::string& text) {
  const std::string name = "(probe.sasm:";
  std::uint64_t lines = 0;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    lines |= std::uint64_t{1} << std::stoul(text.substr(at + name.size()));
  return lines;
}

// Lane 0 comes back to the others when it has counted to the end of its patience in memory: it may end.
TEST(Livelock, TellsOnceWhereLanesWaitForLong) {
  const std::string body =
      "  mov b32 $r1 b32 s[out]\n  cvt u32 $r3 u16 $r0l\n  set $c0 # g u32 $r3 $r124\n  joinat met\n"
      "  (lg $c0) bra met\nturn:\n  ld b32 $r2 g14[$r1]\n  add b32 $r2 $r2 0x1\n  st b32 g14[$r1] $r2\n"
      "  set $c1 # lg u32 $r2 $r124\n  (lg $c1) bra turn\nmet:\n  join nop\n  exit nop\n";
  for (const auto& [cycles, times] : {std::pair{15'000u, 0u}, {80'000u, 1u}}) {
    ::testing::internal::CaptureStderr();
    const LaunchResult result = suspected(body, cycles);
    const std::string text = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(result.end, LaunchEnd::kMaxCycles) << result.message;
    const std::string note = "g80: note: no block has ended for long, in kernel probe (launch 1), 0 of 2 blocks done";
    EXPECT_EQ(text.find(note) != std::string::npos, times == 1) << cycles << ": " << text;
    EXPECT_EQ(text.find(note, text.find(note) + 1), std::string::npos) << text;
    EXPECT_THAT(text, HasSubstr(times == 1 ? "lanes fffffffe wait" : "")) << text;
  }
}

// All lanes go round together, and so do those of the next warp; nobody waits.
TEST(Livelock, TellsWhereWholeWarpsGoRoundForLong) {
  ::testing::internal::CaptureStderr();
  suspected("  mov b32 $r2 $r124\nturn:\n  add b32 $r2 $r2 0x1\n  st b32 s[0x14] $r2\n  bra turn\n  exit nop\n",
            80'000);
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, HasSubstr("no block has ended for long, in kernel probe (launch 1), 0 of 2 blocks done"));
  EXPECT_EQ(lines_named(text), lines_named(text) & 0b111'0000'0000) << text;
  EXPECT_NE(lines_named(text), 0u) << text;
}

// Whatever the fetch has in hand, and wherever the loop lies: every line named is one of the loop.
TEST(Livelock, NamesALineOfTheLoop) {
  static const std::pair<const char*, std::string> kLoops[] = {
      {"one branch", "loop:\n  bra loop\n"},
      {"a branch behind a short instruction", "loop:\n  mov b32 $r2 $r3\n  bra loop\n"},
      {"a condition", "loop:\n  set $c0 # e u32 $r124 $r124\n  (lg $c0) bra loop\n"},
      {"memory", "loop:\n  ld b32 $r2 g14[$r1]\n  set $c0 # e u32 $r2 $r124\n  (lg $c0) bra loop\n"},
      {"a barrier", "loop:\n  bar inc wait 0x0 0xfff\n  bra loop\n"},
      {"a store", "loop:\n  st b32 g14[$r1] $r124\n  bra loop\n"},
      {"a counter", "loop:\n  add b32 $r5 $r5 0x1\n  bra loop\n"}};
  for (const auto& [what, loop] : kLoops) {
    for (unsigned shift = 0; shift < 4; ++shift) {
      SCOPED_TRACE(fmt::format("{}, {} instructions before it", what, 2 * shift));
      std::string body = "  mov b32 $r1 b32 s[out]\n";
      for (unsigned i = 0; i < 2 * shift; ++i) body += "  mov b32 $r3 $r124\n";
      const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
      const auto label = 6 + lines(body), behind = label + lines(loop);  // five lines are in front of the body
      body += loop;
      for (unsigned i = 0; i < 9; ++i) body += "  add b32 $r3 $r3 0x1\n";
      body += "  st b32 g14[$r1] $r3\n  exit nop\n";
      for (const LaunchResult& result : {suspected(body), launch_on_reference(body)}) {
        EXPECT_EQ(result.end, LaunchEnd::kLivelock) << result.message;
        const std::uint64_t named = lines_named(result.message);
        const std::uint64_t of_the_loop = (std::uint64_t{1} << behind) - (std::uint64_t{2} << label);
        EXPECT_NE(named, 0u) << result.message;
        EXPECT_EQ(named & ~of_the_loop, 0u) << result.message;
      }
    }
  }
}

// What a warp stores again and again is what is there already, and a barrier only delays.
TEST(Livelock, ProvesThatWarpsSpinWhoseStoresChangeNothing) {
  const std::string ask =  // the flag at out[0] stays zero
      "  mov b32 $r1 b32 s[out]\n  ld b32 $r2 g14[$r1]\n  set $c0 # e u32 $r2 $r124\n";
  const std::string barrier = "  bar inc wait 0x0 0xfff\n";
  static const std::pair<const char*, std::string> kSpinners[] = {
      {"s[]", ask + "  st b32 s[0x14] $r2\n"},
      {"g[]", ask + "  add b32 $r1 $r1 0x4\n  mov b32 $r3 0x7\n  st b32 g14[$r1] $r3\n"},
      {"l[], spilled",
       "  mov b32 $r1 b32 s[out]\n  st b32 l[0x0] $r1\n  mov b32 $r1 0x1\n  ld b32 $r1 l[0x0]\n"
       "  ld b32 $r2 g14[$r1]\n  set $c0 # e u32 $r2 $r124\n"},
      {"barriers", ask + barrier},
      {"the flag is told in s[]", ask + "  st b32 s[0x14] $r2\n" + barrier + "  mov b32 $r2 b32 s[0x14]\n" +
                                      "  set $c0 # e u32 $r2 $r124\n" + barrier}};
  for (const auto& [what, body] : kSpinners) {
    const std::string text = "again:\n" + body + "  (lg $c0) bra again\n  exit nop\n";
    for (const LaunchResult& result : {suspected(text), launch_on_reference(text)}) {
      EXPECT_EQ(result.end, LaunchEnd::kLivelock) << what << "\n" << result.message;
      EXPECT_LT(result.shader_cycles, 400'000u) << what;
      EXPECT_THAT(result.message, HasSubstr("repeats forever")) << what;
    }
  }
}

// The warps come back to the same registers, but a word in memory counts their turns.
TEST(Livelock, AKernelThatCountsItsTurnsInMemoryIsNoLivelock) {
  const std::string count = "  add b32 $r2 $r2 0x1\n  set $c0 # l u32 $r2 $r3\n", forget = "  mov b32 $r2 $r124\n";
  const std::string zero = "  st b32 g14[$r1] $r124\n";
  static const std::pair<const char*, std::string> kCounters[] = {
      {"s[]", "  mov b32 $r2 b32 s[0x14]\n" + count + "  st b32 s[0x14] $r2\n"},
      {"s[], and barriers", "  mov b32 $r2 b32 s[0x14]\n" + count + "  st b32 s[0x14] $r2\n  bar inc wait 0x0 0xfff\n"},
      {"s[], device memory is read",
       "  ld b32 $r2 g14[$r1]\n  mov b32 $r2 b32 s[0x14]\n" + count + "  st b32 s[0x14] $r2\n"},
      {"g[]", "  ld b32 $r2 g14[$r1]\n" + count + "  st b32 g14[$r1] $r2\n"},
      {"l[]", "  ld b32 $r2 l[0x0]\n" + count + "  st b32 l[0x0] $r2\n"}};
  for (const auto& [what, body] : kCounters) {
    const LaunchResult result = suspected(
        "  mov b32 $r1 b32 s[out]\n  mov b32 $r2 $r124\n  mov b32 $r3 0x400\n"
        "  st b32 s[0x14] $r2\n  st b32 l[0x0] $r2\nagain:\n" +
        body + forget + "  (lg $c0) bra again\n  exit nop\n");
    EXPECT_EQ(result.end, LaunchEnd::kFinished) << what << "\n" << result.message;
    EXPECT_GT(result.shader_cycles, 20'000u) << what << ": too short to be suspected";
  }
}

// $clock / 2^17 is the same in many turns.
TEST(Livelock, AKernelThatWaitsForTheClockIsNoLivelock) {
  const std::string read = "  mov $r2 $clock\n  shr u32 $r2 $r2 0x11\n";
  const LaunchResult result = suspected(read + "  mov b32 $r3 $r2\nagain:\n" + read +
                                        "  set $c0 # e u32 $r2 $r3\n  (lg $c0) bra again\n  exit nop\n");
  EXPECT_EQ(result.end, LaunchEnd::kFinished) << result.message;
}

/// Loops while the word at out[0], or $r3, is zero, with a turn of `count`; what that counts in is stored behind it.
std::string counting_loop(const std::string& count, bool reads_memory) {
  return "  mov b32 $r1 b32 s[out]\n  mov b32 $r3 $r124\n  mov b32 $r4 $r124\n  mov b32 $r5 $r124\n  mov b32 $r6 0x1\n"
         "again:\n" +
         count + (reads_memory ? "  ld b32 $r2 g14[$r1]\n" : "  mov b32 $r2 $r3\n") +
         "  set $c0 # e u32 $r2 $r124\n  (lg $c0) bra again\n"
         "  mov $r7 $a1\n  add b32 $r4 $r4 $r7\n  st b32 g14[$r1] $r4\n  exit nop\n";
}

/// Lanes that want a lock, the word at out[0], with `turn` between two attempts: one gets it and never gives it back.
std::string lock_loop(const std::string& turn) {
  return "  mov b32 $r1 b32 s[out]\n  mov b32 $r3 0x1\n  mov b32 $r6 0x64\n  mov $r8 $clock\n  mov b32 $r9 $r124\n"
         "  joinat met\nagain:\n  mov b32 $r2 $r124\n  cas b32 $r2 g14[$r1] $r2 $r3\n"
         "  set $c0 # e u32 $r2 $r124\n  (lg $c0) bra met\n" +
         turn + "  bra again\nmet:\n  join (never) nop\n  exit nop\n";
}

/// Waits until $r6 cycles have passed; `step` in each turn.
std::string wait(const std::string& step = "") {
  return "  mov $r4 $clock\n  joinat waited\nwait:\n" + step +
         "  mov $r5 $clock\n  sub b32 $r5 $r5 $r4\n  set $c0 # l u32 $r5 $r6\n  (lg $c0) bra wait\n"
         "waited:\n  join (never) nop\n";
}

// The clock only decides when a warp tries again.
TEST(Livelock, ProvesThatWarpsSpinThatWaitForTheClockInBetween) {
  static const std::pair<const char*, std::string> kTurns[] = {
      {"a wait", wait()},
      {"a wait that counts", wait("  add b32 $r10 $r10 0x1\n")},
      {"two waits", wait() + "  mov $r4 $clock\n  joinat waited2\nwait2:\n  mov $r5 $clock\n  sub b32 $r5 $r5 $r4\n"
                             "  set $c0 # l u32 $r5 $r3\n  (lg $c0) bra wait2\nwaited2:\n  join (never) nop\n"},
      {"a wait that all lanes leave together",
       "  mov $r4 $clock\n  mov b32 $r6 0x64\nwait:\n  mov $r5 $clock\n  sub b32 $r5 $r5 $r4\n"
       "  set $c0 # l u32 $r5 $r6\n  (lg $c0) bra wait\n"},
      {"a wait of a time that the clock decides",
       "  mov $r7 $clock\n  and b32 $r6 $r7 0x7f\n" + wait("  add b32 $r7 $r7 0x1\n")},
      {"a clock that nobody looks at", "  mov $r4 $clock\n  add b32 $r9 $r9 $r4\n"}};
  for (const auto& [what, turn] : kTurns) {
    for (const LaunchResult& result : {suspected(lock_loop(turn)), launch_on_reference(lock_loop(turn))}) {
      EXPECT_EQ(result.end, LaunchEnd::kLivelock) << what << "\n" << result.message;
      EXPECT_LT(result.shader_cycles, 800'000u) << what;
    }
  }
}

// The clock ends them, by itself or by way of what depends on for how long they have waited.
TEST(Livelock, ALoopThatTheClockEndsIsNoLivelock) {
  const std::string leave = "  (lg $c0) bra met\n";
  const std::string choice =  // $r7 is 0 or 1
      "  mov $r5 $clock\n  shr u32 $r5 $r5 0x4\n  and b32 $r5 $r5 $r3\n  set $c0 # e u32 $r5 $r124\n"
      "  mov b32 $r7 $r124\n  joinat chosen\n  (lg $c0) bra chosen\n  mov b32 $r7 $r3\nchosen:\n  join (never) nop\n";
  const std::string count = "  add b32 $r9 $r9 $r7\n", limit = "  set $c0 # g u32 $r9 $r12\n";
  static const std::pair<const char*, std::string> kTurns[] = {
      {"a time-out", "  mov $r5 $clock\n  sub b32 $r5 $r5 $r8\n  set $c0 # g u32 $r5 $r11\n" + leave},
      {"a time-out behind a wait",
       wait() + "  mov $r5 $clock\n  sub b32 $r5 $r5 $r8\n  set $c0 # g u32 $r5 $r11\n" + leave},
      {"a long wait", "  mov b32 $r6 $r11\n" + wait() + "  bra met\n"},
      {"turns of a wait are counted", wait("  add b32 $r9 $r9 0x1\n") + "  set $c0 # g u32 $r9 $r12\n" + leave},
      {"its choices are counted", choice + count + limit + leave},
      {"its choices are counted with a guard",
       "  mov $r5 $clock\n  shr u32 $r5 $r5 0x4\n  and b32 $r5 $r5 $r3\n  set $c1 # e u32 $r5 $r124\n"
       "  (lg $c1) add b32 $r9 $r9 $r3\n" +
           limit + leave},
      {"its choices are counted in memory",
       choice + "  mov b32 $r9 b32 s[0x14]\n" + count + "  st b32 s[0x14] $r9\n" + limit + leave},
      {"its choice is stored", choice + "  st b32 l[0x0] $r7\n  ld b32 $r7 l[0x0]\n" + count + limit + leave}};
  for (const auto& [what, turn] : kTurns) {
    const auto body = [&](unsigned cycles, unsigned turns) {
      return fmt::format("  mov b32 $r11 0x{:x}\n  mov b32 $r12 0x{:x}\n  st b32 s[0x14] $r124\n{}", cycles, turns,
                         lock_loop(turn));
    };
    const LaunchResult result = suspected(body(80'000, 64));
    EXPECT_EQ(result.end, LaunchEnd::kFinished) << what << "\n" << result.message;
    EXPECT_GT(result.shader_cycles, 20'000u) << what << ": too short to be suspected";
    const LaunchResult on_reference = launch_on_reference(body(4'000'000, 150'000), 64);
    EXPECT_EQ(on_reference.end, LaunchEnd::kFinished) << what << "\n" << on_reference.message;
    EXPECT_GT(on_reference.sms.front().warp_instructions, 1'500'000u) << what << ": too short to be suspected";
  }
}

// What a loop computes and does not look at decides nothing.
TEST(Livelock, ProvesThatWarpsSpinThatCountTheirTurns) {
  static const std::pair<const char*, std::string> kCounters[] = {
      {"a register", "  add b32 $r4 $r4 0x1\n"},
      {"half a register", "  add b16 $r4h $r4h $r6l\n"},
      {"a pair", "  add b32 $c1 $r4 $r4 $r6\n  addc b32 $r5 $r5 $r124 $c1\n"},
      {"an address register", "  add $a1 $a1 0x4\n"},
      {"a float", "  mov b32 $r7 0x3f800000\n  add rn f32 $r4 $r4 $r7\n"},
      {"some lanes", "  set $c1 # l u32 $r0 $r6\n  (lg $c1) add b32 $r4 $r4 $r6\n"},
      {"a step from s[]", "  add b32 $r4 b32 s[out] $r4\n"},
      {"a register that holds something else meanwhile",
       "  mov b32 $r7 0x1\n  add b32 $r8 $r1 $r7\n  add b32 $r8 $r8 0xffffffff\n  ld b32 $r9 g14[$r8]\n"
       "  add b32 $r7 $r4 0x1\n  mov b32 $r4 $r7\n"},
      {"a guard that only guards counting", "  add b32 $c1 $r4 $r4 $r6\n  (lg $c1) add b32 $r5 $r5 $r6\n"}};
  for (const auto& [what, count] : kCounters) {
    for (const bool reads_memory : {true, false}) {
      SCOPED_TRACE(fmt::format("{}{}", what, reads_memory ? ", memory is read" : ""));
      const std::string body = counting_loop(count, reads_memory);
      const LaunchResult result = suspected(body);
      EXPECT_EQ(result.end, LaunchEnd::kLivelock) << result.message;
      EXPECT_LT(result.shader_cycles, 400'000u);
      EXPECT_EQ(launch_on_reference(body).end, LaunchEnd::kLivelock);
    }
  }
}

// The same counters, but something depends on them sooner or later.
TEST(Livelock, ALoopThatACounterEndsIsNoLivelock) {
  const std::string limit = "  set $c0 # lg u32 $r4 $r8\n", ask = "  ld b32 $r2 g14[$r1]\n";
  static const std::pair<const char*, std::string> kLoops[] = {
      {"a register", "  add b32 $r4 $r4 0x1\n" + limit},
      {"half a register",
       "  mov b32 $r7 $r4\n  add b16 $r5h $r5h $r6l\n  shr u32 $r4 $r5 0x10\n  set $c0 # lg u32 $r7 $r8\n"},
      {"a carry", "  add b32 $c1 $r5 $r5 $r9\n  addc b32 $r4 $r4 $r124 $c1\n  set $c0 # e u32 $r4 $r124\n"},
      {"an address register", "  add $a1 $a1 0x1\n  mov $r4 $a1\n" + limit},
      {"a guard", "  add b32 $r5 $r5 0x1\n  set $c1 # e u32 $r5 $r8\n  (lg $c1) mov b32 $r4 $r8\n" + limit},
      {"through registers, one turn each",
       "  mov b32 $r4 $r7\n  mov b32 $r7 $r10\n  mov b32 $r10 $r5\n  add b32 $r5 $r5 0x1\n" + limit},
      {"a register that holds something else meanwhile",
       "  mov b32 $r7 $r5\n  add b32 $r5 $r7 0x1\n  mov b32 $r7 $r124\n  mov b32 $r4 $r5\n" + limit},
      {"one lane",
       "  and b32 $r7 $r0 0x1f\n  set $c1 # e u32 $r7 $r124\n  (lg $c1) add b32 $r4 $r4 $r6\n"
       "  (e $c1) mov b32 $r4 $r8\n" +
           limit},
      {"the address of an operand in s[]",
       "  add b32 $r5 $r5 0x1\n  set $c1 # e u32 $r5 $r8\n  mov b32 $r7 $r124\n  mov b32 $r11 0x4\n  (lg $c1) mov b32 "
       "$r7 $r11\n"
       "  shl $a1 $r7 0x0\n  mov b32 $r4 b32 s[$a1+0x14]\n  set $c0 # e u32 $r4 $r124\n"}};
  const auto text = [&](const std::string& loop, unsigned turns) {
    return fmt::format(
        "  mov b32 $r1 b32 s[out]\n  mov b32 $r2 $r124\n  mov b32 $r4 $r124\n  mov b32 $r5 $r124\n  mov b32 $r6 0x1\n"
        "  mov b32 $r7 $r124\n  mov b32 $r8 0x{:x}\n  mov b32 $r9 0x{:x}\n  mov b32 $r10 $r124\n  st b32 s[0x14] "
        "$r124\n"
        "  st b32 s[0x18] $r6\n  shl $a1 $r124 0x0\nagain:\n{}  (lg $c0) bra again\n  exit nop\n",
        turns, 0xffffffffu / turns, loop);
  };
  for (const auto& [what, loop] : kLoops) {
    SCOPED_TRACE(what);
    const LaunchResult in_registers = suspected(text(loop, 0x1000));
    EXPECT_EQ(in_registers.end, LaunchEnd::kFinished) << in_registers.message;
    EXPECT_GT(in_registers.shader_cycles, 20'000u) << "too short to be suspected";
    const LaunchResult with_memory = suspected(text(ask + loop, 0x200));
    EXPECT_EQ(with_memory.end, LaunchEnd::kFinished) << with_memory.message;
    EXPECT_GT(with_memory.shader_cycles, 20'000u) << "too short to be suspected";
    const LaunchResult on_reference = launch_on_reference(text(loop, 0xf000));
    EXPECT_EQ(on_reference.end, LaunchEnd::kFinished) << on_reference.message;
  }
}

// What cannot be proved is told with the place of the lanes that run and of those that wait.
TEST(Livelock, ALimitNamesTheLanesThatSpinAndThoseThatWait) {
  const LaunchResult result = suspected(
      "  mov b16 $r1l u16 s[0x2]\n  mov b32 $r2 $r124\n  cvt u32 $r0 u16 $r0l\n  joinat met\n"
      "  set $c0 # lg u32 $r0 $r124\n  (lg $c0) bra met\n"
      "again:\n  add b32 $r2 $r2 0x1\n  st b32 s[0x14] $r2\n  bra again\nmet:\n  join nop\n  exit nop\n",
      50'000);
  EXPECT_EQ(result.end, LaunchEnd::kMaxCycles);
  EXPECT_THAT(result.message,
              ::testing::ContainsRegex("warp 0: .*; lanes 00000001, pc 0x.*\\(probe.sasm:1[345]\\).*; lanes fffffffe "
                                       "wait to go on at pc 0x[0-9a-f]+ \\(probe.sasm:17\\)"));
}

/// One block waits for a store of another, which computes far longer than the watchdog's patience.
TEST(Livelock, ABlockThatWaitsForALateStoreIsNoLivelock) {
  const LaunchResult result = launch(
                                  "  mov b32 $r1 b32 s[out]\n  mov b32 $r2 u16 s[0xc]\n"
                                  "  set $c0 # lg u32 $r2 $r124\n  (lg $c0) bra wait\n  mov b32 $r3 0x9c40\n"
                                  "work:\n  add b32 $r3 $r3 0xffffffff\n  set $c0 # lg u32 $r3 $r124\n"
                                  "  (lg $c0) bra work\n  mov b32 $r3 0x1\n  st b32 g14[$r1] $r3\n  exit nop\n"
                                  "wait:\n  ld b32 $r2 g14[$r1]\n  set $c0 # e u32 $r2 $r124\n"
                                  "  (lg $c0) bra wait\n  exit nop\n",
                                  {2, 1, 1}, {32, 1, 1}, 0, 60'000'000)
                                  .launches[0];
  EXPECT_EQ(result.end, LaunchEnd::kFinished) << result.message;
  EXPECT_GT(result.shader_cycles, 400'000u) << "too short to be suspected";
}

TEST(Livelock, ABlockThatWaitsForItsTurnIsNoLivelock) {
  // One block beside three others, each alone far longer than the watchdog's patience on the smallest machine.
  const RunResult result = launch(
      "  mov b32 $r1 0x4e20\nloop:\n  add b32 $r1 $r1 0xffffffff\n  set $c0 # lg u32 $r1 $r124\n"
      "  (lg $c0) bra loop\n  exit nop\n",
      {4, 1, 1}, {32, 1, 1});
  EXPECT_EQ(result.launches[0].end, LaunchEnd::kFinished) << result.launches[0].message;
  EXPECT_GT(result.launches[0].shader_cycles, 400'000u) << "too short to be suspected";
}

}  // namespace
}  // namespace g80
