// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/machine.h"

#include <fmt/format.h>

#include <stdexcept>

#include "hw/isa/disassembler.h"

namespace g80::codegen {

using isa::OperandKind;

std::uint32_t MachineFunction::literal(std::uint32_t word) {
  for (std::size_t i = 0; i < literals.size(); ++i) {
    if (literals[i] == word) return static_cast<std::uint32_t>(4 * i);
  }
  literals.push_back(word);
  return static_cast<std::uint32_t>(4 * (literals.size() - 1));
}

std::vector<std::vector<ir::BlockId>> MachineFunction::predecessors() const {
  std::vector<std::vector<ir::BlockId>> result(blocks.size());
  for (ir::BlockId block = 0; block < blocks.size(); ++block) {
    for (const ir::BlockId next : successors(blocks[block].end)) result[next].push_back(block);
  }
  return result;
}

bool is_copy(const MachineInst& inst) {
  return inst.insn.op == isa::Op::kMov && inst.insn.src[0].kind == OperandKind::kReg && inst.src[0] && inst.dst &&
         inst.insn.dst.kind == OperandKind::kReg && !inst.is_guarded;
}

bool is_half_copy(const MachineInst& inst) {
  return inst.insn.op == isa::Op::kMov && inst.insn.src[0].kind == OperandKind::kHalf && inst.src[0] && inst.dst &&
         inst.insn.dst.kind == OperandKind::kHalf && !inst.is_guarded;
}

MachineInst make_copy(Reg dst, Reg src, const ir::Location& loc) {
  MachineInst copy;
  copy.insn.op = isa::Op::kMov;
  copy.insn.dst_type = copy.insn.src_type = isa::NumType::kB32;
  copy.insn.dst.kind = copy.insn.src[0].kind = OperandKind::kReg;
  copy.dst = dst;
  copy.src[0] = src;
  copy.loc = loc;
  return copy;
}

MachineInst make_half_copy(Reg dst, unsigned dst_half, Reg src, unsigned src_half, const ir::Location& loc) {
  MachineInst copy = make_copy(dst, src, loc);
  copy.insn.dst_type = copy.insn.src_type = isa::NumType::kB16;
  copy.insn.dst.kind = copy.insn.src[0].kind = OperandKind::kHalf;
  copy.insn.dst.index = static_cast<std::uint8_t>(dst_half);
  copy.insn.src[0].index = static_cast<std::uint8_t>(src_half);
  return copy;
}

namespace {

std::string reg_text(const MachineFunction& function, const Reg& reg) {
  const char prefix = function.regs[reg.id].cls == RegClass::kGeneral ? 'v'
                      : function.regs[reg.id].cls == RegClass::kFlags ? 'c'
                                                                      : 'a';
  std::string text = fmt::format("{}{}", prefix, reg.id);
  if (function.regs[reg.id].words > 1) text += fmt::format(".{}", reg.word);
  if (reg.part != Part::kWhole) text += reg.part == Part::kLow ? "l" : "h";
  return text;
}

std::string inst_text(const MachineFunction& function, const MachineInst& inst) {
  std::string text;
  for_each_def(inst, [&](const Reg& reg, unsigned) { text += reg_text(function, reg) + " "; });
  text += text.empty() ? "" : "<- ";
  for_each_use(inst, [&](const Reg& reg, unsigned) { text += reg_text(function, reg) + " "; });
  try {
    return text + "   " + isa::disassemble(inst.insn);
  } catch (const std::invalid_argument& problem) {
    return text + fmt::format("   op {} ({})", static_cast<int>(inst.insn.op), problem.what());
  }
}

}  // namespace

std::string print(const MachineFunction& function) {
  std::string text;
  for (ir::BlockId block = 0; block < function.blocks.size(); ++block) {
    const MachineBlock& b = function.blocks[block];
    if (b.end.kind == TerminatorKind::kNone) continue;
    text += fmt::format("b{}:{}{}\n", block, b.starts_with_join ? " join" : "", b.is_break_target ? " break" : "");
    for (const MachineInst& inst : b.insts) text += "  " + inst_text(function, inst) + "\n";
    switch (b.end.kind) {
      case TerminatorKind::kJump: text += fmt::format("  jump b{}\n", b.end.taken); break;
      case TerminatorKind::kBranch:
        text += fmt::format("  branch {} {} b{} else b{}\n", reg_text(function, b.end.flags), b.end.cond, b.end.taken,
                            b.end.other);
        break;
      default: text += "  exit\n"; break;
    }
  }
  return text;
}

}  // namespace g80::codegen
