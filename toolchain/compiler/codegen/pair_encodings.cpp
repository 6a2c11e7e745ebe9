// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/pair_encodings.h"

#include <algorithm>
#include <bitset>

namespace g80::codegen {
namespace {

using isa::Instruction;
using isa::Operand;
using isa::OperandKind;

constexpr std::size_t kMaxPassed = 4;  // instructions that one may move over

// Registers $r0..$r127, then $c0..$c3, then $a0..$a7.
constexpr unsigned kFlags = 128, kAddresses = 132;
using Resources = std::bitset<140>;

void add_operand(const Operand& op, Resources& set) {
  const auto add = [&](unsigned first, unsigned count) {
    for (unsigned i = 0; i < count && first + i < kFlags; ++i) set.set(first + i);
  };
  switch (op.kind) {
    case OperandKind::kReg: add(op.index, 1); break;
    case OperandKind::kHalf: add(op.index / 2, 1); break;
    case OperandKind::kPair: add(op.index, 2); break;
    case OperandKind::kQuad: add(op.index, 4); break;
    case OperandKind::kAddr: set.set(kAddresses + op.index); break;
    default: break;
  }
}

Resources written_by(const Instruction& insn) {
  Resources set;
  add_operand(insn.dst, set);
  if (insn.writes_flags) set.set(kFlags + insn.flag_dst);
  return set;
}

Resources read_by(const Instruction& insn) {
  Resources set;
  for (const Operand& source : insn.src) add_operand(source, set);
  if (insn.addr_reg != 0) set.set(kAddresses + insn.addr_reg);
  const bool reads_flags = insn.cond != isa::kAlways || insn.op == isa::Op::kAddc ||
                           insn.op == isa::Op::kMovFromFlags || insn.mad_op == isa::Op::kAddc;
  if (reads_flags) set.set(kFlags + insn.flag_src);
  // a guarded result is merged with the old one, and so is half a register
  if (insn.cond != isa::kAlways || insn.dst.kind == OperandKind::kHalf) set |= written_by(insn);
  return set;
}

bool writes_memory(const Instruction& insn) {
  switch (insn.op) {
    case isa::Op::kStShared:
    case isa::Op::kStSharedUnlock:
    case isa::Op::kStLocal:
    case isa::Op::kStGlobal:
    case isa::Op::kRed:
    case isa::Op::kAtom:
    case isa::Op::kLdSharedLock: return true;
    default: return false;
  }
}

bool reads_memory(const Instruction& insn) {
  const bool loads = insn.op == isa::Op::kLdGlobal || insn.op == isa::Op::kLdLocal || insn.op == isa::Op::kLdShared;
  return loads || insn.src[0].kind == OperandKind::kShared;
}

bool stays_in_place(const Instruction& insn) {
  return insn.form == isa::Form::kControl || insn.exit || insn.join || insn.op >= isa::Op::kVote ||
         insn.op == isa::Op::kMovFromSpecial || insn.op == isa::Op::kLdSharedLock ||
         insn.op == isa::Op::kStSharedUnlock;
}

}  // namespace

bool are_independent(const Instruction& a, const Instruction& b) {
  const Resources a_out = written_by(a), b_out = written_by(b);
  if ((a_out & (read_by(b) | b_out)).any() || (b_out & read_by(a)).any()) return false;
  const bool a_writes = writes_memory(a), b_writes = writes_memory(b);
  const bool a_reads = reads_memory(a), b_reads = reads_memory(b);
  if ((a_writes && (b_writes || b_reads)) || (b_writes && a_reads)) return false;
  return !(a.op == isa::Op::kLdGlobal && b.op == isa::Op::kLdGlobal);  // volatile loads stay in order
}

void pair_short_forms(std::vector<CodeItem>& items) {
  for (std::size_t i = 0; i + 1 < items.size();) {
    if (!items[i].short_form) {
      ++i;
      continue;
    }
    // the partner: the next instruction, or a later one that may move here
    std::size_t partner = items.size();
    for (std::size_t j = i + 1; j < items.size() && j <= i + 1 + kMaxPassed; ++j) {
      if (items[j].starts_block || (j > i + 1 && stays_in_place(items[j].insn))) break;
      const bool may_come =
          std::all_of(items.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                      items.begin() + static_cast<std::ptrdiff_t>(j), [&](const CodeItem& between) {
                        return !stays_in_place(between.insn) && are_independent(between.insn, items[j].insn);
                      });
      if (items[j].short_form && may_come) {
        partner = j;
        break;
      }
    }
    if (partner == items.size()) {
      ++i;
      continue;
    }
    std::rotate(items.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                items.begin() + static_cast<std::ptrdiff_t>(partner),
                items.begin() + static_cast<std::ptrdiff_t>(partner) + 1);
    i += 2;
  }
}

}  // namespace g80::codegen
