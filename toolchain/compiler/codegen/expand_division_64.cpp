// SPDX-License-Identifier: Apache-2.0
// Expands 64-bit division and remainder: to 32-bit ones if both operands fit, otherwise to a loop with one quotient bit
// per iteration.
#include "toolchain/compiler/codegen/ir_builder.h"
#include "toolchain/compiler/codegen/prepare.h"

namespace g80::codegen {
namespace {

using ir::BlockId;
using ir::Compare;
using ir::Op;
using ir::Type;
using ir::ValueId;

class DivisionExpander {
 public:
  explicit DivisionExpander(ir::Function& function) : f_(function), b_(function) {}

  void run() {
    for (BlockId block = 0; block < f_.blocks.size(); ++block) {  // the rest of a block is a new one, looked at later
      const std::vector<ir::InstId>& insts = f_.blocks[block].insts;
      for (std::size_t i = 0; i < insts.size(); ++i) {
        if (!is_division(f_.insts[insts[i]])) continue;
        expand(block, i);
        break;
      }
    }
    f_.replace_uses(replacement_);
  }

 private:
  bool is_division(const ir::Inst& inst) const {
    const bool divides = inst.op == Op::kDivU || inst.op == Op::kDivS || inst.op == Op::kRemU || inst.op == Op::kRemS;
    return divides && f_.type_of(inst.results[0]) == Type::kI64;
  }

  ValueId wide(Op op, ValueId a, ValueId b) { return b_.make(op, Type::kI64, {a, b}); }
  ValueId number(std::uint64_t value) { return f_.constant(Type::kI64, value); }

  void terminate(BlockId block, Op op, std::vector<ValueId> operands, std::vector<BlockId> targets) {
    ir::Inst end;
    end.op = op;
    end.operands = std::move(operands);
    end.blocks = std::move(targets);
    end.loc = b_.loc;
    f_.blocks[block].insts.insert(f_.blocks[block].insts.end(), b_.out.begin(), b_.out.end());
    b_.out.clear();
    f_.append(block, std::move(end), {});
  }

  ValueId phi(BlockId block, Type type, std::vector<ValueId> operands, std::vector<BlockId> from) {
    ir::Inst inst;
    inst.op = Op::kPhi;
    inst.operands = std::move(operands);
    inst.blocks = std::move(from);
    inst.loc = b_.loc;
    return f_.append1(block, std::move(inst), type);
  }

  void expand(BlockId block, std::size_t index) {
    const ir::Inst inst = f_.insts[f_.blocks[block].insts[index]];
    b_.loc = inst.loc;
    const bool is_signed = inst.op == Op::kDivS || inst.op == Op::kRemS;
    const bool is_rem = inst.op == Op::kRemU || inst.op == Op::kRemS;
    const BlockId narrow = f_.add_block(), before = f_.add_block(), loop = f_.add_block(), rest = f_.add_block();
    std::vector<ir::InstId>& insts = f_.blocks[block].insts;
    f_.blocks[rest].insts.assign(insts.begin() + static_cast<std::ptrdiff_t>(index) + 1, insts.end());
    insts.resize(index);
    for (const BlockId target : f_.successors(rest)) {
      for (const ir::InstId id : f_.blocks[target].insts) {
        if (f_.insts[id].op != Op::kPhi) break;
        for (BlockId& pred : f_.insts[id].blocks) {
          if (pred == block) pred = rest;
        }
      }
    }

    b_.out.clear();
    ValueId a = inst.operands[0], b = inst.operands[1], sign = ir::kNone;
    if (is_signed) {
      const ValueId a_sign = wide(Op::kShrS, a, f_.i32(63)), b_sign = wide(Op::kShrS, b, f_.i32(63));
      a = wide(Op::kSub, wide(Op::kXor, a, a_sign), a_sign);
      b = wide(Op::kSub, wide(Op::kXor, b, b_sign), b_sign);
      sign = is_rem ? a_sign : wide(Op::kXor, a_sign, b_sign);
    }
    const ValueId high = b_.make(Op::kHigh, Type::kI32, {wide(Op::kOr, a, b)});
    const ValueId fits = b_.set(Compare::kEq, high, f_.i32(0));
    terminate(block, Op::kCondBranch, {fits}, {narrow, before});

    const ValueId a_low = b_.make(Op::kTrunc, Type::kI32, {a}), b_low = b_.make(Op::kTrunc, Type::kI32, {b});
    const ValueId small =
        b_.make(Op::kZext32, Type::kI64, {b_.make(is_rem ? Op::kRemU : Op::kDivU, Type::kI32, {a_low, b_low})});
    terminate(narrow, Op::kBranch, {}, {rest});

    // remainder and quotient as one shift register of 128 bits
    terminate(before, Op::kBranch, {}, {loop});
    const ValueId count = phi(loop, Type::kI32, {f_.i32(64)}, {before});
    const ValueId remainder = phi(loop, Type::kI64, {number(0)}, {before});
    const ValueId quotient = phi(loop, Type::kI64, {a}, {before});
    const ValueId shifted = wide(Op::kOr, wide(Op::kShl, remainder, f_.i32(1)), wide(Op::kShrU, quotient, f_.i32(63)));
    // a remainder whose top bit is shifted out is larger than any divisor
    const ValueId carry = b_.set(Compare::kLt, b_.make(Op::kHigh, Type::kI32, {remainder}), f_.i32(0));
    const ValueId enough = b_.make(Op::kOr, Type::kPred, {carry, b_.set(Compare::kGeU, shifted, b)});
    const ValueId next_remainder = b_.select(enough, wide(Op::kSub, shifted, b), shifted);
    const ValueId bit = b_.select(enough, f_.i32(1), f_.i32(0));
    const ValueId next_quotient =
        wide(Op::kOr, wide(Op::kShl, quotient, f_.i32(1)), b_.make(Op::kZext32, Type::kI64, {bit}));
    const ValueId next_count = b_.sub(count, f_.i32(1));
    const ValueId again = b_.set(Compare::kNe, next_count, f_.i32(0));
    terminate(loop, Op::kCondBranch, {again}, {loop, rest});
    const ValueId phis[] = {count, remainder, quotient}, nexts[] = {next_count, next_remainder, next_quotient};
    for (int i = 0; i < 3; ++i) {
      ir::Inst& carried = f_.insts[f_.values[phis[i]].def];
      carried.operands.push_back(nexts[i]);
      carried.blocks.push_back(loop);
    }

    const std::vector<ir::InstId> tail = f_.blocks[rest].insts;
    f_.blocks[rest].insts.clear();
    ValueId result = phi(rest, Type::kI64, {small, is_rem ? next_remainder : next_quotient}, {narrow, loop});
    if (is_signed) result = wide(Op::kSub, wide(Op::kXor, result, sign), sign);
    f_.blocks[rest].insts.insert(f_.blocks[rest].insts.end(), b_.out.begin(), b_.out.end());
    b_.out.clear();
    f_.blocks[rest].insts.insert(f_.blocks[rest].insts.end(), tail.begin(), tail.end());
    replacement_.resize(f_.values.size(), ir::kNone);
    replacement_[inst.results[0]] = result;
  }

  ir::Function& f_;
  IrBuilder b_;
  std::vector<ValueId> replacement_;
};

}  // namespace

void expand_division_64(ir::Function& function) { DivisionExpander(function).run(); }

}  // namespace g80::codegen
