// SPDX-License-Identifier: Apache-2.0
// Moves computations whose operands do not change inside a loop in front of the loop.
#include <algorithm>
#include <vector>

#include "toolchain/compiler/optimize/passes.h"

namespace g80::ir {
namespace {

/// Every hoisted value needs a register through the whole loop. More would cost resident blocks or spills.
constexpr std::size_t kMaxHoisted = 6;

bool is_worth_hoisting(const Inst& inst) {
  switch (inst.op) {
    case Op::kMul:
    case Op::kMulHiU:
    case Op::kMulHiS:
    case Op::kMulWideU:
    case Op::kMulWideS:
    case Op::kMul24U:
    case Op::kMul24S:
    case Op::kDivU:
    case Op::kDivS:
    case Op::kRemU:
    case Op::kRemS:
    case Op::kAdd:
    case Op::kSub:
    case Op::kShl:
    case Op::kFmul:
    case Op::kFdiv:
    case Op::kFrcp:
    case Op::kFsqrt:
    case Op::kFrsqrt:
    case Op::kFsin:
    case Op::kFcos:
    case Op::kFlg2:
    case Op::kFex2:
    case Op::kIntToFloatS:
    case Op::kIntToFloatU: return true;
    default: return false;
  }
}

class Hoister {
 public:
  explicit Hoister(Function& function) : f_(function) {}

  void run() {
    const Dominators dominators = find_dominators(f_);
    const std::vector<std::vector<BlockId>> preds = f_.predecessors();
    block_of_.assign(f_.insts.size(), kNone);
    for (BlockId block = 0; block < f_.blocks.size(); ++block)
      for (const InstId id : f_.blocks[block].insts) block_of_[id] = block;
    // Inner loops come first, because their headers come later: a value that left one may then leave the outer loop.
    for (auto header = dominators.order.rbegin(); header != dominators.order.rend(); ++header) {
      std::vector<BlockId> latches, entries;
      for (const BlockId pred : preds[*header])
        (dominators.dominates(*header, pred) ? latches : entries).push_back(pred);
      if (latches.empty() || entries.size() != 1) continue;
      if (f_.terminator(entries[0]).op != Op::kBranch) continue;
      hoist(*header, entries[0], latches, preds, dominators);
    }
  }

 private:
  void hoist(BlockId header, BlockId entry, const std::vector<BlockId>& latches,
             const std::vector<std::vector<BlockId>>& preds, const Dominators& dominators) {
    std::vector<std::uint8_t>& inside = inside_;
    inside.resize(f_.blocks.size(), 0);
    std::vector<BlockId> marked{header};
    inside[header] = 1;
    std::vector<BlockId> todo = latches;
    while (!todo.empty()) {
      const BlockId block = todo.back();
      todo.pop_back();
      if (inside[block]) continue;
      inside[block] = 1;
      marked.push_back(block);
      for (const BlockId pred : preds[block]) todo.push_back(pred);
    }
    std::vector<BlockId> body;  // what is reachable of it, in dominance order
    for (const BlockId block : marked) {
      if (dominators.position[block] != kNone) body.push_back(block);
    }
    std::sort(body.begin(), body.end(),
              [&](BlockId a, BlockId b) { return dominators.position[a] < dominators.position[b]; });
    const auto is_outside = [&](ValueId v) {
      const InstId def = f_.values[v].def;
      return def == kNone || block_of_[def] == kNone || !inside[block_of_[def]];
    };
    std::size_t hoisted = 0;
    for (const BlockId block : body) {
      std::vector<InstId> kept;
      for (const InstId id : f_.blocks[block].insts) {
        const Inst& inst = f_.insts[id];
        const bool moves = hoisted < kMaxHoisted && is_worth_hoisting(inst) &&
                           std::all_of(inst.operands.begin(), inst.operands.end(), is_outside);
        if (!moves) {
          kept.push_back(id);
          continue;
        }
        std::vector<InstId>& target = f_.blocks[entry].insts;
        target.insert(target.end() - 1, id);
        block_of_[id] = entry;
        ++hoisted;
      }
      f_.blocks[block].insts = std::move(kept);
    }
    for (const BlockId block : marked) inside[block] = 0;
  }

  Function& f_;
  std::vector<BlockId> block_of_;
  std::vector<std::uint8_t> inside_;  // blocks of the loop at hand
};

}  // namespace

void hoist_invariants(Function& function) { Hoister(function).run(); }

}  // namespace g80::ir
