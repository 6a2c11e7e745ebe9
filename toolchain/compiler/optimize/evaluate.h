// SPDX-License-Identifier: Apache-2.0
// Evaluates the integer operations of the IR, for constant folding and the interpreter.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "toolchain/compiler/ir/ir.h"

namespace g80::ir {

/// The result of an operation on integers, predicates and bit patterns, or nothing: for floating point, memory, and
/// divisions by zero. `a`, `b`, `c`, `d` are bit patterns; an i32 is in bits 31:0 with zeros above. `operand_type` is
/// the type of the first operand that is not a predicate.
std::optional<std::uint64_t> evaluate(const Inst& inst, Type operand_type,
                                      const std::array<std::uint64_t, 4>& operands);

/// A comparison of integers.
bool evaluate_compare(Compare compare, Type type, std::uint64_t a, std::uint64_t b);

}  // namespace g80::ir
