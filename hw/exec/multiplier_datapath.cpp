// SPDX-License-Identifier: Apache-2.0
#include "hw/exec/multiplier_datapath.h"

#include "hw/common/check.h"
#include "hw/exec/arithmetic.h"
#include "hw/exec/carry_save.h"

namespace g80::multiplier {

using arithmetic::kF32Fraction;
using arithmetic::kF32HiddenBit;
using arithmetic::kF32Infinity;
using arithmetic::kF32Nan;
using arithmetic::kF32Sign;

namespace {

constexpr std::uint32_t kLargestBits = 0x7f7fffffu;
constexpr int kExponentBias = 127;
constexpr unsigned kDigits = 13;  // of b in radix 4
constexpr std::uint64_t kProductMask = (std::uint64_t{1} << kProductBits) - 1;

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
    const bool nan = (top_a && (a & kF32Fraction) != 0) || (top_b && (b & kF32Fraction) != 0);
    const bool infinite = top_a || top_b;
    const bool sign = ((a ^ b) & kF32Sign) != (in.control.negate ? kF32Sign : 0);
    header.sign[l] = sign;
    header.special[l] = zero || infinite;
    header.special_value[l] =
        nan || (infinite && zero) ? kF32Nan : (sign ? kF32Sign : 0) | (infinite ? kF32Infinity : 0);
    header.exponent[l] = static_cast<std::int16_t>(static_cast<int>(exponent_a + exponent_b) - kExponentBias);
    out.a[l] = (a & kF32Fraction) | kF32HiddenBit;
    out.b[l] = (b & kF32Fraction) | kF32HiddenBit;
  }
}

void low_half(const Unpacked& in, HalfProduct& out, unsigned lanes) {
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    out.a[l] = in.a[l];
    out.b[l] = in.b[l];
    arithmetic::CarrySave<std::uint64_t> product;
    add_booth_rows(product, std::uint64_t{in.a[l]}, in.b[l], 0, kDigits / 2);
    out.sum[l] = product.sum & kProductMask;
    out.carry[l] = product.carry & kProductMask;
  }
}

void high_half(const HalfProduct& in, Product& out, unsigned lanes) {
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    arithmetic::CarrySave<std::uint64_t> product{in.sum[l], in.carry[l]};
    add_booth_rows(product, std::uint64_t{in.a[l]}, in.b[l], kDigits / 2, kDigits);
    out.sum[l] = product.sum & kProductMask;
    out.carry[l] = product.carry & kProductMask;
  }
}

void add(const Product& in, Sum& out, unsigned lanes) {
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) out.product[l] = (in.sum[l] + in.carry[l]) & kProductMask;
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
  const isa::Round mode = in.header.control.toward_zero ? isa::Round::kRz : isa::Round::kRn;
  for (unsigned l = 0; l < lanes; ++l) {
    const std::uint32_t significand = in.significand[l];
    const bool up = arithmetic::rounds_up(mode, in.header.sign[l], (significand & 1u) != 0, in.guard[l], in.sticky[l]);
    out.significand[l] = significand + (up ? 1 : 0);
  }
}

void pack(const Rounded& in, Result& out, unsigned lanes) {
  const Control& control = in.header.control;
  for (unsigned l = 0; l < lanes; ++l) {
    const std::uint32_t sign = in.header.sign[l] ? kF32Sign : 0;
    const int exponent = in.header.exponent[l] + static_cast<int>(in.significand[l] >> 24);
    std::uint32_t value = sign | static_cast<std::uint32_t>(exponent) << 23 | (in.significand[l] & kF32Fraction);
    if (exponent <= 0) value = sign;
    if (exponent >= 255) value = sign | (control.toward_zero ? kLargestBits : kF32Infinity);
    if (in.header.special[l]) value = in.header.special_value[l];
    if (control.saturate) value = arithmetic::f32_saturated(value);
    out.value[l] = value;
    out.flags[l] = arithmetic::f32_flags(value);
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
