// SPDX-License-Identifier: Apache-2.0
// Selects atomic operations: instructions for g[], loops with a lock for s[].
#include "toolchain/compiler/codegen/select.h"

namespace g80::codegen {

using ir::Access;
using ir::Op;
using ir::Space;
using ir::Type;
using ir::ValueId;
using isa::MemType;
using isa::NumType;
using isa::OperandKind;

namespace {}  // namespace

void Selector::select_atomic(const ir::Inst& inst) {
  if (inst.space == Space::kShared) return select_shared_atomic(inst);
  if (options_.arch < isa::Arch::kSm11) fail(inst, "atomic operations need sm_11");
  const bool is_wide = inst.access == Access::kB64;
  if (is_wide && options_.arch < isa::Arch::kSm12) fail(inst, "64-bit atomic operations need sm_12");
  const bool is_wanted = !inst.results.empty() && wanted(inst.results[0]);
  const bool can_reduce = inst.atom_op != isa::AtomOp::kExch && inst.atom_op != isa::AtomOp::kCas;
  MachineInst atomic = start(is_wanted || !can_reduce ? isa::Op::kAtom : isa::Op::kRed);
  atomic.insn.atom_op = inst.atom_op;
  switch (inst.atom_op) {
    case isa::AtomOp::kAdd:
    case isa::AtomOp::kInc:
    case isa::AtomOp::kDec: atomic.insn.mem_type = is_wide ? MemType::kU64 : MemType::kU32; break;
    case isa::AtomOp::kMin:
    case isa::AtomOp::kMax: atomic.insn.mem_type = inst.is_signed ? MemType::kS32 : MemType::kU32; break;
    default: atomic.insn.mem_type = is_wide ? MemType::kB64 : MemType::kB32; break;
  }
  memory_operand(atomic, inst, 0);
  const OperandKind kind = is_wide ? OperandKind::kPair : OperandKind::kReg;
  for (std::size_t i = 1; i < inst.operands.size(); ++i) {
    set_arg(atomic, static_cast<unsigned>(i), register_arg(inst.operands[i]));
  }
  if (atomic.insn.op == isa::Op::kAtom) {
    const Reg unread = is_wide ? m_.new_register(RegClass::kGeneral, 2, 2) : m_.new_register();
    set_dst(atomic, is_wanted ? reg_of(inst.results[0]) : unread, kind);
  }
  emit(std::move(atomic));
}

// ---- s[] -----------------------------------------------------------------------------------------------------------

/// The new value of an s[] word, from the old one.
Reg Selector::updated_word(const ir::Inst& inst, Reg old, const std::vector<Reg>& inputs) {
  const auto arg_of = [](Reg reg) {
    Arg arg;
    arg.op.kind = OperandKind::kReg;
    arg.reg = reg;
    return arg;
  };
  const Reg operand = inputs[0];
  const Reg result = m_.new_register();
  const auto combine = [&](isa::Op op, NumType type, Reg dst, Reg a, Reg b) {
    emit(two(op, type, dst, {arg_of(a), arg_of(b)}));
  };
  const auto plus = [&](Reg dst, std::uint32_t word) {
    Arg constant;
    constant.op.kind = OperandKind::kImm;
    constant.immediate = word;
    emit(two(isa::Op::kAdd, NumType::kB32, dst, {arg_of(old), constant}));
  };
  const NumType number = inst.is_signed ? NumType::kS32 : NumType::kU32;
  const auto compare = [&](unsigned code, NumType type) {
    MachineInst set = two(isa::Op::kSet, type, Reg{}, {arg_of(old), arg_of(operand)});
    set.insn.dst_type = NumType::kB32;
    set.insn.compare = static_cast<std::uint8_t>(code);
    return set;
  };
  switch (inst.atom_op) {
    case isa::AtomOp::kAdd: combine(isa::Op::kAdd, NumType::kB32, result, old, operand); break;
    case isa::AtomOp::kExch: return operand;
    case isa::AtomOp::kAnd: combine(isa::Op::kAnd, NumType::kB32, result, old, operand); break;
    case isa::AtomOp::kOr: combine(isa::Op::kOr, NumType::kB32, result, old, operand); break;
    case isa::AtomOp::kXor: combine(isa::Op::kXor, NumType::kB32, result, old, operand); break;
    case isa::AtomOp::kMin: combine(isa::Op::kMin, number, result, old, operand); break;
    case isa::AtomOp::kMax: combine(isa::Op::kMax, number, result, old, operand); break;
    case isa::AtomOp::kInc: {  // old < b ? old + 1 : 0
      const Reg mask = m_.new_register(), next = m_.new_register();
      MachineInst set = compare(1, NumType::kU32);
      set_dst(set, mask);
      emit(std::move(set));
      plus(next, 1);
      combine(isa::Op::kAnd, NumType::kB32, result, next, mask);
      break;
    }
    case isa::AtomOp::kDec: {  // old - 1, and b if that is larger: 0 - 1 is larger than any b but itself
      const Reg next = m_.new_register();
      plus(next, 0xffffffffu);
      combine(isa::Op::kMin, NumType::kU32, result, next, operand);
      break;
    }
    case isa::AtomOp::kCas: {
      const Reg flags = m_.new_register(RegClass::kFlags);
      MachineInst set = compare(2, NumType::kU32);
      set.insn.dst.kind = OperandKind::kDiscard;
      set.insn.writes_flags = true;
      set.flags_out = flags;
      emit(std::move(set));
      emit(make_copy(result, old, inst.loc));
      MachineInst swap = make_copy(result, inputs[1], inst.loc);
      guard(swap, flags, false);
      swap.merges = true;
      emit(std::move(swap));
      break;
    }
  }
  return result;
}

// Locks the word, computes, stores and unlocks. Lanes that did not get the lock try again:
//     joinat J
//  L: ld lock $c old s[..]
//     new = op(old, b)
//     (lg $c) st unlock s[..] new
//     (lg $c) bra J
//     bra L
//  J: join
// All lanes with a lock release it before any lane branches back, so no lane waits for a lane of its own warp. Those
// that are done take the branch, because the lanes that do run first (sm.divergence_first): at the join the others are
// the youngest entry of the control stack, and the next try finds it as low as this one did. A branch back of the
// others would leave an entry for each try, most of them in memory.
void Selector::select_shared_atomic(const ir::Inst& inst) {
  if (options_.arch < isa::Arch::kSm12) fail(inst, "atomic operations on shared memory need sm_12");
  if (inst.access == Access::kB64) fail(inst, "64-bit atomic operations on shared memory do not exist");
  // the inputs of the loop must be in registers before it starts, and stay there until it ends
  std::vector<Reg> inputs;
  for (std::size_t i = 1; i < inst.operands.size(); ++i) {
    const Reg value = need(inst.operands[i]);
    const Reg kept = m_.new_register();
    emit(make_copy(kept, value, inst.loc));
    inputs.push_back(kept);
  }
  std::uint32_t address = 0;
  const Reg address_register = shared_address(inst, kFieldReach / 4, 4, address);
  const std::uint32_t again = ++labels_, done = ++labels_;
  const Reg locked = m_.new_register(RegClass::kFlags);
  const Reg old = !inst.results.empty() && wanted(inst.results[0]) ? reg_of(inst.results[0]) : m_.new_register();

  MachineInst joinat = start(isa::Op::kJoinat);
  joinat.insn.form = isa::Form::kControl;
  joinat.label_target = done;
  emit(std::move(joinat));
  const auto memory = [&](isa::Op op) {
    MachineInst access = start(op);
    access.addr = address_register;
    access.insn.src[0].kind = OperandKind::kShared;
    access.insn.src[0].type = access.insn.mem_type = MemType::kB32;
    access.insn.src[0].offset = static_cast<std::uint16_t>(address);
    return access;
  };
  MachineInst load = memory(isa::Op::kLdSharedLock);
  load.insn.dst_type = NumType::kB32;
  load.label = again;
  set_dst(load, old);
  load.insn.writes_flags = true;
  load.flags_out = locked;
  emit(std::move(load));
  const Reg updated = updated_word(inst, old, inputs);
  MachineInst store = memory(isa::Op::kStSharedUnlock);
  store.insn.src_type = NumType::kB32;
  store.insn.src[1].kind = OperandKind::kReg;
  store.src[1] = updated;
  guard(store, locked, false);
  emit(std::move(store));
  MachineInst leave = start(isa::Op::kBra);
  leave.insn.form = isa::Form::kControl;
  leave.label_target = done;
  guard(leave, locked, false);
  emit(std::move(leave));
  MachineInst retry = start(isa::Op::kBra);
  retry.insn.form = isa::Form::kControl;
  retry.label_target = again;
  for (std::size_t i = 0; i < inputs.size(); ++i) retry.src[i] = inputs[i];
  retry.addr = address_register;
  emit(std::move(retry));
  MachineInst join = start(isa::Op::kNop);
  join.insn.cond = 0;
  join.insn.join = true;
  join.label = done;
  emit(std::move(join));
}

}  // namespace g80::codegen
