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
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("operation", s.operation, 3);
    v("multiplies", s.multiplies);
    v("adds", s.adds);
    v("negate", s.negate);
    v("absolute", s.absolute);
    v("round", s.round, 2);
    v("compare", s.compare, 4);
    v("source", s.source, 3);
    v("result", s.result, 3);
    v("integral", s.integral);
  }
};
Control control_of(const isa::Instruction& insn);

/// A group of lanes enters. Additions have no b, multiplies no c; everything with two operands has a and b.
struct Operands {
  Control control;
  std::uint64_t a[kMaxLanes] = {}, b[kMaxLanes] = {}, c[kMaxLanes] = {};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("control", s.control);
    v("a", s.a);
    v("b", s.b);
    v("c", s.c);
  }
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
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("control", s.control);
    v("special", s.special);
    v("value", s.value);
    v("other", s.other);
    v("sign", s.sign);
    v("subtract", s.subtract);
    v("clamped", s.clamped);
    v("exponent", s.exponent);
  }
};

struct Unpacked {
  Header header;
  std::uint64_t multiplicand[kMaxLanes] = {}, multiplier[kMaxLanes] = {};
  std::uint64_t addend[kMaxLanes] = {};  // its top bit is the window's
  std::uint8_t distance[kMaxLanes] = {};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("header", s.header);
    v("multiplicand", s.multiplicand, 63);
    v("multiplier", s.multiplier, 53);
    v("addend", s.addend);
    v("distance", s.distance);
  }
};

/// The product so far, as two words.
struct Rows {
  Header header;
  std::uint64_t multiplicand[kMaxLanes] = {}, multiplier[kMaxLanes] = {};
  std::uint64_t addend[kMaxLanes] = {};
  std::uint8_t distance[kMaxLanes] = {};
  std::uint64_t sum_low[kMaxLanes] = {}, sum_high[kMaxLanes] = {};
  std::uint64_t carry_low[kMaxLanes] = {}, carry_high[kMaxLanes] = {};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("header", s.header);
    v("multiplicand", s.multiplicand, 63);
    v("multiplier", s.multiplier, 53);
    v("addend", s.addend);
    v("distance", s.distance);
    v("sum_low", s.sum_low);
    v("sum_high", s.sum_high, kProductBits - 64);
    v("carry_low", s.carry_low);
    v("carry_high", s.carry_high, kProductBits - 64);
  }
};

/// The whole product, and the addend that was not needed for it.
struct Product {
  Header header;
  std::uint64_t addend[kMaxLanes] = {};
  std::uint8_t distance[kMaxLanes] = {};
  std::uint64_t sum_low[kMaxLanes] = {}, sum_high[kMaxLanes] = {};
  std::uint64_t carry_low[kMaxLanes] = {}, carry_high[kMaxLanes] = {};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("header", s.header);
    v("addend", s.addend);
    v("distance", s.distance);
    v("sum_low", s.sum_low);
    v("sum_high", s.sum_high, kProductBits - 64);
    v("carry_low", s.carry_low);
    v("carry_high", s.carry_high, kProductBits - 64);
  }
};

struct Aligned {
  Header header;
  std::uint64_t sum_low[kMaxLanes] = {}, sum_high[kMaxLanes] = {};
  std::uint64_t carry_low[kMaxLanes] = {}, carry_high[kMaxLanes] = {};
  std::uint64_t addend_low[kMaxLanes] = {}, addend_middle[kMaxLanes] = {}, addend_high[kMaxLanes] = {};
  bool sticky[kMaxLanes] = {};
  bool increment[kMaxLanes] = {};  // conversions: add one at the point
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("header", s.header);
    v("sum_low", s.sum_low);
    v("sum_high", s.sum_high, kProductBits - 64);
    v("carry_low", s.carry_low);
    v("carry_high", s.carry_high, kProductBits - 64);
    v("addend_low", s.addend_low);
    v("addend_middle", s.addend_middle);
    v("addend_high", s.addend_high, kWindowTop + 1 - 128);
    v("sticky", s.sticky);
    v("increment", s.increment);
  }
};

struct Added {
  Header header;
  // With a sign; of a negative one the complement is the magnitude.
  std::uint64_t sum_low[kMaxLanes] = {}, sum_middle[kMaxLanes] = {}, sum_high[kMaxLanes] = {};
  bool sticky[kMaxLanes] = {};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("header", s.header);
    v("sum_low", s.sum_low);
    v("sum_middle", s.sum_middle);
    v("sum_high", s.sum_high, kWindowTop + 2 - 128);
    v("sticky", s.sticky);
  }
};

struct Counted {
  Header header;
  std::uint64_t magnitude_low[kMaxLanes] = {}, magnitude_middle[kMaxLanes] = {}, magnitude_high[kMaxLanes] = {};
  bool sticky[kMaxLanes] = {};
  std::uint8_t distance[kMaxLanes] = {};
  bool below[kMaxLanes] = {};  // comparison: |a| <= |b|
  bool equal[kMaxLanes] = {};  // comparison: |a| = |b|; else: the sum is zero
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("header", s.header);
    v("magnitude_low", s.magnitude_low);
    v("magnitude_middle", s.magnitude_middle);
    v("magnitude_high", s.magnitude_high, kWindowTop + 1 - 128);
    v("sticky", s.sticky);
    v("distance", s.distance);
    v("below", s.below);
    v("equal", s.equal);
  }
};

struct Shifted {
  Header header;
  std::uint64_t significand[kMaxLanes] = {};
  bool sticky[kMaxLanes] = {}, below[kMaxLanes] = {}, equal[kMaxLanes] = {};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("header", s.header);
    v("significand", s.significand);
    v("sticky", s.sticky);
    v("below", s.below);
    v("equal", s.equal);
  }
};

struct Rounded {
  Header header;
  std::uint64_t magnitude[kMaxLanes] = {};  // exponent field and fraction; or the integer
  bool overflow[kMaxLanes] = {}, below[kMaxLanes] = {}, equal[kMaxLanes] = {};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("header", s.header);
    v("magnitude", s.magnitude);
    v("overflow", s.overflow);
    v("below", s.below);
    v("equal", s.equal);
  }
};

struct Result {
  std::uint64_t value[kMaxLanes] = {};
  std::uint8_t flags[kMaxLanes] = {};  // of the instruction's $c, if it writes one
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("value", s.value);
    v("flags", s.flags, 4);
  }
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
  /// Computes one stage from the register before it.
  void compute(unsigned stage, unsigned lanes);
};

}  // namespace g80::dp
