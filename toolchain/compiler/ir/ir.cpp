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

std::vector<BlockId> reverse_postorder(BlockId root, const std::vector<std::vector<BlockId>>& next) {
  std::vector<BlockId> order;
  std::vector<std::uint8_t> seen(next.size(), 0);
  std::vector<std::pair<BlockId, std::size_t>> stack{{root, 0}};  // instead of recursion
  seen[root] = 1;
  while (!stack.empty()) {
    const BlockId block = stack.back().first;
    if (stack.back().second < next[block].size()) {
      const BlockId target = next[block][stack.back().second++];
      if (!seen[target]) {
        seen[target] = 1;
        stack.push_back({target, 0});
      }
    } else {
      order.push_back(block);
      stack.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

namespace {

/// The nearest dominator that some blocks have in common, by their positions. The last one goes up first, so that ways
/// that have met are gone once.
std::uint32_t common_dominator(std::vector<std::uint32_t>& heap, const Dominators& dominators) {
  std::make_heap(heap.begin(), heap.end());
  while (true) {
    const std::uint32_t last = heap.front();
    while (!heap.empty() && heap.front() == last) {
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
    if (heap.empty()) return last;
    heap.push_back(dominators.position[dominators.idom[dominators.order[last]]]);
    std::push_heap(heap.begin(), heap.end());
  }
}

/// Numbers of the tree: the blocks below one follow it, in reverse postorder.
void number_tree(Dominators& result) {
  std::vector<std::uint32_t> size(result.position.size(), 1);
  for (auto block = result.order.rbegin(); block != result.order.rend(); ++block) {
    if (result.idom[*block] != kNone) size[result.idom[*block]] += size[*block];
  }
  result.number.assign(size.size(), kNone);
  result.end.assign(size.size(), 0);
  std::vector<std::uint32_t> next(size.size(), 0);
  for (const BlockId block : result.order) {
    const BlockId above = result.idom[block];
    result.number[block] = above == kNone ? 0 : next[above];
    result.end[block] = result.number[block] + size[block];
    next[block] = result.number[block] + 1;
    if (above != kNone) next[above] += size[block];
  }
}

}  // namespace

Dominators find_dominators(std::vector<BlockId> order, const std::vector<std::vector<BlockId>>& prev) {
  Dominators result;
  result.idom.assign(prev.size(), kNone);
  result.position.assign(prev.size(), kNone);
  result.order = std::move(order);
  for (std::size_t i = 0; i < result.order.size(); ++i)
    result.position[result.order[i]] = static_cast<std::uint32_t>(i);
  std::vector<std::uint32_t> known;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 1; i < result.order.size(); ++i) {
      const BlockId block = result.order[i];
      known.clear();
      for (const BlockId pred : prev[block]) {
        const std::uint32_t position = result.position[pred];
        if (position == 0 || (position != kNone && result.idom[pred] != kNone)) known.push_back(position);
      }
      const BlockId common = result.order[common_dominator(known, result)];
      changed |= common != result.idom[block];
      result.idom[block] = common;
    }
  }
  number_tree(result);
  return result;
}

Dominators find_dominators(const Function& function) {
  std::vector<std::vector<BlockId>> next(function.blocks.size());
  for (BlockId block = 0; block < next.size(); ++block) {
    if (!function.blocks[block].insts.empty()) next[block] = function.successors(block);
  }
  return find_dominators(reverse_postorder(0, next), function.predecessors());
}

}  // namespace g80::ir
