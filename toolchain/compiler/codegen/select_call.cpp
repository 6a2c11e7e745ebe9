// SPDX-License-Identifier: Apache-2.0
// Selects calls, arguments and results.
//
// A function is finished before its callers. So its arguments and results are in the registers that suit its own code,
// and its callers know which registers it writes. Each of these is a virtual register of the caller with a fixed
// assignment, which values that are live across the call avoid. Copies to and from it disappear if coalescing succeeds.
#include <algorithm>

#include "toolchain/compiler/codegen/select.h"

namespace g80::codegen {

using ir::Op;
using ir::ValueId;
using isa::OperandKind;

/// The thread number is in $r0, in a kernel and in the functions that need it.
void Selector::begin_function() {
  m_.is_called = calls_.is_called;
  m_.functions = calls_.functions;
  m_.literals = calls_.literals;
  const auto calls = [&](const ir::Block& block) {
    return std::any_of(block.insts.begin(), block.insts.end(),
                       [&](ir::InstId id) { return f_.insts[id].op == Op::kCall; });
  };
  const Reg entry_id = fixed_register(RegClass::kGeneral, 0);
  const bool has_calls = std::any_of(f_.blocks.begin(), f_.blocks.end(), calls);
  thread_id_ = has_calls ? m_.new_register() : entry_id;
  const auto pass = [&](std::vector<PassedRegister>& list, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      list.push_back({m_.new_register()});
      m_.regs[list.back().reg.id].is_spill = true;  // short: values are copied from and to it
    }
  };
  pass(m_.arguments, f_.arguments.size());
  pass(m_.results, f_.results.size());
}

void Selector::finish_function() {
  bool asks_thread_id = false;
  for (const MachineBlock& block : m_.blocks) {
    for (const MachineInst& inst : block.insts) {
      for_each_use(inst, [&](const Reg& reg, unsigned) { asks_thread_id |= reg == thread_id_; });
    }
  }
  const Reg entry_id = fixed_register(RegClass::kGeneral, 0);
  if (asks_thread_id && thread_id_ != entry_id) entry_.push_back(make_copy(thread_id_, entry_id, f_.loc));
  if (m_.is_called) m_.arguments.push_back({asks_thread_id ? entry_id : Reg{}});
  std::vector<MachineInst>& insts = m_.blocks[0].insts;
  insts.insert(insts.begin(), entry_.begin(), entry_.end());
}

Reg Selector::fixed_register(RegClass cls, unsigned number) {
  const auto [found, is_new] = fixed_.emplace(std::make_pair(cls, number), Reg{});
  if (is_new) {
    found->second = m_.new_register(cls);
    m_.regs[found->second.id].fixed = static_cast<std::int16_t>(number);
  }
  return found->second;
}

void Selector::select_argument(const ir::Inst& inst) {
  entry_.push_back(make_copy(reg_of(inst.results[0]), m_.arguments[inst.immediate].reg, inst.loc));
}

/// Moves a word to the register in which another function expects it.
void Selector::move_word(Reg dst, ValueId value) {
  Arg arg;
  if (is_constant(value)) {
    arg.op.kind = OperandKind::kImm;
    arg.immediate = word_of(value);
    move(dst, arg);
  } else if (shared_arg(value, arg)) {
    move(dst, arg);
  } else {
    emit(make_copy(dst, need(value), current_->loc));
  }
}

void Selector::select_return() {
  for (std::size_t k = 0; k < current_->operands.size(); ++k) {
    const ValueId value = current_->operands[k];
    if (!f_.values[root(value)].undefined) move_word(m_.results[k].reg, value);
  }
}

void Selector::select_call(const ir::Inst& inst) {
  const CalledFunction& callee = m_.functions->at(inst.callee);
  MachineInst call = start(isa::Op::kCall);
  call.insn.form = isa::Form::kControl;
  call.callee = inst.callee;
  const auto general = [&](int number) { return fixed_register(RegClass::kGeneral, static_cast<unsigned>(number)); };
  for (std::size_t k = 0; k < inst.operands.size(); ++k) {
    if (callee.arguments[k] < 0 || f_.values[root(inst.operands[k])].undefined) continue;
    call.passes.push_back(general(callee.arguments[k]));
    move_word(call.passes.back(), inst.operands[k]);
  }
  if (callee.arguments.back() >= 0) {
    call.passes.push_back(general(callee.arguments.back()));
    emit(make_copy(call.passes.back(), thread_id_, inst.loc));
  }
  const auto overwrite = [&](RegClass cls, const std::vector<std::uint8_t>& numbers) {
    for (const std::uint8_t number : numbers) call.overwrites.push_back(fixed_register(cls, number));
  };
  overwrite(RegClass::kGeneral, callee.general);
  overwrite(RegClass::kFlags, callee.flags);
  overwrite(RegClass::kAddress, callee.addresses);
  m_.barriers = std::max(m_.barriers, callee.barriers);
  emit(std::move(call));
  for (std::size_t k = 0; k < inst.results.size(); ++k) {
    if (wanted(inst.results[k]) && callee.results[k] >= 0)
      emit(make_copy(reg_of(inst.results[k]), general(callee.results[k]), inst.loc));
  }
}

}  // namespace g80::codegen
