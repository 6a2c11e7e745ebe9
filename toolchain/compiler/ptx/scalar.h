// SPDX-License-Identifier: Apache-2.0
// The types of PTX registers, variables and instructions.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace g80::ptx {

enum class Scalar : std::uint8_t {
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kF32,
  kF64,
  kB8,
  kB16,
  kB32,
  kB64,
  kPred
};
enum class ScalarKind : std::uint8_t { kUnsigned, kSigned, kFloat, kBits, kPredicate };

std::string_view scalar_name(Scalar type);  // "u8" .. "b64", "pred"
std::optional<Scalar> parse_scalar(std::string_view name);
unsigned scalar_bits(Scalar type);  // a predicate has 1
ScalarKind scalar_kind(Scalar type);
inline unsigned scalar_bytes(Scalar type) { return (scalar_bits(type) + 7) / 8; }
inline bool is_float(Scalar type) { return scalar_kind(type) == ScalarKind::kFloat; }
inline bool is_signed(Scalar type) { return scalar_kind(type) == ScalarKind::kSigned; }
inline bool is_integer(Scalar type) {
  return scalar_kind(type) == ScalarKind::kUnsigned || scalar_kind(type) == ScalarKind::kSigned;
}
inline bool is_bits(Scalar type) { return scalar_kind(type) == ScalarKind::kBits; }

/// May a register of type `held` stand where an instruction works on `wanted`? Signed and unsigned mix, .b fits all.
bool same_class(Scalar held, Scalar wanted);

}  // namespace g80::ptx
