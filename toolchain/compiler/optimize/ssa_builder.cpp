// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/optimize/ssa_builder.h"

#include <algorithm>
#include <utility>

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
  if (no_operands_yet_ == kNone) {
    Inst phi;
    phi.op = Op::kPhi;
    no_operands_yet_ = function_.add_inst(std::move(phi), {});
  }
  const auto value = static_cast<ValueId>(function_.values.size());
  function_.values.push_back({types_[variable], no_operands_yet_, false, 0});
  blocks_[block].phis.push_back(phis_.size());
  phis_.push_back({variable, block, value, 0});
  return value;
}

void SsaBuilder::finish(std::vector<ValueId> replacement) {
  for (std::size_t k = 0; k < phis_.size(); ++k) {  // reading a predecessor may append more
    phis_[k].first_operand = operands_.size();
    for (const BlockId pred : blocks_[phis_[k].block].preds) operands_.push_back(read(phis_[k].variable, pred));
  }
  replacement.resize(function_.values.size(), kNone);
  replace_those_of_one_value(replacement);
  for (BlockId block = 0; block < blocks_.size(); ++block) {
    std::vector<InstId>& insts = function_.blocks[block].insts;
    if (insts.empty()) continue;
    std::vector<InstId> phis;
    for (const std::size_t k : blocks_[block].phis) {
      if (replacement[phis_[k].value] == kNone) phis.push_back(make_phi(phis_[k]));
    }
    insts.insert(insts.begin(), phis.begin(), phis.end());
  }
  function_.replace_uses(std::move(replacement));
}

/// A phi of itself and one value is that value.
void SsaBuilder::replace_those_of_one_value(std::vector<ValueId>& replacement) const {
  std::vector<std::uint8_t> is_phi(function_.values.size(), 0);
  for (const Phi& phi : phis_) is_phi[phi.value] = 1;
  const auto final_value = [&](ValueId value) {
    ValueId last = value;
    while (is_phi[last] && replacement[last] != kNone) last = replacement[last];
    while (value != last) value = std::exchange(replacement[value], last);  // so that the chain is walked once
    return last;
  };
  for (bool again = true; again;) {
    again = false;
    for (auto phi = phis_.rbegin(); phi != phis_.rend(); ++phi) {  // operands were made after those that need them
      if (replacement[phi->value] != kNone) continue;
      ValueId only = kNone;
      bool several = false;
      for (std::size_t k = 0; k < blocks_[phi->block].preds.size() && !several; ++k) {
        const ValueId value = final_value(operands_[phi->first_operand + k]);
        if (value == phi->value || value == only) continue;
        several = only != kNone;
        only = value;
      }
      if (several || only == kNone) continue;
      replacement[phi->value] = only;
      again = true;
    }
  }
}

InstId SsaBuilder::make_phi(const Phi& phi) {
  const std::vector<BlockId>& preds = blocks_[phi.block].preds;
  Inst inst;
  inst.op = Op::kPhi;
  inst.results = {phi.value};
  const auto first = operands_.begin() + static_cast<std::ptrdiff_t>(phi.first_operand);
  inst.operands.assign(first, first + static_cast<std::ptrdiff_t>(preds.size()));
  inst.blocks = preds;
  const auto id = static_cast<InstId>(function_.insts.size());
  function_.values[phi.value].def = id;
  function_.insts.push_back(std::move(inst));
  return id;
}

}  // namespace g80::ir
