// SPDX-License-Identifier: Apache-2.0
// Hides operations from clang's optimiser if this chip performs them differently from C.
//
// What it knows it computes for constants and rewrites as C defines it, which is not what the instructions do: a number
// beyond an integer's range converts to anything (here to the nearest integer), the ceiling of a denormal float is 1
// (here 0, as it counts as zero), and the ceiling of a float made a double is the ceiling of the float (here that of
// the double, which is 1). What it does not know it leaves to the instruction, for constants too.
#pragma once
#include <string>
#include <string_view>

namespace g80::cuda {

/// LLVM's assembly language as clang's front end writes it, with the operations under names that LLVM does not know:
/// conversions and roundings, minima and maxima, special functions; with `has_double` also the widening of a float. So
/// are barriers and fences: LLVM believes that its own functions write no variable whose address is never taken.
std::string hide_operations(std::string_view ir, bool has_double);

/// The same text after optimisation, with LLVM's names.
std::string show_operations(std::string_view ir);

}  // namespace g80::cuda
