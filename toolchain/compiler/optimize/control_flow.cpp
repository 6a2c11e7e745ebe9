// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include "toolchain/compiler/optimize/passes.h"

namespace g80::ir {
namespace {

class Cleaner {
 public:
  explicit Cleaner(Function& function) : f_(function) {}

  bool run() {
    bool any = false;
    for (bool again = true; again;) {
      again = fold_branches();
      again |= remove_unreachable();
      again |= remove_trivial_phis();
      again |= skip_empty_blocks();
      again |= merge_chains();
      any |= again;
    }
    return any;
  }

 private:
  Inst& terminator(BlockId block) { return f_.insts[f_.blocks[block].insts.back()]; }
  bool exists(BlockId block) const { return !f_.blocks[block].insts.empty(); }

  template <class F>
  void for_phis(BlockId block, F&& apply) {
    for (const InstId id : f_.blocks[block].insts) {
      if (f_.insts[id].op != Op::kPhi) return;
      apply(f_.insts[id]);
    }
  }

  void remove_edge(BlockId from, BlockId to) {
    for_phis(to, [&](Inst& phi) {
      for (std::size_t k = 0; k < phi.blocks.size(); ++k) {
        if (phi.blocks[k] != from) continue;
        phi.blocks.erase(phi.blocks.begin() + static_cast<std::ptrdiff_t>(k));
        phi.operands.erase(phi.operands.begin() + static_cast<std::ptrdiff_t>(k));
        return;
      }
    });
  }

  bool fold_branches() {
    bool changed = false;
    for (BlockId block = 0; block < f_.blocks.size(); ++block) {
      if (!exists(block) || terminator(block).op != Op::kCondBranch) continue;
      Inst& branch = terminator(block);
      const Value& condition = f_.values[branch.operands[0]];
      const bool same = branch.blocks[0] == branch.blocks[1];
      if (!same && condition.def != kNone) continue;
      const bool taken = condition.def == kNone && condition.bits != 0;
      const BlockId kept = same || taken ? branch.blocks[0] : branch.blocks[1];
      if (!same) remove_edge(block, taken ? branch.blocks[1] : branch.blocks[0]);
      branch.op = Op::kBranch;
      branch.operands.clear();
      branch.blocks = {kept};
      changed = true;
    }
    return changed;
  }

  bool remove_unreachable() {
    std::vector<std::uint8_t> reached(f_.blocks.size(), 0);
    std::vector<BlockId> todo{0};
    reached[0] = 1;
    while (!todo.empty()) {
      const BlockId block = todo.back();
      todo.pop_back();
      for (const BlockId next : f_.successors(block))
        if (!std::exchange(reached[next], 1)) todo.push_back(next);
    }
    bool changed = false;
    for (BlockId block = 0; block < f_.blocks.size(); ++block) {
      if (!exists(block) || reached[block]) continue;
      std::vector<BlockId> targets = f_.successors(block);
      if (targets.size() == 2 && targets[0] == targets[1]) targets.pop_back();
      for (const BlockId next : targets) remove_edge(block, next);
      changed = true;
    }
    for (BlockId block = 0; block < f_.blocks.size(); ++block)
      if (exists(block) && !reached[block]) f_.blocks[block].insts.clear();
    return changed;
  }

  /// Replaces a phi by its only operand other than itself. Undefined operands are ignored if that operand is a
  /// constant: another value may not be defined on all paths to the phi.
  bool remove_trivial_phis() {
    std::vector<ValueId> replacement(f_.values.size(), kNone);
    const auto final_value = [&](ValueId v) {
      while (v < replacement.size() && replacement[v] != kNone) v = replacement[v];
      return v;
    };
    bool changed = false;
    for (bool again = true; again;) {
      again = false;
      for (Block& block : f_.blocks) {
        for (const InstId id : block.insts) {
          const Inst& phi = f_.insts[id];
          if (phi.op != Op::kPhi) break;
          if (replacement[phi.results[0]] != kNone) continue;
          ValueId only = kNone, undefined = kNone;
          bool several = false;
          for (const ValueId operand : phi.operands) {
            const ValueId v = final_value(operand);
            if (v == phi.results[0] || v == only) continue;
            if (f_.values[v].undefined) {
              undefined = v;
              continue;
            }
            several |= only != kNone;
            only = v;
          }
          if (several || (only != kNone && undefined != kNone && f_.values[only].def != kNone)) continue;
          if (only == kNone) only = undefined != kNone ? undefined : f_.undefined(f_.type_of(phi.results[0]));
          if (replacement.size() < f_.values.size()) replacement.resize(f_.values.size(), kNone);
          replacement[phi.results[0]] = only;
          again = changed = true;
        }
      }
    }
    if (!changed) return false;
    for (Block& block : f_.blocks) {
      auto& insts = block.insts;
      insts.erase(std::remove_if(insts.begin(), insts.end(),
                                 [&](InstId id) {
                                   return f_.insts[id].op == Op::kPhi && replacement[f_.insts[id].results[0]] != kNone;
                                 }),
                  insts.end());
    }
    f_.replace_uses(std::move(replacement));
    return true;
  }

  /// Removes blocks that only branch to another block, unless a phi of the target would get two operands for one
  /// predecessor.
  bool skip_empty_blocks() {
    bool changed = false;
    std::vector<std::vector<BlockId>> preds = f_.predecessors();
    for (BlockId block = 1; block < f_.blocks.size(); ++block) {
      if (f_.blocks[block].insts.size() != 1 || terminator(block).op != Op::kBranch) continue;
      const BlockId target = terminator(block).blocks[0];
      if (target == block) continue;
      bool shared = false;
      for (const BlockId pred : preds[block])
        shared |= std::binary_search(preds[target].begin(), preds[target].end(), pred);
      const bool has_phis = f_.insts[f_.blocks[target].insts[0]].op == Op::kPhi;
      if (has_phis && (shared || preds[block].empty())) continue;
      for (const BlockId pred : preds[block])
        for (BlockId& next : terminator(pred).blocks)
          if (next == block) next = target;
      for_phis(target, [&](Inst& phi) {
        const auto at = std::find(phi.blocks.begin(), phi.blocks.end(), block);
        const ValueId value = phi.operands[static_cast<std::size_t>(at - phi.blocks.begin())];
        *at = preds[block][0];
        for (std::size_t k = 1; k < preds[block].size(); ++k) {
          phi.blocks.push_back(preds[block][k]);
          phi.operands.push_back(value);
        }
      });
      f_.blocks[block].insts.clear();
      take_over(preds, block, target);
      changed = true;
    }
    return changed;
  }

  /// Makes the predecessors of the removed `block` predecessors of `target`. Lists stay in ascending order.
  static void take_over(std::vector<std::vector<BlockId>>& preds, BlockId block, BlockId target) {
    std::vector<BlockId>& into = preds[target];
    into.erase(std::lower_bound(into.begin(), into.end(), block));
    for (const BlockId pred : preds[block]) {
      const auto place = std::lower_bound(into.begin(), into.end(), pred);
      if (place == into.end() || *place != pred) into.insert(place, pred);
    }
    preds[block].clear();
  }

  /// Merges a block with its only successor if that has no other predecessor.
  bool merge_chains() {
    bool changed = false;
    const std::vector<std::vector<BlockId>> preds = f_.predecessors();
    for (BlockId block = 0; block < f_.blocks.size(); ++block) {
      while (exists(block) && terminator(block).op == Op::kBranch) {
        const BlockId next = terminator(block).blocks[0];
        if (next == block || next == 0 || preds[next].size() != 1) break;
        if (f_.insts[f_.blocks[next].insts[0]].op == Op::kPhi) break;
        std::vector<InstId>& insts = f_.blocks[block].insts;
        insts.pop_back();
        insts.insert(insts.end(), f_.blocks[next].insts.begin(), f_.blocks[next].insts.end());
        f_.blocks[next].insts.clear();
        for (const BlockId after : f_.successors(block))
          for_phis(after, [&](Inst& phi) { std::replace(phi.blocks.begin(), phi.blocks.end(), next, block); });
        changed = true;
      }
    }
    return changed;
  }

  Function& f_;
};

}  // namespace

bool clean_control_flow(Function& function) { return Cleaner(function).run(); }

}  // namespace g80::ir
