// SPDX-License-Identifier: Apache-2.0
// Random IR kernels for differential tests: every value computed so far may be an operand, control flow is nested ifs,
// loops with a bounded count, breaks and early ends.
#pragma once
#include <random>
#include <vector>

#include "tests/compiler/kernel_runner.h"
#include "toolchain/compiler/ir/ir.h"

namespace g80 {

inline constexpr unsigned kRandomOutputs = 4;

struct RandomIrOptions {
  unsigned statements = 10;
  unsigned max_depth = 2;  // nesting of control flow
  bool has_i64 = true, has_float = true;
  bool has_early_ends = true;
  bool is_narrow = false;  // most values matter in 16 bits only, as those of shorts and bytes
};

inline constexpr std::uint32_t kNarrowLocalBytes = 8;  // of l[], which narrow programs write

inline std::uint32_t interesting_word(std::mt19937& rng) {
  static constexpr std::uint32_t kWords[] = {0,          1,          2,          3,          0xffffffff, 0x80000000,
                                             0x7fffffff, 0xffff,     0x10000,    0x3f800000, 0xbf800000, 0x7f800000,
                                             0x7fc00000, 0x00000400, 0x4b000000, 0xff};
  switch (rng() % 4) {
    case 0: return kWords[rng() % 16];
    case 1: return rng() % 64;
    case 2: return rng() & 0xffff;
    default: return rng();
  }
}

class RandomIr {
 public:
  RandomIr(std::mt19937& rng, const RandomIrOptions& options) : rng_(rng), options_(options) {}

  ir::Function build() {
    using ir::Op;
    using ir::Type;
    f_.name = "random";
    add_parameters(f_, 3);
    block_ = f_.add_block();
    const ir::ValueId out = load_parameter(f_, block_, 0), in = load_parameter(f_, block_, 1);
    ir::Inst special = make_inst(Op::kSpecial, {});
    const ir::ValueId tid = f_.append1(block_, special, Type::kI32);
    special.special = ir::Special::kCtaidX;
    const ir::ValueId ctaid = f_.append1(block_, special, Type::kI32);
    special.special = ir::Special::kNtidX;
    const ir::ValueId ntid = f_.append1(block_, special, Type::kI32);
    const ir::ValueId index = add(add_op(Op::kMul, ctaid, ntid), tid);
    ir::Inst load = make_inst(Op::kLoad, {add(in, add_op(Op::kShl, tid, f_.i32(2)))});
    values_ = {tid, ctaid, ntid, index, load_parameter(f_, block_, 2), load_parameter(f_, block_, 3)};
    for (int i = 0; i < 3; ++i) {
      load.offset = 4 * i;
      values_.push_back(f_.append1(block_, load, Type::kI32));
    }
    load.offset = 20;
    load.access = ir::Access::kU8;
    values_.push_back(f_.append1(block_, load, Type::kI32));
    load.access = ir::Access::kS16;
    values_.push_back(f_.append1(block_, load, Type::kI32));
    out_ = add(out, add_op(Op::kMul, index, f_.i32(4 * kRandomOutputs)));
    statements(options_.max_depth);
    finish();
    return std::move(f_);
  }

 private:
  ir::ValueId add_op(ir::Op op, ir::ValueId a, ir::ValueId b) {
    return f_.append1(block_, make_inst(op, {a, b}), f_.type_of(a));
  }
  ir::ValueId add(ir::ValueId a, ir::ValueId b) { return add_op(ir::Op::kAdd, a, b); }

  /// Any value of a type; now and then a constant.
  ir::ValueId pick(ir::Type type) {
    if (rng_() % 5 == 0) {
      const std::uint64_t bits = interesting_word(rng_) | std::uint64_t{interesting_word(rng_)} << 32;
      return f_.constant(type, bits);
    }
    std::vector<ir::ValueId> fitting;
    for (const ir::ValueId value : values_) {
      if (f_.type_of(value) == type) fitting.push_back(value);
    }
    if (fitting.empty()) return f_.constant(type, interesting_word(rng_));
    // recent values more often
    const std::size_t window = rng_() % 2 == 0 ? std::min<std::size_t>(fitting.size(), 4) : fitting.size();
    return fitting[fitting.size() - 1 - rng_() % window];
  }

  void keep(ir::Inst inst, ir::Type type) { values_.push_back(f_.append1(block_, std::move(inst), type)); }

  ir::ValueId i32_of(ir::ValueId value) {
    using ir::Op;
    using ir::Type;
    switch (f_.type_of(value)) {
      case Type::kI64: return f_.append1(block_, make_inst(Op::kTrunc, {value}), Type::kI32);
      case Type::kF32: return f_.append1(block_, make_inst(Op::kF32ToBits, {value}), Type::kI32);
      case Type::kPred:
        return f_.append1(block_, make_inst(Op::kSelect, {value, f_.i32(rng_()), f_.i32(7)}), Type::kI32);
      default: return value;
    }
  }

  ir::ValueId unary(ir::Op op, ir::ValueId value) { return f_.append1(block_, make_inst(op, {value}), ir::Type::kI32); }
  ir::ValueId extended(bool is_signed) {
    return unary(is_signed ? ir::Op::kSext16 : ir::Op::kZext16, pick(ir::Type::kI32));
  }

  /// Arithmetic, comparisons, loads and stores of shorts: operands are extended where their upper bits would matter.
  void narrow_statement() {
    using ir::Op;
    using ir::Type;
    const bool is_signed = rng_() % 2 == 0;
    switch (rng_() % 10) {
      case 0:
      case 1: {
        static constexpr Op kOrder[] = {Op::kMinS, Op::kMaxS, Op::kMinU, Op::kMaxU};
        const ir::ValueId a = extended(is_signed);
        keep(make_inst(kOrder[rng_() % 4], {a, extended(is_signed)}), Type::kI32);
        return;
      }
      case 2: {
        const ir::ValueId a = extended(is_signed);
        ir::Inst set = make_inst(Op::kSet, {a, rng_() % 4 == 0 ? f_.i32(rng_() % 3) : extended(is_signed)});
        set.compare = static_cast<ir::Compare>(rng_() % 10);
        keep(set, Type::kPred);
        return;
      }
      case 3: {
        const Op shift = is_signed ? Op::kShrS : Op::kShrU;
        const ir::ValueId a = extended(is_signed);
        const ir::ValueId count = rng_() % 2 ? f_.i32(rng_() % 20) : unary(Op::kZext8, pick(Type::kI32));
        keep(make_inst(shift, {a, count}), Type::kI32);
        return;
      }
      case 4: keep(make_inst(Op::kSelect, {pick(Type::kPred), pick(Type::kI32), pick(Type::kI32)}), Type::kI32); return;
      case 5: {
        static constexpr Op kUnary[] = {Op::kNeg, Op::kNot, Op::kZext8, Op::kSext8, Op::kZext16, Op::kSext16};
        keep(make_inst(kUnary[rng_() % 6], {pick(Type::kI32)}), Type::kI32);
        return;
      }
      case 6: {  // one variable of two bytes, and one of one
        ir::Inst access = make_inst(Op::kStore, {f_.i32(0), pick(Type::kI32)});
        access.space = ir::Space::kLocal;
        access.access = is_signed ? ir::Access::kS16 : ir::Access::kU16;
        f_.append(block_, access, {});
        access.op = Op::kLoad;
        access.operands.pop_back();
        keep(access, Type::kI32);
        access.access = is_signed ? ir::Access::kS8 : ir::Access::kU8;
        access.offset = static_cast<std::int32_t>(rng_() % 2);
        keep(access, Type::kI32);
        return;
      }
      case 7:
        if (rng_() % 4 == 0) {  // put together, taken apart
          const ir::ValueId upper = add_op(Op::kShl, pick(Type::kI32), f_.i32(16));
          const ir::ValueId word = add_op(rng_() % 2 ? Op::kOr : Op::kAdd, upper, extended(false));
          keep(make_inst(Op::kXor, {word, f_.i32(rng_())}), Type::kI32);
          keep(make_inst(is_signed ? Op::kShrS : Op::kShrU, {word, f_.i32(16)}), Type::kI32);
          return;
        }
        [[fallthrough]];
      default: {
        static constexpr Op kBinary[] = {Op::kAdd, Op::kSub, Op::kAnd, Op::kOr, Op::kXor, Op::kMul};
        keep(make_inst(kBinary[rng_() % 6], {pick(Type::kI32), pick(Type::kI32)}), Type::kI32);
        return;
      }
    }
  }

  void statement() {
    using ir::Op;
    using ir::Type;
    if (options_.is_narrow && rng_() % 12 != 0) return narrow_statement();
    const unsigned kind = rng_() % 20;
    if (kind < 9) {
      static constexpr Op kBinary[] = {Op::kAdd,    Op::kSub,      Op::kMul,      Op::kMulHiU, Op::kMulHiS, Op::kMul24U,
                                       Op::kMul24S, Op::kMul24HiU, Op::kMul24HiS, Op::kMinU,   Op::kMinS,   Op::kMaxU,
                                       Op::kMaxS,   Op::kAnd,      Op::kOr,       Op::kXor,    Op::kShl,    Op::kShrU,
                                       Op::kShrS,   Op::kAddSat,   Op::kSubSat,   Op::kAdd,    Op::kSub,    Op::kMul};
      static constexpr Op kUnary[] = {Op::kAbs, Op::kNeg, Op::kNot, Op::kZext8, Op::kSext8, Op::kZext16, Op::kSext16};
      if (rng_() % 4 == 0) {
        keep(make_inst(kUnary[rng_() % 7], {pick(Type::kI32)}), Type::kI32);
      } else if (rng_() % 12 == 0) {
        keep(make_inst(rng_() % 2 ? Op::kSadU : Op::kSadS, {pick(Type::kI32), pick(Type::kI32), pick(Type::kI32)}),
             Type::kI32);
      } else {
        keep(make_inst(kBinary[rng_() % 24], {pick(Type::kI32), pick(Type::kI32)}), Type::kI32);
      }
    } else if (kind == 9) {
      static constexpr Op kDivisions[] = {Op::kDivU, Op::kRemU, Op::kDivS, Op::kRemS};
      const ir::ValueId divisor =
          f_.append1(block_, make_inst(Op::kOr, {pick(Type::kI32), f_.i32(1)}), Type::kI32);  // never zero
      keep(make_inst(kDivisions[rng_() % 4], {pick(Type::kI32), divisor}), Type::kI32);
    } else if (kind < 12) {
      ir::Inst set = make_inst(Op::kSet, {pick(Type::kI32), pick(Type::kI32)});
      set.compare = static_cast<ir::Compare>(rng_() % 10);
      keep(set, Type::kPred);
    } else if (kind == 12) {
      static constexpr Op kLogic[] = {Op::kAnd, Op::kOr, Op::kXor};
      if (rng_() % 3 == 0) {
        keep(make_inst(Op::kNot, {pick(Type::kPred)}), Type::kPred);
      } else {
        keep(make_inst(kLogic[rng_() % 3], {pick(Type::kPred), pick(Type::kPred)}), Type::kPred);
      }
    } else if (kind < 15) {
      static constexpr Type kTypes[] = {Type::kI32, Type::kF32, Type::kI64, Type::kPred};
      const Type type = kTypes[rng_() % 4];
      keep(make_inst(Op::kSelect, {pick(Type::kPred), pick(type), pick(type)}), type);
    } else if (kind < 18 && options_.has_float) {
      float_statement();
    } else if (options_.has_i64) {
      i64_statement();
    }
  }

  void float_statement() {
    using ir::Op;
    using ir::Type;
    static constexpr Op kBinary[] = {Op::kFadd, Op::kFsub, Op::kFmul, Op::kFmin, Op::kFmax};
    static constexpr Op kUnary[] = {Op::kFneg, Op::kFabs, Op::kFsat, Op::kFrcp, Op::kFrsqrt,
                                    Op::kFsin, Op::kFcos, Op::kFlg2, Op::kFex2, Op::kFround};
    ir::Inst inst;
    switch (rng_() % 8) {
      case 0: keep(make_inst(Op::kBitsToF32, {pick(Type::kI32)}), Type::kF32); return;
      case 1:
        inst = make_inst(rng_() % 2 ? Op::kIntToFloatS : Op::kIntToFloatU, {pick(Type::kI32)});
        inst.round = static_cast<ir::Round>(rng_() % 4);
        keep(inst, Type::kF32);
        return;
      case 2:
        inst = make_inst(rng_() % 2 ? Op::kFloatToIntS : Op::kFloatToIntU, {pick(Type::kF32)});
        inst.round = static_cast<ir::Round>(rng_() % 4);
        keep(inst, Type::kI32);
        return;
      case 3:
        inst = make_inst(Op::kFset, {pick(Type::kF32), pick(Type::kF32)});
        inst.compare = rng_() % 2 ? static_cast<ir::Compare>(rng_() % 6) : static_cast<ir::Compare>(10 + rng_() % 8);
        keep(inst, Type::kPred);
        return;
      case 4:
        inst = make_inst(kUnary[rng_() % 10], {pick(Type::kF32)});
        if (inst.op == Op::kFround) inst.round = static_cast<ir::Round>(rng_() % 4);
        keep(inst, Type::kF32);
        return;
      case 5: keep(make_inst(Op::kFmad, {pick(Type::kF32), pick(Type::kF32), pick(Type::kF32)}), Type::kF32); return;
      default:
        inst = make_inst(kBinary[rng_() % 5], {pick(Type::kF32), pick(Type::kF32)});
        if (rng_() % 4 == 0 && inst.op != Op::kFmin && inst.op != Op::kFmax) inst.round = ir::Round::kRz;
        inst.saturate = rng_() % 6 == 0 && inst.op != Op::kFmin && inst.op != Op::kFmax;
        keep(inst, Type::kF32);
        return;
    }
  }

  void i64_statement() {
    using ir::Op;
    using ir::Type;
    static constexpr Op kBinary[] = {Op::kAdd,  Op::kSub,  Op::kMul,  Op::kAnd,  Op::kOr,     Op::kXor,
                                     Op::kMinU, Op::kMinS, Op::kMaxU, Op::kMaxS, Op::kMulHiU, Op::kMulHiS};
    static constexpr Op kShifts[] = {Op::kShl, Op::kShrU, Op::kShrS};
    switch (rng_() % 8) {
      case 0: keep(make_inst(rng_() % 2 ? Op::kZext32 : Op::kSext32, {pick(Type::kI32)}), Type::kI64); return;
      case 1: keep(make_inst(rng_() % 2 ? Op::kTrunc : Op::kHigh, {pick(Type::kI64)}), Type::kI32); return;
      case 2:
        keep(make_inst(rng_() % 2 ? Op::kMulWideU : Op::kMulWideS, {pick(Type::kI32), pick(Type::kI32)}), Type::kI64);
        return;
      case 3: {
        const ir::ValueId count = rng_() % 2 ? f_.i32(rng_() % 70) : pick(Type::kI32);
        keep(make_inst(kShifts[rng_() % 3], {pick(Type::kI64), count}), Type::kI64);
        return;
      }
      case 4: {
        ir::Inst set = make_inst(Op::kSet, {pick(Type::kI64), pick(Type::kI64)});
        set.compare = static_cast<ir::Compare>(rng_() % 10);
        keep(set, Type::kPred);
        return;
      }
      case 5:
        keep(make_inst(rng_() % 3 == 0 ? Op::kAbs : rng_() % 2 ? Op::kNeg : Op::kNot, {pick(Type::kI64)}), Type::kI64);
        return;
      default:
        if (rng_() % 8 == 0) {
          static constexpr Op kDivisions[] = {Op::kDivU, Op::kRemU, Op::kDivS, Op::kRemS};
          const ir::ValueId divisor =
              f_.append1(block_, make_inst(Op::kOr, {pick(Type::kI64), f_.constant(Type::kI64, 1)}), Type::kI64);
          keep(make_inst(kDivisions[rng_() % 4], {pick(Type::kI64), divisor}), Type::kI64);
          return;
        }
        keep(make_inst(kBinary[rng_() % 12], {pick(Type::kI64), pick(Type::kI64)}), Type::kI64);
        return;
    }
  }

  void statements(unsigned depth) {
    for (unsigned i = 0; i < options_.statements; ++i) {
      const unsigned kind = rng_() % 10;
      if (depth > 0 && kind == 0) {
        if_statement(depth - 1);
      } else if (depth > 0 && kind == 1) {
        loop(depth - 1);
      } else if (depth > 0 && kind == 2 && options_.has_early_ends && rng_() % 4 == 0) {
        early_end();
      } else {
        statement();
      }
    }
  }

  void early_end() {
    const ir::BlockId ending = f_.add_block(), rest = f_.add_block();
    f_.append(block_, make_inst(ir::Op::kCondBranch, {pick(ir::Type::kPred)}, {ending, rest}), {});
    block_ = ending;
    const std::vector<ir::ValueId> saved = values_;
    if (rng_() % 2 == 0) statement();
    finish();
    values_ = saved;
    block_ = rest;
  }

  void if_statement(unsigned depth) {
    const ir::ValueId pred = pick(ir::Type::kPred);
    const ir::BlockId yes = f_.add_block(), no = f_.add_block(), meet = f_.add_block();
    f_.append(block_, make_inst(ir::Op::kCondBranch, {pred}, {yes, no}), {});
    const std::vector<ir::ValueId> before = values_;
    block_ = yes;
    statements(depth);
    const std::vector<ir::ValueId> left = values_;
    const ir::BlockId yes_end = block_;
    f_.append(block_, make_inst(ir::Op::kBranch, {}, {meet}), {});
    values_ = before;
    block_ = no;
    if (rng_() % 2 == 0) statements(depth);
    const std::vector<ir::ValueId> right = values_;
    const ir::BlockId no_end = block_;
    f_.append(block_, make_inst(ir::Op::kBranch, {}, {meet}), {});
    block_ = meet;
    values_ = before;
    for (unsigned i = 0; i < 3; ++i) {
      const ir::ValueId a = left[left.size() - 1 - rng_() % std::min<std::size_t>(left.size(), 5)];
      for (std::size_t k = right.size(); k-- > 0;) {
        if (f_.type_of(right[k]) != f_.type_of(a)) continue;
        keep(make_inst(ir::Op::kPhi, {a, right[k]}, {yes_end, no_end}), f_.type_of(a));
        break;
      }
    }
  }

  void loop(unsigned depth) {
    using ir::Op;
    using ir::Type;
    const ir::BlockId entry = block_, head = f_.add_block(), exit = f_.add_block();
    const ir::ValueId limit =
        f_.append1(block_, make_inst(Op::kAnd, {i32_of(pick(Type::kI32)), f_.i32(3)}), Type::kI32);
    f_.append(block_, make_inst(Op::kBranch, {}, {head}), {});
    block_ = head;
    const std::vector<ir::ValueId> before = values_;
    struct Carried {
      ir::InstId phi;
      ir::ValueId start;
    };
    std::vector<Carried> carried;
    const auto carry = [&](ir::ValueId start) {
      carried.push_back({f_.append(head, make_inst(Op::kPhi, {start}, {entry}), {f_.type_of(start)}), start});
      return f_.insts[carried.back().phi].results[0];
    };
    const ir::ValueId counter = carry(f_.i32(0));
    for (unsigned i = 0; i < 3; ++i)
      values_.push_back(carry(before[before.size() - 1 - rng_() % std::min<std::size_t>(before.size(), 6)]));
    statements(depth);
    std::vector<std::pair<ir::BlockId, std::vector<ir::ValueId>>> leaving;
    if (rng_() % 2 == 0) {  // a break in the middle
      const ir::BlockId rest = f_.add_block(), out = f_.add_block();
      f_.append(block_, make_inst(Op::kCondBranch, {pick(Type::kPred)}, {out, rest}), {});
      f_.append(out, make_inst(Op::kBranch, {}, {exit}), {});
      leaving.push_back({out, values_});
      block_ = rest;
      statements(depth);
    }
    const ir::ValueId next = add(counter, f_.i32(1));
    std::vector<ir::ValueId> next_values{next};
    for (std::size_t i = 1; i < carried.size(); ++i) {
      ir::ValueId best = carried[i].start;
      for (const ir::ValueId value : values_) {
        if (f_.type_of(value) == f_.type_of(best)) best = value;
      }
      next_values.push_back(best);
    }
    ir::Inst test = make_inst(Op::kSet, {next, limit});
    test.compare = ir::Compare::kLtU;
    const ir::ValueId again = f_.append1(block_, test, Type::kPred);
    f_.append(block_, make_inst(Op::kCondBranch, {again}, {head, exit}), {});
    leaving.push_back({block_, values_});
    for (std::size_t i = 0; i < carried.size(); ++i) {
      f_.insts[carried[i].phi].operands.push_back(next_values[i]);
      f_.insts[carried[i].phi].blocks.push_back(block_);
    }
    block_ = exit;
    values_ = before;
    for (unsigned i = 0; i < 3; ++i) {
      const auto& last = leaving.back().second;
      const ir::ValueId sample = last[last.size() - 1 - rng_() % std::min<std::size_t>(last.size(), 4)];
      ir::Inst phi = make_inst(Op::kPhi, {});
      for (const auto& [from, values] : leaving) {
        ir::ValueId best = ir::kNone;
        for (const ir::ValueId value : values) {
          if (f_.type_of(value) == f_.type_of(sample)) best = value;
        }
        phi.operands.push_back(best != ir::kNone ? best : f_.constant(f_.type_of(sample), 3));
        phi.blocks.push_back(from);
      }
      keep(phi, f_.type_of(sample));
    }
  }

  /// Stores a mixture of the last values and ends the thread.
  void finish() {
    std::vector<ir::ValueId> words;
    for (unsigned i = 0; i < kRandomOutputs; ++i) {
      ir::ValueId sum = i32_of(values_[values_.size() - 1 - i]);
      if (i == 0) {
        for (std::size_t k = 4; k < values_.size() && k < 14; ++k) sum = add_op(ir::Op::kXor, sum, i32_of(values_[k]));
      }
      if (options_.is_narrow) sum = unary(rng_() % 2 ? ir::Op::kZext16 : ir::Op::kSext16, sum);
      words.push_back(sum);
    }
    if (options_.is_narrow && rng_() % 2 == 0) {  // the low bytes alone, too
      for (unsigned i = 0; i < kRandomOutputs; ++i) {
        ir::Inst store = make_inst(ir::Op::kStore, {out_, words[i]});
        store.access = i % 2 == 0 ? ir::Access::kU16 : ir::Access::kU8;
        store.offset = static_cast<std::int32_t>(4 * i);
        f_.append(block_, store, {});
      }
      f_.append(block_, make_inst(ir::Op::kExit, {}), {});
      return;
    }
    const unsigned width = rng_() % 3 == 0 ? 4 : rng_() % 2 == 0 ? 2 : 1;
    for (unsigned i = 0; i < kRandomOutputs; i += width) {
      ir::Inst store = make_inst(ir::Op::kStore, {out_});
      store.offset = static_cast<std::int32_t>(4 * i);
      for (unsigned k = 0; k < width; ++k) store.operands.push_back(words[i + k]);
      f_.append(block_, store, {});
    }
    f_.append(block_, make_inst(ir::Op::kExit, {}), {});
  }

  std::mt19937& rng_;
  const RandomIrOptions& options_;
  ir::Function f_;
  ir::BlockId block_ = 0;
  ir::ValueId out_ = 0;
  std::vector<ir::ValueId> values_;
};

inline ir::Function random_kernel(std::mt19937& rng, const RandomIrOptions& options) {
  return RandomIr(rng, options).build();
}

}  // namespace g80
