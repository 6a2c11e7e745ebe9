// SPDX-License-Identifier: Apache-2.0
// Replaces single instructions by simpler ones. The algebraic rules are in simplify_*.cpp.
#pragma once
#include <optional>
#include <unordered_map>
#include <vector>

#include "toolchain/compiler/ir/ir.h"
#include "toolchain/compiler/optimize/ranges.h"

namespace g80::ir {

class Simplifier {
 public:
  explicit Simplifier(Function& function) : f_(function), ranges_(function) {}

  /// True if something changed.
  bool run();

 private:
  /// Another value that the instruction's only result always equals, or kNone. May change the instruction in place
  /// (changed_) and put new instructions in front of it.
  ValueId rewrite(InstId id);
  ValueId fold_constants(const Inst& inst);
  ValueId rewrite_arithmetic(InstId id);  // simplify_arithmetic.cpp
  ValueId sum_of_multiples(InstId id);
  ValueId rewrite_shift(InstId id);
  ValueId rewrite_width(InstId id);   // simplify_width.cpp
  ValueId rewrite_choice(InstId id);  // simplify_choice.cpp
  void rewrite_branch(InstId id);
  void fold_address(InstId id);

  const Inst* def(ValueId v) const { return f_.def(v); }
  bool is_def(ValueId v, Op op) const { return def(v) != nullptr && def(v)->op == op; }
  std::optional<std::uint64_t> constant(ValueId v) const {
    return f_.is_constant(v) ? std::optional(f_.values[v].bits) : std::nullopt;
  }
  Type type_of(ValueId v) const { return f_.type_of(v); }
  ValueId number(Type type, std::uint64_t bits) { return f_.constant(type, bits); }
  /// A new instruction in front of the one being looked at.
  ValueId make(Op op, Type type, std::vector<ValueId> operands);
  /// The instruction being looked at becomes another operation on other operands.
  ValueId become(InstId id, Op op, std::vector<ValueId> operands);

  Function& f_;
  Ranges ranges_;               // stays true while instructions become simpler ones with the same results
  std::vector<InstId> before_;  // new instructions to be put in front
  std::unordered_map<ValueId, ValueId> low_words_;  // of 64-bit values, in this block so far
  Location loc_;
  bool changed_ = false;
};

}  // namespace g80::ir
