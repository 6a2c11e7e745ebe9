// SPDX-License-Identifier: Apache-2.0
// The language of events: conditions on the signals of a machine, by the names that waves show.
//
//     sm0.pick.stall == BARRIER && .warp == 3          a condition; .warp is a field of the struct named before
//     sm*.issue.valid && sm*.issue.insn.pc == 0x40     for any SM; the same one in all names with the same beginning
//     rises(sm0.barrier_opened) || changes(dram.refreshes)
//
// Operators and numbers are those of scenario files. A name is a full one or the end of one; values of an enumeration
// may be written by name. compile() looks names up once; an instance is the condition for one machine part that `*`
// stands for.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tb/check/field_names.h"
#include "tb/scenario/expression.h"

namespace g80 {

/// How a signal's value enters the condition.
enum class SignalUse : std::uint8_t { kValue, kRises, kFalls, kChanges };

struct EventExpression {
  /// A slot of the expression: which signal feeds it in each instance.
  struct Slot {
    SignalUse use = SignalUse::kValue;
    std::vector<std::uint32_t> signal;  // by instance: number in `signals`
  };

  std::string text;
  Expression expression;
  std::vector<Field> signals;  // each named signal once; several leaves: of a struct or array, for changes() only
  std::vector<Slot> slots;
  std::vector<std::string> instances;  // what `*` stands for: "gpu.tpc0.sm1"; one empty name without globs
};

/// Throws InputError with the error in the text, or similar names.
EventExpression compile_event_expression(const std::string& text, const std::vector<Field>& fields);

}  // namespace g80
