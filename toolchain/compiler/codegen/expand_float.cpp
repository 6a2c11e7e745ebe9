// SPDX-License-Identifier: Apache-2.0
// Expands floating-point operations that the chip does not have.
#include "toolchain/compiler/codegen/exact_double.h"
#include "toolchain/compiler/codegen/exact_float.h"
#include "toolchain/compiler/codegen/ir_builder.h"
#include "toolchain/compiler/codegen/prepare.h"

namespace g80::codegen {
namespace {

using ir::Accuracy;
using ir::Compare;
using ir::Op;
using ir::Type;
using ir::ValueId;

class FloatExpander {
 public:
  FloatExpander(ir::Function& function, const CompileOptions& options, const std::string& filename)
      : f_(function), b_(function), options_(options), filename_(filename) {}

  void run() {
    expand_instructions(b_, [this](ir::InstId id) { return expand(id); });
  }

 private:
  ValueId expand(ir::InstId id) {
    const ir::Inst inst = f_.insts[id];
    if (inst.results.size() != 1 || inst.operands.empty()) return ir::kNone;
    const Type type = f_.type_of(inst.results[0]);
    if (type == Type::kF64) return expand_double(inst);
    if (options_.arch < isa::Arch::kSm13) {
      if (type == Type::kF32 && f_.type_of(inst.operands[0]) == Type::kI64)
        return wide_to_float(b_, inst.operands[0], inst.op == Op::kIntToFloatS, inst.round);
      if (type == Type::kI64 && (inst.op == Op::kFloatToIntS || inst.op == Op::kFloatToIntU))
        return float_to_wide(b_, inst.operands[0], inst.op == Op::kFloatToIntS, inst.round);
    }
    return type == Type::kF32 ? expand_single(inst) : ir::kNone;
  }

  ValueId expand_single(const ir::Inst& inst) {
    const auto a = [&](unsigned i) { return inst.operands[i]; };
    const bool directed = inst.round == ir::Round::kRm || inst.round == ir::Round::kRp;
    switch (inst.op) {
      case Op::kFadd:
      case Op::kFsub: {
        if (!directed) return ir::kNone;
        const ValueId addend = inst.op == Op::kFadd ? a(1) : b_.make(Op::kFneg, Type::kF32, {a(1)});
        return saturated(inst, exact_multiply_add(b_, a(0), b_.f32(1.0f), addend, inst.round));
      }
      case Op::kFmul: return directed ? saturated(inst, exact_product(b_, a(0), a(1), inst.round)) : ir::kNone;
      case Op::kFma: return saturated(inst, exact_multiply_add(b_, a(0), a(1), a(2), inst.round));
      case Op::kFdiv:
        if (inst.accuracy != Accuracy::kExact) return divide(inst);
        return saturated(inst, exact_divide(b_, a(0), a(1), inst.round));
      case Op::kFrcp:
        if (inst.accuracy != Accuracy::kExact) return inverse_root(a(0));
        return saturated(inst, exact_divide(b_, b_.f32(1.0f), a(0), inst.round));
      case Op::kFsqrt:
        if (inst.accuracy != Accuracy::kExact) return rcp(b_.make(Op::kFrsqrt, Type::kF32, {a(0)}));
        return saturated(inst, exact_sqrt(b_, a(0), inst.round));
      default: return ir::kNone;
    }
  }

  ValueId expand_double(const ir::Inst& inst) {
    if (inst.op != Op::kFdiv && inst.op != Op::kFrcp && inst.op != Op::kFsqrt && inst.op != Op::kFrsqrt)
      return ir::kNone;
    if (options_.arch < isa::Arch::kSm13) refuse(filename_, inst.loc, "double precision needs sm_13");
    if (inst.round != ir::Round::kRn)
      refuse(filename_, inst.loc, "division and roots of f64 round to nearest only; other roundings need sm_20");
    switch (inst.op) {
      case Op::kFdiv: return double_divide(b_, inst.operands[0], inst.operands[1]);
      case Op::kFrcp: return double_divide(b_, f_.constant(Type::kF64, 0x3ff0000000000000u), inst.operands[0]);
      case Op::kFsqrt: return double_sqrt(b_, inst.operands[0]);
      default: return double_rsqrt(b_, inst.operands[0]);
    }
  }

  ValueId saturated(const ir::Inst& inst, ValueId value) {
    return inst.saturate ? b_.make(Op::kFsat, Type::kF32, {value}) : value;
  }

  ValueId rcp(ValueId a) {
    ir::Inst inst;
    inst.op = Op::kFrcp;
    inst.operands = {a};
    return b_.make(std::move(inst), Type::kF32);
  }

  /// 1 / sqrt(x) is one operation of the chip, as it was for NVIDIA's compiler.
  ValueId inverse_root(ValueId value) {
    const ir::Inst* root = f_.def(value);
    if (root == nullptr || root->op != Op::kFsqrt || root->accuracy == Accuracy::kExact) return ir::kNone;
    return b_.make(Op::kFrsqrt, Type::kF32, {root->operands[0]});
  }

  // a * rcp(b). "Full" also handles divisors above 2^126, whose reciprocal would be flushed to zero: then it divides
  // both operands by 4 first.
  ValueId divide(const ir::Inst& inst) {
    ValueId a = inst.operands[0], b = inst.operands[1];
    if (inst.accuracy == Accuracy::kFull) {
      const ValueId is_huge = b_.fset(Compare::kGt, b_.make(Op::kFabs, Type::kF32, {b}), b_.f32(0x1p126f));
      a = b_.select(is_huge, b_.fmul(a, b_.f32(0.25f)), a);
      b = b_.select(is_huge, b_.fmul(b, b_.f32(0.25f)), b);
    }
    if (a == b_.f32(1.0f) && !inst.saturate) return rcp(b);
    ir::Inst product;
    product.op = Op::kFmul;
    product.operands = {a, rcp(b)};
    product.saturate = inst.saturate;
    return b_.make(std::move(product), Type::kF32);
  }

  ir::Function& f_;
  IrBuilder b_;
  const CompileOptions& options_;
  const std::string& filename_;
};

}  // namespace

void expand_float(ir::Function& function, const CompileOptions& options, const std::string& filename) {
  FloatExpander(function, options, filename).run();
}

}  // namespace g80::codegen
