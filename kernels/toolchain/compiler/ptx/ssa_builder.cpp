#include "kernels/toolchain/compiler/ptx/ssa_builder.h"

#include <algorithm>

namespace g80::ptx {

VariableId SsaBuilder::add_variables(ir::Type type, std::uint32_t count) {
  const auto first = static_cast<VariableId>(types_.size());
  types_.resize(types_.size() + count, type);
  return first;
}

ir::BlockId SsaBuilder::add_block() {
  const ir::BlockId block = function_.add_block();
  blocks_.resize(block + 1);
  return block;
}

void SsaBuilder::add_edge(ir::BlockId from, ir::BlockId to) {
  std::vector<ir::BlockId>& preds = blocks_[to].preds;
  if (std::find(preds.begin(), preds.end(), from) == preds.end()) preds.push_back(from);
}

void SsaBuilder::seal(ir::BlockId block) { blocks_[block].sealed = true; }

void SsaBuilder::write(VariableId variable, ir::BlockId block, ir::ValueId value) {
  values_[key(variable, block)] = value;
}

ir::ValueId SsaBuilder::read(VariableId variable, ir::BlockId block) {
  std::vector<ir::BlockId> path;
  ir::ValueId value = ir::kNone;
  for (ir::BlockId at = block; value == ir::kNone;) {
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
  for (const ir::BlockId passed : path) write(variable, passed, value);
  return value;
}

ir::ValueId SsaBuilder::add_phi(VariableId variable, ir::BlockId block) {
  ir::Inst phi;
  phi.op = ir::Op::kPhi;
  const ir::InstId id = function_.add_inst(std::move(phi), {types_[variable]});
  empty_phis_.emplace_back(block, blocks_[block].phis.size());
  blocks_[block].phis.emplace_back(variable, id);
  return function_.insts[id].results[0];
}

void SsaBuilder::finish() {
  for (std::size_t k = 0; k < empty_phis_.size(); ++k) {  // reading a predecessor may append more
    const auto [block, index] = empty_phis_[k];
    const auto [variable, phi] = blocks_[block].phis[index];
    for (const ir::BlockId pred : blocks_[block].preds) {
      const ir::ValueId value = read(variable, pred);
      function_.insts[phi].operands.push_back(value);
      function_.insts[phi].blocks.push_back(pred);
    }
  }
  for (ir::BlockId block = 0; block < blocks_.size(); ++block) {
    std::vector<ir::InstId>& insts = function_.blocks[block].insts;
    std::vector<ir::InstId> phis;
    for (const auto& [variable, phi] : blocks_[block].phis) phis.push_back(phi);
    if (!insts.empty()) insts.insert(insts.begin(), phis.begin(), phis.end());
  }
}

}  // namespace g80::ptx
