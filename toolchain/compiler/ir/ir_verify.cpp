// SPDX-License-Identifier: Apache-2.0
// Checks that a function is well formed. A violation is a bug of the previous pass.
#include <algorithm>
#include <stdexcept>

#include "toolchain/compiler/ir/ir.h"

namespace g80::ir {
namespace {

char letter(Type type) { return "pwlfd"[static_cast<unsigned>(type)]; }

class Verifier {
 public:
  /// `index`: position of the function in its kernel's list of functions; kNone for the kernel itself.
  Verifier(const Function& function, const Function& kernel, std::size_t index)
      : f_(function), kernel_(kernel), index_(index) {}

  void run() {
    if (f_.blocks.empty() || f_.blocks[0].insts.empty()) fail("no entry block");
    find_places();
    preds_ = f_.predecessors();
    if (!preds_[0].empty()) fail("the entry block has a predecessor");
    dominators_ = find_dominators(f_);
    for (BlockId block = 0; block < f_.blocks.size(); ++block) {
      for (std::size_t i = 0; i < f_.blocks[block].insts.size(); ++i) check(block, i);
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::logic_error("IR of " + f_.name + ": " + what + (at_ == kNone ? "" : " in: " + print_inst(f_, at_)));
  }
  void require(bool condition, const char* what) const {
    if (!condition) fail(what);
  }

  void find_places() {
    place_.assign(f_.insts.size(), {kNone, 0});
    for (BlockId block = 0; block < f_.blocks.size(); ++block) {
      const auto& insts = f_.blocks[block].insts;
      for (std::uint32_t i = 0; i < insts.size(); ++i) {
        require(insts[i] < f_.insts.size(), "instruction number out of range");
        at_ = insts[i];
        require(place_[insts[i]].first == kNone, "instruction placed twice");
        place_[insts[i]] = {block, i};
        const bool last = i + 1 == insts.size();
        require(op_info(f_.insts[insts[i]].op).is_terminator() == last,
                "terminators end blocks, and nothing else does");
        for (const BlockId target : f_.insts[insts[i]].blocks) {
          require(target < f_.blocks.size() && !f_.blocks[target].insts.empty(), "names a block that does not exist");
        }
      }
    }
    at_ = kNone;
  }

  void check(BlockId block, std::size_t index) {
    at_ = f_.blocks[block].insts[index];
    const Inst& inst = f_.insts[at_];
    check_types(inst);
    check_members(inst);
    for (const ValueId result : inst.results) {
      require(result < f_.values.size() && f_.values[result].def == at_, "result whose definition is elsewhere");
    }
    if (inst.op == Op::kPhi) {
      require(index == 0 || f_.insts[f_.blocks[block].insts[index - 1]].op == Op::kPhi, "phi after other instructions");
      check_phi(block, inst);
    } else {
      for (const ValueId operand : inst.operands) check_use(operand, block, index);
    }
    at_ = kNone;
  }

  void check_phi(BlockId block, const Inst& inst) {
    require(inst.operands.size() == inst.blocks.size(), "phi with unequal numbers of values and predecessors");
    std::vector<BlockId> named = inst.blocks, actual = preds_[block];
    std::sort(named.begin(), named.end());
    std::sort(actual.begin(), actual.end());
    require(named == actual, "phi does not name the predecessors of its block");
    for (std::size_t i = 0; i < inst.operands.size(); ++i) {
      check_use(inst.operands[i], inst.blocks[i], f_.blocks[inst.blocks[i]].insts.size());
    }
  }

  void check_use(ValueId value, BlockId block, std::size_t index) {
    require(value < f_.values.size(), "operand number out of range");
    if (f_.values[value].def == kNone || dominators_.position[block] == kNone) return;
    const auto [def_block, def_index] = place_[f_.values[value].def];
    require(def_block != kNone, "operand whose definition is in no block");
    require(def_block == block ? def_index < index : dominators_.dominates(def_block, block),
            "use that its definition does not dominate");
  }

  void check_types(const Inst& inst) const {
    const OpInfo& info = op_info(inst.op);
    const std::size_t colon = info.signature.find(':');
    char t = 0;
    const auto match = [&](std::string_view pattern, const std::vector<ValueId>& values) {
      if (pattern == "*") {
        return;
      }
      const bool any_number = pattern == "T*";
      require(any_number || pattern.size() == values.size(), "wrong number of operands or results");
      for (std::size_t i = 0; i < values.size(); ++i) {
        const char actual = letter(f_.type_of(values[i]));
        if (pattern[i] == 'T') {
          if (t == 0) {
            t = actual;
            require(info.types.find(t) != std::string_view::npos, "type not allowed for this operation");
          }
          require(actual == t, "operands of different types");
        } else {
          require(actual == pattern[i], "operand of the wrong type");
        }
      }
    };
    match(info.signature.substr(0, colon), inst.results);
    match(info.signature.substr(colon + 1), inst.operands);
    if (inst.op == Op::kPhi) {
      for (const ValueId operand : inst.operands) require(letter(f_.type_of(operand)) == t, "phi of different types");
    }
  }

  bool is(ValueId value, std::string_view letters) const {
    return letters.find(letter(f_.type_of(value))) != std::string_view::npos;
  }

  void check_members(const Inst& inst) const {
    const std::size_t operands = inst.operands.size(), results = inst.results.size();
    switch (inst.op) {
      case Op::kIntToFloatS:
      case Op::kIntToFloatU:
        require(operands == 1 && results == 1 && is(inst.operands[0], "wl") && is(inst.results[0], "fd"), "types");
        break;
      case Op::kFloatToIntS:
      case Op::kFloatToIntU:
        require(operands == 1 && results == 1 && is(inst.operands[0], "fd") && is(inst.results[0], "wl"), "types");
        break;
      case Op::kLoad:
        require(operands == 1 && (results == 1 || results == 2 || results == 4), "load of 1, 2 or 4 values");
        check_address(inst);
        for (const ValueId value : inst.results) check_element(inst, value);
        break;
      case Op::kStore:
        require(operands == 2 || operands == 3 || operands == 5, "store of 1, 2 or 4 values");
        require(results == 0 && inst.space != Space::kConst, "store to constants, or with a result");
        check_address(inst);
        for (std::size_t i = 1; i < operands; ++i) check_element(inst, inst.operands[i]);
        break;
      case Op::kAtomic:
        require(operands == (inst.atom_op == AtomOp::kCas ? 3u : 2u) && results <= 1, "operands of an atomic");
        require(inst.space == Space::kGlobal || inst.space == Space::kShared, "space of an atomic");
        require(inst.access == Access::kB32 || inst.access == Access::kB64, "size of an atomic");
        check_address(inst);
        for (std::size_t i = 1; i < operands; ++i) check_element(inst, inst.operands[i]);
        break;
      case Op::kTexture:
        require(operands == static_cast<std::size_t>(inst.shape) + 1 && results == 4, "coordinates of a texture");
        for (const ValueId value : inst.operands) require(is(value, "wf"), "coordinates of a texture");
        for (const ValueId value : inst.results) require(is(value, "wf"), "results of a texture");
        break;
      case Op::kBranch: require(inst.blocks.size() == 1, "targets of a branch"); break;
      case Op::kCondBranch: require(inst.blocks.size() == 2, "targets of a branch"); break;
      case Op::kExit: require(is_kernel(), "exit in a function"); break;
      case Op::kReturn:
        require(!is_kernel() && results == 0 && operands == f_.results.size(),
                "return of other words than the function's");
        for (const ValueId value : inst.operands) require(is(value, "w"), "return of another type");
        break;
      case Op::kArgument:
        require(!is_kernel() && inst.immediate < f_.arguments.size(), "argument that does not exist");
        break;
      case Op::kCall:
        require(inst.callee < (is_kernel() ? kernel_.functions.size() : index_),
                "call of a function that does not come before");
        require(operands == kernel_.functions[inst.callee].arguments.size(), "arguments of a call");
        require(results == kernel_.functions[inst.callee].results.size(), "results of a call");
        for (const ValueId value : inst.operands) require(is(value, "w"), "argument of another type");
        for (const ValueId value : inst.results) require(is(value, "w"), "result of another type");
        break;
      case Op::kSet: require(inst.compare <= Compare::kGeU, "comparison of integers"); break;
      case Op::kFset:
        require(inst.compare <= Compare::kGe || inst.compare >= Compare::kEqUn, "comparison of floats");
        break;
      default: break;
    }
  }

  bool is_kernel() const { return &f_ == &kernel_; }

  void check_address(const Inst& inst) const { require(is(inst.operands[0], "w"), "address that is not an i32"); }
  void check_element(const Inst& inst, ValueId value) const {
    if (inst.access == Access::kB64) {
      require(is(value, "ld"), "64-bit access of another type");
    } else {
      require(is(value, inst.access == Access::kB32 ? "wf" : "w"), "access of another type");
    }
  }

  const Function& f_;
  const Function& kernel_;
  std::size_t index_;
  Dominators dominators_;
  std::vector<std::vector<BlockId>> preds_;
  std::vector<std::pair<BlockId, std::uint32_t>> place_;
  InstId at_ = kNone;
};

}  // namespace

void verify(const Function& kernel) {
  for (std::size_t k = 0; k < kernel.functions.size(); ++k) Verifier(kernel.functions[k], kernel, k).run();
  Verifier(kernel, kernel, kernel.functions.size()).run();
}

void verify(const Module& module) {
  for (const Function& kernel : module.kernels) {
    verify(kernel);
    for_each_function(kernel, [&](const Function& function) {
      for (const Block& block : function.blocks) {
        for (const InstId id : block.insts) {
          const Inst& inst = function.insts[id];
          if (inst.op == Op::kVarAddr && inst.variable >= module.variables.size()) {
            throw std::logic_error("IR of " + function.name +
                                   ": variable that does not exist in: " + print_inst(function, id));
          }
          if (inst.op == Op::kTexture && inst.texture >= module.textures.size()) {
            throw std::logic_error("IR of " + function.name +
                                   ": texture that does not exist in: " + print_inst(function, id));
          }
        }
      }
    });
  }
}

}  // namespace g80::ir
