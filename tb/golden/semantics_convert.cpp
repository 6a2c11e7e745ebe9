// SPDX-License-Identifier: Apache-2.0
// Conversions: integer, f16, f32 and f64 in every direction. Order: read, abs, negate, convert and round, saturate.
#include "tb/golden/float_format.h"
#include "tb/golden/fp32_exact.h"
#include "tb/golden/semantics_parts.h"

namespace g80::golden::detail {

using namespace isa;
namespace {

using ieee::Class;
using ieee::Format;
using ieee::Unpacked;

unsigned type_bits(NumType type) {
  switch (type) {
    case NumType::kU8:
    case NumType::kS8: return 8;
    case NumType::kU16:
    case NumType::kS16:
    case NumType::kB16:
    case NumType::kF16: return 16;
    case NumType::kU64:
    case NumType::kS64:
    case NumType::kF64: return 64;
    default: return 32;
  }
}
const Format& format_of(NumType type) {
  return type == NumType::kF16 ? ieee::kF16 : type == NumType::kF64 ? ieee::kF64 : ieee::kF32;
}
/// Conversions from or to 64 bits follow the fp64 rules: denormals and NaN payloads are kept, O is set on overflow.
bool is_wide(const Instruction& insn) { return type_bits(insn.dst_type) == 64 || type_bits(insn.src_type) == 64; }

std::uint64_t source_bits(const Instruction& insn, const AluInput& in, unsigned l) {
  return type_bits(insn.src_type) == 64 ? lane64(in.s[0], in.hi[0], l) : in.s[0][l];
}

/// An integer source as sign and magnitude, abs and neg applied.
struct SignedMagnitude {
  bool negative;
  std::uint64_t magnitude;
};
SignedMagnitude integer_source(const Instruction& insn, std::uint64_t bits) {
  const unsigned width = type_bits(insn.src_type);
  std::uint64_t value = width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
  bool negative = is_signed(insn.src_type) && (value >> (width - 1) & 1u);
  if (negative) value = width == 64 ? 0 - value : (std::uint64_t{1} << width) - value;
  if (insn.src[0].abs) negative = false;
  if (insn.src[0].neg) negative = !negative;
  return {negative, value};
}

/// Clamps to the destination integer type; `clamped` tells if the value changed.
std::uint64_t clamp_to_integer(NumType type, SignedMagnitude v, bool huge, bool& clamped) {
  const unsigned width = type_bits(type);
  const std::uint64_t all = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  std::uint64_t limit;
  if (is_signed(type)) {
    limit = v.negative ? (all >> 1) + 1 : all >> 1;
  } else {
    limit = v.negative ? 0 : all;
  }
  clamped = huge || v.magnitude > limit;
  const std::uint64_t magnitude = clamped ? limit : v.magnitude;
  return v.negative ? 0 - magnitude : magnitude;
}

std::uint8_t integer_result_flags(std::uint64_t r, unsigned top) {
  return static_cast<std::uint8_t>((r == 0 ? kFlagZ : 0) | (r >> top & 1u) << 1);
}

/// Width of the written register. 8-bit results are extended to 32 bits.
unsigned register_bits(const Instruction& insn) {
  if (insn.dst.kind == OperandKind::kHalf) return 16;
  const unsigned bits = type_bits(insn.dst_type);
  return bits == 8 ? 32 : bits;
}
std::uint64_t truncate(std::uint64_t x, unsigned bits) { return bits == 64 ? x : x & ((std::uint64_t{1} << bits) - 1); }

void integer_to_integer(const Instruction& insn, const AluInput& in, AluOutput& out) {
  const unsigned width = register_bits(insn);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    bool clamped;
    const std::uint64_t r = truncate(
        clamp_to_integer(insn.dst_type, integer_source(insn, source_bits(insn, in, l)), false, clamped), width);
    out.lo[l] = static_cast<std::uint32_t>(r);
    out.flags[l] = integer_result_flags(r, width - 1);
  }
}

/// Fast path for conversions that cannot clamp and write no flags, such as `cvt u32 u16`, the common use.
bool widen(const Instruction& insn, const AluInput& in, AluOutput& out) {
  if (insn.src[0].abs || insn.src[0].neg || insn.writes_flags || type_bits(insn.dst_type) != 32) return false;
  const LaneWords& s = in.s[0];
  switch (insn.src_type) {
    case NumType::kU8:
      for (unsigned l = 0; l < kWarpSize; ++l) out.lo[l] = s[l] & 0xffu;
      return true;
    case NumType::kU16:
      for (unsigned l = 0; l < kWarpSize; ++l) out.lo[l] = s[l] & 0xffffu;
      return true;
    case NumType::kS8:
      if (!is_signed(insn.dst_type)) return false;
      for (unsigned l = 0; l < kWarpSize; ++l)
        out.lo[l] = static_cast<std::uint32_t>(std::int32_t{static_cast<std::int8_t>(s[l])});
      return true;
    case NumType::kS16:
      if (!is_signed(insn.dst_type)) return false;
      for (unsigned l = 0; l < kWarpSize; ++l) out.lo[l] = static_cast<std::uint32_t>(static_cast<std::int16_t>(s[l]));
      return true;
    default: return false;
  }
}

Unpacked normalised(SignedMagnitude v) {
  if (v.magnitude == 0) return {Class::kZero, v.negative, 0, 0};
  int exponent = 63;
  while (!(v.magnitude >> 63)) {
    v.magnitude <<= 1;
    --exponent;
  }
  return {Class::kFinite, v.negative, exponent, v.magnitude};
}

std::uint64_t saturate_float(NumType type, std::uint64_t bits) {
  const Format& f = format_of(type);
  const std::uint64_t magnitude = bits & ~f.sign_bit();
  const std::uint64_t one = static_cast<std::uint64_t>(f.bias()) << f.fraction_bits;
  if (magnitude > f.infinity()) return bits;
  if (bits & f.sign_bit()) return 0;
  return magnitude > one ? one : bits;
}

std::uint8_t float_result_flags(NumType type, std::uint64_t bits) {
  const Format& f = format_of(type);
  const std::uint64_t magnitude = bits & ~f.sign_bit();
  const bool nan = magnitude > f.infinity(), negative = (bits & f.sign_bit()) != 0 && magnitude != 0;
  return static_cast<std::uint8_t>((magnitude == 0 || nan ? kFlagZ : 0) | (negative || nan ? kFlagS : 0));
}

void put_float(const Instruction& insn, std::uint64_t bits, unsigned l, AluOutput& out) {
  if (insn.saturate && !is_wide(insn)) bits = saturate_float(insn.dst_type, bits);  // fp64 conversions ignore it
  set_lane64(out, l, bits);
  out.flags[l] = float_result_flags(insn.dst_type, bits);
}

/// The chip converts large integers to f16 incorrectly. If bits 29:5 are all ones and rounding can go up, the result is
/// zero. Otherwise it drops the top bits before conversion: two, and one more for each leading zero of the low half
/// word, up to seven. It counts these zeros in the complement of a negative source, before the 1 is added.
std::uint64_t with_half_defect(std::uint64_t magnitude, bool source_negative, bool rounds_up_possible) {
  constexpr std::uint64_t kRun = 0x3fffffe0;
  if (rounds_up_possible && (magnitude & kRun) == kRun) magnitude = 0;
  const auto low = static_cast<std::uint16_t>(magnitude - source_negative);
  unsigned dropped = 2;
  while (dropped < 7 && !(low << (dropped - 2) & 0x8000)) ++dropped;
  return magnitude & (0xffffffffu >> dropped);
}

void integer_to_float(const Instruction& insn, const AluInput& in, AluOutput& out) {
  const Format& f = format_of(insn.dst_type);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint64_t source = source_bits(insn, in, l);
    SignedMagnitude value = integer_source(insn, source);
    if (insn.dst_type == NumType::kF16) {
      const unsigned width = type_bits(insn.src_type);
      const bool source_negative = is_signed(insn.src_type) && (source >> (width - 1) & 1u);
      const Round away = value.negative ? Round::kRm : Round::kRp;
      value.magnitude =
          with_half_defect(value.magnitude, source_negative, insn.round == Round::kRn || insn.round == away);
    }
    const Unpacked u = normalised(value);
    std::uint64_t bits = u.negative ? f.sign_bit() : 0;
    if (u.kind == Class::kFinite) {
      // The fp64 conversions negate an unsigned source after rounding, so rm and rp see a positive value.
      const bool rounds_as_negative = u.negative && !(is_wide(insn) && !is_signed(insn.src_type));
      bits |= ieee::pack(f, rounds_as_negative, u.exponent, u.mantissa, false, insn.round);
    }
    put_float(insn, bits, l, out);
  }
}

/// Unpacks a float source and applies abs and neg (not to NaN). Flushes fp32 denormals, except in fp64 conversions.
Unpacked float_source(const Instruction& insn, std::uint64_t bits) {
  if (insn.src_type == NumType::kF32 && !is_wide(insn)) bits = fp32::flush(static_cast<std::uint32_t>(bits));
  Unpacked u = ieee::unpack(format_of(insn.src_type), bits);
  if (u.kind != Class::kNan) {
    if (insn.src[0].abs) u.negative = false;
    if (insn.src[0].neg) u.negative = !u.negative;
  }
  return u;
}

void float_to_integer(const Instruction& insn, const AluInput& in, AluOutput& out) {
  const bool wide = is_wide(insn);
  const unsigned width = type_bits(insn.dst_type);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const Unpacked u = float_source(insn, source_bits(insn, in, l));
    std::uint64_t r = 0;
    bool clamped = false;
    if (u.kind == Class::kNan) {
      r = wide ? std::uint64_t{1} << (width - 1) : 0;
      clamped = true;
    } else if (u.kind != Class::kZero) {
      const bool huge = u.kind == Class::kInfinite || u.exponent > 63;
      const std::uint64_t magnitude =
          huge ? 0 : ieee::round_shift(u.mantissa, 63 - u.exponent, false, insn.round, u.negative);
      r = truncate(clamp_to_integer(insn.dst_type, {u.negative, magnitude}, huge, clamped), width);
    }
    set_lane64(out, l, r);
    // A source too large for u64 is clamped without setting O, unlike all other clamps of the fp64 conversions.
    const bool flagged = wide && clamped && !(insn.dst_type == NumType::kU64 && r == ~std::uint64_t{0});
    out.flags[l] = static_cast<std::uint8_t>(integer_result_flags(r, width - 1) | (flagged ? kFlagO : 0));
  }
}

/// Rounds to an integral value, sign kept.
std::uint64_t round_integral(const Format& f, const Unpacked& u, Round round) {
  const std::uint64_t sign = u.negative ? f.sign_bit() : 0;
  if (u.exponent >= f.fraction_bits) return ieee::pack(f, u.negative, u.exponent, u.mantissa, false, Round::kRz);
  const Unpacked whole =
      normalised({u.negative, ieee::round_shift(u.mantissa, 63 - u.exponent, false, round, u.negative)});
  if (whole.kind == Class::kZero) return sign;
  return ieee::pack(f, u.negative, whole.exponent, whole.mantissa, false, Round::kRz);
}

std::uint64_t float_to_float_bits(const Instruction& insn, std::uint64_t source) {
  // f32 to f16: an exponent field up to 0x5d gives zero in every rounding mode.
  constexpr int kF16Vanishes = 0x5d - 127;
  const Format &from = format_of(insn.src_type), &to = format_of(insn.dst_type);
  const Unpacked u = float_source(insn, source);
  const std::uint64_t sign = u.negative ? to.sign_bit() : 0;
  switch (u.kind) {
    case Class::kZero: return sign;
    case Class::kInfinite: return sign | to.infinity();
    case Class::kNan: {
      if (!is_wide(insn)) return to.sign_bit() - 1;
      const int shift = to.fraction_bits - from.fraction_bits;
      return sign | to.infinity() | to.quiet_bit() | (shift >= 0 ? u.mantissa << shift : u.mantissa >> -shift);
    }
    case Class::kFinite: break;
  }
  if (insn.src_type == NumType::kF32 && insn.dst_type == NumType::kF16 && u.exponent <= kF16Vanishes) return sign;
  if (insn.integral) return round_integral(to, u, insn.round);
  return ieee::pack(to, u.negative, u.exponent, u.mantissa, false, insn.round);
}

void float_to_float(const Instruction& insn, const AluInput& in, AluOutput& out) {
  for (unsigned l = 0; l < kWarpSize; ++l) {
    std::uint64_t bits = source_bits(insn, in, l);
    bits = float_to_float_bits(insn, bits);
    put_float(insn, bits, l, out);
  }
}

}  // namespace

void execute_convert(const Instruction& insn, const AluInput& in, AluOutput& out) {
  switch (insn.op) {
    case Op::kCvtI2I:
      if (!widen(insn, in, out)) integer_to_integer(insn, in, out);
      return;
    case Op::kCvtI2F: return integer_to_float(insn, in, out);
    case Op::kCvtF2I: return float_to_integer(insn, in, out);
    default: return float_to_float(insn, in, out);
  }
}

}  // namespace g80::golden::detail
