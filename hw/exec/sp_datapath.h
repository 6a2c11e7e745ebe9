// SPDX-License-Identifier: Apache-2.0
// The datapath of the scalar processors, eight lanes wide: one register between two stages, one function per stage.
//
// Eight stages execute every operation. The longest is a * b + c of floats; the others use those stages that do their
// work, and are carried through the rest:
//
//   stage         hardware                      floats               integers              conversions
//   unpack        6 rows of carry-save adders   a * low half of b    a * low half of b     unpack, complement
//   multiply      7 rows of them, logic         a * high half of b   the same; logic       shift count
//   add_product   48-bit adder                  product, truncated   product; a - b (sad)  -
//   align         right shifter                 smaller operand      shift right           to integer, to denormal
//   add           32-bit adder                  sum                  sums, comparison      +1 of negation or rounding
//   count_zeros   leading-zero counter          of the sum           saturation, choice    of the sum; clamp
//   normalise     left shifter                  to bit 31            shift left            to bit 31; complement
//   round         24-bit incrementer            round, pack, flags   flags                 round, +1 of negation, flags
//
// The multiply-add truncates the product to 24 bits before the addition (Whitehead and Fit-Florea, Precision and
// Performance, NVIDIA 2011, section 4.3). The addition follows the single-path algorithm with guard, round and sticky
// bit and an end-around carry; Muller et al., Handbook of Floating-Point Arithmetic, chapter 7.
//
// A stage writes the fields that its path uses; the others keep what they held, as a register without its write enable
// does. No stage holds more than one of: half of a product, one shift, one wide addition, one leading-zero count.
#pragma once
#include <cstdint>

#include "hw/common/types.h"
#include "hw/exec/sp_control.h"

namespace g80 {

using SpWords = std::uint32_t[kNumSpLanes];
using SpProducts = std::uint64_t[kNumSpLanes];
inline constexpr unsigned kSpProductBits = 48;
inline constexpr std::uint64_t kSpProductMask = (std::uint64_t{1} << kSpProductBits) - 1;

/// The operands of eight lanes, as the collector delivers them.
struct SpLaneOperands {
  SpWords a, b, c;
  std::uint8_t flags[kNumSpLanes];  // of the $c that the instruction reads
  std::uint8_t verdict;             // vote: all lanes or none; ld lock: the lanes that got the lock
  G80_FIELDS(a, b, c, (flags, 4), verdict);
};

// Names of the fields below: x, y, z are operand words, whatever the path holds there. An exponent is that of the
// result's format plus kSpExponentOffset, so that none is negative; a zero has 0. sign is that of the result, zero_sign
// that of a result which is zero or too small. special: bit 0 infinite, 1 NaN (kCompare: unordered), 2 the sign of the
// infinity.
inline constexpr unsigned kSpExponentOffset = 256;

struct SpUnpacked {
  SpControl control;
  SpWords x = {}, y = {}, z = {};           // products: multiplicand, multiplier, addend
  SpProducts sum = {}, product_carry = {};  // x * low half of the multiplier, as two words
  SpWords exponent = {}, exponent_z = {};
  SpWords sign = {}, sign_z = {};
  SpWords special = {};
  SpWords carry = {};
  std::uint8_t verdict = 0;
  G80_FIELDS(control, x, y, z, (sum, kSpProductBits), (product_carry, kSpProductBits), (exponent, 10), (exponent_z, 10),
             (sign, 1), (sign_z, 1), (special, 3), (carry, 1), verdict);
};

struct SpMultiplied {
  SpControl control;
  SpWords x = {}, y = {}, z = {};           // kLogic: x is the result
  SpProducts sum = {}, product_carry = {};  // the product as two words
  SpWords exponent = {};                    // kFloat: the larger one, before the product's carry
  SpWords count = {};                       // of a shift; kFloat: distance of the exponents
  SpWords ahead = {};                       // kFloat: the product has the larger exponent
  SpWords sign = {}, sign_z = {};
  SpWords special = {};
  SpWords carry = {};
  std::uint8_t verdict = 0;
  G80_FIELDS(control, x, y, z, (sum, kSpProductBits), (product_carry, kSpProductBits), (exponent, 10), (count, 10),
             (ahead, 1), (sign, 1), (sign_z, 1), (special, 3), (carry, 1), verdict);
};

struct SpProduct {
  SpControl control;
  SpWords x = {}, y = {};  // kFloat: operand of the larger and of the smaller exponent, 24 bits and 3 below
  SpWords count = {};      // of a shift
  SpWords exponent = {};
  SpWords sign = {}, zero_sign = {};  // kDistance: sign: a < b
  SpWords limited = {};               // kFloat: a result below the smallest normal is rounded at its place
  SpWords special = {};
  SpWords carry = {};  // kFloat: subtract
  std::uint8_t verdict = 0;
  G80_FIELDS(control, x, y, (count, 6), (exponent, 10), (sign, 1), (zero_sign, 1), (limited, 1), (special, 3),
             (carry, 1), verdict);
};

struct SpAligned {
  SpControl control;
  SpWords x = {}, y = {};  // inputs of the adder; conversions: y is guard and sticky bit, or a mask
  SpWords count = {};      // shift left
  SpWords exponent = {};
  SpWords sign = {}, zero_sign = {};  // kDistance: sign: top bit of |a - b|
  SpWords limited = {};
  SpWords special = {};
  SpWords carry = {};     // into the adder; kShiftRight: out of the shifter
  SpWords overflow = {};  // kShiftRight
  std::uint8_t verdict = 0;
  G80_FIELDS(control, x, y, (count, 6), (exponent, 10), (sign, 1), (zero_sign, 1), (limited, 1), (special, 3),
             (carry, 1), (overflow, 1), verdict);
};

struct SpSum {
  SpControl control;
  SpWords word = {};       // the sum; the result of paths that do not add
  SpWords x = {}, y = {};  // kCompare: the operands; conversion of integers to f16: y is a mask
  SpWords count = {};
  SpWords exponent = {};
  SpWords sign = {}, zero_sign = {};  // kAdd: sign: top bit of the first operand
  SpWords limited = {};
  SpWords special = {};
  SpWords carry = {}, overflow = {};
  std::uint8_t verdict = 0;
  G80_FIELDS(control, word, x, y, (count, 6), (exponent, 10), (sign, 1), (zero_sign, 1), (limited, 1), (special, 3),
             (carry, 1), (overflow, 1), verdict);
};

struct SpCounted {
  SpControl control;
  SpWords word = {};
  SpWords count = {};  // of the left shift
  SpWords exponent = {};
  SpWords sign = {}, zero_sign = {};
  SpWords special = {};
  SpWords carry = {}, overflow = {};
  std::uint8_t verdict = 0;
  G80_FIELDS(control, word, (count, 6), (exponent, 10), (sign, 1), (zero_sign, 1), (special, 3), (carry, 1),
             (overflow, 1), verdict);
};

struct SpNormalised {
  SpControl control;
  SpWords word = {};  // kFloat, kToFloat: leading one in bit 31; kToInteger: complemented if the result is negative
  SpWords exponent = {};
  SpWords sign = {}, zero_sign = {};
  SpWords special = {};
  SpWords carry = {}, overflow = {};
  std::uint8_t verdict = 0;
  G80_FIELDS(control, word, (exponent, 10), (sign, 1), (zero_sign, 1), (special, 3), (carry, 1), (overflow, 1),
             verdict);
};

struct SpResult {
  SpWords word = {};
  std::uint8_t flags[kNumSpLanes] = {};  // written if the instruction writes flags
  G80_FIELDS(word, (flags, 4));
};

void sp_unpack(const SpControl& control, const SpLaneOperands& in, SpUnpacked& out);
void sp_multiply(const SpUnpacked& in, SpMultiplied& out);
void sp_add_product(const SpMultiplied& in, SpProduct& out);
void sp_align(const SpProduct& in, SpAligned& out);
void sp_add(const SpAligned& in, SpSum& out);
void sp_count_zeros(const SpSum& in, SpCounted& out);
void sp_normalise(const SpCounted& in, SpNormalised& out);
void sp_round(const SpNormalised& in, SpResult& out);
/// All of these in one for all lanes of a warp, for when nobody looks at the registers between them.
inline constexpr unsigned kSpGroups = kWarpSize / kNumSpLanes;
void sp_execute(const SpControl& control, const SpLaneOperands (&operands)[kSpGroups], SpResult (&results)[kSpGroups]);

}  // namespace g80
