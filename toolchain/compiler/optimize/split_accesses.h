// SPDX-License-Identifier: Apache-2.0
// One access through an address that lies in one memory or another becomes an access of each: the chip has separate
// instructions for them. Compilers that know generic addresses merge `c ? shared[i] : global[j]` to one load.
//
// An access behind the join of its addresses, and a load that all ways from the join lead to, goes back to where the
// ways come from, one copy for each memory. Any other is put behind a branch on which memory it is: a predicate made of
// the conditions that choose the address.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "toolchain/compiler/optimize/origins.h"

namespace g80::ir {

class AccessSplitter {
 public:
  AccessSplitter(Function& function, Origins& origins) : f_(function), origins_(origins) {}

  /// Adds the accesses that are there instead to `made`, with their spaces. False: the way does not tell the memory, as
  /// the address comes from memory or from a caller; the function may then be half changed.
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
