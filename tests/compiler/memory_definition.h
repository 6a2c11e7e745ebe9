// SPDX-License-Identifier: Apache-2.0
// What loads, stores, atomic operations, textures and addresses do: each variant on a slot of 16 bytes of its thread.
#pragma once
#include <optional>

#include "tests/compiler/ptx_definition.h"

namespace g80 {

/// Variables for the cases below; a thread's slot starts at 16 times its number.
inline constexpr const char* kMemoryScope =
    ".global .align 16 .b8 scratch[8192];\n.shared .align 16 .b8 tile[8192];\n"
    ".const .align 16 .u32 fixed[4] = {0x89abcdef, 0x01234567, 0xdeadbeef, 0x7fc01234};\n"
    ".global .texref line;\n.global .texref plane;\n.global .texref volume;\n";

class MemoryDefinition {
 public:
  using Word = std::uint64_t;

  static std::optional<PtxCase> of(const PtxVariant& v) {
    if (v.refused) return std::nullopt;
    switch (v.op()) {
      case Opcode::kLd: return load(v);
      case Opcode::kSt: return store(v);
      case Opcode::kAtom:
      case Opcode::kRed: return atomic(v);
      case Opcode::kCvta: return address(v);
      default: throw std::out_of_range(v.text());
    }
  }

 private:
  /// Code that leaves the address of the thread's slot in %d1.
  static std::string slot(ptx::StateSpace space) {
    const std::string own = "mul.wide.u32 %d2, %t, 16; add.u64 %d1, %d1, %d2; ";
    switch (space) {
      case ptx::StateSpace::kGlobal:
      case ptx::StateSpace::kGeneric: return "mov.u64 %d1, scratch; " + own;
      case ptx::StateSpace::kShared: return "mov.u64 %d1, tile; " + own;
      case ptx::StateSpace::kLocal: return ".local .align 16 .b8 frame[16]; mov.u64 %d1, frame; ";
      case ptx::StateSpace::kConst: return "mov.u64 %d1, fixed; ";
      default: return "";
    }
  }
  static std::string suffix(ptx::StateSpace space) {
    return space == ptx::StateSpace::kGeneric ? "" : "." + std::string(ptx::state_space_name(space));
  }
  /// The elements' registers {x, y, ..} of `count` destinations, the last of which is the result.
  static std::string vector_operand(Scalar type, unsigned count) {
    const std::string letter(1, register_class(type));
    if (count == 1) return "%" + letter + "0";
    const std::string first = "%" + letter + "a", last = "%" + letter + "0";
    return count == 2 ? "{" + first + ", " + last + "}"
                      : "{" + first + ", %" + letter + "b, %" + letter + "c, " + last + "}";
  }
  static bool fits(const PtxVariant& v) { return ptx::scalar_bytes(v.type()) * v.mods.vector <= 16; }
  static Word element(Word low, Word high, Scalar type, unsigned index) {
    const unsigned bits = ptx::scalar_bits(type), at = bits * index;
    const Word raw = low_bits(at < 64 ? low >> at : high >> (at - 64), bits);
    // narrow ones are extended to 32 bits, or stay in 16
    if (bits == 8 && ptx::is_signed(type)) return low_bits(static_cast<Word>(as_number(raw, type)), 32);
    return raw;
  }

  static std::optional<PtxCase> load(const PtxVariant& v) {
    if (!fits(v)) return std::nullopt;
    const ptx::StateSpace space = v.mods.space;
    const bool is_fixed = space == ptx::StateSpace::kConst || space == ptx::StateSpace::kParam;
    if (v.mods.is_volatile && is_fixed) return std::nullopt;
    PtxCase c;
    c.result = register_class(v.type());
    c.code = slot(space);
    if (!is_fixed) c.code += "st" + suffix(space) + ".v2.u64 [%d1], {%da, %db}; ";
    c.code += v.text() + " " + vector_operand(v.type(), v.mods.vector) + ", [" +
              (space == ptx::StateSpace::kParam ? "p_block" : "%d1") + "];";
    c.expected = [=](Word a, Word b, Word) {
      const auto word = [](int k) { return static_cast<Word>(kParameterBlock[k]); };
      const Word low = is_fixed ? word(0) | word(1) << 32 : a, high = is_fixed ? word(2) | word(3) << 32 : b;
      return element(low, high, v.type(), v.mods.vector - 1);
    };
    return c;
  }

  static std::optional<PtxCase> store(const PtxVariant& v) {
    const ptx::StateSpace space = v.mods.space;
    if (!fits(v) || space == ptx::StateSpace::kConst || space == ptx::StateSpace::kParam) return std::nullopt;
    const std::string letter(1, register_class(v.type()));
    const std::string a = "%" + letter + "a", b = "%" + letter + "b";
    PtxCase c;
    c.result = 'd';
    c.code = slot(space) + "st" + suffix(space) + ".v2.u64 [%d1], {%dc, %dc}; " + v.text() + " [%d1], " +
             (v.mods.vector == 1   ? a
              : v.mods.vector == 2 ? "{" + a + ", " + b + "}"
                                   : "{" + a + ", " + b + ", " + b + ", " + a + "}") +
             "; ld" + suffix(space) + ".v2.u64 {%d1, %d2}, [%d1]; shl.b64 %d0, %d2, 1; xor.b64 %d0, %d0, %d1;";
    c.expected = [=](Word x, Word y, Word old) {
      const unsigned bits = ptx::scalar_bits(v.type());
      Word words[2] = {old, old};
      for (unsigned k = 0; k < v.mods.vector; ++k) {
        const Word value = low_bits(k == 0 || k == 3 ? x : y, bits);
        const unsigned at = bits * k;
        Word& word = words[at / 64];
        word = (word & ~(low_bits(UINT64_MAX, bits) << at % 64)) | value << at % 64;
      }
      return words[1] << 1 ^ words[0];
    };
    return c;
  }

  /// Memory holds b; the operands are a, and c for cas (which compares with b's neighbour in half of the threads).
  static std::optional<PtxCase> atomic(const PtxVariant& v) {
    using A = ptx::AtomicOp;
    const A op = v.mods.atomic;
    const Scalar type = v.type();
    const unsigned bits = ptx::scalar_bits(type);
    const bool is_logic = op == A::kAnd || op == A::kOr || op == A::kXor, swaps = op == A::kCas || op == A::kExch;
    const bool counts = op == A::kInc || op == A::kDec, extreme = op == A::kMin || op == A::kMax;
    const bool exists = is_logic  ? type == Scalar::kB32
                        : swaps   ? ptx::is_bits(type)
                        : counts  ? type == Scalar::kU32
                        : extreme ? type == Scalar::kU32 || type == Scalar::kS32
                                  : type == Scalar::kU32 || type == Scalar::kS32 || type == Scalar::kU64;
    const ptx::StateSpace space = v.mods.space;
    const bool shared = space == ptx::StateSpace::kShared;
    if (!exists || (!shared && space != ptx::StateSpace::kGlobal && space != ptx::StateSpace::kGeneric) ||
        (bits == 64 && shared))
      return std::nullopt;
    if (v.op() == Opcode::kRed && swaps) return std::nullopt;
    const std::string letter(1, bits == 64 ? 'd' : 'r'), size = std::to_string(bits);
    const bool is_cas = op == A::kCas;
    PtxCase c;
    c.result = 'd';
    c.code = slot(space) + "st" + suffix(space) + ".b" + size + " [%d1], %" + letter + "b; ";
    // cas: compares with b or a, as bit 0 of c says
    if (is_cas) c.code += "selp.b" + size + " %" + letter + "0, %" + letter + "b, %" + letter + "a, %pc; ";
    c.code += v.text() + (v.op() == Opcode::kAtom ? " %" + letter + "2, [%d1], " : " [%d1], ") +
              (is_cas ? "%" + letter + "0, %" + letter + "c; " : "%" + letter + "a; ");
    if (v.op() == Opcode::kRed) c.code += "mov.b" + size + " %" + letter + "2, 0; ";
    c.code += "ld" + suffix(space) + ".b" + size + " %" + letter + "0, [%d1]; ";
    c.code += bits == 64 ? "shl.b64 %d2, %d2, 1; xor.b64 %d0, %d0, %d2;" : "mov.b64 %d0, {%r0, %r2};";
    c.expected = [=](Word a, Word b, Word x) -> Word {
      const Word operand = low_bits(a, bits), old = low_bits(b, bits);
      const s128 p = as_number(a, type), q = as_number(b, type);
      Word next = 0;
      switch (op) {
        case A::kAnd: next = old & operand; break;
        case A::kOr: next = old | operand; break;
        case A::kXor: next = old ^ operand; break;
        case A::kExch: next = operand; break;
        case A::kCas: next = (x & 1) != 0 || old == operand ? low_bits(x, bits) : old; break;
        case A::kAdd: next = low_bits(old + operand, bits); break;
        case A::kInc: next = old >= operand ? 0 : old + 1; break;
        case A::kDec: next = old == 0 || old > operand ? operand : old - 1; break;
        case A::kMin: next = p < q ? operand : old; break;
        case A::kMax: next = p > q ? operand : old; break;
      }
      const Word seen = v.op() == Opcode::kAtom ? old : 0;
      return bits == 64 ? next ^ seen << 1 : next | seen << 32;
    };
    return c;
  }

  /// To a generic address, or from one and back: the memory is the same.
  static std::optional<PtxCase> address(const PtxVariant& v) {
    const ptx::StateSpace space = v.mods.space;
    if (space == ptx::StateSpace::kParam) return std::nullopt;
    const bool is_fixed = space == ptx::StateSpace::kConst;
    PtxCase c;
    c.result = 'd';
    const bool narrow = v.type() == Scalar::kU32;
    const std::string to = narrow ? "%r1" : "%d1";
    c.code = slot(space);
    if (!is_fixed) c.code += "st" + suffix(space) + ".u64 [%d1], %da; ";
    if (narrow) c.code += "cvt.u32.u64 %r1, %d1; ";
    if (v.mods.to) c.code += "cvta" + suffix(space) + (narrow ? ".u32 " : ".u64 ") + to + ", " + to + "; ";
    c.code += v.text() + " " + to + ", " + to + "; ld" + (v.mods.to ? suffix(space) : "") + ".u64 %d0, [" + to + "];";
    c.expected = [is_fixed](Word a, Word, Word) -> Word {
      return is_fixed ? kParameterBlock[0] | static_cast<Word>(kParameterBlock[1]) << 32 : a;
    };
    return c;
  }
};

}  // namespace g80
