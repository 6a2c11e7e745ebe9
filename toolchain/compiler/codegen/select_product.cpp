// SPDX-License-Identifier: Apache-2.0
// Selects multiplications and multiply-adds of 16 and 24 bits.
#include <algorithm>

#include "toolchain/compiler/codegen/select.h"

namespace g80::codegen {

using ir::Op;
using ir::ValueId;
using isa::NumType;
using isa::OperandKind;

Selector::Product Selector::product_kind(const ir::Inst& mul) {
  const ValueId a = root(mul.operands[0]), b = root(mul.operands[1]);
  switch (mul.op) {
    case Op::kMul24U: return can_be_half(a, false) && can_be_half(b, false) ? Product::kU16 : Product::kU24;
    case Op::kMul24S:
      if (can_be_half(a, true) && can_be_half(b, true)) return Product::kS16;
      return can_be_half(a, false) && can_be_half(b, false) ? Product::kU16 : Product::kS24;
    case Op::kMul24HiU: return Product::kU24High;
    case Op::kMul24HiS: return Product::kS24High;
    default: return Product::kNone;
  }
}

const ir::Inst* Selector::sole_product(ValueId value) const {
  for (const Op op : {Op::kMul24U, Op::kMul24S, Op::kMul24HiU, Op::kMul24HiS}) {
    if (const ir::Inst* product = sole(value, op); product != nullptr) return product;
  }
  return nullptr;
}

bool Selector::can_mad(const ir::Inst* mul) { return mul != nullptr && product_kind(*mul) != Product::kNone; }

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
      arg.reg = is_constant(value) ? load_word(word_of(value)) : need_half(value);
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

}  // namespace g80::codegen
