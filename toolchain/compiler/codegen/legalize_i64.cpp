// SPDX-License-Identifier: Apache-2.0
// Replaces 64-bit integers by pairs of words.
#include <utility>

#include "toolchain/compiler/codegen/ir_builder.h"
#include "toolchain/compiler/codegen/prepare.h"

namespace g80::codegen {
namespace {

using ir::Compare;
using ir::Op;
using ir::Type;
using ir::ValueId;

struct Pair {
  ValueId lo = ir::kNone, hi = ir::kNone;
};

class Legalizer {
 public:
  Legalizer(ir::Function& function, const std::string& filename) : f_(function), b_(function), filename_(filename) {}

  void run() {
    const ir::Dominators dominators = ir::find_dominators(f_);
    parts_.resize(f_.values.size());
    std::vector<std::pair<ir::InstId, ir::InstId>> phi_halves(f_.insts.size(), {ir::kNone, ir::kNone});
    for (const ir::BlockId block : dominators.order) split_phis(block, phi_halves);
    for (const ir::BlockId block : dominators.order) {
      b_.out.clear();
      const std::vector<ir::InstId> insts = f_.blocks[block].insts;
      for (const ir::InstId id : insts) {
        b_.loc = f_.insts[id].loc;
        for (ValueId& operand : f_.insts[id].operands) operand = current(operand);
        if (f_.insts[id].op == Op::kPhi || !lower(id)) b_.out.push_back(id);
      }
      f_.blocks[block].insts = b_.out;
    }
    for (ir::InstId id = 0; id < phi_halves.size(); ++id) {
      if (phi_halves[id].first == ir::kNone) continue;
      const std::vector<ValueId> operands = f_.insts[id].operands;
      for (const ValueId operand : operands) {
        const Pair p = pair(operand);
        f_.insts[phi_halves[id].first].operands.push_back(p.lo);
        f_.insts[phi_halves[id].second].operands.push_back(p.hi);
      }
    }
    f_.replace_uses(replacement_);
  }

 private:
  void split_phis(ir::BlockId block, std::vector<std::pair<ir::InstId, ir::InstId>>& halves) {
    std::vector<ir::InstId> insts;
    for (const ir::InstId id : f_.blocks[block].insts) {
      if (f_.insts[id].op != Op::kPhi || f_.type_of(f_.insts[id].results[0]) != Type::kI64) {
        insts.push_back(id);
        continue;
      }
      ir::Inst half;
      half.op = Op::kPhi;
      half.blocks = f_.insts[id].blocks;
      half.loc = f_.insts[id].loc;
      const ValueId whole = f_.insts[id].results[0];
      halves[id] = {f_.add_inst(half, {Type::kI32}), f_.add_inst(half, {Type::kI32})};
      set(whole, f_.insts[halves[id].first].results[0], f_.insts[halves[id].second].results[0]);
      insts.push_back(halves[id].first);
      insts.push_back(halves[id].second);
    }
    f_.blocks[block].insts = insts;
  }

  void set(ValueId value, ValueId lo, ValueId hi) {
    if (parts_.size() <= value) parts_.resize(f_.values.size());
    parts_[value] = {lo, hi};
  }

  Pair pair(ValueId value) {
    const ir::Value v = f_.values[value];
    if (v.is_constant()) {
      return {f_.i32(static_cast<std::uint32_t>(v.bits)), f_.i32(static_cast<std::uint32_t>(v.bits >> 32))};
    }
    if (v.undefined) {
      const ValueId any = f_.i32(0);
      return {any, any};
    }
    return parts_[value];
  }

  ValueId pack(ValueId value) {
    const Pair p = pair(value);
    return b_.make(Op::kPack, Type::kI64, {p.lo, p.hi});
  }

  ValueId current(ValueId value) const {
    while (value < replacement_.size() && replacement_[value] != ir::kNone) value = replacement_[value];
    return value;
  }

  void replace(ValueId old, ValueId with) {
    if (replacement_.size() <= old) replacement_.resize(f_.values.size(), ir::kNone);
    replacement_[old] = with;
  }

  bool is_wide(ValueId value) const { return f_.type_of(value) == Type::kI64; }

  // True if the instructions in b_.out replace the instruction.
  bool lower(ir::InstId id) {
    const ir::Inst inst = f_.insts[id];
    if (inst.op == Op::kLoad || inst.op == Op::kStore) return lower_memory(id);
    if (inst.op == Op::kAtomic) {
      if (inst.access != ir::Access::kB64) return false;
      for (std::size_t i = 1; i < inst.operands.size(); ++i) f_.insts[id].operands[i] = pack(inst.operands[i]);
      b_.out.push_back(id);
      if (!inst.results.empty()) split_result(inst.results[0]);
      return true;
    }
    if (!inst.results.empty() && is_wide(inst.results[0])) return lower_result(id);
    if (!inst.operands.empty() && is_wide(inst.operands.back())) return lower_use(id);
    return false;
  }

  /// lo and hi of a value that stays 64 bits wide.
  void split_result(ValueId whole) {
    const ValueId lo = b_.make(Op::kTrunc, Type::kI32, {whole}), hi = b_.make(Op::kHigh, Type::kI32, {whole});
    set(whole, lo, hi);
  }

  bool lower_memory(ir::InstId id) {
    const ir::Inst inst = f_.insts[id];
    if (inst.access != ir::Access::kB64) return false;
    const std::size_t first = inst.op == Op::kStore ? 1 : 0;
    const std::vector<ValueId>& data = inst.op == Op::kStore ? inst.operands : inst.results;
    if (!is_wide(data[first])) return false;
    const std::size_t count = data.size() - first;
    ir::Inst words = inst;
    words.access = ir::Access::kB32;
    if (count > 2) refuse(filename_, inst.loc, "a vector of four 64-bit elements");
    if (inst.op == Op::kStore) {
      words.operands.resize(1);
      for (std::size_t i = first; i < data.size(); ++i) {
        const Pair p = pair(data[i]);
        words.operands.push_back(p.lo);
        words.operands.push_back(p.hi);
      }
      b_.out.push_back(f_.add_inst(words, {}));
    } else if (inst.space == ir::Space::kGlobal || inst.space == ir::Space::kLocal) {
      const ir::InstId load = f_.add_inst(words, std::vector<Type>(count * 2, Type::kI32));
      b_.out.push_back(load);
      for (std::size_t i = 0; i < count; ++i) {
        set(data[i], f_.insts[load].results[2 * i], f_.insts[load].results[2 * i + 1]);
      }
    } else {  // spaces without wide accesses: words of their own, which can be operands
      for (std::size_t i = 0; i < count; ++i) {
        const auto word = [&](unsigned which) {
          ir::Inst part = words;
          part.offset += static_cast<std::int32_t>(8 * i + 4 * which);
          return b_.make(part, Type::kI32);
        };
        const ValueId lo = word(0);
        set(data[i], lo, word(1));
      }
    }
    return true;
  }

  bool lower_result(ir::InstId id);
  bool lower_use(ir::InstId id);
  Pair multiply(ValueId a, ValueId b);
  Pair shift(Op op, Pair a, ValueId count);
  ValueId compare(Compare condition, Pair a, Pair b);

  ir::Function& f_;
  IrBuilder b_;
  const std::string& filename_;
  std::vector<Pair> parts_;
  std::vector<ValueId> replacement_;
};

Pair Legalizer::multiply(ValueId a, ValueId b) {
  const Pair x = pair(a), y = pair(b);
  const auto is_sign = [&](const Pair& p) {
    if (f_.is_constant(p.lo) && f_.is_constant(p.hi)) {
      return f_.values[p.hi].bits == (f_.values[p.lo].bits >> 31 != 0 ? 0xffffffffu : 0u);
    }
    const ir::Inst* def = f_.def(p.hi);
    return def != nullptr && def->op == Op::kShrS && def->operands[0] == p.lo && f_.is_constant(def->operands[1]) &&
           f_.values[def->operands[1]].bits == 31;
  };
  const ValueId lo = b_.mul(x.lo, y.lo);
  if (is_sign(x) && is_sign(y)) return {lo, b_.make(Op::kMulHiS, Type::kI32, {x.lo, y.lo})};
  ValueId hi = b_.make(Op::kMulHiU, Type::kI32, {x.lo, y.lo});
  hi = b_.add(hi, b_.mul(x.lo, y.hi));
  hi = b_.add(hi, b_.mul(x.hi, y.lo));
  return {lo, hi};
}

Pair Legalizer::shift(Op op, Pair a, ValueId count) {
  const bool left = op == Op::kShl;
  if (f_.is_constant(count)) {
    const std::uint32_t n = static_cast<std::uint32_t>(f_.values[count].bits);
    const auto by = [&](std::uint32_t c) { return f_.i32(c); };
    const ValueId fill = op == Op::kShrS ? b_.shr_s(a.hi, by(31)) : by(0);
    if (n == 0) return a;
    if (n >= 64) return left ? Pair{by(0), by(0)} : Pair{fill, fill};
    if (left) {
      if (n >= 32) return {by(0), b_.shl(a.lo, by(n - 32))};
      return {b_.shl(a.lo, by(n)), b_.bit_or(b_.shl(a.hi, by(n)), b_.shr_u(a.lo, by(32 - n)))};
    }
    if (n >= 32) return {b_.make(op, Type::kI32, {a.hi, by(n - 32)}), fill};
    return {b_.bit_or(b_.shr_u(a.lo, by(n)), b_.shl(a.hi, by(32 - n))), b_.make(op, Type::kI32, {a.hi, by(n)})};
  }
  // Shifts by more than 31 give zero. So each word is the or of two terms, one for counts below 32 and one for counts
  // from 32 on: outside of their range, 32 - n and n - 32 wrap to large counts, and the term is zero.
  const ValueId up = b_.sub(f_.i32(32), count), down = b_.sub(count, f_.i32(32));
  if (left) {
    const ValueId hi = b_.bit_or(b_.bit_or(b_.shl(a.hi, count), b_.shr_u(a.lo, up)), b_.shl(a.lo, down));
    return {b_.shl(a.lo, count), hi};
  }
  if (op == Op::kShrU) {
    const ValueId lo = b_.bit_or(b_.bit_or(b_.shr_u(a.lo, count), b_.shl(a.hi, up)), b_.shr_u(a.hi, down));
    return {lo, b_.shr_u(a.hi, count)};
  }
  const ValueId small = b_.bit_or(b_.shr_u(a.lo, count), b_.shl(a.hi, up));
  const ValueId lo = b_.select(b_.set(Compare::kLtU, count, f_.i32(32)), small, b_.shr_s(a.hi, down));
  return {lo, b_.shr_s(a.hi, count)};
}

ValueId Legalizer::compare(Compare condition, Pair a, Pair b) {
  if (condition == Compare::kEq || condition == Compare::kNe) {
    return b_.set(condition, b_.bit_or(b_.bit_xor(a.lo, b.lo), b_.bit_xor(a.hi, b.hi)), f_.i32(0));
  }
  Compare low = condition, strict = condition;  // of the low words; of the high words without "or equal"
  switch (condition) {
    case Compare::kLt: low = Compare::kLtU; break;
    case Compare::kLe:
      low = Compare::kLeU;
      strict = Compare::kLt;
      break;
    case Compare::kGt: low = Compare::kGtU; break;
    case Compare::kGe:
      low = Compare::kGeU;
      strict = Compare::kGt;
      break;
    case Compare::kLeU: strict = Compare::kLtU; break;
    case Compare::kGeU: strict = Compare::kGtU; break;
    default: break;
  }
  const ValueId equal = b_.set(Compare::kEq, a.hi, b.hi);
  const ValueId both = b_.make(Op::kAnd, Type::kPred, {equal, b_.set(low, a.lo, b.lo)});
  return b_.make(Op::kOr, Type::kPred, {b_.set(strict, a.hi, b.hi), both});
}

bool Legalizer::lower_result(ir::InstId id) {
  const ir::Inst inst = f_.insts[id];
  const ValueId result = inst.results[0];
  const auto p = [&](unsigned i) { return pair(inst.operands[i]); };
  const auto give = [&](Pair value) { set(result, value.lo, value.hi); };
  const auto minus = [&](Pair a, Pair b) -> Pair {
    return {b_.sub(a.lo, b.lo), b_.make(Op::kSubHigh, Type::kI32, {a.hi, b.hi, a.lo, b.lo})};
  };
  const auto choose = [&](ValueId pred, Pair a, Pair b) -> Pair {
    return {b_.select(pred, a.lo, b.lo), b_.select(pred, a.hi, b.hi)};
  };
  const Pair zero{f_.i32(0), f_.i32(0)};
  switch (inst.op) {
    case Op::kCopy: give(p(0)); return true;
    case Op::kSelect: give(choose(inst.operands[0], p(1), p(2))); return true;
    case Op::kAdd:
      give({b_.add(p(0).lo, p(1).lo), b_.make(Op::kAddHigh, Type::kI32, {p(0).hi, p(1).hi, p(0).lo, p(1).lo})});
      return true;
    case Op::kSub: give(minus(p(0), p(1))); return true;
    case Op::kNeg: give(minus(zero, p(0))); return true;
    case Op::kAbs: {
      const Pair a = p(0);
      give(choose(b_.set(Compare::kLt, a.hi, f_.i32(0)), minus(zero, a), a));
      return true;
    }
    case Op::kMul: give(multiply(inst.operands[0], inst.operands[1])); return true;
    case Op::kMulWideU:
    case Op::kMulWideS: {
      const ValueId a = inst.operands[0], b = inst.operands[1];
      const ValueId lo = b_.mul(a, b);
      give({lo, b_.make(inst.op == Op::kMulWideU ? Op::kMulHiU : Op::kMulHiS, Type::kI32, {a, b})});
      return true;
    }
    case Op::kMulHiU:
    case Op::kMulHiS: {
      // (xh 2^32 + xl)(yh 2^32 + yl) >> 64, then corrections for signed operands
      const Pair x = p(0), y = p(1);
      const auto wide = [&](ValueId a, ValueId b) -> Pair {
        return {b_.mul(a, b), b_.make(Op::kMulHiU, Type::kI32, {a, b})};
      };
      const auto plus = [&](Pair a, Pair b) -> Pair {
        return {b_.add(a.lo, b.lo), b_.make(Op::kAddHigh, Type::kI32, {a.hi, b.hi, a.lo, b.lo})};
      };
      const Pair low_high{b_.make(Op::kMulHiU, Type::kI32, {x.lo, y.lo}), f_.i32(0)};
      const Pair middle = plus(wide(x.lo, y.hi), low_high);
      const Pair other = plus(wide(x.hi, y.lo), {middle.lo, f_.i32(0)});
      Pair high = plus(plus(wide(x.hi, y.hi), {middle.hi, f_.i32(0)}), {other.hi, f_.i32(0)});
      if (inst.op == Op::kMulHiS) {
        const auto masked = [&](ValueId sign_of, Pair v) -> Pair {
          const ValueId mask = b_.shr_s(sign_of, f_.i32(31));
          return {b_.bit_and(mask, v.lo), b_.bit_and(mask, v.hi)};
        };
        high = minus(minus(high, masked(x.hi, y)), masked(y.hi, x));
      }
      give(high);
      return true;
    }
    case Op::kMinU: give(choose(compare(Compare::kLtU, p(0), p(1)), p(0), p(1))); return true;
    case Op::kMinS: give(choose(compare(Compare::kLt, p(0), p(1)), p(0), p(1))); return true;
    case Op::kMaxU: give(choose(compare(Compare::kGtU, p(0), p(1)), p(0), p(1))); return true;
    case Op::kMaxS: give(choose(compare(Compare::kGt, p(0), p(1)), p(0), p(1))); return true;
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
      give({b_.make(inst.op, Type::kI32, {p(0).lo, p(1).lo}), b_.make(inst.op, Type::kI32, {p(0).hi, p(1).hi})});
      return true;
    case Op::kNot:
      give({b_.make(Op::kNot, Type::kI32, {p(0).lo}), b_.make(Op::kNot, Type::kI32, {p(0).hi})});
      return true;
    case Op::kShl:
    case Op::kShrU:
    case Op::kShrS: give(shift(inst.op, p(0), inst.operands[1])); return true;
    case Op::kZext32: give({inst.operands[0], f_.i32(0)}); return true;
    case Op::kSext32: give({inst.operands[0], b_.shr_s(inst.operands[0], f_.i32(31))}); return true;
    case Op::kPack: give({inst.operands[0], inst.operands[1]}); return true;
    case Op::kF64ToBits:
    case Op::kFloatToIntS:
    case Op::kFloatToIntU:
      b_.out.push_back(id);
      split_result(result);
      return true;
    default: refuse(filename_, inst.loc, "64-bit " + std::string(ir::op_info(inst.op).text) + " is not supported");
  }
}

bool Legalizer::lower_use(ir::InstId id) {
  const ir::Inst inst = f_.insts[id];
  switch (inst.op) {
    case Op::kTrunc: replace(inst.results[0], pair(inst.operands[0]).lo); return true;
    case Op::kHigh: replace(inst.results[0], pair(inst.operands[0]).hi); return true;
    case Op::kSet:
      replace(inst.results[0], compare(inst.compare, pair(inst.operands[0]), pair(inst.operands[1])));
      return true;
    case Op::kIntToFloatS:
    case Op::kIntToFloatU:
    case Op::kBitsToF64:
      f_.insts[id].operands[0] = pack(inst.operands[0]);
      b_.out.push_back(id);
      return true;
    default: refuse(filename_, inst.loc, "64-bit " + std::string(ir::op_info(inst.op).text) + " is not supported");
  }
}

}  // namespace

void legalize_i64(ir::Function& function, const std::string& filename) { Legalizer(function, filename).run(); }

}  // namespace g80::codegen
