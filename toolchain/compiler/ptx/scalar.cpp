// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/ptx/scalar.h"

#include <array>

namespace g80::ptx {
namespace {

struct Row {
  Scalar type;
  std::string_view name;
  unsigned bits;
  ScalarKind kind;
};

constexpr std::array<Row, 16> kRows{{
    {Scalar::kU8, "u8", 8, ScalarKind::kUnsigned},
    {Scalar::kU16, "u16", 16, ScalarKind::kUnsigned},
    {Scalar::kU32, "u32", 32, ScalarKind::kUnsigned},
    {Scalar::kU64, "u64", 64, ScalarKind::kUnsigned},
    {Scalar::kS8, "s8", 8, ScalarKind::kSigned},
    {Scalar::kS16, "s16", 16, ScalarKind::kSigned},
    {Scalar::kS32, "s32", 32, ScalarKind::kSigned},
    {Scalar::kS64, "s64", 64, ScalarKind::kSigned},
    {Scalar::kF16, "f16", 16, ScalarKind::kFloat},
    {Scalar::kF32, "f32", 32, ScalarKind::kFloat},
    {Scalar::kF64, "f64", 64, ScalarKind::kFloat},
    {Scalar::kB8, "b8", 8, ScalarKind::kBits},
    {Scalar::kB16, "b16", 16, ScalarKind::kBits},
    {Scalar::kB32, "b32", 32, ScalarKind::kBits},
    {Scalar::kB64, "b64", 64, ScalarKind::kBits},
    {Scalar::kPred, "pred", 1, ScalarKind::kPredicate},
}};

const Row& row(Scalar type) { return kRows[static_cast<std::size_t>(type)]; }

}  // namespace

std::string_view scalar_name(Scalar type) { return row(type).name; }

std::optional<Scalar> parse_scalar(std::string_view name) {
  for (const Row& r : kRows)
    if (r.name == name) return r.type;
  return std::nullopt;
}

unsigned scalar_bits(Scalar type) { return row(type).bits; }
ScalarKind scalar_kind(Scalar type) { return row(type).kind; }

bool same_class(Scalar held, Scalar wanted) {
  if (held == Scalar::kPred || wanted == Scalar::kPred) return held == wanted;
  if (is_bits(held) || is_bits(wanted)) return true;
  return is_float(held) == is_float(wanted);
}

}  // namespace g80::ptx
