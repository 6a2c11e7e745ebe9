// SPDX-License-Identifier: Apache-2.0
// The control bits that an instruction gives to the datapath of the SPs. They are made once, when the instruction
// enters, and travel with its lanes from stage to stage.
#pragma once
#include <cstdint>

#include "hw/common/fields.h"
#include "hw/isa/instruction.h"

namespace g80 {

/// Which path through the stages a lane group takes.
enum class SpPath : std::uint8_t {
  kNone,         // no result: nop, pmevent
  kMove,         // moves, data of loads, flags to a register; slct after its choice
  kLogic,        // and, or, xor, second operand
  kAdd,          // integer sums of 16 or 32 bits
  kCompare,      // set, min, max of integers and floats
  kShiftLeft,    // in the normalising shifter
  kShiftRight,   // in the alignment shifter
  kMultiply,     // 16 x 16 and 24 x 24 bits
  kMultiplyAdd,  // the same, and a sum
  kDistance,     // sad: |a - b| + c
  kFloat,        // a * b + c; a sum is a * 1 + b, a product a * b + 0
  kToInteger,    // conversions, by the kind of their result
  kToFloat,
};
inline const EnumText& enum_text(SpPath) {
  static const char* const names[] = {"none",       "move",        "logic",    "add",          "compare",
                                      "shift_left", "shift_right", "multiply", "multiply_add", "distance",
                                      "float",      "to_integer",  "to_float"};
  static const EnumText text{"SpPath", names, 13};
  return text;
}

/// How the four flags follow from a result.
enum class SpFlags : std::uint8_t {
  kInteger,  // Z zero, S top bit; C and O of a sum or shift
  kFloat32,  // Z zero or NaN, S negative or NaN
  kFloat16,
  kSelected,  // slct: Z for a zero of either sign, else S = bit 31
  kWord,      // mov $c: the low four bits
  kVerdict,   // vote, ld lock: true or false, as set says it
};
inline const EnumText& enum_text(SpFlags) {
  static const char* const names[] = {"integer", "float32", "float16", "selected", "word", "verdict"};
  static const EnumText text{"SpFlags", names, 6};
  return text;
}

enum class SpCarry : std::uint8_t { kZero, kOne, kFlags };  // into the adder
enum class SpLogic : std::uint8_t { kAnd, kOr, kXor, kSecond };
enum class SpChoice : std::uint8_t { kRelation, kSmaller, kLarger };  // after a comparison: a mask, or an operand
enum class SpQuadOp : std::uint8_t { kAdd, kSubtractFirst, kSubtractSecond, kSecond };
inline const EnumText& enum_text(SpCarry) {
  static const char* const names[] = {"zero", "one", "flags"};
  static const EnumText text{"SpCarry", names, 3};
  return text;
}
inline const EnumText& enum_text(SpLogic) {
  static const char* const names[] = {"and", "or", "xor", "second"};
  static const EnumText text{"SpLogic", names, 4};
  return text;
}
inline const EnumText& enum_text(SpChoice) {
  static const char* const names[] = {"relation", "smaller", "larger"};
  static const EnumText text{"SpChoice", names, 3};
  return text;
}
inline const EnumText& enum_text(SpQuadOp) {
  static const char* const names[] = {"add", "subtract_first", "subtract_second", "second"};
  static const EnumText text{"SpQuadOp", names, 4};
  return text;
}

/// A number format: width, and how its bits are read.
enum class SpWidth : std::uint8_t { k8, k16, k24, k32 };
inline const EnumText& enum_text(SpWidth) {
  static const char* const names[] = {"8", "16", "24", "32"};
  static const EnumText text{"SpWidth", names, 4};
  return text;
}
struct SpFormat {
  SpWidth width = SpWidth::k32;
  bool is_signed = false;
  bool is_float = false;
  unsigned bits() const { return 8 * (static_cast<unsigned>(width) + 1); }
  G80_FIELDS((width, 2), is_signed, is_float);
};

/// quadop: every lane of four takes its first operand from one of them.
struct SpQuad {
  bool enabled = false;
  bool zero = false;  // derivatives of fragment programs: both operands are 0
  std::uint8_t lane = 0;
  SpQuadOp op[4] = {};
  G80_FIELDS(enabled, zero, (lane, 2), (op, 2));
};

struct SpControl {
  SpPath path = SpPath::kNone;
  SpFlags flags = SpFlags::kInteger;
  bool writes_flags = false;
  bool half = false;          // 16-bit result
  bool takes_second = false;  // kMove: the second operand
  bool takes_flags = false;   // kMove: the flags
  bool selects = false;       // kMove: slct
  SpFormat from, second_from, to;
  bool negate_a = false, absolute_a = false;  // also "invert" of logic operations
  bool negate_b = false, absolute_b = false;
  bool negate_c = false;
  bool invert_x = false, invert_y = false;  // adder inputs, for subtraction
  SpCarry carry = SpCarry::kZero;
  bool saturate = false;
  bool high = false;        // bits 47:16 of a product
  bool integral = false;    // conversion to float: round to an integral value
  bool adds = false;        // kFloat: a * 1 + b
  bool multiplies = false;  // kFloat: a * b + 0
  isa::Round round = isa::Round::kRn;
  SpLogic logic = SpLogic::kAnd;
  SpChoice choice = SpChoice::kRelation;
  std::uint8_t relations = 0;  // for which set is true: bit 0 less, 1 equal, 2 greater, 3 unordered
  SpQuad quad;
  G80_FIELDS((path, 4), (flags, 3), writes_flags, half, takes_second, takes_flags, selects, from, second_from, to,
             negate_a, absolute_a, negate_b, absolute_b, negate_c, invert_x, invert_y, (carry, 2), saturate, high,
             integral, adds, multiplies, (round, 2), (logic, 2), (choice, 2), (relations, 4), quad);
};

/// The control bits of an instruction that the SPs execute. This is where its way through their stages is decided.
SpControl sp_control(const isa::Instruction& insn);

}  // namespace g80
