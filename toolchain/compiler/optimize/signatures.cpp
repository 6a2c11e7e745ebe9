// SPDX-License-Identifier: Apache-2.0
// Removes parameters that the function does not read (such as upper halves of pointers) or that are equal constants at
// all calls.
#include <algorithm>
#include <vector>

#include "toolchain/compiler/optimize/passes.h"

namespace g80::ir {
namespace {

template <typename T>
void keep(std::vector<T>& list, const std::vector<std::uint8_t>& kept) {
  std::size_t to = 0;
  for (std::size_t from = 0; from < list.size(); ++from) {
    if (kept[from]) list[to++] = list[from];
  }
  list.resize(to);
}

class Pruner {
 public:
  explicit Pruner(Function& kernel) : kernel_(kernel) {}

  bool run() {
    for (std::uint32_t k = 0; k < kernel_.functions.size(); ++k) prune_arguments(k);
    for (auto k = static_cast<std::uint32_t>(kernel_.functions.size()); k-- > 0;) prune_results(k);
    return changed_;
  }

 private:
  template <typename F>
  static void for_each_inst(Function& function, Op op, F&& f) {
    for (const Block& block : function.blocks) {
      for (const InstId id : block.insts) {
        if (function.insts[id].op == op) f(function.insts[id]);
      }
    }
  }
  template <typename F>
  void for_each_call(std::uint32_t callee, F&& f) {
    for_each_function(kernel_, [&](Function& caller) {
      for_each_inst(caller, Op::kCall, [&](Inst& call) {
        if (call.callee == callee) f(caller, call);
      });
    });
  }

  void prune_arguments(std::uint32_t callee) {
    Function& function = kernel_.functions[callee];
    substitute_constants(callee);
    remove_dead_code(function);
    std::vector<std::uint8_t> kept(function.arguments.size(), 0);
    for_each_inst(function, Op::kArgument, [&](const Inst& argument) { kept[argument.immediate] = 1; });
    if (std::find(kept.begin(), kept.end(), 0) == kept.end()) return;
    changed_ = true;
    std::vector<std::uint32_t> number(kept.size());
    for (std::size_t k = 1; k < kept.size(); ++k) number[k] = number[k - 1] + kept[k - 1];
    for_each_inst(function, Op::kArgument, [&](Inst& argument) { argument.immediate = number[argument.immediate]; });
    keep(function.arguments, kept);
    for_each_call(callee, [&](Function&, Inst& call) { keep(call.operands, kept); });
    for_each_function(kernel_, remove_dead_code);
  }

  void substitute_constants(std::uint32_t callee) {
    Function& function = kernel_.functions[callee];
    constexpr std::uint64_t kNoConstant = ~std::uint64_t{0};
    std::vector<std::uint64_t> bits(function.arguments.size(), kNoConstant);
    bool is_first = true;
    for_each_call(callee, [&](Function& caller, const Inst& call) {
      for (std::size_t k = 0; k < bits.size(); ++k) {
        const Value& value = caller.values[call.operands[k]];
        const std::uint64_t here = value.is_constant() ? value.bits : kNoConstant;
        bits[k] = is_first || bits[k] == here ? here : kNoConstant;
      }
      is_first = false;
    });
    std::vector<ValueId> replacement(function.values.size(), kNone);
    for_each_inst(function, Op::kArgument, [&](const Inst& argument) {
      if (bits[argument.immediate] == kNoConstant) return;
      const ValueId result = argument.results[0];
      replacement[result] = function.i32(static_cast<std::uint32_t>(bits[argument.immediate]));
    });
    function.replace_uses(std::move(replacement));
  }

  void prune_results(std::uint32_t callee) {
    Function& function = kernel_.functions[callee];
    std::vector<std::uint8_t> kept(function.results.size(), 0);
    for_each_function(kernel_, [&](Function& caller) {
      std::vector<std::uint8_t> is_read(caller.values.size(), 0);
      for (const Block& block : caller.blocks) {
        for (const InstId id : block.insts) {
          for (const ValueId operand : caller.insts[id].operands) is_read[operand] = 1;
        }
      }
      for_each_inst(caller, Op::kCall, [&](const Inst& call) {
        if (call.callee != callee) return;
        for (std::size_t k = 0; k < kept.size(); ++k) kept[k] |= is_read[call.results[k]];
      });
    });
    if (std::find(kept.begin(), kept.end(), 0) == kept.end()) return;
    changed_ = true;
    keep(function.results, kept);
    for_each_inst(function, Op::kReturn, [&](Inst& end) { keep(end.operands, kept); });
    for_each_call(callee, [&](Function&, Inst& call) { keep(call.results, kept); });
    remove_dead_code(function);
  }

  Function& kernel_;
  bool changed_ = false;
};

}  // namespace

bool prune_signatures(Function& kernel) { return Pruner(kernel).run(); }

}  // namespace g80::ir
