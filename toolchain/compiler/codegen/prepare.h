// SPDX-License-Identifier: Apache-2.0
// Passes on the IR that leave only operations for which there are machine instructions.
//
// Run in the order of this file. None needs another pass to be correct; each leaves a function that verifies.
#pragma once
#include <string>

#include "toolchain/compiler/ir/compile_options.h"
#include "toolchain/compiler/ir/ir.h"

namespace g80::codegen {

/// Complains about an instruction: SourceError "file:line: message".
[[noreturn]] void refuse(const std::string& filename, const ir::Location& loc, const std::string& message);

/// fp32 division, square root and the like as SFU operations with corrections; fp64 ones as Newton iterations.
void expand_float(ir::Function& function, const CompileOptions& options, const std::string& filename);

/// 64-bit division and remainder: a loop of 64 subtractions. Adds blocks.
void expand_division_64(ir::Function& function);

/// Splits i64 operations into i32 ones. What remains of i64: kPack (kZext32 once simplified, where the high word is
/// zero) into, kTrunc and kHigh out of the 64-bit operands of kBitsToF64, kF64ToBits, 64-bit atomics and conversions.
void legalize_i64(ir::Function& function, const std::string& filename);

/// Divisions, remainders, high products and 32-bit products as sequences of 16-bit multiplications and SFU operations.
void expand_integer(ir::Function& function);

/// Tests of a loop variable become tests of its next value where that says the same: the old one ends earlier.
void test_updated_values(ir::Function& function);

/// Loop variables that only count, up to a number or a value, start lower and end at zero, where a test costs nothing.
void count_to_zero(ir::Function& function);

/// Moves what is only compared with zero to its comparison, which then costs nothing, where that keeps no value longer.
void sink_zero_tests(ir::Function& function);

/// Gives every edge from a block with two successors to one with two predecessors a block of its own; phis with one
/// predecessor become copies. After this the copies for phis have a place at the end of the predecessors.
void split_critical_edges(ir::Function& function);

}  // namespace g80::codegen
