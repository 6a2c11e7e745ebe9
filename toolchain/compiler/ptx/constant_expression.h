// SPDX-License-Identifier: Apache-2.0
// Constant expressions of PTX: integers of 64 bits with C's operators, and floating point literals.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "toolchain/compiler/ptx/cursor.h"
#include "toolchain/compiler/ptx/scalar.h"

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

/// Why an integer type cannot hold a constant, or nothing. A number may be given with or without its sign: -1 and 65535
/// are the same .u16. `text` is how it was written, if that is a single word.
std::string why_no_value(const Constant& constant, Scalar type, std::string_view text);

/// The constant as an f32 or f64 bit pattern, rounded to nearest.
std::uint32_t constant_as_f32(const Constant& constant);
std::uint64_t constant_as_f64(const Constant& constant);

}  // namespace g80::ptx
