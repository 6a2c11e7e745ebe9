// SPDX-License-Identifier: Apache-2.0
#include "hw/exec/dp_datapath.h"

#include <algorithm>

#include "hw/common/check.h"
#include "hw/exec/arithmetic.h"
#include "hw/exec/carry_save.h"

namespace g80::dp {

using isa::NumType;
using isa::Op;
using isa::Round;

namespace {

__extension__ using Word128 = unsigned __int128;

constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63, kHiddenBit = std::uint64_t{1} << 52;
constexpr std::uint64_t kFraction = kHiddenBit - 1, kInfinityBits = std::uint64_t{0x7ff} << 52;
constexpr std::uint64_t kQuietBit = std::uint64_t{1} << 51, kInvalid = 0xfff8000000000000u;
constexpr std::uint64_t kOneBits = std::uint64_t{1023} << 52;
constexpr int kBias = 1023, kBias32 = 127;

constexpr unsigned kAddendLow = kWindowTop - 63;      // bit of the window where the 64-bit addend ends
constexpr unsigned kProductLow = 2;                   // and where the product ends
constexpr unsigned kIntegerPoint = kAddendLow;        // bit of an integer's one in the window
constexpr unsigned kIntegralPoint = kWindowTop - 52;  // bit of an integral value's one
constexpr unsigned kAll = kWindowTop + 1;             // a shift by so much leaves nothing
constexpr Word128 kProductMask = (Word128{1} << kProductBits) - 1;
constexpr std::uint64_t kSumHighMask = (std::uint64_t{1} << (kWindowTop + 2 - 128)) - 1;
constexpr unsigned kDigits = 27, kDigitsAStage = 9;  // of the 53-bit multiplier

Word128 word128(std::uint64_t low, std::uint64_t high) { return Word128{high} << 64 | low; }

/// A number of the window, low word first.
constexpr unsigned kWindowWords = 3;
struct Window {
  std::uint64_t word[kWindowWords] = {};
};

/// `value` with its lowest bit at bit `at`, which lies in the second word.
Window placed(std::uint64_t value, unsigned at) { return {{0, value << (at - 64), value >> (128 - at)}}; }

Window shifted_left(const Window& w, unsigned distance) {
  const unsigned words = distance / 64, bits = distance % 64;
  Window out;
  for (unsigned i = words; i < kWindowWords; ++i) {
    out.word[i] = w.word[i - words] << bits;
    if (bits != 0 && i > words) out.word[i] |= w.word[i - words - 1] >> (64 - bits);
  }
  return out;
}

Window shifted_right(const Window& w, unsigned distance, bool& sticky) {
  const unsigned words = distance / 64, bits = distance % 64;
  Window out;
  sticky = bits != 0 && words < kWindowWords && (w.word[words] << (64 - bits)) != 0;
  for (unsigned i = 0; i < std::min(words, kWindowWords); ++i) sticky |= w.word[i] != 0;
  for (unsigned i = 0; i + words < kWindowWords; ++i) {
    out.word[i] = w.word[i + words] >> bits;
    if (bits != 0 && i + words + 1 < kWindowWords) out.word[i] |= w.word[i + words + 1] << (64 - bits);
  }
  return out;
}

Window sum_of(const Window& x, const Window& y, bool carry) {
  Window out;
  for (unsigned i = 0; i < kWindowWords; ++i) {
    const Word128 sum = Word128{x.word[i]} + y.word[i] + carry;
    out.word[i] = static_cast<std::uint64_t>(sum);
    carry = (sum >> 64) != 0;
  }
  return out;
}

/// An operand of the format f64, or f32 written as one: its significand ends at the same bit, and a denormal has no
/// leading one.
struct Float {
  bool sign, infinite, nan;
  int exponent;               // field of f64, at least that of the smallest normal number of the format
  std::uint64_t significand;  // 53 bits
};
Float float_of_f64(std::uint64_t bits) {
  const auto field = static_cast<unsigned>(bits >> 52 & 0x7ffu);
  const std::uint64_t fraction = bits & kFraction;
  const bool top = field == 0x7ff;
  return {(bits & kSignBit) != 0, top && fraction == 0, top && fraction != 0, static_cast<int>(field == 0 ? 1 : field),
          fraction | (field == 0 ? 0 : kHiddenBit)};
}
Float float_of_f32(std::uint64_t bits) {
  const auto field = static_cast<unsigned>(bits >> 23 & 0xffu);
  const std::uint64_t fraction = (bits & 0x7fffffu) << 29;
  const bool top = field == 0xff;
  return {(bits >> 31 & 1u) != 0, top && fraction == 0, top && fraction != 0,
          static_cast<int>(field == 0 ? 1 : field) + kBias - kBias32, fraction | (field == 0 ? 0 : kHiddenBit)};
}

bool is_nan(std::uint64_t bits) { return (bits & ~kSignBit) > kInfinityBits; }
bool is_64_bit(Type type) { return type == Type::kF64 || type == Type::kU64 || type == Type::kS64; }
bool is_signed(Type type) { return type == Type::kS32 || type == Type::kS64; }

/// The integer nearest to infinity of that sign.
std::uint64_t integer_limit(Type type, bool negative) {
  const std::uint64_t all = is_64_bit(type) ? ~std::uint64_t{0} : 0xffffffffu;
  if (!is_signed(type)) return negative ? 0 : all;
  return negative ? (all >> 1) + 1 : all >> 1;
}

/// What unpack writes of one lane.
struct Lane {
  bool special = false;
  std::uint64_t value = 0, other = 0;
  bool sign = false, subtract = false, clamped = false;
  int exponent = 0;
  std::uint64_t multiplicand = 0, multiplier = 0, addend = 0;
  int distance = 0;

  void set_special(std::uint64_t result) { special = true, value = result; }
};

Lane unpack_fma(const Control& control, std::uint64_t a_bits, std::uint64_t b_bits, std::uint64_t c_bits) {
  Lane lane;
  if (!control.multiplies) b_bits = kOneBits;
  if (!control.adds) c_bits = 0;
  const Float a = float_of_f64(a_bits), b = float_of_f64(b_bits), c = float_of_f64(c_bits);
  const bool product_sign = (a.sign != b.sign) != (control.negate[0] != control.negate[1]);
  const bool addend_sign = control.adds ? c.sign != control.negate[2] : product_sign;
  const bool product_zero = a.significand == 0 || b.significand == 0, product_infinite = a.infinite || b.infinite;
  lane.sign = product_sign;
  lane.subtract = product_sign != addend_sign;
  // The distance that leaves the product in its place. An addend that would have to move left stays; then the product
  // counts as a sticky bit alone, so its place does not matter.
  const int distance = a.exponent + b.exponent - c.exponent - 967;
  const bool addend_far_above = product_zero || distance < 0;
  lane.distance = addend_far_above ? 0 : distance;
  lane.exponent = addend_far_above ? c.exponent - kBias : a.exponent + b.exponent - 1990;
  lane.multiplicand = a.significand;
  lane.multiplier = b.significand;
  lane.addend = c.significand << 11;
  if (b.nan) {
    lane.set_special(b_bits | kQuietBit);
  } else if (c.nan) {
    lane.set_special(c_bits | kQuietBit);
  } else if (a.nan) {
    lane.set_special(a_bits | kQuietBit);
  } else if (product_infinite && (product_zero || (c.infinite && lane.subtract))) {
    lane.set_special(kInvalid);
  } else if (product_infinite) {
    lane.set_special((product_sign ? kSignBit : 0) | kInfinityBits);
  } else if (c.infinite) {
    lane.set_special((addend_sign ? kSignBit : 0) | kInfinityBits);
  }
  return lane;
}

std::uint64_t with_modifiers(const Control& control, unsigned operand, std::uint64_t bits) {
  if (is_nan(bits)) return bits;
  return (bits & (control.absolute[operand] ? ~kSignBit : ~std::uint64_t{0})) ^
         (control.negate[operand] ? kSignBit : 0);
}

/// |a| - |b|: the product is |a| * 1, and b moves down to it.
Lane unpack_comparison(const Control& control, std::uint64_t a, std::uint64_t b) {
  Lane lane;
  lane.value = a = with_modifiers(control, 0, a);
  lane.other = b = with_modifiers(control, 1, b);
  lane.subtract = true;
  lane.multiplicand = a & ~kSignBit;
  lane.multiplier = 1;
  lane.addend = b & ~kSignBit;
  lane.distance = kAddendLow - kProductLow;
  if (!is_nan(a) && !is_nan(b)) return lane;
  if (control.operation == Operation::kSet) {
    lane.set_special((control.compare & 8u) != 0 ? 0xffffffffu : 0);
  } else if (is_nan(a)) {
    lane.set_special(is_nan(b) ? b | kQuietBit : b);
  } else {
    lane.set_special(a);
  }
  return lane;
}

/// A negative integer enters as its complement; `add` adds the one.
Lane unpack_integer(const Control& control, std::uint64_t bits) {
  Lane lane;
  if (!is_64_bit(control.source)) {
    bits = control.source == Type::kS32 ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(bits)})
                                        : bits & 0xffffffffu;
  }
  const bool negative = is_signed(control.source) && (bits & kSignBit) != 0;
  lane.sign = (negative && !control.absolute[0]) != control.negate[0];
  lane.subtract = negative;
  lane.addend = negative ? ~bits : bits;
  lane.exponent = 63;
  return lane;
}

Lane unpack_conversion(const Control& control, std::uint64_t bits) {
  Lane lane;
  const bool narrow = control.source == Type::kF32;
  const Float x = narrow ? float_of_f32(bits) : float_of_f64(bits);
  lane.sign = x.sign;
  if (!x.nan) lane.sign = (x.sign && !control.absolute[0]) != control.negate[0];
  lane.addend = x.significand << 11;
  if (control.operation == Operation::kToInteger) {
    lane.distance = kBias + 63 - x.exponent;
    if (x.nan || x.infinite || lane.distance < 0) {
      lane.clamped = true;
      lane.set_special(x.nan ? (is_64_bit(control.result) ? kSignBit : kSignBit >> 32)
                             : integer_limit(control.result, lane.sign));
    }
    return lane;
  }
  const bool narrows = control.result == Type::kF32;
  lane.exponent = x.exponent - kBias;
  if (control.integral) {
    if (lane.exponent < 52) {
      lane.distance = 52 - lane.exponent;
      lane.exponent = 52;
    }
  } else if (narrows && lane.exponent < 1 - kBias32) {  // a denormal of f32
    lane.distance = 1 - kBias32 - lane.exponent;
    lane.exponent = 1 - kBias32;
  }
  if (x.nan || x.infinite) {
    const std::uint64_t payload = x.nan ? (x.significand & kFraction) | kQuietBit : 0;
    const std::uint64_t sign = lane.sign ? kSignBit : 0, value = sign | kInfinityBits | payload;
    lane.set_special(narrows ? sign >> 32 | 0x7f800000u | payload >> 29 : value);
  }
  return lane;
}

Lane unpack_lane(const Operands& in, unsigned l) {
  switch (in.control.operation) {
    case Operation::kFma: return unpack_fma(in.control, in.a[l], in.b[l], in.c[l]);
    case Operation::kMin:
    case Operation::kMax:
    case Operation::kSet: return unpack_comparison(in.control, in.a[l], in.b[l]);
    case Operation::kFromInteger: return unpack_integer(in.control, in.a[l]);
    default: return unpack_conversion(in.control, in.a[l]);
  }
}

using Words = arithmetic::CarrySave<Word128>;

template <class Stage>
Words product_of(const Stage& stage, unsigned l) {
  return {word128(stage.sum_low[l], stage.sum_high[l]), word128(stage.carry_low[l], stage.carry_high[l])};
}
/// Adds the rows of one stage to the product of lane `l`.
template <class From, class To>
void add_rows(const From& in, Words product, unsigned first, To& out, unsigned l) {
  arithmetic::add_booth_rows<Word128>(product, in.multiplicand[l], in.multiplier[l], first, first + kDigitsAStage);
  out.sum_low[l] = static_cast<std::uint64_t>(product.sum);
  out.sum_high[l] = static_cast<std::uint64_t>((product.sum & kProductMask) >> 64);
  out.carry_low[l] = static_cast<std::uint64_t>(product.carry);
  out.carry_high[l] = static_cast<std::uint64_t>((product.carry & kProductMask) >> 64);
}

Type type_of(NumType type) {
  switch (type) {
    case NumType::kF32: return Type::kF32;
    case NumType::kU32: return Type::kU32;
    case NumType::kS32: return Type::kS32;
    case NumType::kU64: return Type::kU64;
    case NumType::kS64: return Type::kS64;
    default: return Type::kF64;
  }
}

}  // namespace

Control control_of(const isa::Instruction& insn) {
  Control control;
  control.multiplies = control.adds = true;
  switch (insn.op) {
    case Op::kDfma: break;
    case Op::kDadd: control.multiplies = false; break;
    case Op::kDmul: control.adds = false; break;
    case Op::kDmin: control.operation = Operation::kMin; break;
    case Op::kDmax: control.operation = Operation::kMax; break;
    case Op::kDset: control.operation = Operation::kSet; break;
    case Op::kCvtI2F: control.operation = Operation::kFromInteger; break;
    case Op::kCvtF2I: control.operation = Operation::kToInteger; break;
    case Op::kCvtF2F: control.operation = Operation::kToFloat; break;
    default: CHECK(false, "operation {} is not one of the fp64 unit", static_cast<unsigned>(insn.op));
  }
  for (unsigned i = 0; i < 3; ++i) {
    control.negate[i] = insn.src[i].neg;
    control.absolute[i] = insn.src[i].abs;
  }
  if (insn.op == Op::kDadd) std::swap(control.negate[1], control.negate[2]);
  control.round = insn.round;
  control.compare = insn.compare;
  control.source = type_of(insn.src_type);
  control.result = insn.op == Op::kDset ? Type::kU32 : type_of(insn.dst_type);
  control.integral = insn.integral && insn.op == Op::kCvtF2F;
  return control;
}

void unpack(const Operands& in, Unpacked& out, unsigned lanes) {
  Header& header = out.header;
  header.control = in.control;
  for (unsigned l = 0; l < lanes; ++l) {
    const Lane lane = unpack_lane(in, l);
    header.special[l] = lane.special;
    header.value[l] = lane.value;
    header.other[l] = lane.other;
    header.sign[l] = lane.sign;
    header.subtract[l] = lane.subtract;
    header.clamped[l] = lane.clamped;
    header.exponent[l] = static_cast<std::int16_t>(lane.exponent);
    out.multiplicand[l] = lane.multiplicand;
    out.multiplier[l] = lane.multiplier;
    out.addend[l] = lane.addend;
    out.distance[l] = static_cast<std::uint8_t>(std::clamp(lane.distance, 0, static_cast<int>(kAll)));
  }
}

void low_rows(const Unpacked& in, Rows& out, unsigned lanes) {
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    out.multiplicand[l] = in.multiplicand[l];
    out.multiplier[l] = in.multiplier[l];
    out.addend[l] = in.addend[l];
    out.distance[l] = in.distance[l];
    add_rows(in, {}, 0, out, l);
  }
}

void middle_rows(const Rows& in, Rows& out, unsigned lanes) {
  out = in;
  for (unsigned l = 0; l < lanes; ++l) add_rows(in, product_of(in, l), kDigitsAStage, out, l);
}

void high_rows(const Rows& in, Product& out, unsigned lanes) {
  static_assert(3 * kDigitsAStage == kDigits);
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    out.addend[l] = in.addend[l];
    out.distance[l] = in.distance[l];
    add_rows(in, product_of(in, l), 2 * kDigitsAStage, out, l);
  }
}

void align(const Product& in, Aligned& out, unsigned lanes) {
  const Control& control = in.header.control;
  const bool to_integer = control.operation == Operation::kToInteger;
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    out.sum_low[l] = in.sum_low[l];
    out.sum_high[l] = in.sum_high[l];
    out.carry_low[l] = in.carry_low[l];
    out.carry_high[l] = in.carry_high[l];
    bool sticky;
    Window addend = shifted_right(placed(in.addend[l], kAddendLow), in.distance[l], sticky);
    out.increment[l] = control.operation == Operation::kFromInteger && in.header.subtract[l];
    if (to_integer || control.integral) {
      // The fraction below the point decides the rounding and goes.
      const unsigned point = to_integer ? kIntegerPoint : kIntegralPoint, bit = point - 64;
      static_assert(kIntegerPoint > 64 && kIntegralPoint < 128);
      const std::uint64_t below = addend.word[1] & ((std::uint64_t{1} << bit) - 1);
      const bool guard = (below >> (bit - 1) & 1u) != 0;
      const bool rest = (below & ((std::uint64_t{1} << (bit - 1)) - 1)) != 0 || addend.word[0] != 0 || sticky;
      const bool odd = (addend.word[1] >> bit & 1u) != 0;
      out.increment[l] = arithmetic::rounds_up(control.round, in.header.sign[l], odd, guard, rest);
      addend.word[1] -= below;
      addend.word[0] = 0;
      sticky = false;
    }
    out.sticky[l] = sticky;
    out.addend_low[l] = addend.word[0];
    out.addend_middle[l] = addend.word[1];
    out.addend_high[l] = addend.word[2];
  }
}

void add(const Aligned& in, Added& out, unsigned lanes) {
  const Operation operation = in.header.control.operation;
  const bool converts = operation >= Operation::kFromInteger;
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    const Window addend{{in.addend_low[l], in.addend_middle[l], in.addend_high[l]}};
    Window sum;
    if (converts) {
      sum = sum_of(addend, placed(in.increment[l], in.header.control.integral ? kIntegralPoint : kIntegerPoint), false);
    } else {
      // The words of the product stand for its value modulo 2^108. As it is less than 2^106, one of them has its top
      // bit set exactly if their sum wraps around.
      const bool wraps = ((in.sum_high[l] | in.carry_high[l]) >> (kProductBits - 65) & 1u) != 0;
      Window x, y;
      x.word[0] = in.sum_low[l] << kProductLow;
      x.word[1] = in.sum_high[l] << kProductLow | in.sum_low[l] >> (64 - kProductLow);
      y.word[0] = in.carry_low[l] << kProductLow;
      y.word[1] = in.carry_high[l] << kProductLow | in.carry_low[l] >> (64 - kProductLow);
      if (wraps) {
        y.word[1] |= ~std::uint64_t{0} << (kProductBits + kProductLow - 64);
        y.word[2] = ~std::uint64_t{0};
      }
      const bool subtract = in.header.subtract[l];
      Window carries;  // of the row of full adders in front of the addition
      std::uint64_t below = 0;
      for (unsigned i = 0; i < kWindowWords; ++i) {
        const std::uint64_t z = subtract ? ~addend.word[i] : addend.word[i];
        const std::uint64_t half = x.word[i] ^ y.word[i], carry = (x.word[i] & y.word[i]) | (half & z);
        x.word[i] = half ^ z;
        carries.word[i] = carry << 1 | below >> 63;
        below = carry;
      }
      sum = sum_of(x, carries, false);
      // product - addend = product + ~addend + 1. Without the one a negative difference is the complement of its
      // magnitude. A positive one takes it, except where the addend goes on below the window.
      const bool negative = (sum.word[kWindowWords - 1] & kSignBit) != 0;
      if (subtract && !negative && !in.sticky[l]) sum = sum_of(sum, {}, true);
      out.header.sign[l] = in.header.sign[l] != (subtract && negative);
    }
    out.sticky[l] = in.sticky[l];
    out.sum_low[l] = sum.word[0];
    out.sum_middle[l] = sum.word[1];
    out.sum_high[l] = sum.word[2] & kSumHighMask;
  }
}

void count(const Added& in, Counted& out, unsigned lanes) {
  const Control& control = in.header.control;
  const int least = control.result == Type::kF32 ? 1 - kBias32 : 1 - kBias;  // exponent of the smallest normal number
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    const bool negative = (in.sum_high[l] & ~(kSumHighMask >> 1)) != 0;
    const std::uint64_t flip = negative ? ~std::uint64_t{0} : 0;
    const std::uint64_t magnitude[] = {in.sum_low[l] ^ flip, in.sum_middle[l] ^ flip,
                                       in.sum_high[l] ^ (flip & kSumHighMask)};
    int zeros = 0;
    bool leading = true;
    std::uint64_t any = 0;
    for (unsigned i = kWindowWords; i-- > 0;) {
      const std::uint64_t word = magnitude[i];
      if (leading) zeros += word == 0 ? 64 : __builtin_clzll(word);
      leading = leading && word == 0;
      any |= word;
    }
    out.magnitude_low[l] = magnitude[0];
    out.magnitude_middle[l] = magnitude[1];
    out.magnitude_high[l] = magnitude[2];
    zeros -= static_cast<int>(kWindowWords * 64 - 1 - kWindowTop);
    const int denormal = std::max(0, in.header.exponent[l] - least);  // where the bits of denormal numbers lie
    out.distance[l] =
        static_cast<std::uint8_t>(control.operation == Operation::kToInteger ? 0 : std::min(zeros, denormal));
    out.equal[l] = any == 0 && !in.sticky[l];
    out.below[l] = negative;
    out.sticky[l] = in.sticky[l];
  }
}

void shift(const Counted& in, Shifted& out, unsigned lanes) {
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    const Window w =
        shifted_left({{in.magnitude_low[l], in.magnitude_middle[l], in.magnitude_high[l]}}, in.distance[l]);
    constexpr unsigned kBit = kAddendLow - 64;
    out.significand[l] = w.word[2] << (64 - kBit) | w.word[1] >> kBit;
    out.sticky[l] = in.sticky[l] || (w.word[1] & ((std::uint64_t{1} << kBit) - 1)) != 0 || w.word[0] != 0;
    out.header.exponent[l] = static_cast<std::int16_t>(in.header.exponent[l] - in.distance[l]);
    out.below[l] = in.below[l];
    out.equal[l] = in.equal[l];
  }
}

void round(const Shifted& in, Rounded& out, unsigned lanes) {
  const Control& control = in.header.control;
  out.header = in.header;
  for (unsigned l = 0; l < lanes; ++l) {
    const std::uint64_t significand = in.significand[l];
    const bool sign = in.header.sign[l];
    out.below[l] = in.below[l];
    out.equal[l] = in.equal[l];
    out.overflow[l] = false;
    if (control.operation == Operation::kToInteger) {
      out.header.clamped[l] = in.header.clamped[l] || significand > integer_limit(control.result, sign);
      out.magnitude[l] = (sign ? ~significand : significand) + (sign ? 1 : 0);
      continue;
    }
    // Conversions negate an unsigned integer behind the rounding.
    const bool rounds_as_negative = sign && (control.operation != Operation::kFromInteger || is_signed(control.source));
    const bool narrow = control.result == Type::kF32;
    const unsigned cut = narrow ? 40 : 11;
    const int bias = narrow ? kBias32 : kBias;
    const std::uint64_t largest = narrow ? 254 : 2046;  // exponent field of a finite number
    const std::uint64_t kept = significand >> cut;
    const bool guard = (significand >> (cut - 1) & 1u) != 0;
    const bool rest = (significand & ((std::uint64_t{1} << (cut - 1)) - 1)) != 0 || in.sticky[l];
    const bool up = arithmetic::rounds_up(control.round, rounds_as_negative, (kept & 1u) != 0, guard, rest);
    // A carry out of the fraction counts one in the exponent field: so a denormal can become normal.
    const unsigned fraction_bits = 63 - cut;
    const auto field = static_cast<std::uint64_t>(significand >> 63 != 0 ? in.header.exponent[l] + bias : 0);
    const std::uint64_t fraction = kept & ((std::uint64_t{1} << fraction_bits) - 1);
    out.magnitude[l] = (field << fraction_bits | fraction) + (up ? 1 : 0);
    out.overflow[l] = out.magnitude[l] >> fraction_bits > largest;
  }
}

void pack(const Rounded& in, Result& out, unsigned lanes) {
  const Control& control = in.header.control;
  const Operation operation = control.operation;
  const bool narrow = !is_64_bit(control.result),
             to_float = control.result == Type::kF32 || control.result == Type::kF64;
  const std::uint64_t sign_bit = narrow ? kSignBit >> 32 : kSignBit;
  const std::uint64_t infinity = narrow ? 0x7f800000u : kInfinityBits;
  for (unsigned l = 0; l < lanes; ++l) {
    const std::uint64_t a = in.header.value[l], b = in.header.other[l];
    const bool a_sign = (a & kSignBit) != 0, b_sign = (b & kSignBit) != 0;
    // -0 is just below +0 for minimum and maximum, and equal to it for set.
    const bool less = a_sign != b_sign ? a_sign : a_sign != in.below[l];
    bool sign = in.header.sign[l], clamped = in.header.clamped[l];
    std::uint64_t value = a;
    if (!in.header.special[l]) {
      switch (operation) {
        case Operation::kMin: value = less ? a : b; break;
        case Operation::kMax: value = less ? b : a; break;
        case Operation::kSet: {
          const bool zeros = ((a | b) & ~kSignBit) == 0, equal = zeros || (in.equal[l] && a_sign == b_sign);
          const unsigned relation = equal ? 2u : less ? 1u : 4u;
          value = (control.compare & relation) != 0 ? 0xffffffffu : 0;
          break;
        }
        case Operation::kToInteger:
          value = clamped ? integer_limit(control.result, sign) : in.magnitude[l];
          if (narrow) value &= 0xffffffffu;
          break;
        default: {
          // An exact difference of zero is negative only where all is rounded down.
          if (operation == Operation::kFma && in.equal[l] && in.header.subtract[l]) sign = control.round == Round::kRm;
          const bool away = control.round == Round::kRn || control.round == (sign ? Round::kRm : Round::kRp);
          value = in.overflow[l] ? infinity - (away ? 0 : 1) : in.magnitude[l];
          value |= sign ? sign_bit : 0;
          break;
        }
      }
    }
    const std::uint64_t magnitude = value & ~sign_bit;
    unsigned flags;
    if (to_float) {
      const bool nan = magnitude > infinity, negative = (value & sign_bit) != 0 && magnitude != 0;
      flags = (magnitude == 0 || nan ? 1u : 0u) | (negative || nan ? 2u : 0u);
    } else {
      // A number too large for u64 is the only one that is clamped without setting O.
      const bool silent = value == ~std::uint64_t{0};
      flags = (value == 0 ? 1u : 0u) | ((value & sign_bit) != 0 ? 2u : 0u) | (clamped && !silent ? 8u : 0u);
    }
    out.value[l] = value;
    out.flags[l] = static_cast<std::uint8_t>(flags);
  }
}

void Datapath::compute(unsigned stage, unsigned lanes) {
  switch (stage) {
    case 0: return unpack(operands, unpacked, lanes);
    case 1: return low_rows(unpacked, low, lanes);
    case 2: return middle_rows(low, middle, lanes);
    case 3: return high_rows(middle, high, lanes);
    case 4: return align(high, aligned, lanes);
    case 5: return add(aligned, added, lanes);
    case 6: return count(added, counted, lanes);
    case 7: return shift(counted, shifted, lanes);
    case 8: return round(shifted, rounded, lanes);
    default: return pack(rounded, result, lanes);
  }
}

}  // namespace g80::dp
