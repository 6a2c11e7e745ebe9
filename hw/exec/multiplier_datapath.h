// SPDX-License-Identifier: Apache-2.0
// An fp32 multiply in the multipliers of the special function units, stage by stage. Denormals are zeros on both sides;
// rounding is to nearest even or toward zero.
//
//   unpack      signs, exponents, significands; results that need no product
//   low_half    the rows of a times the low half of b, in carry-save form
//   high_half   those of the other half added to them
//   add         the product: the two words added
//   normalise   the leading one to bit 23; what is cut off becomes guard and sticky bit
//   round       the significand incremented or not
//   pack        exponent, sign, overflow and underflow, saturation, flags
#pragma once
#include <cstdint>

#include "hw/common/fields.h"
#include "hw/isa/instruction.h"

namespace g80::multiplier {

inline constexpr unsigned kMaxLanes = 8;  // that enter in a cycle: four for each special function unit, at most a port
inline constexpr unsigned kProductBits = 48;

/// What the instruction asks for, carried from stage to stage.
struct Control {
  bool negate = false;  // one of the operands, not both
  bool toward_zero = false;
  bool saturate = false;
  G80_FIELDS(negate, toward_zero, saturate);
};
Control control_of(const isa::Instruction& insn);

/// A group of lanes enters.
struct Operands {
  Control control;
  std::uint32_t a[kMaxLanes] = {}, b[kMaxLanes] = {};
  G80_FIELDS(control, a, b);
};

/// What all stages from unpack to pack carry.
struct Header {
  Control control;
  bool special[kMaxLanes] = {};  // the result is known: `special_value`
  std::uint32_t special_value[kMaxLanes] = {};
  bool sign[kMaxLanes] = {};
  std::int16_t exponent[kMaxLanes] = {};  // biased
  G80_FIELDS(control, special, special_value, sign, exponent);
};

struct Unpacked {
  Header header;
  std::uint32_t a[kMaxLanes] = {}, b[kMaxLanes] = {};
  G80_FIELDS(header, (a, 24), (b, 24));
};

struct HalfProduct {
  Header header;
  std::uint32_t a[kMaxLanes] = {}, b[kMaxLanes] = {};
  std::uint64_t sum[kMaxLanes] = {}, carry[kMaxLanes] = {};
  G80_FIELDS(header, (a, 24), (b, 24), (sum, kProductBits), (carry, kProductBits));
};

struct Product {
  Header header;
  std::uint64_t sum[kMaxLanes] = {}, carry[kMaxLanes] = {};
  G80_FIELDS(header, (sum, kProductBits), (carry, kProductBits));
};

struct Sum {
  Header header;
  std::uint64_t product[kMaxLanes] = {};
  G80_FIELDS(header, (product, kProductBits));
};

struct Normalised {
  Header header;
  std::uint32_t significand[kMaxLanes] = {};
  bool guard[kMaxLanes] = {}, sticky[kMaxLanes] = {};
  G80_FIELDS(header, (significand, 24), guard, sticky);
};

struct Rounded {
  Header header;
  std::uint32_t significand[kMaxLanes] = {};  // 2^24 after a carry out of the rounding
  G80_FIELDS(header, (significand, 25));
};

struct Result {
  std::uint32_t value[kMaxLanes] = {};
  std::uint8_t flags[kMaxLanes] = {};  // of the instruction's $c, if it writes one
  G80_FIELDS(value, (flags, 4));
};

// One function a stage: the next register from the one before it, for the first `lanes` lanes.
void unpack(const Operands& in, Unpacked& out, unsigned lanes);
void low_half(const Unpacked& in, HalfProduct& out, unsigned lanes);
void high_half(const HalfProduct& in, Product& out, unsigned lanes);
void add(const Product& in, Sum& out, unsigned lanes);
void normalise(const Sum& in, Normalised& out, unsigned lanes);
void round(const Normalised& in, Rounded& out, unsigned lanes);
void pack(const Rounded& in, Result& out, unsigned lanes);

/// The registers of all stages.
struct Datapath {
  static constexpr unsigned kStages = 7, kMaxLanes = multiplier::kMaxLanes;
  Operands operands;
  Unpacked unpacked;
  HalfProduct half;
  Product product;
  Sum sum;
  Normalised normalised;
  Rounded rounded;
  Result result;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v.unseen("operands", s.operands);  // those on the operand port, while unpack computes
    v("unpacked", s.unpacked);
    v("half", s.half);
    v("product", s.product);
    v("sum", s.sum);
    v("normalised", s.normalised);
    v("rounded", s.rounded);
    v("result", s.result);
  }
  void compute(unsigned stage, unsigned lanes);
};

}  // namespace g80::multiplier
