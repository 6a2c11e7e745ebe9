// Integer arithmetic: additions, multiply-adds, logic, shifts, minimum, comparisons on masks.
#include <algorithm>

#include "kernels/toolchain/compiler/codegen/select.h"

namespace g80::codegen {

using ir::Op;
using ir::Type;
using ir::ValueId;
using isa::NumType;
using isa::OperandKind;

namespace {

isa::Op logic_op(Op op) { return op == Op::kAnd ? isa::Op::kAnd : op == Op::kOr ? isa::Op::kOr : isa::Op::kXor; }

}  // namespace

bool Selector::select_integer(const ir::Inst& inst) {
  if (inst.results.size() != 1 || f_.type_of(inst.results[0]) != Type::kI32) return false;
  const auto a = [&](unsigned i) { return inst.operands[i]; };
  const ValueId result = inst.results[0];
  switch (inst.op) {
    case Op::kAdd:
      select_add(inst);
      return true;
    case Op::kSub: {
      const ir::Inst* left = sole_product(a(0));
      const ir::Inst* right = sole_product(a(1));
      if (can_mad(left)) {
        select_mad(*left, a(1), isa::Op::kSub, reg_of(result));
      } else if (can_mad(right)) {
        select_mad(*right, a(0), isa::Op::kSubr, reg_of(result));
      } else if (is_constant(a(1))) {
        emit(two(isa::Op::kAdd, NumType::kB32, reg_of(result), word_args(a(0), 0u - word_of(a(1)), true)));
      } else if (is_constant(a(0)) || (!can_be_shared(a(0)) && can_be_shared(a(1)))) {
        emit(two(isa::Op::kSubr, NumType::kB32, reg_of(result), two_args(a(1), a(0), !is_word(a(0), 0))));
      } else {
        emit(two(isa::Op::kSub, NumType::kB32, reg_of(result), two_args(a(0), a(1), true)));
      }
      return true;
    }
    case Op::kNeg: {
      Arg zero;
      zero.op.kind = OperandKind::kReg;
      zero.op.index = kZeroRegister;
      TwoArgs args;
      if (!shared_arg(a(0), args.a)) args.a = register_arg(a(0));
      args.b = zero;
      emit(two(isa::Op::kSubr, NumType::kB32, reg_of(result), args));
      return true;
    }
    case Op::kAddSat:
    case Op::kSubSat: {
      bool swapped = false;
      const bool is_add = inst.op == Op::kAddSat;
      MachineInst add = two(is_add ? isa::Op::kAdd : isa::Op::kSub, NumType::kB32, reg_of(result),
                            two_args(a(0), a(1), true, is_add ? &swapped : nullptr));
      add.insn.saturate = true;
      emit(std::move(add));
      return true;
    }
    case Op::kMul24U:
    case Op::kMul24S:
    case Op::kMul24HiU:
    case Op::kMul24HiS:
      select_multiply(inst);
      return true;
    case Op::kAddHigh:
    case Op::kSubHigh:
      select_carry(inst);
      return true;
    case Op::kSadU:
    case Op::kSadS: {
      const NumType type = inst.op == Op::kSadU ? NumType::kU32 : NumType::kS32;
      bool swapped = false;
      MachineInst sad = two(isa::Op::kSad, type, reg_of(result), two_args(a(0), a(1), false, &swapped));
      sad.insn.dst_type = NumType::kB32;
      set_arg(sad, 2, register_arg(a(2)));
      emit(std::move(sad));
      return true;
    }
    case Op::kMinU:
    case Op::kMinS:
    case Op::kMaxU:
    case Op::kMaxS: {
      const bool is_min = inst.op == Op::kMinU || inst.op == Op::kMinS;
      const NumType type = inst.op == Op::kMinU || inst.op == Op::kMaxU ? NumType::kU32 : NumType::kS32;
      bool swapped = false;
      emit(two(is_min ? isa::Op::kMin : isa::Op::kMax, type, reg_of(result), two_args(a(0), a(1), false, &swapped)));
      return true;
    }
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor: {
      bool swapped = false;
      // a complement costs nothing as a source of a long form
      const ir::Inst* complement = sole(a(1), Op::kNot);
      const ValueId b = complement != nullptr ? complement->operands[0] : a(1);
      MachineInst logic = two(logic_op(inst.op), NumType::kB32, reg_of(result),
                              two_args(a(0), b, complement == nullptr, complement == nullptr ? &swapped : nullptr));
      logic.insn.src[1].neg = complement != nullptr;
      emit(std::move(logic));
      return true;
    }
    case Op::kNot: {
      TwoArgs args;
      args.a.op.kind = OperandKind::kReg;
      args.a.op.index = kZeroRegister;
      if (!constant_arg(a(0), args.b)) args.b = register_arg(a(0));
      if (args.b.reg) args.a = args.b;
      MachineInst complement = two(isa::Op::kMov2, NumType::kB32, reg_of(result), args);
      complement.insn.src[1].neg = true;
      emit(std::move(complement));
      return true;
    }
    case Op::kShl:
    case Op::kShrU:
    case Op::kShrS: {
      const NumType type = inst.op == Op::kShl ? NumType::kB32 : inst.op == Op::kShrU ? NumType::kU32 : NumType::kS32;
      TwoArgs args;
      if (is_constant(a(1))) {
        if (!shared_arg(a(0), args.a)) args.a = register_arg(a(0));
        args.b.op.kind = OperandKind::kImm;
        args.b.immediate = std::min(word_of(a(1)), 32u);
      } else {
        args = two_args(a(0), a(1), false);
      }
      MachineInst shift = two(inst.op == Op::kShl ? isa::Op::kShl : isa::Op::kShr, type, reg_of(result), args);
      shift.insn.src2_type = NumType::kU32;
      shift.insn.form = isa::Form::kLong;
      emit(std::move(shift));
      return true;
    }
    case Op::kZext8:
    case Op::kZext16: {
      const std::uint32_t mask = inst.op == Op::kZext8 ? 0xff : 0xffff;
      emit(two(isa::Op::kAnd, NumType::kB32, reg_of(result), word_args(a(0), mask, true)));
      return true;
    }
    case Op::kSext8:
    case Op::kSext16: {
      MachineInst convert = start(isa::Op::kCvtI2I);
      convert.insn.dst_type = NumType::kS32;
      convert.insn.src_type = inst.op == Op::kSext8 ? NumType::kS8 : NumType::kS16;
      set_dst(convert, reg_of(result));
      Arg arg = register_arg(a(0));
      if (inst.op == Op::kSext16) {
        if (!arg.reg) arg.reg = load_word(0);
        arg.op.kind = OperandKind::kHalf;
        arg.op.index = 0;
        limit_register(arg.reg, 64);
      }
      set_arg(convert, 0, arg);
      emit(std::move(convert));
      return true;
    }
    default:
      return false;
  }
}

void Selector::select_add(const ir::Inst& inst) {
  const ValueId result = inst.results[0];
  const Reg carry = carry_of_[f_.values[result].def];
  if (!carry) {
    for (unsigned i = 0; i < 2; ++i) {
      const ir::Inst* product = sole_product(inst.operands[i]);
      if (!can_mad(product)) continue;
      select_mad(*product, inst.operands[1 - i], isa::Op::kAdd, reg_of(result));
      return;
    }
  }
  bool swapped = false;
  MachineInst add =
      two(isa::Op::kAdd, NumType::kB32, Reg{}, two_args(inst.operands[0], inst.operands[1], !carry, &swapped));
  if (!carry || in_register_[result]) {
    set_dst(add, reg_of(result));
  } else {
    add.insn.dst.kind = OperandKind::kDiscard;
  }
  if (carry) {
    add.insn.writes_flags = true;
    add.flags_out = carry;
  }
  emit(std::move(add));
}

// ---- products ------------------------------------------------------------------------------------------------------

Selector::Product Selector::product_kind(const ir::Inst& mul) const {
  const ValueId a = root(mul.operands[0]), b = root(mul.operands[1]);
  switch (mul.op) {
    case Op::kMul24U:
      return can_be_half(a, false) && can_be_half(b, false) ? Product::kU16 : Product::kU24;
    case Op::kMul24S:
      if (can_be_half(a, true) && can_be_half(b, true)) return Product::kS16;
      return can_be_half(a, false) && can_be_half(b, false) ? Product::kU16 : Product::kS24;
    case Op::kMul24HiU:
      return Product::kU24High;
    case Op::kMul24HiS:
      return Product::kS24High;
    default:
      return Product::kNone;
  }
}

const ir::Inst* Selector::sole_product(ValueId value) const {
  for (const Op op : {Op::kMul24U, Op::kMul24S, Op::kMul24HiU, Op::kMul24HiS}) {
    if (const ir::Inst* product = sole(value, op); product != nullptr) return product;
  }
  return nullptr;
}

bool Selector::can_mad(const ir::Inst* mul) const { return mul != nullptr && product_kind(*mul) != Product::kNone; }

/// Sources 1 and 2 of a multiplication. `constant_free`: source 2 must not be an immediate.
void Selector::product_args(const ir::Inst& mul, Product kind, MachineInst& inst, bool constant_free) {
  ValueId a = mul.operands[0], b = mul.operands[1];
  if (kind == Product::kU16 || kind == Product::kS16) {
    const bool is_signed = kind == Product::kS16;
    if (is_constant(a) || (can_be_shared(b) && !can_be_shared(a) && !is_constant(b))) std::swap(a, b);
    inst.insn.src_type = inst.insn.src2_type = is_signed ? NumType::kS16 : NumType::kU16;
    Arg first, second;
    const auto loaded_half = [&](ValueId value) {
      Arg arg;
      arg.op.kind = OperandKind::kHalf;
      arg.reg = is_constant(value) ? load_word(word_of(value)) : need(value);
      limit_register(arg.reg, 64);
      return arg;
    };
    if (!half_arg(a, first, is_signed)) first = loaded_half(a);
    if (is_constant(b)) {
      const std::uint32_t word = word_of(b) & 0xffff;
      const bool near = first.op.kind != OperandKind::kShared || first.op.offset / 2 < 16;
      if (!constant_free && near) {
        second.op.kind = OperandKind::kImm;
        second.immediate = word;
        if (first.reg) limit_register(first.reg, 32);
      } else {
        second = literal_arg(word, 0x100);  // halves count twice as fast
        if (second.op.kind == OperandKind::kConst) {
          second.op.type = isa::MemType::kU16;
        } else {
          second = loaded_half(b);
        }
      }
    } else if (can_be_shared(b) || !half_arg(b, second, is_signed)) {
      second = loaded_half(b);
    }
    set_arg(inst, 0, first);
    set_arg(inst, 1, second);
    return;
  }
  const bool is_signed = kind == Product::kS24 || kind == Product::kS24High;
  inst.insn.src_type = inst.insn.src2_type = is_signed ? NumType::kS24 : NumType::kU24;
  inst.insn.high = kind == Product::kU24High || kind == Product::kS24High;
  bool swapped = false;
  const TwoArgs args = two_args(a, b, !constant_free, &swapped);
  set_arg(inst, 0, args.a);
  set_arg(inst, 1, args.b);
}

void Selector::select_multiply(const ir::Inst& inst) {
  const Product kind = product_kind(inst);
  if (kind == Product::kNone) fail(inst, "a 32-bit product that was not expanded");
  MachineInst mul = start(kind == Product::kU16 || kind == Product::kS16 ? isa::Op::kMul16 : isa::Op::kMul24);
  mul.insn.dst_type = NumType::kB32;
  set_dst(mul, reg_of(inst.results[0]));
  product_args(inst, kind, mul, false);
  emit(std::move(mul));
}

void Selector::select_mad(const ir::Inst& mul, ValueId addend, isa::Op mad_op, Reg dst) {
  const Product kind = product_kind(mul);
  MachineInst mad = start(kind == Product::kU16 || kind == Product::kS16 ? isa::Op::kMad16 : isa::Op::kMad24);
  mad.insn.dst_type = NumType::kB32;
  mad.insn.mad_op = mad_op;
  set_dst(mad, dst);
  product_args(mul, kind, mad, true);
  Arg sum;
  const bool has_constant = mad.insn.src[1].kind == OperandKind::kConst;
  if (is_constant(addend) && !has_constant) {
    sum = literal_arg(word_of(addend));
  } else if (has_constant || !constant_arg(addend, sum)) {
    sum = register_arg(addend);
  }
  set_arg(mad, 2, sum);
  emit(std::move(mad));
}

// ---- carries -------------------------------------------------------------------------------------------------------

/// High word of a sum or a difference. If the low word is computed just before, that instruction makes the carry.
void Selector::select_carry(const ir::Inst& inst) {
  const auto a = [&](unsigned i) { return inst.operands[i]; };
  const Reg carry = m_.new_register(RegClass::kFlags);
  const bool is_add = inst.op == Op::kAddHigh;
  const std::vector<ir::InstId>& insts = f_.blocks[block_].insts;
  bool is_shared = false;
  for (std::uint32_t back = 1; is_add && back <= 4 && back <= index_ && !is_shared; ++back) {
    const ir::InstId id = insts[index_ - back];
    const ir::Inst& low = f_.insts[id];
    if (low.op != Op::kAdd || carry_of_[id]) continue;
    if (root(low.operands[0]) != root(a(2)) || root(low.operands[1]) != root(a(3))) continue;
    carry_of_[id] = carry;
    is_shared = true;
  }
  if (!is_shared) {
    MachineInst low = two(is_add ? isa::Op::kAdd : isa::Op::kSub, NumType::kB32, Reg{}, two_args(a(2), a(3), false));
    low.insn.dst.kind = OperandKind::kDiscard;
    low.insn.writes_flags = true;
    low.flags_out = carry;
    emit(std::move(low));
  }
  MachineInst high;
  if (is_add) {
    bool swapped = false;
    high = two(isa::Op::kAddc, NumType::kB32, reg_of(inst.results[0]), two_args(a(0), a(1), false, &swapped));
  } else {
    // a - b - borrow = a + ~b + carry
    TwoArgs args;
    if (!shared_arg(a(0), args.a)) args.a = register_arg(a(0));
    if (is_constant(a(1))) {
      args.b = literal_arg(~word_of(a(1)));
    } else {
      TwoArgs same;
      same.a = same.b = register_arg(a(1));
      const Reg complement = m_.new_register();
      MachineInst invert = two(isa::Op::kMov2, NumType::kB32, complement, same);
      invert.insn.src[1].neg = true;
      emit(std::move(invert));
      args.b.op.kind = OperandKind::kReg;
      args.b.reg = complement;
    }
    high = two(isa::Op::kAddc, NumType::kB32, reg_of(inst.results[0]), args);
  }
  high.flags_in = carry;
  emit(std::move(high));
}

// ---- predicates ----------------------------------------------------------------------------------------------------

bool Selector::select_predicate(const ir::Inst& inst) {
  if (inst.results.size() != 1 || f_.type_of(inst.results[0]) != Type::kPred) return false;
  const ValueId result = inst.results[0];
  const auto mask = [&](ValueId value, bool& inverted) {
    ValueId v = root(value);
    while (f_.def(v) != nullptr && f_.def(v)->op == Op::kNot) {
      inverted = !inverted;
      v = root(f_.def(v)->operands[0]);
    }
    Arg arg;
    arg.op.kind = OperandKind::kReg;
    if (f_.values[v].undefined || (f_.is_constant(v) && f_.values[v].bits == 0)) {
      arg.op.index = kZeroRegister;
    } else {
      arg.reg = need(v);
    }
    return arg;
  };
  const auto logic = [&](isa::Op op, ValueId x, ValueId y) {
    MachineInst combine = start(op);
    combine.insn.src_type = combine.insn.src2_type = NumType::kB32;
    bool invert[2] = {false, false};
    const Arg left = mask(x, invert[0]), right = mask(y, invert[1]);
    set_arg(combine, 0, left);
    set_arg(combine, 1, right);
    combine.insn.src[0].neg = invert[0];
    combine.insn.src[1].neg = invert[1];
    finish_set(combine, result);
    emit(std::move(combine));
  };
  switch (inst.op) {
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
      logic(logic_op(inst.op), inst.operands[0], inst.operands[1]);
      return true;
    case Op::kNot: {
      MachineInst complement = start(isa::Op::kMov2);
      complement.insn.src_type = complement.insn.src2_type = NumType::kB32;
      bool inverted = true;
      const Arg arg = mask(inst.operands[0], inverted);
      set_arg(complement, 0, arg);
      set_arg(complement, 1, arg);
      complement.insn.src[1].neg = inverted;
      finish_set(complement, result);
      emit(std::move(complement));
      return true;
    }
    case Op::kSet: {
      ValueId x = inst.operands[0], y = inst.operands[1];
      unsigned code = 0;  // 1 less, 2 equal, 4 greater
      bool is_signed = true;
      switch (inst.compare) {
        case ir::Compare::kEq:
          code = 2;
          break;
        case ir::Compare::kNe:
          code = 5;
          break;
        case ir::Compare::kLt:
          code = 1;
          break;
        case ir::Compare::kLe:
          code = 3;
          break;
        case ir::Compare::kGt:
          code = 4;
          break;
        case ir::Compare::kGe:
          code = 6;
          break;
        case ir::Compare::kLtU:
          code = 1;
          is_signed = false;
          break;
        case ir::Compare::kLeU:
          code = 3;
          is_signed = false;
          break;
        case ir::Compare::kGtU:
          code = 4;
          is_signed = false;
          break;
        default:
          code = 6;
          is_signed = false;
          break;
      }
      bool swapped = false;
      const TwoArgs args = two_args(x, y, false, &swapped);
      if (swapped) code = (code & 2) | (code & 1) << 2 | (code & 4) >> 2;
      MachineInst set = two(isa::Op::kSet, is_signed ? NumType::kS32 : NumType::kU32, Reg{}, args);
      set.insn.compare = static_cast<std::uint8_t>(code);
      finish_set(set, result);
      emit(std::move(set));
      return true;
    }
    case Op::kFset:
      return false;
    case Op::kSelect: {
      in_register_[result] = 1;
      select_select(inst);
      if (in_flags_[result]) {
        Arg arg;
        arg.op.kind = OperandKind::kReg;
        arg.reg = reg_of(result);
        MachineInst test = two(isa::Op::kAnd, NumType::kB32, Reg{}, {arg, arg});
        finish_set(test, ir::kNone);
        test.insn.writes_flags = true;
        test.flags_out = flags_[result];
        emit(std::move(test));
      }
      return true;
    }
    case Op::kVoteAny:
    case Op::kVoteAll: {
      if (options_.arch < isa::Arch::kSm12) fail(inst, "vote needs sm_12");
      bool inverted = false;
      const Reg input = need_flags(inst.operands[0], inverted);
      MachineInst vote = start(isa::Op::kVote);
      vote.insn.vote_all = inst.op == Op::kVoteAll;
      guard(vote, input, inverted);
      vote.is_guarded = false;  // the condition is an operand
      vote.insn.writes_flags = true;
      if (!flags_[result]) flags_[result] = m_.new_register(RegClass::kFlags);
      vote.flags_out = flags_[result];
      emit(std::move(vote));
      if (in_register_[result]) {
        Arg immediate;
        immediate.op.kind = OperandKind::kImm;
        const Reg ones = load_word(0xffffffffu);
        move(reg_of(result), immediate);
        MachineInst set = make_copy(reg_of(result), ones, inst.loc);
        guard(set, flags_[result], false);
        set.merges = true;
        emit(std::move(set));
      }
      return true;
    }
    default:
      return false;
  }
}

}  // namespace g80::codegen
