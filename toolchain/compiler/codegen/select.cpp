// SPDX-License-Identifier: Apache-2.0
// Selects the instructions of all blocks, and makes branches and the copies for phis.
#include "toolchain/compiler/codegen/select.h"

#include <algorithm>

#include "toolchain/compiler/codegen/prepare.h"

namespace g80::codegen {

using ir::Op;
using ir::Type;
using ir::ValueId;

Selector::Selector(const ir::Module& module, const ir::Function& function, const KernelLayout& layout,
                   const CallContext& calls, const CompileOptions& options, const std::string& filename)
    : module_(module),
      f_(function),
      layout_(layout),
      calls_(calls),
      options_(options),
      filename_(filename),
      ranges_(function),
      halves_(function) {}

void Selector::fail(const ir::Inst& inst, const std::string& message) const { refuse(filename_, inst.loc, message); }

MachineFunction Selector::run() {
  m_.name = f_.name;
  m_.local_bytes = layout_.local_bytes;
  m_.parameter_end = kParameterBase;
  for (const ir::KernelParameter& param : f_.params) {
    m_.parameter_end = std::max(m_.parameter_end, kParameterBase + param.offset + param.bytes);
  }
  m_.blocks.resize(f_.blocks.size());
  begin_function();
  number_values();
  assign_group_registers();
  const ir::Dominators dominators = ir::find_dominators(f_);
  for (auto block = dominators.order.rbegin(); block != dominators.order.rend(); ++block) select_block(*block);
  finish_function();
  return std::move(m_);
}

void Selector::number_values() {
  uses_.assign(f_.values.size(), 0);
  reg_.resize(f_.values.size());
  flags_.resize(f_.values.size());
  in_register_.assign(f_.values.size(), 0);
  is_operand_.assign(f_.values.size(), 0);
  in_flags_.assign(f_.values.size(), 0);
  block_of_.assign(f_.insts.size(), ir::kNone);
  index_of_.assign(f_.insts.size(), 0);
  carry_of_.resize(f_.insts.size());
  for (ir::BlockId block = 0; block < f_.blocks.size(); ++block) {
    for (std::uint32_t i = 0; i < f_.blocks[block].insts.size(); ++i) {
      const ir::InstId id = f_.blocks[block].insts[i];
      block_of_[id] = block;
      index_of_[id] = i;
      const std::vector<ValueId>& results = f_.insts[id].results;
      if (!results.empty() && root(results[0]) != results[0]) continue;  // a copy: its readers are readers of the root
      for (const ValueId operand : f_.insts[id].operands) ++uses_[root(operand)];
    }
  }
}

ValueId Selector::root(ValueId value) const {
  for (;;) {
    const ir::Inst* inst = f_.def(value);
    if (inst == nullptr) return value;
    switch (inst->op) {
      case Op::kCopy:
      case Op::kF32ToBits:
      case Op::kBitsToF32:
      case Op::kF64ToBits:
      case Op::kBitsToF64: value = inst->operands[0]; break;
      default: return value;
    }
  }
}

unsigned Selector::words_of(ValueId value) const {
  const Type type = f_.type_of(value);
  return type == Type::kI64 || type == Type::kF64 ? 2 : 1;
}

/// Assigns registers to results that need consecutive registers, and to words of 64-bit values, before all others.
void Selector::assign_group_registers() {
  for (const ir::Block& block : f_.blocks) {
    for (const ir::InstId id : block.insts) {
      const ir::Inst& inst = f_.insts[id];
      if (inst.op == Op::kTexture) {
        std::uint8_t results = 0;
        for (const ValueId result : inst.results) results += uses_[result] != 0;
        const std::uint8_t words = std::max<std::uint8_t>(std::max<std::uint8_t>(results, 1), inst.operands.size());
        const Reg group = m_.new_register(RegClass::kGeneral, words);
        std::uint8_t word = 0;
        for (const ValueId result : inst.results) {
          reg_[result] = group;
          if (uses_[result] != 0) reg_[result].word = word++;
        }
      } else if (inst.op == Op::kLoad && inst.results.size() > 1 &&
                 (inst.space == ir::Space::kGlobal || inst.space == ir::Space::kLocal)) {
        const unsigned bytes = ir::access_bytes(inst.access) * static_cast<unsigned>(inst.results.size());
        if (bytes % 4 != 0 || inst.access < ir::Access::kB32) continue;
        const std::uint8_t words = static_cast<std::uint8_t>(bytes / 4);
        if (words > 4) fail(inst, "a vector of more than 128 bits");
        const Reg group = m_.new_register(RegClass::kGeneral, words, words);
        for (std::size_t i = 0; i < inst.results.size(); ++i) {
          reg_[inst.results[i]] = {group.id, static_cast<std::uint8_t>(i * words / inst.results.size())};
        }
      }
    }
  }
  for (const ir::Block& block : f_.blocks) {
    for (const ir::InstId id : block.insts) {
      const ir::Inst& inst = f_.insts[id];
      if (inst.op != Op::kTrunc && inst.op != Op::kHigh) continue;
      const Reg whole = reg_of(inst.operands[0]);
      reg_[inst.results[0]] = {whole.id, static_cast<std::uint8_t>(whole.word + (inst.op == Op::kHigh))};
    }
  }
}

void Selector::select_block(ir::BlockId block) {
  block_ = block;
  reversed_.clear();
  const std::vector<ir::InstId>& insts = f_.blocks[block].insts;
  for (index_ = static_cast<std::uint32_t>(insts.size()); index_-- > 0;) {
    current_ = &f_.insts[insts[index_]];
    sequence_.clear();
    if (index_ + 1 == insts.size()) {
      select_terminator(block);
    } else {
      select_inst(*current_);
    }
    for (auto inst = sequence_.rbegin(); inst != sequence_.rend(); ++inst) reversed_.push_back(std::move(*inst));
  }
  std::reverse(reversed_.begin(), reversed_.end());
  m_.blocks[block].insts = std::move(reversed_);
  reversed_ = {};
}

void Selector::select_terminator(ir::BlockId block) {
  Terminator& end = m_.blocks[block].end;
  end.loc = current_->loc;
  switch (current_->op) {
    case Op::kExit: end.kind = TerminatorKind::kExit; return;
    case Op::kReturn:
      end.kind = TerminatorKind::kExit;
      select_return();
      return;
    case Op::kBranch:
      end.kind = TerminatorKind::kJump;
      end.taken = current_->blocks[0];
      select_phi_copies(block);
      return;
    default: break;
  }
  const ValueId pred = current_->operands[0];
  if (is_constant(pred)) {
    end.kind = TerminatorKind::kJump;
    end.taken = current_->blocks[word_of(pred) != 0 ? 0 : 1];
    select_phi_copies(block);
    return;
  }
  bool inverted = false;
  end.kind = TerminatorKind::kBranch;
  end.flags = need_flags(pred, inverted);
  end.cond = inverted ? 0x02 : 0x05;
  end.taken = current_->blocks[0];
  end.other = current_->blocks[1];
  end.divergent = true;
}

/// Makes the copies into the phis of the only successor. They are parallel: none may overwrite the source of another.
void Selector::select_phi_copies(ir::BlockId block) {
  const ir::BlockId target = m_.blocks[block].end.taken;
  struct Copy {
    ValueId phi, value;
  };
  std::vector<Copy> copies;
  bool overlaps = false;
  for (const ir::InstId id : f_.blocks[target].insts) {
    const ir::Inst& phi = f_.insts[id];
    if (phi.op != Op::kPhi) break;
    for (std::size_t i = 0; i < phi.blocks.size(); ++i) {
      if (phi.blocks[i] != block) continue;
      if (f_.values[root(phi.operands[i])].undefined || root(phi.operands[i]) == phi.results[0]) continue;
      copies.push_back({phi.results[0], phi.operands[i]});
    }
  }
  for (const Copy& copy : copies) {
    for (const Copy& other : copies) overlaps |= root(copy.value) == other.phi && copy.phi != other.phi;
  }
  const auto copy_words = [&](Reg dst, Reg src, unsigned words) {
    for (unsigned w = 0; w < words; ++w) {
      emit(make_copy({dst.id, static_cast<std::uint8_t>(dst.word + w)},
                     {src.id, static_cast<std::uint8_t>(src.word + w)}, current_->loc));
    }
  };
  std::vector<Reg> temporaries;
  for (const Copy& copy : copies) {
    const unsigned words = words_of(copy.value);
    in_register_[copy.phi] = 1;
    const Reg phi = reg_of(copy.phi);
    temporaries.emplace_back();
    Reg dst = phi;
    if (is_half(copy.phi)) {
      if (overlaps) temporaries.back() = dst = m_.new_half();
      Arg half;
      half.op.kind = isa::OperandKind::kImm;
      if (is_constant(copy.value)) {
        half.immediate = word_of(copy.value) & 0xffff;
      } else {
        half = half_register_arg(copy.value);
      }
      move_half(dst, half);
      continue;
    }
    if (overlaps)
      dst = m_.new_register(RegClass::kGeneral, static_cast<std::uint8_t>(words), static_cast<std::uint8_t>(words));
    temporaries.back() = dst;
    if (words == 2) {
      copy_words(dst, need(copy.value), 2);
    } else if (Arg arg; f_.type_of(copy.phi) != Type::kPred && shared_arg(copy.value, arg)) {
      move(dst, arg);
    } else if (is_constant(copy.value)) {
      const bool is_pred = f_.type_of(copy.phi) == Type::kPred;
      const std::uint32_t word = is_pred && word_of(copy.value) != 0 ? 0xffffffffu : word_of(copy.value);
      Arg immediate;
      immediate.op.kind = isa::OperandKind::kImm;
      immediate.immediate = word;
      move(dst, immediate);
    } else {
      copy_words(dst, need(copy.value), 1);
    }
  }
  if (!overlaps) return;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    if (is_half(copies[i].phi)) {
      emit(make_half_copy(reg_of(copies[i].phi), 0, temporaries[i], 0, current_->loc));
      continue;
    }
    copy_words(reg_of(copies[i].phi), temporaries[i], words_of(copies[i].value));
  }
}

void Selector::select_inst(const ir::Inst& inst) {
  if (inst.op == Op::kPhi) {
    const ValueId phi = inst.results[0];
    if (f_.type_of(phi) == Type::kPred && in_flags_[phi]) {
      in_register_[phi] = 1;
      MachineInst test = start(isa::Op::kAnd);  // flags of the mask
      Arg arg;
      arg.op.kind = isa::OperandKind::kReg;
      arg.reg = reg_of(phi);
      set_arg(test, 0, arg);
      set_arg(test, 1, arg);
      finish_set(test, ir::kNone);
      test.insn.writes_flags = true;
      test.flags_out = flags_[phi];
      emit(std::move(test));
    }
    return;
  }
  const ir::InstId id = f_.blocks[block_].insts[index_];
  bool is_wanted = !ir::is_removable(inst) || carry_of_[id];
  for (const ValueId result : inst.results) is_wanted |= root(result) == result && wanted(result);
  if (!is_wanted) return;
  if (inst.results.size() == 1 && is_half(inst.results[0])) return select_half(inst);
  if (select_predicate(inst) || select_integer(inst) || select_double(inst) || select_conversion(inst) ||
      select_float(inst) || select_memory(inst) || select_special(inst)) {
    return;
  }
  fail(inst, "the code generator has no instruction for " + ir::print_inst(f_, id));
}

}  // namespace g80::codegen
