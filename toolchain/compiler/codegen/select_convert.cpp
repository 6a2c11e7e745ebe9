// SPDX-License-Identifier: Apache-2.0
// Selects conversions and double precision.
#include "toolchain/compiler/codegen/select.h"

namespace g80::codegen {

using ir::Op;
using ir::Type;
using ir::ValueId;
using isa::NumType;
using isa::OperandKind;

namespace {

OperandKind kind_of(Type type) {
  return type == Type::kI64 || type == Type::kF64 ? OperandKind::kPair : OperandKind::kReg;
}

}  // namespace

bool Selector::select_conversion(const ir::Inst& inst) {
  if (inst.results.size() != 1) return false;
  const ValueId result = inst.results[0];
  const Type to = f_.type_of(result);
  const auto convert = [&](isa::Op op, NumType dst_type, NumType src_type) {
    MachineInst cvt = start(op);
    cvt.insn.dst_type = dst_type;
    cvt.insn.src_type = src_type;
    cvt.insn.round = inst.round;
    cvt.insn.saturate = inst.saturate;
    set_dst(cvt, reg_of(result), kind_of(to));
    return cvt;
  };
  switch (inst.op) {
    case Op::kIntToFloatS:
    case Op::kIntToFloatU: {
      const bool is_signed = inst.op == Op::kIntToFloatS;
      const bool is_wide = f_.type_of(inst.operands[0]) == Type::kI64;
      MachineInst cvt =
          convert(isa::Op::kCvtI2F, to == Type::kF64 ? NumType::kF64 : NumType::kF32,
                  is_wide ? (is_signed ? NumType::kS64 : NumType::kU64) : (is_signed ? NumType::kS32 : NumType::kU32));
      if (to == Type::kF64 && options_.arch < isa::Arch::kSm13) fail(inst, "double precision needs sm_13");
      Arg arg;
      const bool in_half = !is_wide && to == Type::kF32 &&
                           (defined_by(inst.operands[0], Op::kZext16) != nullptr ||
                            defined_by(inst.operands[0], Op::kSext16) != nullptr);
      if (is_half(inst.operands[0])) {
        arg = half_register_arg(inst.operands[0]);
        cvt.insn.src_type = halves_.kind(inst.operands[0]) == HalfKind::kSigned ? NumType::kS16 : NumType::kU16;
      } else if (in_half && half_arg(inst.operands[0], arg, defined_by(inst.operands[0], Op::kSext16) != nullptr)) {
        cvt.insn.src_type = defined_by(inst.operands[0], Op::kSext16) != nullptr ? NumType::kS16 : NumType::kU16;
        // a negative 16-bit number must be extended before it is read as unsigned 32 bits
        if (cvt.insn.src_type == NumType::kS16 && !is_signed) {
          arg = register_arg(inst.operands[0]);
          cvt.insn.src_type = NumType::kU32;
        }
      } else if (is_wide || !shared_arg(inst.operands[0], arg)) {
        arg = register_arg(inst.operands[0]);
      }
      set_arg(cvt, 0, arg);
      emit(std::move(cvt));
      return true;
    }
    case Op::kFloatToIntS:
    case Op::kFloatToIntU: {
      const bool is_signed = inst.op == Op::kFloatToIntS;
      const Type from = f_.type_of(inst.operands[0]);
      const bool is_wide = to == Type::kI64;
      if ((from == Type::kF64 || is_wide) && options_.arch < isa::Arch::kSm13)
        fail(inst, "double precision needs sm_13");
      MachineInst cvt =
          convert(isa::Op::kCvtF2I,
                  is_wide ? (is_signed ? NumType::kS64 : NumType::kU64) : (is_signed ? NumType::kS32 : NumType::kU32),
                  from == Type::kF64 ? NumType::kF64 : NumType::kF32);
      cvt.insn.integral = true;
      ValueId value = inst.operands[0];
      bool neg = false, abs = false;
      strip_signs(value, neg, &abs);
      Arg arg;
      if (from == Type::kF64 || !shared_arg(value, arg)) arg = register_arg(value);
      set_arg(cvt, 0, arg);
      cvt.insn.src[0].neg = neg;
      cvt.insn.src[0].abs = abs;
      emit(std::move(cvt));
      return true;
    }
    case Op::kFround:
    case Op::kF32ToF64:
    case Op::kF64ToF32: {
      const Type from = f_.type_of(inst.operands[0]);
      if ((from == Type::kF64 || to == Type::kF64) && options_.arch < isa::Arch::kSm13) {
        fail(inst, "double precision needs sm_13");
      }
      MachineInst cvt = convert(isa::Op::kCvtF2F, to == Type::kF64 ? NumType::kF64 : NumType::kF32,
                                from == Type::kF64 ? NumType::kF64 : NumType::kF32);
      cvt.insn.integral = inst.op == Op::kFround;
      set_arg(cvt, 0, register_arg(inst.operands[0]));
      emit(std::move(cvt));
      return true;
    }
    case Op::kF16ToF32: {
      MachineInst cvt = convert(isa::Op::kCvtF2F, NumType::kF32, NumType::kF16);
      set_arg(cvt, 0, half_register_arg(inst.operands[0]));
      emit(std::move(cvt));
      return true;
    }
    case Op::kF32ToF16: {
      MachineInst cvt = convert(isa::Op::kCvtF2F, NumType::kF16, NumType::kF32);
      cvt.insn.dst.kind = OperandKind::kHalf;
      limit_register(cvt.dst, 64);
      set_arg(cvt, 0, register_arg(inst.operands[0]));
      emit(std::move(cvt));
      return true;
    }
    default: return false;
  }
}

bool Selector::select_double(const ir::Inst& inst) {
  const bool is_compare = inst.op == Op::kFset && f_.type_of(inst.operands[0]) == Type::kF64;
  if (inst.results.size() != 1 || (f_.type_of(inst.results[0]) != Type::kF64 && !is_compare)) return false;
  const ValueId result = inst.results[0];
  const auto binary = [&](isa::Op op, bool has_abs, bool negate_second) {
    if (options_.arch < isa::Arch::kSm13) fail(inst, "double precision needs sm_13");
    MachineInst math = start(op);
    math.insn.dst_type = math.insn.src_type = math.insn.src2_type = NumType::kF64;
    math.insn.round = inst.round;
    if (!is_compare) set_dst(math, reg_of(result), OperandKind::kPair);
    bool product_neg = false;
    for (unsigned i = 0; i < 2; ++i) {
      ValueId value = inst.operands[i];
      bool neg = i == 1 && negate_second, abs = false;
      strip_signs(value, neg, has_abs ? &abs : nullptr);
      set_arg(math, i, register_arg(value));
      if (op == isa::Op::kDmul || op == isa::Op::kDfma) {
        product_neg ^= neg;
      } else {
        math.insn.src[i].neg = neg;
      }
      math.insn.src[i].abs = abs;
    }
    if (product_neg) math.insn.src[0].neg = true;
    if (op == isa::Op::kDfma) {
      ValueId value = inst.operands[2];
      bool neg = false;
      strip_signs(value, neg, nullptr);
      set_arg(math, 2, register_arg(value));
      math.insn.src[2].neg = neg;
    }
    return math;
  };
  switch (inst.op) {
    case Op::kFadd: emit(binary(isa::Op::kDadd, false, false)); return true;
    case Op::kFsub: emit(binary(isa::Op::kDadd, false, true)); return true;
    case Op::kFmul: emit(binary(isa::Op::kDmul, false, false)); return true;
    case Op::kFma: emit(binary(isa::Op::kDfma, false, false)); return true;
    case Op::kFmin: emit(binary(isa::Op::kDmin, true, false)); return true;
    case Op::kFmax: emit(binary(isa::Op::kDmax, true, false)); return true;
    case Op::kFneg:
    case Op::kFabs: {
      const Reg from = need(inst.operands[0]), to = reg_of(result);
      emit(make_copy(to, from, inst.loc));
      TwoArgs args;
      args.a.op.kind = OperandKind::kReg;
      args.a.reg = {from.id, static_cast<std::uint8_t>(from.word + 1)};
      args.b.op.kind = OperandKind::kImm;
      args.b.immediate = inst.op == Op::kFneg ? 0x80000000u : 0x7fffffffu;
      emit(two(inst.op == Op::kFneg ? isa::Op::kXor : isa::Op::kAnd, NumType::kB32,
               {to.id, static_cast<std::uint8_t>(to.word + 1)}, args));
      return true;
    }
    case Op::kFset: {
      MachineInst set = binary(isa::Op::kDset, true, false);
      static constexpr std::uint8_t kCodes[] = {2, 5, 1, 3, 4, 6, 0, 0, 0, 0, 10, 13, 9, 11, 12, 14, 7, 8};
      set.insn.compare = kCodes[static_cast<unsigned>(inst.compare)];
      set.insn.round = isa::Round::kRn;
      finish_set(set, result);
      emit(std::move(set));
      return true;
    }
    default: return false;
  }
}

}  // namespace g80::codegen
