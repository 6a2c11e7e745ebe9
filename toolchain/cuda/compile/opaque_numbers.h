// SPDX-License-Identifier: Apache-2.0
// Keeps clang's optimiser from computing with the numbers of a program that this chip treats in a way of its own.
//
// A denormal float counts as zero here, and a NaN that goes into an operation comes out as one NaN, 0x7fffffff. LLVM
// computes with constants as IEEE 754 defines it: for it, 1e-40f is not zero, and the sum of a NaN and a number is that
// NaN. So such numbers are hidden from it, and what is done with them is left to our compiler and to the chip.
// Bits that `__int_as_float` gets may become such a number when functions are inlined: the conversion is hidden, too.
#pragma once
#include <string>
#include <string_view>

namespace g80::cuda {

/// LLVM's assembly language as clang's front end writes it, where such numbers come from functions that LLVM does not
/// know. Without `has_double`, doubles are floats.
std::string hide_numbers(std::string_view ir, bool has_double);

/// The same text after optimisation, with moves of PTX for these functions.
std::string show_numbers(std::string_view ir);

}  // namespace g80::cuda
