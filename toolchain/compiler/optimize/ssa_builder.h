// SPDX-License-Identifier: Apache-2.0
// Turns variables into values: constructs SSA form while code is emitted (Braun et al., "Simple and Efficient
// Construction of Static Single Assignment Form", 2013). A block is sealed when all edges into it are known.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "toolchain/compiler/ir/ir.h"

namespace g80::ir {

using VariableId = std::uint32_t;

class SsaBuilder {
 public:
  /// For a function that is being made.
  explicit SsaBuilder(Function& function) : function_(function) {}
  /// For one whose blocks are there; read() then goes with a walk of the blocks in reverse postorder.
  SsaBuilder(Function& function, const std::vector<std::vector<BlockId>>& preds);

  /// `count` new variables of a type; returns the first.
  VariableId add_variables(Type type, std::uint32_t count = 1);
  BlockId add_block();
  void add_edge(BlockId from, BlockId to);
  void seal(BlockId block);

  void write(VariableId variable, BlockId block, ValueId value);
  ValueId read(VariableId variable, BlockId block);

  /// When all code is there: gives the phis their operands and puts them in front of their blocks, without those of
  /// one value. Then replaces uses, as Function::replace_uses.
  void finish(std::vector<ValueId> replacement = {});

 private:
  struct State {
    bool sealed = false;
    std::vector<BlockId> preds;
    std::vector<std::size_t> phis;  // indices
  };
  /// Most turn out to be of one value: they become instructions in the end.
  struct Phi {
    VariableId variable;
    BlockId block;
    ValueId value;
    std::size_t first_operand;  // one for each predecessor of the block
  };

  ValueId add_phi(VariableId variable, BlockId block);
  void replace_those_of_one_value(std::vector<ValueId>& replacement) const;
  InstId make_phi(const Phi& phi);
  static std::uint64_t key(VariableId variable, BlockId block) { return std::uint64_t{block} << 32 | variable; }

  Function& function_;
  std::vector<State> blocks_;
  std::vector<Type> types_;
  std::vector<Phi> phis_;
  std::vector<ValueId> operands_;   // of all phis
  InstId no_operands_yet_ = kNone;  // defines the values of phis until they become instructions
  std::unordered_map<std::uint64_t, ValueId> values_;
};

}  // namespace g80::ir
