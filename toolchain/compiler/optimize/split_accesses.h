// SPDX-License-Identifier: Apache-2.0
// Splits an access whose address may be in several memory spaces into one access for each, because the chip has
// separate instructions. Compilers with generic addresses merge `c ? shared[i] : global[j]` into one load.
//
// An access directly after the join of its addresses, or a load on all paths from the join, moves to the
// predecessors, one copy for each space. Any other access gets a branch on the space: a predicate built from
// the conditions that select the address.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "toolchain/compiler/optimize/origins.h"

namespace g80::ir {

class AccessSplitter {
 public:
  AccessSplitter(Function& function, Origins& origins) : f_(function), origins_(origins) {}

  /// Adds the accesses that are there instead to `made`, with their spaces. False: the path does not determine the
  /// space, because the address comes from memory or from a caller; the function may then be half changed.
  bool split(InstId access, std::vector<InstId>& made);

 private:
  struct Move {
    InstId access;
    unsigned joins;  // it went back over
  };
  struct Ways;

  void find_blocks();
  const Inst* chooser(ValueId address) const;

  bool move_back(const Move& move, std::vector<Move>& copies);
  bool may_move(InstId access, BlockId block) const;
  bool is_in_loop_behind(BlockId home, BlockId block) const;
  bool find_copied(InstId inst, BlockId block, const Dominators& dominators, std::size_t depth,
                   std::vector<InstId>& copied) const;
  std::vector<Ways> ways_into(ValueId chosen) const;
  BlockId end_of(const Ways& ways, BlockId block, std::map<ValueId, ValueId>& values);
  InstId copy(InstId inst, const std::map<ValueId, ValueId>& values, BlockId block);
  void join_results(InstId access, BlockId block, const std::vector<std::pair<BlockId, InstId>>& copies);

  bool branch(InstId access, std::vector<InstId>& made);
  ValueId points_to(ValueId address, Space space);
  ValueId predicate(ValueId address, Space space, std::vector<ValueId>& todo);

  Function& f_;
  Origins& origins_;
  std::vector<BlockId> block_of_;                            // of instructions
  std::map<std::pair<ValueId, Space>, ValueId> predicates_;  // by phi or select: it points to that memory
};

}  // namespace g80::ir
