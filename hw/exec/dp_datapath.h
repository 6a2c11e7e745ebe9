// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the fp64 unit, stage by stage: a fused multiply-add in the form of E. Hokenek, R. K. Montoye and
// P. W. Cook (Second-generation RISC floating point with multiply-add fused, IEEE JSSC 25(5), 1990): the addend is
// aligned to a product that stays in carry-save form, and one wide addition makes the sum. Additions multiply by one,
// multiplies add zero. Comparisons and conversions use the same stages.
//
//   unpack       signs, exponents, significands, distance of the alignment; results that need no arithmetic
//   low_rows     Booth rows 0..8 of 27 of the 53 x 53 product. Added to the carry-save pair they are as deep a tree of
//                full adders as half of a 24 x 24 product
//   middle_rows, high_rows   the others
//   align        the addend shifted right from the top of the window; what falls out leaves a sticky bit. Conversions
//                to an integer: the point to a fixed bit
//   add          product and addend, a borrow as an end-around carry; |a| - |b|; the magnitude of an integer; an
//                integer rounded
//   count        a negative difference complemented; leading zeros; distance of the normalising shift, shorter for a
//                denormal result
//   shift        normalised
//   round        the significand incremented or not; an integer negated or not
//   pack         overflow, special results, minimum and maximum, the value of set, flags
//
// The window of `align` and `add` has bits 162..0, and a sign above them for differences. The addend enters at the top;
// the product lies at 107..2.
#pragma once
#include <cstdint>

#include "hw/common/fields.h"
#include "hw/isa/instruction.h"

namespace g80::dp {

inline constexpr unsigned kMaxLanes = 8;       // that enter in a cycle: sm.num_dps
inline constexpr unsigned kProductBits = 108;  // of each word of the product
inline constexpr unsigned kWindowTop = 162;    // its highest bit

enum class Operation : std::uint8_t { kFma, kMin, kMax, kSet, kFromInteger, kToInteger, kToFloat };
enum class Type : std::uint8_t { kF32, kF64, kU32, kS32, kU64, kS64 };
inline const EnumText& enum_text(Operation) {
  static constexpr const char* kNames[] = {"fma", "min", "max", "set", "from_integer", "to_integer", "to_float"};
  static constexpr EnumText kText{"DpOperation", kNames, 7};
  return kText;
}
inline const EnumText& enum_text(Type) {
  static constexpr const char* kNames[] = {"f32", "f64", "u32", "s32", "u64", "s64"};
  static constexpr EnumText kText{"DpType", kNames, 6};
  return kText;
}

/// What the instruction asks for, carried from stage to stage.
struct Control {
  Operation operation = Operation::kFma;
  bool multiplies = false;                // else b is one
  bool adds = false;                      // else c is a zero with the sign of the product
  bool negate[3] = {}, absolute[3] = {};  // of a, b and c; of a product it is one of a and b
  isa::Round round = isa::Round::kRn;
  std::uint8_t compare = 0;  // of set: bit 0 less, 1 equal, 2 greater, 3 unordered
  Type source = Type::kF32, result = Type::kF32;
  bool integral = false;  // to an integral value of the same format
  G80_FIELDS((operation, 3), multiplies, adds, negate, absolute, (round, 2), (compare, 4), (source, 3), (result, 3),
             integral);
};
Control control_of(const isa::Instruction& insn);

/// A group of lanes enters. Additions have no b, multiplies no c; everything with two operands has a and b.
struct Operands {
  Control control;
  std::uint64_t a[kMaxLanes] = {}, b[kMaxLanes] = {}, c[kMaxLanes] = {};
  G80_FIELDS(control, a, b, c);
};

/// What all stages from unpack to pack carry.
struct Header {
  Control control;
  bool special[kMaxLanes] = {};           // the result is known: `value`
  std::uint64_t value[kMaxLanes] = {};    // minimum, maximum: a
  std::uint64_t other[kMaxLanes] = {};    // minimum, maximum: b
  bool sign[kMaxLanes] = {};              // of the product, then of the sum; of a conversion
  bool subtract[kMaxLanes] = {};          // product and addend have different signs
  bool clamped[kMaxLanes] = {};           // to the range of the integer type
  std::int16_t exponent[kMaxLanes] = {};  // weight of the window's top bit; behind `shift`, of the significand's
  G80_FIELDS(control, special, value, other, sign, subtract, clamped, exponent);
};

struct Unpacked {
  Header header;
  std::uint64_t multiplicand[kMaxLanes] = {}, multiplier[kMaxLanes] = {};
  std::uint64_t addend[kMaxLanes] = {};  // its top bit is the window's
  std::uint8_t distance[kMaxLanes] = {};
  G80_FIELDS(header, (multiplicand, 63), (multiplier, 53), addend, distance);
};

/// The product so far, as two words.
struct Rows {
  Header header;
  std::uint64_t multiplicand[kMaxLanes] = {}, multiplier[kMaxLanes] = {};
  std::uint64_t addend[kMaxLanes] = {};
  std::uint8_t distance[kMaxLanes] = {};
  std::uint64_t sum_low[kMaxLanes] = {}, sum_high[kMaxLanes] = {};
  std::uint64_t carry_low[kMaxLanes] = {}, carry_high[kMaxLanes] = {};
  G80_FIELDS(header, (multiplicand, 63), (multiplier, 53), addend, distance, sum_low, (sum_high, kProductBits - 64),
             carry_low, (carry_high, kProductBits - 64));
};

/// The whole product, and the addend that was not needed for it.
struct Product {
  Header header;
  std::uint64_t addend[kMaxLanes] = {};
  std::uint8_t distance[kMaxLanes] = {};
  std::uint64_t sum_low[kMaxLanes] = {}, sum_high[kMaxLanes] = {};
  std::uint64_t carry_low[kMaxLanes] = {}, carry_high[kMaxLanes] = {};
  G80_FIELDS(header, addend, distance, sum_low, (sum_high, kProductBits - 64), carry_low,
             (carry_high, kProductBits - 64));
};

struct Aligned {
  Header header;
  std::uint64_t sum_low[kMaxLanes] = {}, sum_high[kMaxLanes] = {};
  std::uint64_t carry_low[kMaxLanes] = {}, carry_high[kMaxLanes] = {};
  std::uint64_t addend_low[kMaxLanes] = {}, addend_middle[kMaxLanes] = {}, addend_high[kMaxLanes] = {};
  bool sticky[kMaxLanes] = {};
  bool increment[kMaxLanes] = {};  // conversions: add one at the point
  G80_FIELDS(header, sum_low, (sum_high, kProductBits - 64), carry_low, (carry_high, kProductBits - 64), addend_low,
             addend_middle, (addend_high, kWindowTop + 1 - 128), sticky, increment);
};

struct Added {
  Header header;
  // With a sign; of a negative one the complement is the magnitude.
  std::uint64_t sum_low[kMaxLanes] = {}, sum_middle[kMaxLanes] = {}, sum_high[kMaxLanes] = {};
  bool sticky[kMaxLanes] = {};
  G80_FIELDS(header, sum_low, sum_middle, (sum_high, kWindowTop + 2 - 128), sticky);
};

struct Counted {
  Header header;
  std::uint64_t magnitude_low[kMaxLanes] = {}, magnitude_middle[kMaxLanes] = {}, magnitude_high[kMaxLanes] = {};
  bool sticky[kMaxLanes] = {};
  std::uint8_t distance[kMaxLanes] = {};
  bool below[kMaxLanes] = {};  // comparison: |a| <= |b|
  bool equal[kMaxLanes] = {};  // comparison: |a| = |b|; else: the sum is zero
  G80_FIELDS(header, magnitude_low, magnitude_middle, (magnitude_high, kWindowTop + 1 - 128), sticky, distance, below,
             equal);
};

struct Shifted {
  Header header;
  std::uint64_t significand[kMaxLanes] = {};
  bool sticky[kMaxLanes] = {}, below[kMaxLanes] = {}, equal[kMaxLanes] = {};
  G80_FIELDS(header, significand, sticky, below, equal);
};

struct Rounded {
  Header header;
  std::uint64_t magnitude[kMaxLanes] = {};  // exponent field and fraction; or the integer
  bool overflow[kMaxLanes] = {}, below[kMaxLanes] = {}, equal[kMaxLanes] = {};
  G80_FIELDS(header, magnitude, overflow, below, equal);
};

struct Result {
  std::uint64_t value[kMaxLanes] = {};
  std::uint8_t flags[kMaxLanes] = {};  // of the instruction's $c, if it writes one
  G80_FIELDS(value, (flags, 4));
};

// One function a stage: the next register from the one before it, for the first `lanes` lanes.
void unpack(const Operands& in, Unpacked& out, unsigned lanes);
void low_rows(const Unpacked& in, Rows& out, unsigned lanes);
void middle_rows(const Rows& in, Rows& out, unsigned lanes);
void high_rows(const Rows& in, Product& out, unsigned lanes);
void align(const Product& in, Aligned& out, unsigned lanes);
void add(const Aligned& in, Added& out, unsigned lanes);
void count(const Added& in, Counted& out, unsigned lanes);
void shift(const Counted& in, Shifted& out, unsigned lanes);
void round(const Shifted& in, Rounded& out, unsigned lanes);
void pack(const Rounded& in, Result& out, unsigned lanes);

/// The registers of all stages.
struct Datapath {
  static constexpr unsigned kStages = 10, kMaxLanes = dp::kMaxLanes;
  Operands operands;
  Unpacked unpacked;
  Rows low, middle;
  Product high;
  Aligned aligned;
  Added added;
  Counted counted;
  Shifted shifted;
  Rounded rounded;
  Result result;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v.unseen("operands", s.operands);  // those on the operand port, while unpack computes
    v("unpacked", s.unpacked);
    v("low", s.low);
    v("middle", s.middle);
    v("high", s.high);
    v("aligned", s.aligned);
    v("added", s.added);
    v("counted", s.counted);
    v("shifted", s.shifted);
    v("rounded", s.rounded);
    v("result", s.result);
  }
  void compute(unsigned stage, unsigned lanes);
};

}  // namespace g80::dp
