// SPDX-License-Identifier: Apache-2.0
// Runs one thread of an IR kernel: what compiled code is compared with. Arithmetic of the chip's floating point comes
// from tb/golden/semantics.h, integers are computed here.
#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "hw/isa/float_bits.h"
#include "tb/golden/semantics.h"
#include "toolchain/compiler/ir/ir.h"

namespace g80::ir {

/// The memory and the special registers one thread sees.
struct ThreadContext {
  std::function<std::uint64_t(Space, std::uint32_t address, unsigned bytes)> load;
  std::function<void(Space, std::uint32_t address, unsigned bytes, std::uint64_t value)> store;
  std::function<std::uint32_t(Special)> special;
  std::function<std::uint32_t(std::uint32_t variable)> address_of;
};

class Interpreter {
 public:
  Interpreter(const Function& function, const ThreadContext& context)
      : f_(function), context_(context), values_(function.values.size()) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = function.values[i].bits;
  }

  /// Runs the thread to its end; throws after `limit` instructions.
  void run(std::uint64_t limit = 1000000) {
    BlockId block = 0, previous = kNone;
    for (;;) {
      std::vector<std::uint64_t> phis;
      std::size_t i = 0;
      const auto& insts = f_.blocks[block].insts;
      for (; i < insts.size() && f_.insts[insts[i]].op == Op::kPhi; ++i) {
        const Inst& phi = f_.insts[insts[i]];
        for (std::size_t k = 0; k < phi.blocks.size(); ++k) {
          if (phi.blocks[k] == previous) phis.push_back(values_[phi.operands[k]]);
        }
      }
      for (std::size_t k = 0; k < i; ++k) values_[f_.insts[insts[k]].results[0]] = phis.at(k);
      for (; i + 1 < insts.size(); ++i) {
        if (limit-- == 0) throw std::runtime_error("the interpreted thread does not end");
        execute(f_.insts[insts[i]]);
      }
      if (limit-- == 0) throw std::runtime_error("the interpreted thread does not end");
      const Inst& end = f_.terminator(block);
      previous = block;
      if (end.op == Op::kExit) return;
      block = end.op == Op::kBranch ? end.blocks[0] : end.blocks[values_[end.operands[0]] != 0 ? 0 : 1];
    }
  }

 private:
  std::uint64_t v(const Inst& inst, unsigned i) const { return values_[inst.operands[i]]; }
  std::uint32_t w(const Inst& inst, unsigned i) const { return static_cast<std::uint32_t>(v(inst, i)); }

  static std::uint64_t alu(isa::Instruction insn, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
    golden::AluInput in{};
    golden::AluOutput out{};
    const std::uint64_t s[3] = {a, b, c};
    for (int i = 0; i < 3; ++i) {
      in.s[i][0] = static_cast<std::uint32_t>(s[i]);
      in.hi[i][0] = static_cast<std::uint32_t>(s[i] >> 32);
    }
    golden::execute(insn, in, out);
    return std::uint64_t{out.hi[0]} << 32 | out.lo[0];
  }

  static isa::Instruction f32_op(isa::Op op, const Inst& inst) {
    isa::Instruction insn;
    insn.op = op;
    for (std::size_t i = 0; i < inst.operands.size() && i < 3; ++i) insn.src[i].kind = isa::OperandKind::kReg;
    insn.dst_type = insn.src_type = insn.src2_type = isa::NumType::kF32;
    insn.round = inst.round;
    insn.saturate = inst.saturate;
    return insn;
  }

  static int compare_code(Compare compare) {
    constexpr int kCodes[] = {2, 5, 1, 3, 4, 6, 1, 3, 4, 6, 10, 13, 9, 11, 12, 14, 7, 8};
    return kCodes[static_cast<unsigned>(compare)];
  }

  std::uint32_t f32(isa::Op op, const Inst& inst) const {
    isa::Instruction insn = f32_op(op, inst);
    const auto at = [&](unsigned i) { return i < inst.operands.size() ? v(inst, i) : 0; };
    return static_cast<std::uint32_t>(alu(insn, at(0), at(1), at(2)));
  }

  void execute(const Inst& inst) {
    if (inst.op == Op::kLoad || inst.op == Op::kStore) return access(inst);
    const std::uint64_t result = evaluate(inst);
    if (inst.results.empty()) return;
    const Type type = f_.type_of(inst.results[0]);
    values_[inst.results[0]] = type == Type::kPred                        ? result & 1
                               : type == Type::kI32 || type == Type::kF32 ? result & 0xffffffffu
                                                                          : result;
  }

  void access(const Inst& inst) {
    const std::uint32_t address = w(inst, 0) + static_cast<std::uint32_t>(inst.offset);
    const unsigned bytes = access_bytes(inst.access);
    for (std::size_t i = 0; i < inst.results.size(); ++i) {
      std::uint64_t value = context_.load(inst.space, address + static_cast<std::uint32_t>(i) * bytes, bytes);
      if (inst.access == Access::kS8) value = static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
      if (inst.access == Access::kS16) value = static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
      values_[inst.results[i]] = value;
    }
    for (std::size_t i = 1; inst.op == Op::kStore && i < inst.operands.size(); ++i) {
      context_.store(inst.space, address + static_cast<std::uint32_t>(i - 1) * bytes, bytes, values_[inst.operands[i]]);
    }
  }

  static std::uint64_t sign_extend(std::uint64_t value, bool wide) {
    return wide ? value : static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value)));
  }

  std::uint64_t evaluate(const Inst& inst) const {
    const bool wide = !inst.operands.empty() && f_.type_of(inst.operands[0]) == Type::kI64;
    const auto a = [&] { return v(inst, 0); };
    const auto b = [&] { return v(inst, 1); };
    const auto sa = [&] { return static_cast<std::int64_t>(sign_extend(v(inst, 0), wide)); };
    const auto sb = [&] { return static_cast<std::int64_t>(sign_extend(v(inst, 1), wide)); };
    const unsigned bits = wide ? 64 : 32;
    const auto s24 = [](std::uint64_t x) { return static_cast<std::int64_t>(x << 40) >> 40; };
    switch (inst.op) {
      case Op::kCopy:
      case Op::kF32ToBits:
      case Op::kBitsToF32:
      case Op::kF64ToBits:
      case Op::kBitsToF64: return a();
      case Op::kSelect: return a() != 0 ? v(inst, 1) : v(inst, 2);
      case Op::kVarAddr: return context_.address_of(inst.variable) + static_cast<std::uint32_t>(inst.offset);
      case Op::kSpecial: return context_.special(inst.special);
      case Op::kAdd: return a() + b();
      case Op::kSub: return a() - b();
      case Op::kAddSat: return clamp(sa() + sb());
      case Op::kSubSat: return clamp(sa() - sb());
      case Op::kMul: return a() * b();
      case Op::kMulHiU:
        return wide ? static_cast<std::uint64_t>(static_cast<unsigned __int128>(a()) * b() >> 64) : a() * b() >> 32;
      case Op::kMulHiS:
        return wide ? static_cast<std::uint64_t>(static_cast<__int128>(sa()) * sb() >> 64)
                    : static_cast<std::uint64_t>(sa() * sb() >> 32);
      case Op::kMulWideU: return a() * b();
      case Op::kMulWideS: return static_cast<std::uint64_t>(sa() * sb());
      case Op::kMul24U: return (a() & 0xffffff) * (b() & 0xffffff);
      case Op::kMul24S: return static_cast<std::uint64_t>(s24(a()) * s24(b()));
      case Op::kMul24HiU: return (a() & 0xffffff) * (b() & 0xffffff) >> 16;
      case Op::kMul24HiS: return static_cast<std::uint64_t>(s24(a()) * s24(b()) >> 16);
      case Op::kDivU: return b() == 0 ? 0 : a() / b();
      case Op::kRemU: return b() == 0 ? 0 : a() % b();
      case Op::kDivS: return sb() == 0 ? 0 : sb() == -1 ? 0 - a() : static_cast<std::uint64_t>(sa() / sb());
      case Op::kRemS: return sb() == 0 || sb() == -1 ? 0 : static_cast<std::uint64_t>(sa() % sb());
      case Op::kSadU: return (a() > b() ? a() - b() : b() - a()) + v(inst, 2);
      case Op::kSadS: return static_cast<std::uint64_t>(sa() > sb() ? sa() - sb() : sb() - sa()) + v(inst, 2);
      case Op::kMinU: return std::min(a(), b());
      case Op::kMaxU: return std::max(a(), b());
      case Op::kMinS: return static_cast<std::uint64_t>(std::min(sa(), sb()));
      case Op::kMaxS: return static_cast<std::uint64_t>(std::max(sa(), sb()));
      case Op::kAbs: return sa() < 0 ? 0 - a() : a();
      case Op::kNeg: return 0 - a();
      case Op::kAnd: return a() & b();
      case Op::kOr: return a() | b();
      case Op::kXor: return a() ^ b();
      case Op::kNot: return ~a();
      case Op::kShl: return w(inst, 1) >= bits ? 0 : a() << w(inst, 1);
      case Op::kShrU: return w(inst, 1) >= bits ? 0 : a() >> w(inst, 1);
      case Op::kShrS: return static_cast<std::uint64_t>(sa() >> std::min(w(inst, 1), bits - 1));
      case Op::kSet: return integer_set(inst.compare, a(), b(), sa(), sb());
      case Op::kZext8: return a() & 0xff;
      case Op::kSext8: return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int8_t>(a())));
      case Op::kZext16: return a() & 0xffff;
      case Op::kSext16: return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int16_t>(a())));
      case Op::kZext32:
      case Op::kTrunc: return a() & 0xffffffffu;
      case Op::kSext32: return static_cast<std::uint64_t>(sa());
      case Op::kHigh: return a() >> 32;
      case Op::kPack: return a() | b() << 32;
      case Op::kAddHigh: return a() + b() + ((v(inst, 2) + v(inst, 3)) >> 32);
      case Op::kSubHigh: return a() - b() - (v(inst, 2) < v(inst, 3));
      case Op::kBarrier:
      case Op::kMembar: return 0;
      default: return floating(inst);
    }
  }

  static std::uint64_t clamp(std::int64_t value) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(INT32_MIN, std::min<std::int64_t>(INT32_MAX, value)));
  }

  static bool integer_set(Compare compare, std::uint64_t a, std::uint64_t b, std::int64_t sa, std::int64_t sb) {
    const bool is_unsigned = compare >= Compare::kLtU && compare <= Compare::kGeU;
    const int code = compare_code(compare);
    const int relation = a == b ? 2 : (is_unsigned ? a < b : sa < sb) ? 1 : 4;
    return (code & relation) != 0;
  }

  std::uint64_t floating(const Inst& inst) const {
    const ValueId operand = inst.operands[0];
    if (inst.results.empty() || f_.type_of(operand) == Type::kF64 || f_.type_of(inst.results[0]) == Type::kF64) {
      return real_double(inst);
    }
    switch (inst.op) {
      case Op::kFadd: return f32(isa::Op::kFadd, inst);
      case Op::kFsub: {
        isa::Instruction insn = f32_op(isa::Op::kFadd, inst);
        insn.src[1].neg = true;
        return alu(insn, v(inst, 0), v(inst, 1));
      }
      case Op::kFmul: return f32(isa::Op::kFmul, inst);
      case Op::kFmad: return f32(isa::Op::kFmad, inst);
      case Op::kFneg: return w(inst, 0) ^ 0x80000000u;
      case Op::kFabs: return w(inst, 0) & 0x7fffffffu;
      case Op::kFmin: return f32(isa::Op::kFmin, inst);
      case Op::kFmax: return f32(isa::Op::kFmax, inst);
      case Op::kFsat: {
        isa::Instruction insn = f32_op(isa::Op::kCvtF2F, inst);
        insn.saturate = true;
        return alu(insn, v(inst, 0));
      }
      case Op::kFset: {
        isa::Instruction insn = f32_op(isa::Op::kFset, inst);
        insn.compare = static_cast<std::uint8_t>(compare_code(inst.compare));
        return alu(insn, v(inst, 0), v(inst, 1)) != 0;
      }
      case Op::kFrcp: return f32(isa::Op::kRcp, inst);
      case Op::kFrsqrt: return f32(isa::Op::kRsqrt, inst);
      case Op::kFlg2: return f32(isa::Op::kLg2, inst);
      case Op::kFsin: return chain(isa::Op::kPresin, isa::Op::kSin, inst);
      case Op::kFcos: return chain(isa::Op::kPresin, isa::Op::kCos, inst);
      case Op::kFex2: return chain(isa::Op::kPreex2, isa::Op::kEx2, inst);
      case Op::kFround: {
        isa::Instruction insn = f32_op(isa::Op::kCvtF2F, inst);
        insn.integral = true;
        return alu(insn, v(inst, 0));
      }
      case Op::kIntToFloatS:
      case Op::kIntToFloatU: {
        isa::Instruction insn = f32_op(isa::Op::kCvtI2F, inst);
        insn.src_type = inst.op == Op::kIntToFloatS ? isa::NumType::kS32 : isa::NumType::kU32;
        return alu(insn, v(inst, 0));
      }
      case Op::kFloatToIntS:
      case Op::kFloatToIntU: {
        isa::Instruction insn = f32_op(isa::Op::kCvtF2I, inst);
        insn.integral = true;
        insn.dst_type = inst.op == Op::kFloatToIntS ? isa::NumType::kS32 : isa::NumType::kU32;
        return alu(insn, v(inst, 0));
      }
      case Op::kF16ToF32: {
        isa::Instruction insn = f32_op(isa::Op::kCvtF2F, inst);
        insn.src_type = isa::NumType::kF16;
        return alu(insn, v(inst, 0) & 0xffff);
      }
      case Op::kF32ToF16: {
        isa::Instruction insn = f32_op(isa::Op::kCvtF2F, inst);
        insn.dst_type = isa::NumType::kF16;
        return alu(insn, v(inst, 0)) & 0xffff;
      }
      default: throw std::runtime_error("the interpreter does not know this operation");
    }
  }

  std::uint64_t chain(isa::Op first, isa::Op second, const Inst& inst) const {
    isa::Instruction reduce = f32_op(first, inst);
    reduce.saturate = false;
    return alu(f32_op(second, inst), alu(reduce, v(inst, 0)));
  }

  std::uint64_t real_double(const Inst& inst) const {
    const auto d = [&](unsigned i) { return isa::double_of(v(inst, i)); };
    using isa::bits_of;
    switch (inst.op) {
      case Op::kFadd: return bits_of(d(0) + d(1));
      case Op::kFsub: return bits_of(d(0) - d(1));
      case Op::kFmul: return bits_of(d(0) * d(1));
      case Op::kFdiv: return bits_of(d(0) / d(1));
      case Op::kFrcp: return bits_of(1.0 / d(0));
      case Op::kFsqrt: return bits_of(std::sqrt(d(0)));
      case Op::kFma: return bits_of(std::fma(d(0), d(1), d(2)));
      case Op::kFneg: return v(inst, 0) ^ 1ull << 63;
      case Op::kFabs: return v(inst, 0) & ~(1ull << 63);
      case Op::kFset: {
        const int relation = std::isnan(d(0)) || std::isnan(d(1)) ? 8 : d(0) < d(1) ? 1 : d(0) == d(1) ? 2 : 4;
        return (compare_code(inst.compare) & relation) != 0;
      }
      case Op::kIntToFloatS: return bits_of(static_cast<double>(static_cast<std::int32_t>(v(inst, 0))));
      case Op::kIntToFloatU: return bits_of(static_cast<double>(static_cast<std::uint32_t>(v(inst, 0))));
      case Op::kF32ToF64: return bits_of(double{isa::float_of(w(inst, 0))});
      default: throw std::runtime_error("the interpreter does not know this operation on doubles");
    }
  }

  const Function& f_;
  const ThreadContext& context_;
  std::vector<std::uint64_t> values_;
};

}  // namespace g80::ir
