// SPDX-License-Identifier: Apache-2.0
#include "hw/exec/multiplier_datapath.h"

#include "hw/common/check.h"

namespace g80::multiplier {
namespace {

constexpr std::uint32_t kSignBit = 0x80000000u, kFraction = 0x007fffffu, kHiddenBit = 0x00800000u;
constexpr std::uint32_t kInfinityBits = 0x7f800000u, kNanBits = 0x7fffffffu, kOneBits = 0x3f800000u;
constexpr std::uint32_t kLargestBits = 0x7f7fffffu;
constexpr int kExponentBias = 127;
constexpr unsigned kHalf = 12;  // bits of half a multiplier

}  // namespace

Control control_of(const isa::Instruction& insn) {
  CHECK(insn.op == isa::Op::kFmul, "operation {} is no fp32 multiply", static_cast<unsigned>(insn.op));
  return {insn.src[0].neg != insn.src[1].neg, insn.round == isa::Round::kRz, insn.saturate};
}

void unpack(const Operands& in, Unpacked& out, unsigned lanes) {
  Header& header = out.header;
  header.control = in.control;
  for (unsigned l = 0; l < lanes; ++l) {
    const std::uint32_t a = in.a[l], b = in.b[l];
    const std::uint32_t exponent_a = a >> 23 & 0xffu, exponent_b = b >> 23 & 0xffu;
    const bool zero = exponent_a == 0 || exponent_b == 0;  // denormals are zeros
    const bool top_a = exponent_a == 255, top_b = exponent_b == 255;
    const bool nan = (top_a && (a & kFraction) != 0) || (top_b && (b & kFraction) != 0);
    const bool infinite = top_a || top_b;
    const bool sign = ((a ^ b) & kSignBit) != (in.control.negate ? kSignBit : 0);
    header.sign[l] = sign;
    header.special[l] = zero || infinite;
    header.special_value[l] =
        nan || (infinite && zero) ? kNanBits : (sign ? kSignBit : 0) | (infinite ? kInfinityBits : 0);
    header.exponent[l] = static_cast<std::int16_t>(static_cast<int>(exponent_a + exponent_b) - kExponentBias);
    out.a[l] = (a & kFraction) | kHiddenBit;
    out.b[l] = (b & kFraction) | kHiddenBit;
  }
}

void low_half(const Unpacked& in, HalfProduct& out, unsigned lanes) {
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    out.a[l] = in.a[l];
    out.b[l] = in.b[l] >> kHalf;
    out.low[l] = std::uint64_t{in.a[l]} * (in.b[l] & ((1u << kHalf) - 1));
  }
}

void high_half(const HalfProduct& in, Product& out, unsigned lanes) {
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    out.low[l] = in.low[l];
    out.high[l] = std::uint64_t{in.a[l]} * in.b[l];
  }
}

void add(const Product& in, Sum& out, unsigned lanes) {
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) out.product[l] = in.low[l] + (in.high[l] << kHalf);
}

void normalise(const Sum& in, Normalised& out, unsigned lanes) {
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    const std::uint64_t product = in.product[l];
    const bool two = (product >> (kProductBits - 1) & 1u) != 0;  // the product is 2 or more
    const unsigned cut = two ? 24 : 23;
    out.significand[l] = static_cast<std::uint32_t>(product >> cut);
    out.guard[l] = (product >> (cut - 1) & 1u) != 0;
    out.sticky[l] = (product & ((std::uint64_t{1} << (cut - 1)) - 1)) != 0;
    out.header.exponent[l] = static_cast<std::int16_t>(in.header.exponent[l] + (two ? 1 : 0));
  }
}

void round(const Normalised& in, Rounded& out, unsigned lanes) {
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    const std::uint32_t significand = in.significand[l];
    const bool up = !in.header.control.toward_zero && in.guard[l] && (in.sticky[l] || (significand & 1u) != 0);
    out.significand[l] = significand + (up ? 1 : 0);
  }
}

void pack(const Rounded& in, Result& out, unsigned lanes) {
  const Control& control = in.header.control;
  for (unsigned l = 0; l < lanes; ++l) {
    const std::uint32_t sign = in.header.sign[l] ? kSignBit : 0;
    const int exponent = in.header.exponent[l] + static_cast<int>(in.significand[l] >> 24);
    std::uint32_t value = sign | static_cast<std::uint32_t>(exponent) << 23 | (in.significand[l] & kFraction);
    if (exponent <= 0) value = sign;
    if (exponent >= 255) value = sign | (control.toward_zero ? kLargestBits : kInfinityBits);
    if (in.header.special[l]) value = in.header.special_value[l];
    const bool nan = (value & ~kSignBit) > kInfinityBits;
    if (control.saturate && !nan) value = (value & kSignBit) != 0 ? 0 : value > kOneBits ? kOneBits : value;
    const bool zero = (value & ~kSignBit) == 0, negative = (value & kSignBit) != 0;
    out.value[l] = value;
    out.flags[l] = static_cast<std::uint8_t>((zero || nan ? 1u : 0u) | ((negative && !zero) || nan ? 2u : 0u));
  }
}

void Datapath::compute(unsigned stage, unsigned lanes) {
  switch (stage) {
    case 0: return unpack(operands, unpacked, lanes);
    case 1: return low_half(unpacked, half, lanes);
    case 2: return high_half(half, product, lanes);
    case 3: return add(product, sum, lanes);
    case 4: return normalise(sum, normalised, lanes);
    case 5: return round(normalised, rounded, lanes);
    default: return pack(rounded, result, lanes);
  }
}

}  // namespace g80::multiplier
