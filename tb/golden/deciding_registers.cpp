// SPDX-License-Identifier: Apache-2.0
#include "tb/golden/deciding_registers.h"

#include <algorithm>
#include <iterator>

namespace g80::golden {
namespace {

using isa::Op;
using isa::OperandKind;

/// What the instruction takes to branch, to access memory or to fault.
ThreadState read_to_act(const isa::Instruction& insn) {
  ThreadState reads = registers_read(insn);
  if (insn.unit == isa::Unit::kSp || insn.unit == isa::Unit::kSfu || insn.unit == isa::Unit::kDp) {
    // An operand in memory may have a bad address, in lanes in which the guard holds.
    const bool accesses = std::any_of(std::begin(insn.src), std::end(insn.src), [](const isa::Operand& operand) {
      return operand.kind == OperandKind::kShared || operand.kind == OperandKind::kConst;
    });
    if (!accesses) return {};
    reads.registers = {};
  }
  return reads;
}

/// Of a half, or of a lock's word, the rest stays; so does everything in lanes that the instruction leaves out.
bool overwrites(const isa::Instruction& insn) {
  return insn.cond == isa::kAlways && insn.lane_mask == 0xf && insn.dst.kind != OperandKind::kHalf &&
         insn.op != Op::kLdSharedLock;
}

}  // namespace

void DecidingRegisters::add_first(std::uint32_t pc, const isa::Instruction& insn) {
  Step step{registers_read(insn),
            registers_written(insn),
            {},
            read_to_act(insn),
            {pc + insn.bytes, pc + insn.bytes},
            false,
            {}};
  if (overwrites(insn)) step.overwrites = step.writes;
  if (insn.join) step.next[1] = pc;  // executed again when the lanes of the other side have ended
  if (insn.op == Op::kBra || insn.op == Op::kCall || insn.op == Op::kJoinat || insn.op == Op::kBreakaddr)
    step.next[1] = insn.target;
  if (insn.op == Op::kBra && insn.cond == isa::kAlways) step.next[0] = insn.target;
  step.to_anywhere = insn.op == Op::kRet || insn.op == Op::kBreak;
  in_quads_ |= insn.op == Op::kQuadon || insn.op == Op::kQuadpop || insn.op == Op::kQuadop;
  if (pc / 4 >= index_.size()) index_.resize(pc / 4 + 1, kNone);
  index_[pc / 4] = static_cast<std::uint32_t>(steps_.size());
  steps_.push_back(step);
  since_first_ = 0;
  solved_ = false;
}

void DecidingRegisters::solve() {
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t word = index_.size(); word-- > 0;) {
      if (index_[word] == kNone) continue;
      Step& step = steps_[index_[word]];
      ThreadState after = step.to_anywhere || in_quads_ ? anywhere_ : live(step.next[0]);
      after.insert(live(step.next[1]));
      ThreadState before = step.acts_on;
      if (step.writes.intersects(after)) before.insert(step.reads);
      if (!in_quads_) after.remove(step.overwrites);
      before.insert(after);
      before.remove(step.live);
      if (before.empty()) continue;
      step.live.insert(before);
      anywhere_.insert(before);
      grows = true;
    }
  }
  solved_ = true;
}

}  // namespace g80::golden
