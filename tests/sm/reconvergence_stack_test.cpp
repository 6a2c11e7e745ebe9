// SPDX-License-Identifier: Apache-2.0
// The control stack's rules on hand-derived sequences; random programs are compared with the reference elsewhere.
#include "hw/sm/reconvergence_stack.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "toolchain/assembler/line_assembler.h"

namespace g80 {
namespace {

struct Warp {
  WarpControl control;
  ControlRules rules;
  explicit Warp(LaneMask lanes, unsigned depth = 8, unsigned call_limit_log = 0xf,
                unsigned on_chip = WarpControl::kMaxOnChip)
      : rules{depth, on_chip, call_limit(call_limit_log), DivergenceFirst::kTaken} {
    control.start(lanes);
  }
  ControlOutcome operator()(const std::string& text, std::uint32_t pc, LaneMask taken,
                            DivergenceFirst first = DivergenceFirst::kTaken) {
    isa::Instruction insn;
    const isa::Words words = isa::assemble(text, isa::Arch::kSm13);
    EXPECT_EQ(isa::decode(words.w0, words.w1, isa::Arch::kSm13, insn), isa::DecodeError::kNone);
    rules.first = first;
    return control.execute(insn, pc, taken, rules);
  }
};

TEST(WarpControl, LimitedCallsAreAPowerOfTwoOrAll) {
  for (unsigned log = 1; log < 15; ++log) EXPECT_EQ(call_limit(log), 1u << (log - 1));
  EXPECT_EQ(call_limit(0), 0u);
  for (const unsigned all : {15u, 16u, 255u}) EXPECT_EQ(call_limit(all), ~0u);
}

TEST(WarpControl, BothSidesOfABranchMeetAtTheJoin) {
  for (const bool taken_first : {true, false}) {
    Warp w(0xff);
    const auto first = taken_first ? DivergenceFirst::kTaken : DivergenceFirst::kFallthrough;
    w("joinat 0x40", 0, 0xff);
    const ControlOutcome split = w("(lg $c0) bra 0x20", 8, 0x0f, first);
    EXPECT_TRUE(split.diverged);
    EXPECT_EQ(split.pc, taken_first ? 0x20u : 0x10u);
    EXPECT_EQ(w.control.active(), taken_first ? 0x0fu : 0xf0u);
    const ControlOutcome sibling = w("join (never) nop", 0x40, 0);
    EXPECT_TRUE(sibling.jumped);
    EXPECT_EQ(sibling.pc, taken_first ? 0x10u : 0x20u);
    EXPECT_EQ(w.control.active(), taken_first ? 0xf0u : 0x0fu);
    const ControlOutcome end = w("join (never) nop", 0x40, 0);
    EXPECT_FALSE(end.jumped);
    EXPECT_EQ(end.pc, 0x48u);
    EXPECT_EQ(w.control.active(), 0xffu);
    EXPECT_EQ(w.control.depth(), 0u);
  }
}

TEST(WarpControl, TheYoungestEntriesAreOnChipAndTheOthersComeBackOneByOne) {
  Warp w(0xff, 8, 0xf, 2);
  std::vector<StackEntry> memory;
  for (const unsigned i : {0u, 1u, 2u, 3u}) {
    const ControlOutcome out = w(fmt::format("joinat {:#x}", 0x40 + 8 * i), 0, 0xff);
    EXPECT_EQ(out.spills, i >= 2) << i;
    if (!out.spills) continue;
    EXPECT_EQ(out.number, i - 2);
    EXPECT_EQ(out.spilled.pc, 0x40 + 8 * (i - 2)) << "the oldest leaves";
    memory.push_back(out.spilled);
  }
  EXPECT_EQ(w.control.depth(), 4u);
  EXPECT_EQ(w.control.in_memory(), 2u);
  for (unsigned i = 0; i < 2; ++i) EXPECT_FALSE(w("join (never) nop", 0x40, 0).waits);
  EXPECT_FALSE(w("joinat 0x40", 0, 0xff).spills) << "there is room again";
  EXPECT_FALSE(w("join (never) nop", 0x40, 0).waits);
  for (const unsigned number : {1u, 0u}) {
    const ControlOutcome out = w("join (never) nop", 0x40, 0);
    EXPECT_TRUE(out.waits);
    EXPECT_EQ(out.number, number);
    w.control.refill(memory[number]);
    EXPECT_FALSE(w("join (never) nop", 0x40, 0).waits) << "the same instruction again";
  }
  EXPECT_EQ(w.control.depth(), 0u);
}

TEST(WarpControl, AnInstructionThatPopsSeveralEntriesGoesOnWhereItWaited) {
  Warp w(0xff, 8, 0xf, 1);
  w("breakaddr 0x80", 0, 0xff);
  std::vector<StackEntry> memory;
  for (unsigned i = 0; i < 3; ++i) {
    const ControlOutcome out = w("joinat 0x40", 8, 0xff);
    ASSERT_TRUE(out.spills);
    memory.push_back(out.spilled);
  }
  ControlOutcome out = w("break", 0x20, 0xff);  // the join point on chip has no lane left
  for (unsigned i = 3; i-- != 0;) {
    ASSERT_TRUE(out.waits) << i;
    EXPECT_EQ(out.number, i);
    EXPECT_EQ(w.control.active(), 0u);
    w.control.refill(memory[i]);
    out = w("break", 0x20, 0xff);
  }
  EXPECT_FALSE(out.waits);
  EXPECT_TRUE(out.jumped);
  EXPECT_EQ(out.pc, 0x80u);
  EXPECT_EQ(w.control.active(), 0xffu);
  EXPECT_EQ(w.control.depth(), 0u);
}

TEST(WarpControl, AReturnKnowsOfACallWhoseEntryIsInMemory) {
  Warp w(0xf, 8, 0xf, 1);
  w("call 0x100", 0x10, 0xf);
  const StackEntry call = w("joinat 0x140", 0x100, 0xf).spilled;
  EXPECT_EQ(call.type, StackEntryType::kCall);
  EXPECT_TRUE(w("ret", 0x108, 0xf).waits);
  EXPECT_EQ(w.control.lanes().returned, 0xfu) << "a return outside a call ends the threads";
  w.control.refill(call);
  EXPECT_EQ(w("ret", 0x108, 0xf).pc, 0x18u);
  EXPECT_EQ(w.control.active(), 0xfu);
}

TEST(WarpControl, AnEntryThatWasOverwrittenInMemoryIsAMismatch) {
  Warp w(0xf, 8, 0xf, 1);
  w("joinat 0x40", 0, 0xf);
  w("joinat 0x40", 0, 0xf);
  w("join (never) nop", 0x40, 0);
  EXPECT_TRUE(w("exit (never) nop", 0x48, 0).waits);
  w.control.refill(stack_entry(0xf, 0x07000040));
  EXPECT_EQ(w("exit (never) nop", 0x48, 0).fault, FaultKind::kStackMismatch);
}

// What is compared with the reference instead of the entries themselves.
TEST(WarpControl, TheDigestOfTheEntriesInMemoryDependsOnEachFieldAndOnTheirOrder) {
  const auto digest = [](LaneMask lanes, const std::vector<std::string>& pushed) {
    Warp w(lanes, 8, 0xf, 1);
    for (const std::string& text : pushed) w(text, 0, lanes);
    EXPECT_EQ(w.control.in_memory(), pushed.size() - 1);
    return w.control.memory_digest();
  };
  const std::string last = "joinat 0x0";
  const std::vector<std::uint64_t> digests = {
      digest(0xf, {last}),
      digest(0xf, {"joinat 0x40", last}),
      digest(0x7, {"joinat 0x40", last}),
      digest(0xf, {"joinat 0x48", last}),
      digest(0xf, {"breakaddr 0x40", last}),
      digest(0xf, {"joinat 0x40", "joinat 0x48", last}),
      digest(0xf, {"joinat 0x48", "joinat 0x40", last}),
  };
  EXPECT_EQ(std::set<std::uint64_t>(digests.begin(), digests.end()).size(), digests.size());
  EXPECT_EQ(digest(0xf, {"joinat 0x40", last}), digests[1]);
}

TEST(StackEntries, TheirWordsKeepEveryField) {
  for (const StackEntryType type : {StackEntryType::kBranch, StackEntryType::kCallLimited, StackEntryType::kJoinat}) {
    const StackEntry entry{0xabcdefu & ~7u, type, 0x80000001u};
    const auto words = stack_words(entry);
    const StackEntry back = stack_entry(words[0], words[1]);
    EXPECT_EQ(back.pc, entry.pc);
    EXPECT_EQ(back.type, entry.type);
    EXPECT_EQ(back.mask, entry.mask);
  }
}

TEST(WarpControl, LanesThatBreakInsideAJoinComeBackBehindTheLoop) {
  Warp w(0xf);
  w("breakaddr 0x80", 0, 0xf);
  w("joinat 0x40", 8, 0xf);
  w("(lg $c0) bra 0x20", 0x10, 0x3);
  const ControlOutcome out = w("break", 0x20, 0x3);  // the sibling runs next
  EXPECT_TRUE(out.jumped);
  EXPECT_EQ(out.pc, 0x18u);
  EXPECT_EQ(w.control.active(), 0xcu);
  EXPECT_FALSE(w("join (never) nop", 0x40, 0).jumped);
  EXPECT_EQ(w.control.active(), 0xcu);
  const ControlOutcome end = w("break", 0x48, 0xc);
  EXPECT_EQ(end.pc, 0x80u);
  EXPECT_EQ(w.control.active(), 0xfu);
}

TEST(WarpControl, LanesReturnTogetherFromADivergentCall) {
  Warp w(0xf);
  EXPECT_EQ(w("call 0x100", 0x10, 0xf).pc, 0x100u);
  EXPECT_FALSE(w("(lg $c0) ret", 0x100, 0x5).jumped);
  EXPECT_EQ(w.control.active(), 0xau);
  const ControlOutcome out = w("ret", 0x108, 0xa);
  EXPECT_EQ(out.pc, 0x18u);
  EXPECT_EQ(w.control.active(), 0xfu);
  EXPECT_TRUE(w("ret", 0x18, 0xf).ended);  // outside a call a return ends the threads
}

TEST(WarpControl, LimitedCallsBeyondTheLimitDoNothing) {
  Warp w(0xf, 8, 2);  // 1 << (2 - 1) of them
  EXPECT_EQ(w("call lim 0x100", 0x10, 0xf).pc, 0x100u);
  EXPECT_EQ(w("call 0x180", 0x100, 0xf).pc, 0x180u) << "counts nothing";
  EXPECT_EQ(w("call lim 0x200", 0x180, 0xf).pc, 0x200u);
  EXPECT_FALSE(w("call lim 0x300", 0x200, 0xf).jumped);
  EXPECT_EQ(w("ret", 0x208, 0xf).pc, 0x188u);
  EXPECT_EQ(w("call lim 0x300", 0x188, 0xf).pc, 0x300u) << "one has returned";
  Warp none(0xf, 8, 0);
  EXPECT_FALSE(none("call lim 0x100", 0x10, 0xf).jumped);
  Warp all(0xf, 64, 0xf);
  for (unsigned i = 0; i < 40; ++i) EXPECT_TRUE(all("call lim 0x100", 0x10, 0xf).jumped);
}

TEST(WarpControl, LanesComeBackFromTheLoopTheyBrokeOutOfAndFromNoOther) {
  Warp w(0xf);
  w("breakaddr 0x80", 0, 0xf);
  EXPECT_FALSE(w("(lg $c0) break", 8, 0x5).jumped);
  EXPECT_EQ(w("break", 0x10, 0xa).pc, 0x80u);
  EXPECT_EQ(w.control.active(), 0xfu);
  w("breakaddr 0x100", 0x80, 0xf);
  EXPECT_FALSE(w("(lg $c0) break", 0x88, 0x5).jumped);
  EXPECT_EQ(w("exit (never) nop", 0x90, 0).pc, 0x100u) << "the others end";
  EXPECT_EQ(w.control.active(), 0x5u);
}

TEST(WarpControl, ThreadsThatEndInsideAJoinLeaveTheOthers) {
  Warp w(0xf);
  w("joinat 0x40", 0, 0xf);
  w("(lg $c0) bra 0x20", 8, 0x1);
  const ControlOutcome out = w("exit (never) nop", 0x20, 0);
  EXPECT_EQ(out.pc, 0x10u);
  EXPECT_EQ(w.control.active(), 0xeu);
  const ControlOutcome end = w("exit (never) nop", 0x10, 0);
  EXPECT_TRUE(end.ended);
  EXPECT_EQ(w.control.depth(), 0u);
}

TEST(WarpControl, QuadModeRunsWholeQuadsAndRefusesControlFlow) {
  Warp w(0x0021);
  w("quadon", 0, 0x21);
  EXPECT_EQ(w.control.active(), 0xffu);
  EXPECT_EQ(w("bra 0x40", 8, 0xff).fault, FaultKind::kQuadonActive);
  EXPECT_EQ(w("exit (never) nop", 8, 0).fault, FaultKind::kQuadonActive);
  EXPECT_EQ(w("brkpt", 8, 0).fault, FaultKind::kNone);
  EXPECT_EQ(w("quadpop", 0x10, 0xff).fault, FaultKind::kNone);
  EXPECT_EQ(w.control.active(), 0x21u);
  EXPECT_EQ(w("quadpop", 0x18, 0x21).fault, FaultKind::kStackUnderflow);
}

TEST(WarpControl, TheStackHoldsAsManyEntriesAsItHas) {
  Warp w(0xf, 3);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(w("joinat 0x40", 8 * i, 0xf).fault, FaultKind::kNone);
  EXPECT_EQ(w("joinat 0x40", 0x18, 0xf).fault, FaultKind::kStackOverflow);
}

}  // namespace
}  // namespace g80
