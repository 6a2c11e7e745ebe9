// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>
#include <vector>

#include "toolchain/compiler/optimize/passes.h"

namespace g80::ir {
namespace {

/// True if equal instructions may be merged. Loads may if the memory never changes.
bool is_numbered(const Inst& inst) {
  if (inst.op == Op::kPhi || inst.op == Op::kArgument || inst.results.empty()) return false;
  if (inst.op == Op::kLoad) return !inst.is_volatile && (inst.space == Space::kParam || inst.space == Space::kConst);
  if (inst.op == Op::kCopy && inst.immediate != 0) return false;
  return op_info(inst.op).is_pure();
}

struct Key {
  const Inst* inst;
  std::vector<ValueId> operands;
  std::vector<Type> types;
};

struct Hash {
  std::size_t operator()(const Key& key) const {
    std::size_t h = static_cast<std::size_t>(key.inst->op) * 0x9e3779b97f4a7c15u;
    const auto mix = [&](std::size_t v) { h = (h ^ v) * 0x100000001b3u + (h >> 29); };
    for (const ValueId v : key.operands) mix(v);
    mix(static_cast<std::size_t>(key.inst->compare));
    mix(static_cast<std::size_t>(key.inst->special));
    mix(key.inst->variable);
    mix(static_cast<std::uint32_t>(key.inst->offset));
    return h;
  }
};

struct Equal {
  bool operator()(const Key& x, const Key& y) const {
    const Inst &a = *x.inst, &b = *y.inst;
    return a.op == b.op && x.operands == y.operands && x.types == y.types && a.compare == b.compare &&
           a.round == b.round && a.accuracy == b.accuracy && a.saturate == b.saturate && a.contract == b.contract &&
           a.space == b.space && a.access == b.access && a.offset == b.offset && a.special == b.special &&
           a.variable == b.variable;
  }
};

}  // namespace

void number_values(Function& function) {
  const Dominators dominators = find_dominators(function);
  std::vector<std::vector<BlockId>> children(function.blocks.size());
  for (const BlockId block : dominators.order)
    if (dominators.idom[block] != kNone) children[dominators.idom[block]].push_back(block);

  std::vector<ValueId> replacement(function.values.size(), kNone);
  const auto final_value = [&](ValueId v) { return replacement[v] == kNone ? v : replacement[v]; };
  std::unordered_map<Key, InstId, Hash, Equal> table;
  // Depth first through the dominator tree. At the end of a subtree, its entries leave the table.
  struct Visit {
    BlockId block;
    std::size_t next_child;
    std::vector<Key> added;
  };
  std::vector<Visit> stack;
  const auto enter = [&](BlockId block) {
    Visit visit{block, 0, {}};
    std::vector<InstId> kept;
    for (const InstId id : function.blocks[block].insts) {
      const Inst& inst = function.insts[id];
      if (!is_numbered(inst)) {
        kept.push_back(id);
        continue;
      }
      Key key{&inst, {}, {}};
      for (const ValueId v : inst.operands) key.operands.push_back(final_value(v));
      if (is_commutative(inst.op) && key.operands[0] > key.operands[1]) std::swap(key.operands[0], key.operands[1]);
      for (const ValueId v : inst.results) key.types.push_back(function.type_of(v));
      const auto [found, is_new] = table.emplace(key, id);
      if (is_new) {
        kept.push_back(id);
        visit.added.push_back(std::move(key));
        continue;
      }
      for (std::size_t k = 0; k < inst.results.size(); ++k)
        replacement[inst.results[k]] = function.insts[found->second].results[k];
    }
    function.blocks[block].insts = std::move(kept);
    stack.push_back(std::move(visit));
  };
  enter(0);
  while (!stack.empty()) {
    Visit& top = stack.back();
    if (top.next_child < children[top.block].size()) {
      enter(children[top.block][top.next_child++]);
      continue;
    }
    for (const Key& key : top.added) table.erase(key);
    stack.pop_back();
  }
  function.replace_uses(std::move(replacement));
}

}  // namespace g80::ir
