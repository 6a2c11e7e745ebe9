// SPDX-License-Identifier: Apache-2.0
// Constant expressions of PTX: integers of 64 bits with C's operators, and floating point literals.
#pragma once
#include <cstdint>

#include "toolchain/compiler/ptx/cursor.h"

namespace g80::ptx {

struct Constant {
  bool is_float = false;
  bool is_unsigned = false;
  std::uint64_t bits = 0;  // of an integer; of a float as f64
  bool has_f32 = false;    // written as 0f: `f32_bits` are exact, NaN payloads included
  std::uint32_t f32_bits = 0;
};

/// True if a constant expression can begin here.
bool begins_constant(const Cursor& cursor);
Constant parse_constant(Cursor& cursor);

/// The constant as an f32 or f64 bit pattern, rounded to nearest.
std::uint32_t constant_as_f32(const Constant& constant);
std::uint64_t constant_as_f64(const Constant& constant);

}  // namespace g80::ptx
