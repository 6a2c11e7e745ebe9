// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/zero_tests.h"

#include <algorithm>

namespace g80::codegen {
namespace {

using isa::OperandKind;

constexpr std::uint8_t kIfSet = 0x05, kIfClear = 0x02;
constexpr unsigned kEqual = 2, kNotEqual = 5;  // less or greater
constexpr std::uint32_t kLiteralReach = 0x180, kHalfLiteralReach = 0x100;

class Merger {
 public:
  explicit Merger(MachineFunction& function) : function_(function), is_plain_(function.regs.size(), 1) {
    definitions_.assign(function.regs.size(), 0);
    uses_.assign(function.regs.size(), 0);
    for (const MachineBlock& block : function_.blocks) {
      for (const MachineInst& inst : block.insts) {
        for_each_def(inst, [&](const Reg& reg, unsigned) { ++definitions_[reg.id]; });
        for_each_use(inst, [&](const Reg& reg, unsigned) { ++uses_[reg.id]; });
        if (inst.flags_out && inst.merges) is_plain_[inst.flags_out.id] = 0;
        if (inst.flags_in && !(inst.is_guarded && is_either(inst.insn.cond))) is_plain_[inst.flags_in.id] = 0;
      }
      if (block.end.kind == TerminatorKind::kBranch && !is_either(block.end.cond)) {
        is_plain_[block.end.flags.id] = 0;
      }
    }
  }

  void run() {
    for (MachineBlock& block : function_.blocks) {
      for (std::size_t i = 0; i < block.insts.size();) {
        if (merge(block, i)) {
          block.insts.erase(block.insts.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
          ++i;
        }
      }
    }
  }

 private:
  static bool is_either(std::uint8_t cond) { return cond == kIfSet || cond == kIfClear; }

  /// True if the instruction compares a register with zero and writes only flags.
  bool is_zero_test(const MachineInst& inst) const {
    const isa::Instruction& insn = inst.insn;
    if (insn.op != isa::Op::kSet || inst.is_guarded || !inst.flags_out || inst.dst || inst.addr) return false;
    if (insn.compare != kEqual && insn.compare != kNotEqual) return false;
    if (!inst.src[0] || insn.src[0].neg) return false;
    if (insn.src[0].kind == OperandKind::kHalf) {
      return function_.regs[inst.src[0].id].is_half && insn.src[1].kind == OperandKind::kConst &&
             insn.src[1].bank == kLiteralBank && function_.literals[insn.src[1].offset / 4u] == 0;
    }
    if (insn.src[0].kind != OperandKind::kReg) return false;
    const bool is_zero = insn.src[1].kind == OperandKind::kReg && !inst.src[1] && insn.src[1].index == kZeroRegister;
    return is_zero || (insn.src[1].kind == OperandKind::kImm && insn.immediate == 0);
  }

  /// True if the instruction computes a word and can also write its flags.
  static bool can_write_flags(const MachineInst& inst) {
    const isa::Instruction& insn = inst.insn;
    switch (insn.op) {
      case isa::Op::kAdd:
      case isa::Op::kSub:
      case isa::Op::kSubr:
      case isa::Op::kAnd:
      case isa::Op::kOr:
      case isa::Op::kXor:
      case isa::Op::kShl:
      case isa::Op::kShr: break;
      default: return false;
    }
    if (inst.is_guarded || inst.merges || inst.flags_in || inst.flags_out || insn.saturate) return false;
    if ((insn.dst.kind != OperandKind::kReg && insn.dst.kind != OperandKind::kHalf) || !inst.dst) return false;
    return insn.form == isa::Form::kLong || insn.form == isa::Form::kImmediate;
  }

  /// Moves a 32-bit immediate to the literal pool, because instructions with one write no flags.
  bool use_literal(MachineInst& inst) {
    if (inst.insn.form != isa::Form::kImmediate) return true;
    if (inst.insn.src[1].kind != OperandKind::kImm || inst.insn.src[1].neg) return false;
    const bool is_half = inst.insn.dst.kind == OperandKind::kHalf;
    const std::uint32_t reach = is_half ? kHalfLiteralReach : kLiteralReach;
    const bool is_new = std::find(function_.literals.begin(), function_.literals.end(), inst.insn.immediate) ==
                        function_.literals.end();
    if (is_new && 4 * function_.literals.size() >= reach) return false;
    const std::uint32_t offset = function_.literal(inst.insn.immediate);
    if (offset >= reach) return false;
    isa::Operand& constant = inst.insn.src[1];
    constant.kind = OperandKind::kConst;
    constant.bank = kLiteralBank;
    constant.type = is_half ? isa::MemType::kU16 : isa::MemType::kB32;
    constant.offset = static_cast<std::uint16_t>(offset);
    inst.insn.form = isa::Form::kLong;
    inst.insn.immediate = 0;
    return true;
  }

  bool merge(MachineBlock& block, std::size_t at) {
    const MachineInst test = block.insts[at];
    if (!is_zero_test(test)) return false;
    const Reg value = test.src[0], flags = test.flags_out;
    if (definitions_[flags.id] != 1) return false;
    const bool inverts = test.insn.compare == kEqual;
    if (inverts && !is_plain_[flags.id]) return false;
    for (std::size_t i = at; i-- > 0;) {
      MachineInst& inst = block.insts[i];
      if (inst.label != 0 || inst.label_target != 0) return false;
      bool writes = false;
      for_each_def(inst, [&](const Reg& reg, unsigned count) {
        writes |= reg.id == value.id && value.word >= reg.word && value.word < reg.word + count;
      });
      if (!writes) continue;
      if (inst.dst != value || !can_write_flags(inst) || !use_literal(inst)) return false;
      inst.insn.writes_flags = true;
      inst.flags_out = flags;
      if (--uses_[value.id] == 0) {  // only the flags are read
        const bool is_half = inst.insn.dst.kind == OperandKind::kHalf;
        inst.dst = {};
        inst.insn.dst = {};
        inst.insn.dst.kind = OperandKind::kDiscard;
        inst.insn.dst.type = is_half ? isa::MemType::kU16 : isa::MemType::kB32;
      }
      if (inverts) invert(flags);
      return true;
    }
    return false;
  }

  void invert(const Reg& flags) {
    const auto other = [](std::uint8_t cond) { return cond == kIfSet ? kIfClear : kIfSet; };
    for (MachineBlock& block : function_.blocks) {
      for (MachineInst& inst : block.insts) {
        if (inst.flags_in == flags) inst.insn.cond = other(inst.insn.cond);
      }
      if (block.end.kind == TerminatorKind::kBranch && block.end.flags == flags) block.end.cond = other(block.end.cond);
    }
  }

  MachineFunction& function_;
  std::vector<std::uint8_t> is_plain_;  // of flag registers: all who read it ask for one of two opposite conditions
  std::vector<unsigned> definitions_, uses_;  // of registers
};

}  // namespace

void merge_zero_tests(MachineFunction& function) { Merger(function).run(); }

}  // namespace g80::codegen
