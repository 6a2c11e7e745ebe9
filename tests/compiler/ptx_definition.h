// SPDX-License-Identifier: Apache-2.0
// What integer, logic, comparison and choice instructions do, as the PTX ISA defines them, in 128-bit arithmetic.
#pragma once
#include <algorithm>
#include <optional>
#include <stdexcept>

#include "hw/isa/float_bits.h"
#include "tests/compiler/ptx_cases.h"
#include "tests/compiler/ptx_variants.h"

namespace g80 {

using s128 = __int128;

inline std::uint64_t low_bits(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}
inline s128 as_number(std::uint64_t value, Scalar type) {
  const unsigned bits = ptx::scalar_bits(type);
  const std::uint64_t low = low_bits(value, bits);
  return ptx::is_signed(type) && low >> (bits - 1) & 1 ? static_cast<s128>(low) - (static_cast<s128>(1) << bits)
                                                       : static_cast<s128>(low);
}
inline s128 clamped(s128 value, Scalar type) {
  const unsigned bits = ptx::scalar_bits(type);
  const s128 one = 1;
  const s128 least = ptx::is_signed(type) ? -(one << (bits - 1)) : 0;
  const s128 most = ptx::is_signed(type) ? (one << (bits - 1)) - 1 : (one << bits) - 1;
  return std::clamp(value, least, most);
}

/// The register that case_kernel gives `type`: its letter in PtxCase, which is also its name's.
inline char register_class(Scalar type) {
  if (type == Scalar::kPred) return 'p';
  if (type == Scalar::kF32) return 'f';
  if (type == Scalar::kF64) return 'g';
  const unsigned bits = ptx::scalar_bits(type);
  return bits == 64 ? 'd' : bits == 16 ? 's' : 'r';
}
inline std::string source_register(Scalar type, char input) { return std::string("%") + register_class(type) + input; }

/// The type of an operand letter of opcodes.def.
inline Scalar letter_type(const PtxVariant& v, char letter) {
  const bool wide = v.mods.half == ptx::Half::kWide && (letter == 'e' || letter == 'c');
  switch (letter) {
    case 'b':
    case 'B': return v.type(1);
    case 'U':
    case 'u': return Scalar::kU32;
    case 'P':
    case 'q':
    case 'p': return Scalar::kPred;
    default: break;
  }
  if (!wide) return v.type();
  switch (v.type()) {
    case Scalar::kU16: return Scalar::kU32;
    case Scalar::kS16: return Scalar::kS32;
    case Scalar::kU32: return Scalar::kU64;
    default: return Scalar::kS64;
  }
}

/// The instruction on registers a, b, c; result in register 0 of its class. A fourth source is %r3: bits 15:8 of c. A
/// predicate operand is c's.
inline std::string plain_code(const PtxVariant& v, char& result, bool with_predicate = false) {
  std::string code, operands;
  char input = 'a';
  const std::string& letters = v.form->operands;
  for (std::size_t k = 0; k < letters.size(); ++k) {
    const char letter = letters[k];
    if (letter == '?') continue;
    const bool optional = k + 1 < letters.size() && letters[k + 1] == '?';
    if (optional && !with_predicate) continue;
    const Scalar type = letter_type(v, letter);
    if (k > 0) operands += ", ";
    if (letter == 'm') {
      operands += "[%out]";
    } else if (std::string("deDUPqNL").find(letter) != std::string::npos) {
      result = register_class(type);
      operands += std::string("%") + result + "0";
    } else if (letter == 'p') {
      operands += "%pc";
    } else if (input > 'c') {
      code = "shr.u32 %r3, %rc, 8; ";
      operands += "%r3";
    } else {
      operands += source_register(type, input++);
    }
  }
  return code + v.text() + " " + operands + ";";
}

/// Whether a relation holds; `order`: -1, 0, 1, or 2 for unordered operands.
inline std::optional<bool> relation_holds(ir::Compare compare, int order, bool is_float) {
  using C = ir::Compare;
  const bool unordered = order == 2;
  const bool less = order == -1, equal = order == 0, greater = order == 1;
  switch (compare) {
    case C::kEq: return equal;
    case C::kNe: return less || greater;
    case C::kLt:
    case C::kLtU: return less;
    case C::kLe:
    case C::kLeU: return less || equal;
    case C::kGt:
    case C::kGtU: return greater;
    case C::kGe:
    case C::kGeU: return greater || equal;
    default: break;
  }
  if (!is_float) return std::nullopt;
  switch (compare) {
    case C::kEqUn: return equal || unordered;
    case C::kNeUn: return !equal;
    case C::kLtUn: return less || unordered;
    case C::kLeUn: return !greater;
    case C::kGtUn: return greater || unordered;
    case C::kGeUn: return !less;
    case C::kOrdered: return !unordered;
    default: return unordered;
  }
}

inline int float_order(double a, double b) { return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2; }
/// An operand of a comparison as a number; f32 without subnormal ones.
inline double float_operand(std::uint64_t bits, Scalar type) {
  if (type == Scalar::kF64) return isa::double_of(bits);
  std::uint32_t word = static_cast<std::uint32_t>(bits);
  if ((word & 0x7f800000u) == 0) word &= 0x80000000u;
  return isa::float_of(word);
}
inline int order_of(std::uint64_t a, std::uint64_t b, Scalar type) {
  if (ptx::is_float(type)) return float_order(float_operand(a, type), float_operand(b, type));
  const s128 x = as_number(a, type), y = as_number(b, type);
  return x < y ? -1 : x > y ? 1 : 0;
}

/// Does PTX have this comparison for this type?
inline bool comparison_exists(const PtxVariant& v, Scalar type) {
  using C = ir::Compare;
  const C compare = v.mods.compare;
  const bool is_unsigned_name = compare >= C::kLtU && compare <= C::kGeU;
  if (ptx::is_float(type)) return !is_unsigned_name;
  if (compare > C::kGeU) return false;
  if (compare == C::kEq || compare == C::kNe) return true;
  if (ptx::is_bits(type)) return false;
  return !is_unsigned_name || !ptx::is_signed(type);
}

inline bool combined(const PtxVariant& v, bool relation, std::uint64_t predicate) {
  const bool p = predicate & 1;
  switch (v.mods.boolean) {
    case ptx::Boolean::kAnd: return relation && p;
    case ptx::Boolean::kOr: return relation || p;
    case ptx::Boolean::kXor: return relation != p;
    default: return relation;
  }
}

/// An integer, logic, comparison or choice instruction; nothing if PTX does not have this variant. Throws out_of_range
/// for an instruction that has no definition here.
class IntegerDefinition {
 public:
  using Word = std::uint64_t;

  static std::optional<PtxCase> of(const PtxVariant& v) {
    PtxCase c;
    if (v.has(ModifierGroup::kCarry) || v.op() == Opcode::kAddc || v.op() == Opcode::kSubc || v.op() == Opcode::kMadc)
      return with_carry(v);
    const bool predicate = v.mods.boolean != ptx::Boolean::kNone;
    c.code = plain_code(v, c.result, predicate);
    switch (v.op()) {
      case Opcode::kSetp:
      case Opcode::kSet:
        if (!comparison_exists(v, v.types.back())) return std::nullopt;
        c.expected = [v](Word a, Word b, Word x) -> Word {
          const Scalar type = v.types.back();
          const bool holds = combined(v, *relation_holds(v.mods.compare, order_of(a, b, type), ptx::is_float(type)), x);
          if (v.op() == Opcode::kSetp) return holds;
          return !holds ? 0 : v.type() == Scalar::kF32 ? 0x3f800000u : 0xffffffffu;
        };
        return c;
      case Opcode::kSelp:
        c.expected = [v](Word a, Word b, Word x) { return low_bits(x & 1 ? a : b, ptx::scalar_bits(v.type())); };
        return c;
      case Opcode::kSlct:
        c.expected = [v](Word a, Word b, Word x) {
          const int order = order_of(x, 0, v.type(1));
          return low_bits(order == 0 || order == 1 ? a : b, ptx::scalar_bits(v.type()));
        };
        return c;
      case Opcode::kMov:
        c.expected = [v](Word a, Word, Word) { return low_bits(a, ptx::scalar_bits(v.type())); };
        return c;
      case Opcode::kDiv:
      case Opcode::kRem: {  // by zero: not specified
        const unsigned bits = ptx::scalar_bits(v.type());
        const std::string divisor = std::string("%") + register_class(v.type()) + "1";
        const std::string b = source_register(v.type(), 'b');
        c.code = "or.b" + std::to_string(bits) + " " + divisor + ", " + b + ", 1; " + v.text() + " %" + c.result +
                 "0, " + source_register(v.type(), 'a') + ", " + divisor + ";";
        c.expected = [v](Word a, Word d, Word) {
          return low_bits(compute(v, a, d | 1, 0), ptx::scalar_bits(v.type()));
        };
        return c;
      }
      default: break;
    }
    const bool wide = v.mods.half == ptx::Half::kWide;
    if (wide && (v.op() == Opcode::kMul24 || v.op() == Opcode::kMad24)) return std::nullopt;
    if (wide && ptx::scalar_bits(v.type()) == 64) return std::nullopt;
    if (v.mods.sat && (v.op() == Opcode::kMad || v.op() == Opcode::kMad24) && v.mods.half != ptx::Half::kHi)
      return std::nullopt;
    compute(v, 1, 1, 1);  // throws if there is no definition
    const unsigned bits = ptx::scalar_bits(letter_type(v, v.form->operands[0]));
    c.expected = [v, bits](Word a, Word b, Word x) { return low_bits(compute(v, a, b, x), bits); };
    return c;
  }

 private:
  static s128 halved(const PtxVariant& v, s128 product) {
    return v.mods.half == ptx::Half::kHi ? product >> ptx::scalar_bits(v.type()) : product;
  }
  static unsigned leading_zeros(Word value, unsigned bits) {
    unsigned n = 0;
    while (n < bits && !(value >> (bits - 1 - n) & 1)) ++n;
    return n;
  }

  static Word compute(const PtxVariant& v, Word a, Word b, Word c) {
    const Scalar type = v.type();
    const unsigned bits = ptx::scalar_bits(type);
    const s128 x = as_number(a, type), y = as_number(b, type), z = as_number(c, type);
    const auto word = [](s128 value) { return static_cast<Word>(value); };
    const auto product24 = [&] {
      const auto operand = [&](Word value) {
        const s128 low = static_cast<s128>(value & 0xffffff);
        return ptx::is_signed(type) && low >> 23 ? low - (1 << 24) : low;
      };
      const s128 product = operand(a) * operand(b);
      return as_number(word(v.mods.half == ptx::Half::kHi ? product >> 16 : product), type);
    };
    switch (v.op()) {
      case Opcode::kAdd: return word(v.mods.sat ? clamped(x + y, type) : x + y);
      case Opcode::kSub: return word(v.mods.sat ? clamped(x - y, type) : x - y);
      case Opcode::kMul: return word(halved(v, x * y));
      case Opcode::kMad: {
        const s128 addend = v.mods.half == ptx::Half::kWide ? as_number(c, letter_type(v, 'c')) : z;
        const s128 sum = halved(v, x * y) + addend;
        return word(v.mods.sat ? clamped(sum, type) : sum);
      }
      case Opcode::kMul24: return word(product24());
      case Opcode::kMad24: return word(v.mods.sat ? clamped(product24() + z, type) : product24() + z);
      case Opcode::kSad: return word((x > y ? x - y : y - x) + z);
      case Opcode::kDiv: return word(x / y);
      case Opcode::kRem: return word(x % y);
      case Opcode::kAbs: return word(x < 0 ? -x : x);
      case Opcode::kNeg: return word(-x);
      case Opcode::kMin: return word(std::min(x, y));
      case Opcode::kMax: return word(std::max(x, y));
      case Opcode::kAnd: return a & b;
      case Opcode::kOr: return a | b;
      case Opcode::kXor: return a ^ b;
      case Opcode::kNot: return ~a;
      case Opcode::kCnot: return x == 0;
      case Opcode::kShl: {
        const Word count = low_bits(b, 32);
        return count >= bits ? 0 : a << count;
      }
      case Opcode::kShr: {
        const Word count = std::min<Word>(low_bits(b, 32), bits);
        return word(x >> count);
      }
      case Opcode::kPopc: return static_cast<Word>(__builtin_popcountll(low_bits(a, bits)));
      case Opcode::kClz: return leading_zeros(a, bits);
      case Opcode::kBfind: {
        const Word value = low_bits(x < 0 ? ~a : a, bits);
        if (value == 0) return 0xffffffffu;
        return v.mods.shift_amount ? leading_zeros(value, bits) : bits - 1 - leading_zeros(value, bits);
      }
      case Opcode::kBrev: {
        Word result = 0;
        for (unsigned k = 0; k < bits; ++k) result |= (a >> k & 1) << (bits - 1 - k);
        return result;
      }
      case Opcode::kBfe: {
        const unsigned at = static_cast<unsigned>(b & 255), length = static_cast<unsigned>(c & 255);
        const bool fill = ptx::is_signed(type) && length != 0 && (a >> std::min(at + length - 1, bits - 1) & 1);
        Word result = 0;
        for (unsigned k = 0; k < bits; ++k) {
          const bool bit = k < length && at + k < bits ? (a >> (at + k) & 1) != 0 : fill;
          result |= static_cast<Word>(bit) << k;
        }
        return result;
      }
      case Opcode::kBfi: {
        const unsigned at = static_cast<unsigned>(c & 255), length = static_cast<unsigned>(c >> 8 & 255);
        Word result = b;
        for (unsigned k = 0; k < length && at + k < bits; ++k)
          result = (result & ~(Word{1} << (at + k))) | (a >> k & 1) << (at + k);
        return result;
      }
      case Opcode::kPrmt: return permuted(v.mods.permute, low_bits(a, 32) | b << 32, c);
      default: throw std::out_of_range(v.text());
    }
  }

  /// The byte selectors of each mode follow from what it extracts.
  static Word permuted(ptx::Permute mode, Word bytes, Word selector) {
    const unsigned s = selector & 3;
    Word result = 0;
    for (unsigned k = 0; k < 4; ++k) {
      unsigned from = 0;
      switch (mode) {
        case ptx::Permute::kNone: from = static_cast<unsigned>(selector >> (4 * k) & 15); break;
        case ptx::Permute::kF4e:  // four bytes upwards from byte s
          from = s + k;
          break;
        case ptx::Permute::kB4e:  // four bytes downwards
          from = (s + 8 - k) % 8;
          break;
        case ptx::Permute::kRc8: from = s; break;
        case ptx::Permute::kEcl:  // clamped from below
          from = std::max(k, s);
          break;
        case ptx::Permute::kEcr:  // from above
          from = std::min(k, s);
          break;
        case ptx::Permute::kRc16: from = 2 * (s & 1) + (k & 1); break;
      }
      Word byte = bytes >> (8 * (from & 7)) & 255;
      if (from & 8) byte = byte & 128 ? 255 : 0;
      result |= byte << (8 * k);
    }
    return result;
  }

  /// Carry in: bit 31 of c. Result: the sum in the low word, the carry out (or 0) in the high one.
  static std::optional<PtxCase> with_carry(const PtxVariant& v) {
    if (v.mods.half == ptx::Half::kWide) return std::nullopt;
    const bool subtracts = v.op() == Opcode::kSub || v.op() == Opcode::kSubc;
    const bool takes = v.op() == Opcode::kAddc || v.op() == Opcode::kSubc || v.op() == Opcode::kMadc;
    const bool is_mad = v.op() == Opcode::kMad || v.op() == Opcode::kMadc;
    PtxCase c;
    c.result = 'd';
    c.code = "add.cc.u32 %r1, %rc, %rc; " + v.text() + " %r0, %ra, %rb" + (is_mad ? ", %rc" : "") + "; ";
    c.code += v.mods.carry ? (subtracts ? "subc" : "addc") + std::string(".u32 %r3, 0, 0; ") : "mov.u32 %r3, 0; ";
    c.code += "mov.b64 %d0, {%r0, %r3};";
    c.expected = [=](Word a, Word b, Word x) -> Word {
      const Scalar type = v.type();
      const Word carry = takes ? x >> 31 & 1 : 0;
      Word first = low_bits(a, 32), second = low_bits(b, 32);
      if (is_mad) {
        first = low_bits(static_cast<Word>(halved(v, as_number(a, type) * as_number(b, type))), 32);
        second = low_bits(x, 32);
      }
      if (subtracts) {
        const s128 difference = static_cast<s128>(first) - static_cast<s128>(second) - static_cast<s128>(carry);
        return low_bits(static_cast<Word>(difference), 32) |
               (v.mods.carry && difference < 0 ? Word{0xffffffffu} << 32 : 0);
      }
      const Word sum = first + second + carry;
      return v.mods.carry ? sum : low_bits(sum, 32);
    };
    return c;
  }
};

}  // namespace g80
