// SPDX-License-Identifier: Apache-2.0
// Selects floating point: arithmetic with sign modifiers, comparisons, special functions, conversions, selects.
#include "toolchain/compiler/codegen/select.h"

namespace g80::codegen {

using ir::Op;
using ir::Type;
using ir::ValueId;
using isa::NumType;
using isa::OperandKind;

namespace {

struct Signs {
  bool neg = false, abs = false;
};

unsigned float_compare_code(ir::Compare compare) {
  // 1 less, 2 equal, 4 greater, 8 unordered
  switch (compare) {
    case ir::Compare::kEq: return 2;
    case ir::Compare::kNe: return 5;
    case ir::Compare::kLt: return 1;
    case ir::Compare::kLe: return 3;
    case ir::Compare::kGt: return 4;
    case ir::Compare::kGe: return 6;
    case ir::Compare::kEqUn: return 10;
    case ir::Compare::kNeUn: return 13;
    case ir::Compare::kLtUn: return 9;
    case ir::Compare::kLeUn: return 11;
    case ir::Compare::kGtUn: return 12;
    case ir::Compare::kGeUn: return 14;
    case ir::Compare::kOrdered: return 7;
    default: return 8;
  }
}

unsigned mirrored(unsigned code) { return (code & 0xa) | (code & 1) << 2 | (code & 4) >> 2; }

}  // namespace

void Selector::strip_signs(ValueId& value, bool& neg, bool* abs) const {
  for (;;) {
    if (const ir::Inst* inst = defined_by(value, Op::kFneg); inst != nullptr) {
      if (abs == nullptr || !*abs) neg = !neg;
      value = inst->operands[0];
    } else if (const ir::Inst* magnitude = defined_by(value, Op::kFabs); magnitude != nullptr && abs != nullptr) {
      *abs = true;
      value = magnitude->operands[0];
    } else {
      return;
    }
  }
}

bool Selector::select_float(const ir::Inst& inst) {
  if (inst.results.size() != 1) return false;
  const ValueId result = inst.results[0];
  const auto a = [&](unsigned i) { return inst.operands[i]; };
  const auto unary = [&](isa::Op op, Reg dst, ValueId value) {
    MachineInst function = start(op);
    function.insn.dst_type = function.insn.src_type = NumType::kF32;
    bool neg = false, abs = false;
    strip_signs(value, neg, &abs);
    set_dst(function, dst);
    set_arg(function, 0, register_arg(value));
    function.insn.src[0].neg = neg;
    function.insn.src[0].abs = abs;
    emit(std::move(function));
  };
  const auto chained = [&](isa::Op first, isa::Op second) {
    const Reg between = m_.new_register();
    unary(first, between, a(0));
    MachineInst function = start(second);
    function.insn.dst_type = function.insn.src_type = NumType::kF32;
    function.insn.saturate = inst.saturate;
    set_dst(function, reg_of(result));
    function.insn.src[0].kind = OperandKind::kReg;
    function.src[0] = between;
    emit(std::move(function));
  };
  switch (inst.op) {
    case Op::kFset: {
      ValueId x = a(0), y = a(1);
      bool neg[2] = {false, false}, abs[2] = {false, false}, swapped = false;
      strip_signs(x, neg[0], &abs[0]);
      strip_signs(y, neg[1], &abs[1]);
      MachineInst set = two(isa::Op::kFset, NumType::kF32, Reg{}, two_args(x, y, false, &swapped));
      const unsigned code = float_compare_code(inst.compare);
      set.insn.compare = static_cast<std::uint8_t>(swapped ? mirrored(code) : code);
      for (unsigned i = 0; i < 2; ++i) {
        set.insn.src[swapped ? 1 - i : i].neg = neg[i];
        set.insn.src[swapped ? 1 - i : i].abs = abs[i];
      }
      finish_set(set, result);
      emit(std::move(set));
      return true;
    }
    case Op::kFadd:
    case Op::kFsub: select_fadd(inst); return true;
    case Op::kFmul: {
      ValueId x = a(0), y = a(1);
      bool negative = false, swapped = false;
      strip_signs(x, negative, nullptr);
      strip_signs(y, negative, nullptr);
      const bool saturates = inst.saturate && options_.arch >= isa::Arch::kSm12;
      const bool separate = inst.saturate && !saturates;
      const Reg dst = separate ? m_.new_register() : reg_of(result);
      MachineInst mul = two(isa::Op::kFmul, NumType::kF32, dst, two_args(x, y, inst.round == ir::Round::kRn, &swapped));
      mul.insn.src[0].neg = negative;
      mul.insn.round = inst.round;
      mul.insn.saturate = saturates;
      emit(std::move(mul));
      if (separate) saturate(reg_of(result), dst);
      return true;
    }
    case Op::kFmad: select_fmad(inst, a(0), a(1), a(2), false, false); return true;
    case Op::kFmin:
    case Op::kFmax: {
      ValueId x = a(0), y = a(1);
      bool neg[2] = {false, false}, abs[2] = {false, false}, swapped = false;
      strip_signs(x, neg[0], &abs[0]);
      strip_signs(y, neg[1], &abs[1]);
      MachineInst extreme = two(inst.op == Op::kFmin ? isa::Op::kFmin : isa::Op::kFmax, NumType::kF32, reg_of(result),
                                two_args(x, y, false, &swapped));
      for (unsigned i = 0; i < 2; ++i) {
        extreme.insn.src[swapped ? 1 - i : i].neg = neg[i];
        extreme.insn.src[swapped ? 1 - i : i].abs = abs[i];
      }
      emit(std::move(extreme));
      return true;
    }
    case Op::kFneg:
    case Op::kFabs: {
      const bool is_neg = inst.op == Op::kFneg;
      const TwoArgs args = word_args(a(0), is_neg ? 0x80000000u : 0x7fffffffu, true);
      emit(two(is_neg ? isa::Op::kXor : isa::Op::kAnd, NumType::kB32, reg_of(result), args));
      return true;
    }
    case Op::kFsat: saturate(reg_of(result), need(a(0))); return true;
    case Op::kFrcp: unary(isa::Op::kRcp, reg_of(result), a(0)); return true;
    case Op::kFrsqrt: unary(isa::Op::kRsqrt, reg_of(result), a(0)); return true;
    case Op::kFlg2: unary(isa::Op::kLg2, reg_of(result), a(0)); return true;
    case Op::kFsin: chained(isa::Op::kPresin, isa::Op::kSin); return true;
    case Op::kFcos: chained(isa::Op::kPresin, isa::Op::kCos); return true;
    case Op::kFex2: chained(isa::Op::kPreex2, isa::Op::kEx2); return true;
    case Op::kSelect: select_select(inst); return true;
    default: return false;
  }
}

void Selector::saturate(Reg dst, Reg src) {
  MachineInst convert = start(isa::Op::kCvtF2F);
  convert.insn.dst_type = convert.insn.src_type = NumType::kF32;
  convert.insn.saturate = true;
  set_dst(convert, dst);
  convert.insn.src[0].kind = OperandKind::kReg;
  convert.src[0] = src;
  emit(std::move(convert));
}

void Selector::select_fadd(const ir::Inst& inst) {
  ValueId x = inst.operands[0], y = inst.operands[1];
  bool neg_x = false, neg_y = inst.op == Op::kFsub;
  strip_signs(x, neg_x, nullptr);
  strip_signs(y, neg_y, nullptr);
  if (options_.fmad && inst.contract && inst.round == ir::Round::kRn) {
    for (int side = 0; side < 2; ++side) {
      const ir::Inst* product = sole(side == 0 ? x : y, Op::kFmul);
      if (product == nullptr || !product->contract || product->saturate || product->round != ir::Round::kRn) continue;
      select_fmad(inst, product->operands[0], product->operands[1], side == 0 ? y : x, side == 0 ? neg_x : neg_y,
                  side == 0 ? neg_y : neg_x);
      return;
    }
  }
  bool swapped = false;
  MachineInst add = two(isa::Op::kFadd, NumType::kF32, reg_of(inst.results[0]),
                        two_args(x, y, inst.round == ir::Round::kRn, &swapped));
  add.insn.src[0].neg = swapped ? neg_y : neg_x;
  add.insn.src[1].neg = swapped ? neg_x : neg_y;
  if (add.insn.src[1].kind == OperandKind::kImm && add.insn.src[1].neg) {
    add.insn.src[1].neg = false;
    add.insn.immediate ^= 0x80000000u;
  }
  add.insn.round = inst.round;
  add.insn.saturate = inst.saturate;
  emit(std::move(add));
}

/// x * y + z, with signs of product and addend.
void Selector::select_fmad(const ir::Inst& inst, ValueId x, ValueId y, ValueId z, bool neg_product, bool neg_z) {
  strip_signs(x, neg_product, nullptr);
  strip_signs(y, neg_product, nullptr);
  strip_signs(z, neg_z, nullptr);
  bool swapped = false;
  MachineInst mad = two(isa::Op::kFmad, NumType::kF32, reg_of(inst.results[0]), two_args(x, y, false, &swapped));
  Arg addend;
  const bool has_constant = mad.insn.src[1].kind == OperandKind::kConst;
  if (is_constant(z) && !has_constant) {
    addend = literal_arg(word_of(z));
  } else if (has_constant || !constant_arg(z, addend)) {
    addend = register_arg(z);
  }
  set_arg(mad, 2, addend);
  mad.insn.src[0].neg = neg_product;
  mad.insn.src[2].neg = neg_z;
  mad.insn.saturate = inst.saturate;
  emit(std::move(mad));
}

/// dst = predicate ? a : b, as a move and a guarded move, or with the mask of the predicate.
void Selector::select_select(const ir::Inst& inst) {
  const ValueId result = inst.results[0];
  ValueId a = inst.operands[1], b = inst.operands[2];
  const Reg dst = reg_of(result);
  const unsigned words = words_of(result);
  if (words == 2) {
    bool inverted = false;
    const Reg flags = need_flags(inst.operands[0], inverted);
    const Reg from_a = need(a), from_b = need(b);
    for (std::uint8_t w = 0; w < 2; ++w) {
      emit(make_copy({dst.id, static_cast<std::uint8_t>(dst.word + w)},
                     {from_b.id, static_cast<std::uint8_t>(from_b.word + w)}, inst.loc));
    }
    for (std::uint8_t w = 0; w < 2; ++w) {
      MachineInst move = make_copy({dst.id, static_cast<std::uint8_t>(dst.word + w)},
                                   {from_a.id, static_cast<std::uint8_t>(from_a.word + w)}, inst.loc);
      guard(move, flags, inverted);
      move.merges = true;
      emit(std::move(move));
    }
    return;
  }
  const bool is_pred = f_.type_of(result) == Type::kPred;
  const auto masked_word = [&](ValueId v) { return is_pred && word_of(v) != 0 ? 0xffffffffu : word_of(v); };
  const auto is_ones = [&](ValueId v) { return is_constant(v) && masked_word(v) == 0xffffffffu; };
  const auto is_zero = [&](ValueId v) { return is_constant(v) && masked_word(v) == 0; };
  // a select of all ones or zero, and another operand, becomes logic on the mask
  if ((is_zero(b) || is_zero(a)) && !(is_constant(a) && is_constant(b) && !is_ones(a) && !is_ones(b))) {
    bool invert = is_zero(a) && !is_zero(b);
    ValueId kept = is_zero(b) ? a : b;
    ValueId pred = root(inst.operands[0]);
    while (f_.def(pred) != nullptr && f_.def(pred)->op == Op::kNot) {
      invert = !invert;
      pred = root(f_.def(pred)->operands[0]);
    }
    if (!f_.is_constant(pred) && !f_.values[pred].undefined) {
      Arg mask;
      mask.op.kind = OperandKind::kReg;
      mask.reg = need(pred);
      if (is_ones(kept)) {
        MachineInst copy =
            invert ? two(isa::Op::kMov2, NumType::kB32, dst, {mask, mask}) : make_copy(dst, mask.reg, inst.loc);
        copy.insn.src[1].neg = invert;
        emit(std::move(copy));
      } else {
        Arg other;
        if (!constant_arg(kept, other)) other = register_arg(kept);
        MachineInst both = two(isa::Op::kAnd, NumType::kB32, dst, {mask, other});
        both.insn.src[0].neg = invert;
        emit(std::move(both));
      }
      return;
    }
  }
  bool inverted = false;
  const Reg flags = need_flags(inst.operands[0], inverted);
  const auto cheap = [&](ValueId v) { return is_constant(v) || can_be_shared(v); };
  if (cheap(a) && !cheap(b)) {  // only the unconditional move accepts operands other than registers
    std::swap(a, b);
    inverted = !inverted;
  }
  const auto source = [&](ValueId v, bool is_guarded) {
    Arg arg;
    if (is_constant(v) && (masked_word(v) != 0 || !is_guarded)) {
      if (is_guarded) return literal_arg(masked_word(v));
      arg.op.kind = OperandKind::kImm;
      arg.immediate = masked_word(v);
      return arg;
    }
    if (!shared_arg(v, arg) && !constant_arg(v, arg)) arg = register_arg(v);
    return arg;
  };
  const Arg second = source(a, true);
  move(dst, source(b, false));
  move(dst, second);
  guard(sequence_.back(), flags, inverted);
  sequence_.back().merges = true;
}

}  // namespace g80::codegen
