// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/ptx/call_plan.h"

#include <algorithm>

namespace g80::ptx {
namespace {

/// A function is large from this number of PTX instructions on, inlined functions included.
constexpr std::size_t kLarge = 40;
/// The largest number of words of parameters, and of results. More would fill the registers around the call.
constexpr std::size_t kMostWords = 16;
constexpr std::size_t kHuge = std::size_t{1} << 40;

class Planner {
 public:
  Planner(const Module& module, const std::set<std::uint32_t>& inlined)
      : module_(module), inlined_(inlined), state_(module.functions.size()) {}

  CallPlan run(const Function& entry) {
    CallPlan plan;
    if (!visit(entry, 0)) return plan;
    // callers first: their decisions determine how often a function would occur in the kernel
    count_calls(entry, 1);
    for (auto function = order_.rbegin(); function != order_.rend(); ++function) {
      State& state = state_[*function];
      const Function& f = module_.functions[*function];
      state.is_called = state.may_be_called && (f.is_noinline || (state.size >= kLarge && state.places >= 2));
      count_calls(f, state.is_called ? 1 : state.places);
    }
    for (const std::uint32_t function : order_) {
      if (state_[function].is_called) plan.functions.push_back(function);
    }
    return plan;
  }

 private:
  struct State {
    bool uses_module_registers = false;  // or a function in it does
    bool is_open = false, is_known = false, may_be_called = false, is_called = false;
    std::size_t size = 0;    // including the functions that are inlined into it
    std::size_t places = 0;  // how often it would occur in the kernel
  };
  static constexpr unsigned kMostDepth = 200;

  template <typename F>
  static void for_each_call(const Function& function, F&& f) {
    for (const Instruction& inst : function.body) {
      if (inst.op() == Opcode::kCall) f(inst.operands[1].id);
    }
  }

  /// Lists the functions with callees first. False if there is recursion or a missing function.
  bool visit(const Function& function, unsigned depth) {
    bool is_sound = depth < kMostDepth;
    for_each_call(function, [&](std::uint32_t id) {
      if (!is_sound) return;
      const Function& callee = module_.functions[id];
      is_sound = callee.is_defined && !callee.is_entry && !state_[id].is_open;
      if (!is_sound || state_[id].is_known) return;
      state_[id].is_open = true;
      is_sound = visit(callee, depth + 1);
      state_[id].is_open = false;
      state_[id].is_known = true;
      state_[id].uses_module_registers = callee.uses_module_registers;
      for_each_call(callee, [&](std::uint32_t inner) {
        state_[id].uses_module_registers |= state_[inner].uses_module_registers;
      });
      state_[id].may_be_called = inlined_.count(id) == 0 && !state_[id].uses_module_registers && may_be_called(callee);
      state_[id].size = size_of(callee);
      order_.push_back(id);
    });
    return is_sound;
  }

  std::size_t size_of(const Function& function) const {
    std::size_t size = function.body.size();
    for_each_call(function, [&](std::uint32_t id) {
      const State& callee = state_[id];
      const bool is_large = callee.may_be_called && (callee.size >= kLarge || module_.functions[id].is_noinline);
      size = std::min(kHuge, size + (is_large ? 0 : callee.size));
    });
    return size;
  }

  void count_calls(const Function& function, std::size_t times) {
    for_each_call(function, [&](std::uint32_t id) { state_[id].places = std::min(kHuge, state_[id].places + times); });
  }

  /// A function with `exit` is not called but inlined; this is rare.
  bool may_be_called(const Function& function) const {
    const auto ends = [](const Instruction& inst) { return inst.op() == Opcode::kExit; };
    return std::none_of(function.body.begin(), function.body.end(), ends) &&
           words(function, function.params) <= kMostWords && words(function, function.results) <= kMostWords;
  }

  std::size_t words(const Function& function, const std::vector<FunctionParameter>& list) const {
    std::size_t count = 0;
    for (const FunctionParameter& parameter : list) {
      if (!parameter.is_register) {
        const Variable& variable = function.variables[parameter.id];
        if (variable.bytes > 4 * kMostWords) return kMostWords + 1;
        count += parameter_pieces(variable, module_.address_bits).size();
      } else if (function.registers[parameter.id].type == Scalar::kPred) {
        return kMostWords + 1;
      } else {
        count += scalar_bits(function.registers[parameter.id].type) > 32 ? 2 : 1;
      }
    }
    return count;
  }

  const Module& module_;
  const std::set<std::uint32_t>& inlined_;
  std::vector<State> state_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

std::vector<ParameterPiece> parameter_pieces(const Variable& variable, unsigned address_bits) {
  std::vector<ParameterPiece> pieces;
  const auto bytes = static_cast<std::uint32_t>(variable.bytes);
  for (std::uint32_t at = 0; at < bytes;) {
    std::uint32_t size = 4;
    while (size > bytes - at || variable.align % size != 0) size /= 2;
    const bool may_point = address_bits == 32 ? size == 4 : at % 8 == 0 && bytes - at >= 8;
    pieces.push_back({at, size, may_point});
    at += size;
  }
  return pieces;
}

std::uint32_t CallPlan::index_of(std::uint32_t function) const {
  const auto found = std::find(functions.begin(), functions.end(), function);
  return found == functions.end() ? kNoId : static_cast<std::uint32_t>(found - functions.begin());
}

CallPlan plan_calls(const Module& module, const Function& entry, const std::set<std::uint32_t>& inlined) {
  return Planner(module, inlined).run(entry);
}

}  // namespace g80::ptx
