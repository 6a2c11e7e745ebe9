// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/optimize/evaluate.h"

#include <algorithm>
#include <cmath>

#include "hw/isa/float_bits.h"

namespace g80::ir {
namespace {

std::int64_t as_signed(std::uint64_t v, Type type) {
  return type == Type::kI64 ? static_cast<std::int64_t>(v) : static_cast<std::int32_t>(static_cast<std::uint32_t>(v));
}

std::uint64_t fit(std::uint64_t v, Type type) {
  return type == Type::kI64 ? v : type == Type::kPred ? v & 1 : v & 0xffffffffu;
}

std::int64_t sext(std::uint64_t v, unsigned bits) { return static_cast<std::int64_t>(v << (64 - bits)) >> (64 - bits); }

std::uint64_t high_product(std::uint64_t a, std::uint64_t b, Type type, bool is_signed) {
  if (is_signed) {
    const __int128 p = static_cast<__int128>(as_signed(a, type)) * as_signed(b, type);
    return static_cast<std::uint64_t>(p >> (type == Type::kI64 ? 64 : 32));
  }
  const unsigned __int128 p = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(p >> (type == Type::kI64 ? 64 : 32));
}

std::uint64_t clamp_s32(std::int64_t v) {
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(v, INT32_MIN, INT32_MAX));
}

/// The number, if the chip computes with it as C does: not for a denormal, which may count as zero, and not for NaN.
std::optional<double> plain_number(std::uint64_t bits, Type type) {
  const double value = type == Type::kF64 ? isa::double_of(bits) : isa::float_of(static_cast<std::uint32_t>(bits));
  const bool is_zero = (bits & (type == Type::kF64 ? std::uint64_t{INT64_MAX} : 0x7fffffffu)) == 0;
  const double least = type == Type::kF64 ? 0x1p-1022 : 0x1p-126;
  return is_zero || std::abs(value) >= least ? std::optional(value) : std::nullopt;
}

double rounded(double value, Round round) {
  switch (round) {
    case Round::kRn: return std::nearbyint(value);
    case Round::kRm: return std::floor(value);
    case Round::kRp: return std::ceil(value);
    default: return std::trunc(value);
  }
}

bool evaluate_float_compare(Compare compare, double x, double y) {
  switch (compare) {
    case Compare::kEq:
    case Compare::kEqUn: return x == y;
    case Compare::kNe:
    case Compare::kNeUn: return x != y;
    case Compare::kLt:
    case Compare::kLtUn: return x < y;
    case Compare::kLe:
    case Compare::kLeUn: return x <= y;
    case Compare::kGt:
    case Compare::kGtUn: return x > y;
    case Compare::kGe:
    case Compare::kGeUn: return x >= y;
    default: return compare == Compare::kOrdered;
  }
}

/// The value of a floating-point operation on one or two constants, if it is known.
std::optional<std::uint64_t> evaluate_float(const Inst& inst, Type type, std::uint64_t a, std::uint64_t b) {
  const std::optional<double> x = plain_number(a, type), y = plain_number(b, type);
  if (!x || !y || inst.saturate) return std::nullopt;
  switch (inst.op) {
    case Op::kFset: return evaluate_float_compare(inst.compare, *x, *y);
    case Op::kFmin: return *x == *y ? std::nullopt : std::optional(*x < *y ? a : b);
    case Op::kFmax: return *x == *y ? std::nullopt : std::optional(*x > *y ? a : b);
    default: {
      const double result = rounded(*x, inst.round);
      return type == Type::kF64 ? isa::bits_of(result) : isa::bits_of(static_cast<float>(result));
    }
  }
}

std::uint64_t distance(std::int64_t a, std::int64_t b) { return static_cast<std::uint64_t>(a > b ? a - b : b - a); }

}  // namespace

bool evaluate_compare(Compare compare, Type type, std::uint64_t a, std::uint64_t b) {
  const std::int64_t x = as_signed(a, type), y = as_signed(b, type);
  switch (compare) {
    case Compare::kEq: return a == b;
    case Compare::kNe: return a != b;
    case Compare::kLt: return x < y;
    case Compare::kLe: return x <= y;
    case Compare::kGt: return x > y;
    case Compare::kGe: return x >= y;
    case Compare::kLtU: return a < b;
    case Compare::kLeU: return a <= b;
    case Compare::kGtU: return a > b;
    default: return a >= b;
  }
}

std::optional<std::uint64_t> evaluate(const Inst& inst, Type type, const std::array<std::uint64_t, 4>& v) {
  const std::uint64_t a = v[0], b = v[1], c = v[2], d = v[3];
  const std::int64_t x = as_signed(a, type), y = as_signed(b, type);
  const unsigned width = type == Type::kI64 ? 64 : 32;
  switch (inst.op) {
    case Op::kCopy: return a;
    case Op::kSelect: return a ? b : c;
    case Op::kAdd: return fit(a + b, type);
    case Op::kSub: return fit(a - b, type);
    case Op::kAddSat: return fit(clamp_s32(x + y), type);
    case Op::kSubSat: return fit(clamp_s32(x - y), type);
    case Op::kMul: return fit(a * b, type);
    case Op::kMulHiU: return fit(high_product(a, b, type, false), type);
    case Op::kMulHiS: return fit(high_product(a, b, type, true), type);
    case Op::kMulWideU: return a * b;
    case Op::kMulWideS: return static_cast<std::uint64_t>(x * y);
    case Op::kMul24U: return fit((a & 0xffffff) * (b & 0xffffff), type);
    case Op::kMul24S: return fit(static_cast<std::uint64_t>(sext(a, 24) * sext(b, 24)), type);
    case Op::kMul24HiU: return fit(((a & 0xffffff) * (b & 0xffffff)) >> 16, type);
    case Op::kMul24HiS: return fit(static_cast<std::uint64_t>((sext(a, 24) * sext(b, 24)) >> 16), type);
    case Op::kDivU: return b == 0 ? std::nullopt : std::optional(a / b);
    case Op::kRemU: return b == 0 ? std::nullopt : std::optional(a % b);
    case Op::kDivS:
      if (b == 0) return std::nullopt;
      return fit(y == -1 ? 0 - a : static_cast<std::uint64_t>(x / y), type);
    case Op::kRemS:
      if (b == 0) return std::nullopt;
      return fit(y == -1 ? 0 : static_cast<std::uint64_t>(x % y), type);
    case Op::kSadU: return fit((a > b ? a - b : b - a) + c, type);
    case Op::kSadS: return fit(distance(x, y) + c, type);
    case Op::kMinU: return std::min(a, b);
    case Op::kMaxU: return std::max(a, b);
    case Op::kMinS: return x < y ? a : b;
    case Op::kMaxS: return x > y ? a : b;
    case Op::kAbs: return x < 0 ? fit(0 - a, type) : a;
    case Op::kNeg: return fit(0 - a, type);
    case Op::kAnd: return a & b;
    case Op::kOr: return a | b;
    case Op::kXor: return a ^ b;
    case Op::kNot: return fit(~a, type);
    case Op::kShl: return b >= width ? 0 : fit(a << b, type);
    case Op::kShrU: return b >= width ? 0 : a >> b;
    case Op::kShrS: return fit(static_cast<std::uint64_t>(x >> std::min<std::uint64_t>(b, width - 1)), type);
    case Op::kSet: return evaluate_compare(inst.compare, type, a, b);
    case Op::kZext8: return a & 0xff;
    case Op::kSext8: return static_cast<std::uint32_t>(sext(a, 8));
    case Op::kZext16: return a & 0xffff;
    case Op::kSext16: return static_cast<std::uint32_t>(sext(a, 16));
    case Op::kZext32: return a;
    case Op::kSext32: return static_cast<std::uint64_t>(sext(a, 32));
    case Op::kTrunc: return a & 0xffffffffu;
    case Op::kHigh: return a >> 32;
    case Op::kPack: return a | b << 32;
    case Op::kAddHigh: return (a + b + ((c + d) >> 32)) & 0xffffffffu;
    case Op::kSubHigh: return (a - b - (c < d ? 1 : 0)) & 0xffffffffu;
    case Op::kF32ToBits:
    case Op::kBitsToF32:
    case Op::kF64ToBits:
    case Op::kBitsToF64: return a;
    case Op::kFneg: return a ^ (type == Type::kF64 ? std::uint64_t{1} << 63 : 0x80000000u);
    case Op::kFabs: return a & (type == Type::kF64 ? INT64_MAX : 0x7fffffffu);
    case Op::kFset:
    case Op::kFmin:
    case Op::kFmax: return evaluate_float(inst, type, a, b);
    case Op::kFround: return evaluate_float(inst, type, a, 0);
    default: return std::nullopt;
  }
}

}  // namespace g80::ir
