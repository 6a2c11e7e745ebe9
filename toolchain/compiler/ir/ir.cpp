// SPDX-License-Identifier: Apache-2.0
// Building and querying the intermediate representation.
#include "toolchain/compiler/ir/ir.h"

#include <algorithm>

namespace g80::ir {
namespace {

constexpr OpInfo kOps[] = {
#define G80_IR_OP(name, text, types, signature, effects) {text, types, signature, effects},
#include "toolchain/compiler/ir/ir_ops.def"
};

}  // namespace

const OpInfo& op_info(Op op) { return kOps[static_cast<unsigned>(op)]; }

std::string_view type_name(Type type) {
  constexpr std::string_view kNames[] = {"pred", "i32", "i64", "f32", "f64"};
  return kNames[static_cast<unsigned>(type)];
}

bool is_commutative(Op op) {
  switch (op) {
    case Op::kAdd:
    case Op::kMul:
    case Op::kMulHiU:
    case Op::kMulHiS:
    case Op::kMulWideU:
    case Op::kMulWideS:
    case Op::kMul24U:
    case Op::kMul24S:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kMinU:
    case Op::kMinS:
    case Op::kMaxU:
    case Op::kMaxS: return true;
    default: return false;
  }
}

std::string_view space_name(Space space) {
  constexpr std::string_view kNames[] = {"global", "shared", "local", "const", "param", "generic"};
  return kNames[static_cast<unsigned>(space)];
}

unsigned access_bytes(Access access) {
  constexpr unsigned kBytes[] = {1, 1, 2, 2, 4, 8};
  return kBytes[static_cast<unsigned>(access)];
}

std::string_view compare_name(Compare compare) {
  constexpr std::string_view kNames[] = {"eq",   "ne",  "lt",  "le",  "gt",  "ge",  "lt.u", "le.u",    "gt.u",
                                         "ge.u", "equ", "neu", "ltu", "leu", "gtu", "geu",  "ordered", "unordered"};
  return kNames[static_cast<unsigned>(compare)];
}

std::string_view special_name(Special special) {
  constexpr std::string_view kNames[] = {"tid.x",   "tid.y",   "tid.z",    "ntid.x",   "ntid.y",   "ntid.z", "ctaid.x",
                                         "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z", "gridid", "laneid",
                                         "warpid",  "smid",    "physid",   "pm0",      "pm1",      "pm2",    "pm3"};
  return kNames[static_cast<unsigned>(special)];
}

BlockId Function::add_block() {
  blocks.emplace_back();
  return static_cast<BlockId>(blocks.size() - 1);
}

InstId Function::add_inst(Inst inst, const std::vector<Type>& result_types) {
  const InstId id = static_cast<InstId>(insts.size());
  inst.results.clear();
  for (const Type type : result_types) {
    inst.results.push_back(static_cast<ValueId>(values.size()));
    values.push_back({type, id, false, 0});
  }
  insts.push_back(std::move(inst));
  return id;
}

InstId Function::append(BlockId block, Inst inst, const std::vector<Type>& result_types) {
  const InstId id = add_inst(std::move(inst), result_types);
  blocks[block].insts.push_back(id);
  return id;
}

ValueId Function::append1(BlockId block, Inst inst, Type result_type) {
  return insts[append(block, std::move(inst), {result_type})].results[0];
}

ValueId Function::constant(Type type, std::uint64_t bits) {
  if (type == Type::kPred) bits &= 1;
  if (type == Type::kI32 || type == Type::kF32) bits &= 0xffffffffu;
  const auto [place, is_new] =
      constants_[static_cast<unsigned>(type)].emplace(bits, static_cast<ValueId>(values.size()));
  if (is_new) values.push_back({type, kNone, false, bits});
  return place->second;
}

ValueId Function::undefined(Type type) {
  values.push_back({type, kNone, true, 0});
  return static_cast<ValueId>(values.size() - 1);
}

std::vector<std::vector<BlockId>> Function::predecessors() const {
  std::vector<std::vector<BlockId>> result(blocks.size());
  for (BlockId block = 0; block < blocks.size(); ++block) {
    if (blocks[block].insts.empty()) continue;
    const std::vector<BlockId>& targets = successors(block);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (i == 1 && targets[1] == targets[0]) continue;  // both targets are the same block: one edge
      result[targets[i]].push_back(block);
    }
  }
  return result;
}

void Function::replace_uses(std::vector<ValueId> replacement) {
  const auto is_replaced = [&](ValueId value) {
    return value < replacement.size() && replacement[value] != kNone && replacement[value] != value;
  };
  const auto final_value = [&](ValueId value) {
    ValueId last = value;
    while (is_replaced(last)) last = replacement[last];
    while (is_replaced(value)) {  // shortens the chain, so that it is walked once
      const ValueId next = replacement[value];
      replacement[value] = last;
      value = next;
    }
    return last;
  };
  for (const Block& block : blocks) {
    for (const InstId id : block.insts) {
      for (ValueId& operand : insts[id].operands) operand = final_value(operand);
    }
  }
}

bool is_removable(const Inst& inst) {
  const OpInfo& info = op_info(inst.op);
  if (info.effects == "r") return !inst.is_volatile;
  return !info.has_effects();
}

bool Dominators::dominates(BlockId a, BlockId b) const {
  if (position[a] == kNone || position[b] == kNone) return false;
  while (position[b] > position[a]) b = idom[b];
  return a == b;
}

Dominators find_dominators(const Function& function) {
  Dominators result;
  const std::size_t count = function.blocks.size();
  result.idom.assign(count, kNone);
  result.position.assign(count, kNone);
  // reverse postorder, without recursion
  std::vector<std::uint8_t> seen(count, 0);
  std::vector<std::pair<BlockId, std::size_t>> stack{{0, 0}};
  seen[0] = 1;
  while (!stack.empty()) {
    const BlockId block = stack.back().first;
    const std::vector<BlockId>& targets = function.successors(block);
    if (stack.back().second < targets.size()) {
      const BlockId next = targets[stack.back().second++];
      if (!seen[next]) {
        seen[next] = 1;
        stack.push_back({next, 0});
      }
    } else {
      result.order.push_back(block);
      stack.pop_back();
    }
  }
  std::reverse(result.order.begin(), result.order.end());
  for (std::size_t i = 0; i < result.order.size(); ++i)
    result.position[result.order[i]] = static_cast<std::uint32_t>(i);

  const auto preds = function.predecessors();
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockId block : result.order) {
      if (block == 0) continue;
      BlockId common = kNone;
      for (BlockId pred : preds[block]) {
        if (result.position[pred] == kNone || (pred != 0 && result.idom[pred] == kNone)) continue;
        if (common == kNone) {
          common = pred;
          continue;
        }
        BlockId other = pred;
        while (common != other) {
          while (result.position[common] > result.position[other]) common = result.idom[common];
          while (result.position[other] > result.position[common]) other = result.idom[other];
        }
      }
      if (common != result.idom[block]) {
        result.idom[block] = common;
        changed = true;
      }
    }
  }
  return result;
}

}  // namespace g80::ir
