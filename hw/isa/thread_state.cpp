// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/thread_state.h"

namespace g80 {
namespace {

using isa::Op;
using isa::Operand;
using isa::OperandKind;

constexpr std::uint8_t kAddressRegisters = 0x1e;  // $a1 to $a4; $a0 is the constant 0, and there are no others

void add_operand(ThreadState& state, const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::kReg: state.registers.add(operand.index); break;
    case OperandKind::kHalf: state.registers.add(operand.index / 2); break;
    case OperandKind::kPair: state.registers.add_range(operand.index, 2); break;
    case OperandKind::kQuad: state.registers.add_range(operand.index, 4); break;
    case OperandKind::kAddr: state.addrs |= static_cast<std::uint8_t>(1u << operand.index); break;
    default: break;
  }
}

bool reads_carry(const isa::Instruction& insn) {
  return insn.op == Op::kAddc || insn.op == Op::kMovFromFlags || insn.mad_op == Op::kAddc;
}

}  // namespace

bool isa::is_texture(Op op) {
  return op == Op::kTexAuto || op == Op::kTexFetch || op == Op::kTexBias || op == Op::kTexLod || op == Op::kTexSize ||
         op == Op::kTexCsaa;
}

ThreadState registers_read(const isa::Instruction& insn) {
  ThreadState reads;
  for (const Operand& operand : insn.src) add_operand(reads, operand);
  if (isa::is_texture(insn.op)) reads.registers.add_range(insn.dst.index, insn.tex_sources);
  if (insn.addr_reg != 0) reads.addrs |= static_cast<std::uint8_t>(1u << insn.addr_reg);
  if ((insn.cond != isa::kAlways && insn.cond != 0) || reads_carry(insn) || insn.op == Op::kVote) {
    reads.flags |= static_cast<std::uint8_t>(1u << insn.flag_src);
  }
  reads.addrs &= kAddressRegisters;
  return reads;
}

ThreadState registers_written(const isa::Instruction& insn) {
  ThreadState writes;
  if (isa::is_texture(insn.op)) {
    writes.registers.add_range(insn.dst.index, static_cast<unsigned>(__builtin_popcount(insn.tex_mask)));
  } else {
    add_operand(writes, insn.dst);
  }
  if (insn.addr_reg != 0 && insn.post_increment) writes.addrs |= static_cast<std::uint8_t>(1u << insn.addr_reg);
  if (insn.writes_flags) writes.flags |= static_cast<std::uint8_t>(1u << insn.flag_dst);
  writes.addrs &= kAddressRegisters;
  return writes;
}

}  // namespace g80
