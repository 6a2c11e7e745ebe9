// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/optimize/split_accesses.h"

#include <algorithm>
#include <utility>

namespace g80::ir {
namespace {

constexpr unsigned kMostJoins = 4;       // joins that an access may move over; each may double the copies
constexpr std::size_t kMostCopied = 12;  // instructions that move with it

bool is_single(Origin origin) { return (origin.spaces & (origin.spaces - 1)) == 0; }

}  // namespace

/// Predecessors of a block whose addresses lie in one memory, or a single predecessor whose address does not.
struct AccessSplitter::Ways {
  Origin origin;
  std::vector<BlockId> from;
};

bool AccessSplitter::split(InstId access, std::vector<InstId>& made) {
  std::vector<Move> todo{{access, 0}};
  while (!todo.empty()) {
    const Move move = todo.back();
    todo.pop_back();
    const Origin origin = origins_.of(f_.insts[move.access].operands[0]);
    find_blocks();
    if (is_single(origin)) {
      f_.insts[move.access].space = spaces_of(origin)[0];
      made.push_back(move.access);
    } else if ((move.joins >= kMostJoins || !move_back(move, todo)) && !branch(move.access, made)) {
      return false;
    }
  }
  return true;
}

void AccessSplitter::find_blocks() {
  block_of_.assign(f_.insts.size(), kNone);
  for (BlockId block = 0; block < f_.blocks.size(); ++block)
    for (const InstId id : f_.blocks[block].insts) block_of_[id] = block;
}

/// The first phi or select that the address is computed from.
const Inst* AccessSplitter::chooser(ValueId address) const {
  for (const Inst* inst = f_.def(address); inst != nullptr; inst = f_.def(address)) {
    if (inst->op == Op::kPhi || inst->op == Op::kSelect) return inst;
    const std::uint32_t pointer = origins_.pointer_operand(*inst);
    if (pointer == kNone) return nullptr;
    address = inst->operands[pointer];
  }
  return nullptr;
}

bool AccessSplitter::move_back(const Move& move, std::vector<Move>& copies) {
  const Inst* phi = chooser(f_.insts[move.access].operands[0]);
  if (phi == nullptr || phi->op != Op::kPhi) return false;
  const ValueId chosen = phi->results[0];
  const BlockId block = block_of_[f_.values[chosen].def];
  if (!may_move(move.access, block)) return false;
  const Dominators dominators = find_dominators(f_);
  const auto is_entered_from_behind = [&](BlockId from) { return dominators.dominates(block, from); };
  if (std::any_of(phi->blocks.begin(), phi->blocks.end(), is_entered_from_behind)) return false;
  std::vector<InstId> copied;
  if (!find_copied(move.access, block, dominators, 0, copied)) return false;
  const std::vector<Ways> all = ways_into(chosen);
  if (all.size() < 2) return false;

  std::vector<std::pair<BlockId, InstId>> accesses;
  for (const Ways& ways : all) {
    std::map<ValueId, ValueId> values;  // values of this block, as they are on these paths
    const BlockId end = end_of(ways, block, values);
    for (const InstId id : copied) {
      const InstId made = copy(id, values, end);
      for (std::size_t k = 0; k < f_.insts[id].results.size(); ++k) {
        values[f_.insts[id].results[k]] = f_.insts[made].results[k];
        origins_.set(f_.insts[made].results[k], origins_.computed(f_.insts[made]));
      }
    }
    accesses.emplace_back(end, copy(move.access, values, end));
    copies.push_back({accesses.back().second, move.joins + 1});
  }
  auto& insts = f_.blocks[block_of_[move.access]].insts;
  insts.erase(std::find(insts.begin(), insts.end(), move.access));
  join_results(move.access, block, accesses);
  return true;
}

/// True if the access may move to the beginning of `block`, over all code between: it is executed as often as before,
/// and reads the same data.
bool AccessSplitter::may_move(InstId access, BlockId block) const {
  const Inst& moved = f_.insts[access];
  const BlockId home = block_of_[access];
  const bool is_plain_load = moved.op == Op::kLoad && !moved.is_volatile;
  const auto may_pass = [&](BlockId passed) {
    for (const InstId id : f_.blocks[passed].insts) {
      if (id == access) return true;
      const OpInfo& info = op_info(f_.insts[id].op);
      if (info.is_terminator()) return true;
      if (info.has_effects()) return false;
      if (info.effects == "r" && (!is_plain_load || f_.insts[id].is_volatile)) return false;
    }
    return true;
  };
  if (home == block) return may_pass(block);
  if (!is_plain_load) return false;
  std::vector<std::uint8_t> seen(f_.blocks.size(), 0);
  std::vector<BlockId> todo{block};
  while (!todo.empty()) {
    const BlockId passed = todo.back();
    todo.pop_back();
    if (!may_pass(passed)) return false;
    if (passed == home) continue;
    if (f_.successors(passed).empty()) return false;  // a path ends before the access
    for (const BlockId next : f_.successors(passed)) {
      if (next == block) return false;  // an iteration returns to `block` without the access
      if (!std::exchange(seen[next], 1)) todo.push_back(next);
    }
  }
  return !is_in_loop_behind(home, block);
}

/// True if a path leads from `home` back to itself without passing `block`.
bool AccessSplitter::is_in_loop_behind(BlockId home, BlockId block) const {
  std::vector<std::uint8_t> seen(f_.blocks.size(), 0);
  seen[block] = 1;
  std::vector<BlockId> todo{home};
  while (!todo.empty()) {
    const BlockId from = todo.back();
    todo.pop_back();
    for (const BlockId next : f_.successors(from)) {
      if (next == home) return true;
      if (!std::exchange(seen[next], 1)) todo.push_back(next);
    }
  }
  return false;
}

/// Collects the instructions that must be copied with `inst`: those that define its operands and are not available at
/// the beginning of the block. Its phis are left out. Definitions come before uses.
bool AccessSplitter::find_copied(InstId inst, BlockId block, const Dominators& dominators, std::size_t depth,
                                 std::vector<InstId>& copied) const {
  if (depth > kMostCopied) return false;
  for (const ValueId operand : f_.insts[inst].operands) {
    const InstId def = f_.values[operand].def;
    if (def == kNone || !dominators.dominates(block, block_of_[def])) continue;
    const bool is_phi = f_.insts[def].op == Op::kPhi;
    if (is_phi && block_of_[def] == block) continue;
    if (std::find(copied.begin(), copied.end(), def) != copied.end()) continue;
    if (is_phi || !op_info(f_.insts[def].op).is_pure()) return false;
    if (!find_copied(def, block, dominators, depth + 1, copied) || copied.size() == kMostCopied) return false;
    copied.push_back(def);
  }
  return true;
}

/// Groups the predecessors by the origin of their address. Empty if an origin is unknown.
std::vector<AccessSplitter::Ways> AccessSplitter::ways_into(ValueId chosen) const {
  const Inst& phi = *f_.def(chosen);
  std::vector<Ways> all;
  std::vector<BlockId> anywhere;  // with a null pointer
  for (std::size_t k = 0; k < phi.blocks.size(); ++k) {
    const Origin origin = origins_.of(phi.operands[k]);
    if (origin.spaces == 0) {
      if (f_.def(phi.operands[k]) != nullptr) return {};
      anywhere.push_back(phi.blocks[k]);
      continue;
    }
    const auto same = [&](const Ways& ways) { return is_single(origin) && ways.origin.spaces == origin.spaces; };
    const auto found = std::find_if(all.begin(), all.end(), same);
    if (found == all.end()) {
      all.push_back({origin, {phi.blocks[k]}});
    } else {
      found->from.push_back(phi.blocks[k]);
    }
  }
  const auto known = std::find_if(all.begin(), all.end(), [](const Ways& ways) { return is_single(ways.origin); });
  if (known == all.end() && !anywhere.empty()) return {};
  if (!anywhere.empty()) known->from.insert(known->from.end(), anywhere.begin(), anywhere.end());
  return all;
}

/// The block whose end is executed on these paths only: the predecessor, or a new block that joins the predecessors.
BlockId AccessSplitter::end_of(const Ways& ways, BlockId block, std::map<ValueId, ValueId>& values) {
  const bool is_one = ways.from.size() == 1;
  const BlockId end = is_one && f_.terminator(ways.from[0]).op == Op::kBranch ? ways.from[0] : f_.add_block();
  std::vector<InstId> phis;
  for (const InstId id : f_.blocks[block].insts) {
    if (f_.insts[id].op != Op::kPhi) break;
    phis.push_back(id);
  }
  for (const InstId id : phis) {
    Inst joined;
    joined.op = Op::kPhi;
    joined.loc = f_.insts[id].loc;
    std::vector<std::pair<BlockId, ValueId>> others;
    for (std::size_t k = 0; k < f_.insts[id].blocks.size(); ++k) {
      const BlockId from = f_.insts[id].blocks[k];
      if (std::find(ways.from.begin(), ways.from.end(), from) == ways.from.end()) {
        others.emplace_back(from, f_.insts[id].operands[k]);
      } else {
        joined.blocks.push_back(from);
        joined.operands.push_back(f_.insts[id].operands[k]);
      }
    }
    const ValueId result = f_.insts[id].results[0];
    values[result] = joined.operands[0];
    if (!is_one) {
      values[result] = f_.append1(end, std::move(joined), f_.type_of(result));
      origins_.set(values[result], origins_.computed(*f_.def(values[result])));
    }
    others.emplace_back(end, values[result]);
    Inst& phi = f_.insts[id];
    phi.blocks.clear();
    phi.operands.clear();
    for (const auto& [from, value] : others) {
      phi.blocks.push_back(from);
      phi.operands.push_back(value);
    }
  }
  if (end == ways.from[0]) return end;
  for (const BlockId from : ways.from) {
    std::vector<BlockId>& targets = f_.insts[f_.blocks[from].insts.back()].blocks;
    std::replace(targets.begin(), targets.end(), block, end);
  }
  Inst jump;
  jump.op = Op::kBranch;
  jump.blocks = {block};
  jump.loc = f_.terminator(ways.from[0]).loc;
  f_.append(end, std::move(jump), {});
  return end;
}

/// Copies the instruction in front of the block's terminator.
InstId AccessSplitter::copy(InstId inst, const std::map<ValueId, ValueId>& values, BlockId block) {
  Inst made = f_.insts[inst];
  std::vector<Type> types;
  for (const ValueId result : made.results) types.push_back(f_.type_of(result));
  made.results.clear();
  for (ValueId& operand : made.operands) {
    const auto value = values.find(operand);
    if (value != values.end()) operand = value->second;
  }
  const InstId id = f_.add_inst(std::move(made), types);
  f_.blocks[block].insts.insert(f_.blocks[block].insts.end() - 1, id);
  return id;
}

/// Replaces the results of the access by phis of the results of its copies.
void AccessSplitter::join_results(InstId access, BlockId block, const std::vector<std::pair<BlockId, InstId>>& copies) {
  const std::vector<ValueId> results = f_.insts[access].results;
  for (std::size_t k = 0; k < results.size(); ++k) {
    Inst phi;
    phi.op = Op::kPhi;
    phi.loc = f_.insts[access].loc;
    for (const auto& [from, made] : copies) {
      phi.blocks.push_back(from);
      phi.operands.push_back(f_.insts[made].results[k]);
    }
    const InstId id = f_.add_inst(std::move(phi), {});
    f_.insts[id].results = {results[k]};
    f_.values[results[k]].def = id;
    f_.blocks[block].insts.insert(f_.blocks[block].insts.begin(), id);
  }
  f_.insts[access].results.clear();
}

/// Makes a block with an access for each memory, and a test for each except the last.
bool AccessSplitter::branch(InstId access, std::vector<InstId>& made) {
  const ValueId address = f_.insts[access].operands[0];
  const Location loc = f_.insts[access].loc;
  const std::vector<Space> spaces = spaces_of(origins_.of(address));
  std::vector<ValueId> conditions;
  for (std::size_t k = 0; k + 1 < spaces.size(); ++k) {
    conditions.push_back(points_to(address, spaces[k]));
    if (conditions.back() == kNone) return false;
  }
  BlockId block = block_of_[access];
  const BlockId join = f_.add_block();
  std::vector<BlockId> own;
  for (std::size_t k = 0; k < spaces.size(); ++k) own.push_back(f_.add_block());
  auto& insts = f_.blocks[block].insts;
  const auto at = std::find(insts.begin(), insts.end(), access);
  f_.blocks[join].insts.assign(at + 1, insts.end());
  insts.erase(at, insts.end());
  for (const BlockId next : f_.successors(join))
    for (const InstId id : f_.blocks[next].insts)
      if (f_.insts[id].op == Op::kPhi)
        std::replace(f_.insts[id].blocks.begin(), f_.insts[id].blocks.end(), block, join);

  const auto jump = [&](BlockId from, Op op, std::vector<ValueId> condition, std::vector<BlockId> targets) {
    Inst inst;
    inst.op = op;
    inst.operands = std::move(condition);
    inst.blocks = std::move(targets);
    inst.loc = loc;
    f_.append(from, std::move(inst), {});
  };
  std::vector<std::pair<BlockId, InstId>> accesses;
  for (std::size_t k = 0; k < spaces.size(); ++k) {
    jump(own[k], Op::kBranch, {}, {join});
    accesses.emplace_back(own[k], copy(access, {}, own[k]));
    f_.insts[accesses.back().second].space = spaces[k];
    made.push_back(accesses.back().second);
    if (k + 1 == spaces.size()) continue;
    const BlockId next = k + 2 == spaces.size() ? own[k + 1] : f_.add_block();
    jump(block, Op::kCondBranch, {conditions[k]}, {own[k], next});
    block = next;
  }
  join_results(access, join, accesses);
  return true;
}

/// A predicate that is true if the address lies in that memory; phis and selects choose it like the address. kNone if
/// the path does not determine it.
ValueId AccessSplitter::points_to(ValueId address, Space space) {
  std::vector<ValueId> todo;
  const ValueId result = predicate(address, space, todo);
  if (result == kNone) return kNone;
  while (!todo.empty()) {
    const ValueId chosen = todo.back();
    todo.pop_back();
    const Inst chooser = *f_.def(chosen);
    const InstId made = f_.values[predicates_.at({chosen, space})].def;
    for (std::size_t k = 0; k < chooser.operands.size(); ++k) {
      const bool is_condition = chooser.op == Op::kSelect && k == 0;
      const ValueId operand = is_condition ? chooser.operands[0] : predicate(chooser.operands[k], space, todo);
      if (operand == kNone) return kNone;
      f_.insts[made].operands.push_back(operand);
    }
    f_.insts[made].blocks = chooser.blocks;
    auto& insts = f_.blocks[block_of_[f_.values[chosen].def]].insts;
    insts.insert(std::find(insts.begin(), insts.end(), f_.values[chosen].def) + 1, made);
  }
  return result;
}

/// The same for one address. For a phi or select it makes one of predicates, without operands yet, and adds it to
/// `todo`.
ValueId AccessSplitter::predicate(ValueId address, Space space, std::vector<ValueId>& todo) {
  for (;;) {
    const Origin origin = origins_.of(address);
    const Inst* inst = f_.def(address);
    if (origin.spaces == 0 && inst != nullptr) return kNone;  // a null pointer is never used
    if (is_single(origin) || (origin.spaces & space_bit(space)) == 0)
      return f_.constant(Type::kPred, origin.spaces == space_bit(space) ? 1 : 0);
    if (inst == nullptr) return kNone;
    if (inst->op == Op::kPhi || inst->op == Op::kSelect) break;
    const std::uint32_t pointer = origins_.pointer_operand(*inst);
    if (pointer == kNone) return kNone;
    address = inst->operands[pointer];
  }
  const auto known = predicates_.find({address, space});
  if (known != predicates_.end()) return known->second;
  Inst made;
  made.op = f_.def(address)->op;
  made.loc = f_.def(address)->loc;
  const ValueId result = f_.insts[f_.add_inst(std::move(made), {Type::kPred})].results[0];
  predicates_[{address, space}] = result;
  todo.push_back(address);
  return result;
}

}  // namespace g80::ir
