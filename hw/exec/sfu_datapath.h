// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the special function units, stage by stage: quadratic interpolation as S. F. Oberman and M. Y. Siu
// describe it (A high-performance area-efficient multifunction interpolator, ARITH 17, 2005), with the chip's ROM.
//
//   f(m + x) = A[m] + B[m] x + C[m] x^2      m: the high bits of the argument, x: the others; x^2 is truncated
//
//   look_up   special arguments, sign, exponent; A, B and C from the ROM; the rows of the truncated square in
//             carry-save form
//   square    the square: its two words added (16 bits); the rows of B x, 17 x 17 bits, in carry-save form
//   multiply  the rows of C x^2, 12 x 15 bits, A and the rounding constant added to them in carry-save form
//   add       the two words added
//   count     the magnitude (lg2: behind the exponent of the argument), its leading zeros
//   pack      normalised (range reduction: the point moved to bit 23); exponent, sign, overflow and underflow,
//             saturation, flags
//
// presin and preex2 reduce the range of sine and 2^x to sign and fixed point with 23 fraction bits. They use the same
// stages: presin multiplies by 2/pi, 24 bits, half of them in `square` and half in `multiply`.
#pragma once
#include <cstdint>

#include "hw/common/fields.h"
#include "hw/isa/instruction.h"

namespace g80::sfu {

inline constexpr unsigned kMaxLanes = 4;  // that enter in a cycle: one for each unit, sm.num_sfus

enum class Function : std::uint8_t { kRcp, kRsqrt, kLg2, kEx2, kSin, kCos, kPresin, kPreex2 };
inline const EnumText& enum_text(Function) {
  static constexpr const char* kNames[] = {"rcp", "rsqrt", "lg2", "ex2", "sin", "cos", "presin", "preex2"};
  static constexpr EnumText kText{"SfuFunction", kNames, 8};
  return kText;
}

/// What the instruction asks for, carried from stage to stage.
struct Control {
  Function function = Function::kRcp;
  bool absolute = false, negate = false, saturate = false;
  G80_FIELDS((function, 3), absolute, negate, saturate);
};
Control control_of(const isa::Instruction& insn);

/// A group of lanes enters.
struct Operands {
  Control control;
  std::uint32_t value[kMaxLanes] = {};
  G80_FIELDS(control, value);
};

/// What all stages from look_up to count carry.
struct Header {
  Control control;
  bool special[kMaxLanes] = {};  // the result is known: `special_value`
  std::uint32_t special_value[kMaxLanes] = {};
  bool sign[kMaxLanes] = {};
  std::int16_t exponent[kMaxLanes] = {};  // of a result whose leading one is bit 63; range reduction: the shift; lg2:
                                          // of the argument
  G80_FIELDS(control, special, special_value, sign, exponent);
};

struct LookedUp {
  Header header;
  std::uint32_t a[kMaxLanes] = {};
  std::int32_t b[kMaxLanes] = {};
  std::int16_t c[kMaxLanes] = {};
  std::uint32_t x[kMaxLanes] = {};  // range reduction: the significand
  std::uint16_t square_sum[kMaxLanes] = {}, square_carry[kMaxLanes] = {};
  G80_FIELDS(header, (a, 26), b, c, (x, 24), square_sum, square_carry);
};

inline constexpr unsigned kSumBits = 48;  // of the quadratic, and of the product with 2/pi

struct Squared {
  Header header;
  std::uint32_t a[kMaxLanes] = {};
  std::int16_t c[kMaxLanes] = {};
  std::uint32_t x[kMaxLanes] = {};
  std::uint16_t square[kMaxLanes] = {};
  std::uint64_t sum[kMaxLanes] = {}, carry[kMaxLanes] = {};  // B x
  G80_FIELDS(header, (a, 26), c, (x, 24), (square, 15), (sum, kSumBits), (carry, kSumBits));
};

struct Products {
  Header header;
  std::uint64_t sum[kMaxLanes] = {}, carry[kMaxLanes] = {};
  G80_FIELDS(header, (sum, kSumBits), (carry, kSumBits));
};

struct Sum {
  Header header;
  std::uint64_t value[kMaxLanes] = {};
  G80_FIELDS(header, (value, kSumBits));
};

struct Counted {
  Header header;
  std::uint64_t magnitude[kMaxLanes] = {};
  std::uint8_t shift[kMaxLanes] = {};
  G80_FIELDS(header, (magnitude, kSumBits), (shift, 6));
};

struct Result {
  std::uint32_t value[kMaxLanes] = {};
  std::uint8_t flags[kMaxLanes] = {};  // of the instruction's $c, if it writes one
  G80_FIELDS(value, (flags, 4));
};

// One function a stage: the next register from the one before it, for the first `lanes` lanes.
void look_up(const Operands& in, LookedUp& out, unsigned lanes);
void square(const LookedUp& in, Squared& out, unsigned lanes);
void multiply(const Squared& in, Products& out, unsigned lanes);
void add(const Products& in, Sum& out, unsigned lanes);
void count(const Sum& in, Counted& out, unsigned lanes);
void pack(const Counted& in, Result& out, unsigned lanes);

/// The registers of all stages.
struct Datapath {
  static constexpr unsigned kStages = 6, kMaxLanes = sfu::kMaxLanes;
  Operands operands;
  LookedUp looked_up;
  Squared squared;
  Products products;
  Sum sum;
  Counted counted;
  Result result;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v.unseen("operands", s.operands);  // those on the operand port, while look_up computes
    v("looked_up", s.looked_up);
    v("squared", s.squared);
    v("products", s.products);
    v("sum", s.sum);
    v("counted", s.counted);
    v("result", s.result);
  }
  void compute(unsigned stage, unsigned lanes);
};

}  // namespace g80::sfu
