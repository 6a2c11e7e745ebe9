// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/optimize/ssa_builder.h"

#include <algorithm>

namespace g80::ir {

SsaBuilder::SsaBuilder(Function& function, const std::vector<std::vector<BlockId>>& preds) : function_(function) {
  blocks_.resize(preds.size());
  for (std::size_t block = 0; block < preds.size(); ++block) {
    blocks_[block].sealed = true;
    blocks_[block].preds = preds[block];
  }
}

VariableId SsaBuilder::add_variables(Type type, std::uint32_t count) {
  const auto first = static_cast<VariableId>(types_.size());
  types_.resize(types_.size() + count, type);
  return first;
}

BlockId SsaBuilder::add_block() {
  const BlockId block = function_.add_block();
  blocks_.resize(block + 1);
  return block;
}

void SsaBuilder::add_edge(BlockId from, BlockId to) {
  std::vector<BlockId>& preds = blocks_[to].preds;
  if (std::find(preds.begin(), preds.end(), from) == preds.end()) preds.push_back(from);
}

void SsaBuilder::seal(BlockId block) { blocks_[block].sealed = true; }

void SsaBuilder::write(VariableId variable, BlockId block, ValueId value) { values_[key(variable, block)] = value; }

ValueId SsaBuilder::read(VariableId variable, BlockId block) {
  std::vector<BlockId> path;
  ValueId value = kNone;
  for (BlockId at = block; value == kNone;) {
    const auto found = values_.find(key(variable, at));
    if (found != values_.end()) {
      value = found->second;
      break;
    }
    path.push_back(at);
    const State& state = blocks_[at];
    if (state.sealed && state.preds.size() == 1) {
      at = state.preds[0];
    } else if (state.sealed && state.preds.empty()) {
      value = function_.undefined(types_[variable]);
    } else {
      value = add_phi(variable, at);
    }
  }
  for (const BlockId passed : path) write(variable, passed, value);
  return value;
}

ValueId SsaBuilder::add_phi(VariableId variable, BlockId block) {
  Inst phi;
  phi.op = Op::kPhi;
  const InstId id = function_.add_inst(std::move(phi), {types_[variable]});
  empty_phis_.emplace_back(block, blocks_[block].phis.size());
  blocks_[block].phis.emplace_back(variable, id);
  return function_.insts[id].results[0];
}

void SsaBuilder::finish() {
  for (std::size_t k = 0; k < empty_phis_.size(); ++k) {  // reading a predecessor may append more
    const auto [block, index] = empty_phis_[k];
    const auto [variable, phi] = blocks_[block].phis[index];
    for (const BlockId pred : blocks_[block].preds) {
      const ValueId value = read(variable, pred);
      function_.insts[phi].operands.push_back(value);
      function_.insts[phi].blocks.push_back(pred);
    }
  }
  for (BlockId block = 0; block < blocks_.size(); ++block) {
    std::vector<InstId>& insts = function_.blocks[block].insts;
    std::vector<InstId> phis;
    for (const auto& [variable, phi] : blocks_[block].phis) phis.push_back(phi);
    if (!insts.empty()) insts.insert(insts.begin(), phis.begin(), phis.end());
  }
}

}  // namespace g80::ir
