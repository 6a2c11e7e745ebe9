// Variables to values: the construction of SSA form while code is emitted (Braun et al., "Simple and Efficient
// Construction of Static Single Assignment Form", 2013). A block is sealed when all edges into it are known.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "kernels/toolchain/compiler/ir.h"

namespace g80::ptx {

using VariableId = std::uint32_t;

class SsaBuilder {
 public:
  explicit SsaBuilder(ir::Function& function) : function_(function) {}

  /// `count` new variables of a type; returns the first.
  VariableId add_variables(ir::Type type, std::uint32_t count = 1);
  ir::BlockId add_block();
  void add_edge(ir::BlockId from, ir::BlockId to);
  void seal(ir::BlockId block);

  void write(VariableId variable, ir::BlockId block, ir::ValueId value);
  ir::ValueId read(VariableId variable, ir::BlockId block);

  /// When all code is there: gives the phis their operands and puts them in front of their blocks.
  void finish();

 private:
  struct State {
    bool sealed = false;
    std::vector<ir::BlockId> preds;
    std::vector<std::pair<VariableId, ir::InstId>> phis;
  };

  ir::ValueId add_phi(VariableId variable, ir::BlockId block);
  static std::uint64_t key(VariableId variable, ir::BlockId block) { return std::uint64_t{block} << 32 | variable; }

  ir::Function& function_;
  std::vector<State> blocks_;
  std::vector<ir::Type> types_;
  std::vector<std::pair<ir::BlockId, std::size_t>> empty_phis_;  // block and index into its phis
  std::unordered_map<std::uint64_t, ir::ValueId> values_;
};

}  // namespace g80::ptx
