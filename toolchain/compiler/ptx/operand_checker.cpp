// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/ptx/operand_checker.h"

#include <fmt/format.h>

#include "toolchain/compiler/ptx/lexer.h"

namespace g80::ptx {
namespace {

class Checker {
 public:
  Checker(const Module& module, const Function& function, const Instruction& instruction, const std::string& text)
      : module_(module), function_(function), instruction_(instruction), text_(text) {}

  void run() const {
    const std::string& letters = instruction_.form->operands;
    std::size_t next = 0;
    std::size_t wanted = 0, least = 0;
    for (std::size_t k = 0; k < letters.size(); ++k) {
      if (letters[k] == '?') {
        --least;
      } else {
        ++wanted;
        ++least;
      }
    }
    const std::size_t given = instruction_.operands.size();
    if (given < least || given > wanted)
      fail(instruction_.place,
           fmt::format("{} takes {} operand(s), not {}", text_,
                       least == wanted ? fmt::format("{}", wanted) : fmt::format("{} or {}", least, wanted), given));
    for (const char letter : letters)
      if (letter != '?' && next < given) check(letter, instruction_.operands[next++]);
  }

 private:
  [[noreturn]] void fail(Place place, const std::string& message) const { fail_at(module_.filename, place, message); }

  Scalar type(std::size_t k) const { return instruction_.types[k]; }

  void check(char letter, const Operand& operand) const {
    switch (letter) {
      case 'd': return destination(operand, scalar_bits(type(0)), type(0), false);
      case 'e': return destination(operand, wide_bits(), type(0), false);
      case 'D': return destination(operand, scalar_bits(type(0)), type(0), true);
      case 'U': return destination(operand, 32, Scalar::kU32, false);
      case 'P': return destination(operand, 1, Scalar::kPred, false);
      case 'N': return mov_destination(operand);
      case 'q': return predicates(operand);
      case 'a': return source(operand, scalar_bits(type(0)), type(0), false);
      case 'c': return source(operand, wide_bits(), type(0), false);
      case 'b': return source(operand, scalar_bits(type(1)), type(1), false);
      case 'B': return source(operand, scalar_bits(type(1)), type(1), true);
      case 'u': return count(operand);
      case 'p': return source(operand, 1, Scalar::kPred, false);
      case 'n': return mov_source(operand);
      case 'L': return data(operand, true);
      case 'S': return data(operand, false);
      case 'm': return address(operand);
      case 'x': return texture(operand);
      case '4': return texels(operand);
      case 'l': return label(operand);
      case 'i': return literal(operand);
      default: return;
    }
  }

  unsigned wide_bits() const { return scalar_bits(type(0)) * (instruction_.mods.half == Half::kWide ? 2 : 1); }

  Scalar register_type(const Operand& operand) const { return function_.registers[operand.id].type; }

  /// A register of `bits` bits (or more, if `wider`) whose class suits `wanted`.
  void check_register(const Operand& operand, unsigned bits, Scalar wanted, bool wider) const {
    const Scalar held = register_type(operand);
    const unsigned held_bits = scalar_bits(held);
    const bool width_fits = wider && held != Scalar::kPred && !is_float(wanted) ? held_bits >= bits : held_bits == bits;
    if (!width_fits || !same_class(held, wanted))
      fail(operand.place, fmt::format("{}: register '{}' is .{}, which does not fit {} bits of .{}", text_,
                                      operand.text, scalar_name(held), bits, scalar_name(wanted)));
  }

  void destination(const Operand& operand, unsigned bits, Scalar wanted, bool wider) const {
    if (operand.kind == OperandKind::kSink && instruction_.op() == Opcode::kAtom) return;
    if (operand.kind != OperandKind::kRegister || operand.negated)
      fail(operand.place, fmt::format("{}: '{}' cannot be written; a register is needed", text_, operand.text));
    check_register(operand, bits, wanted, wider);
  }

  void source(const Operand& operand, unsigned bits, Scalar wanted, bool wider) const {
    if (operand.negated && wanted != Scalar::kPred)
      fail(operand.place, fmt::format("{}: only a predicate can be negated", text_));
    switch (operand.kind) {
      case OperandKind::kRegister: return check_register(operand, bits, wanted, wider);
      case OperandKind::kInteger:
        if (is_float(wanted))
          fail(operand.place,
               fmt::format("{}: '{}' is a whole number; a floating point literal is needed", text_, operand.text));
        return;
      case OperandKind::kFloat:
        if (is_integer(wanted) || wanted == Scalar::kPred)
          fail(operand.place,
               fmt::format("{}: '{}' is a floating point number; an integer is needed", text_, operand.text));
        return;
      case OperandKind::kSpecial:
      case OperandKind::kClock:
        if ((instruction_.op() == Opcode::kMov || instruction_.op() == Opcode::kCvt) && !is_float(wanted) && bits >= 16)
          return;
        fail(operand.place, fmt::format("{}: a special register can only be read by mov and cvt", text_));
      default: break;
    }
    fail(operand.place, fmt::format("{}: '{}' cannot be a .{} operand", text_, operand.text, scalar_name(wanted)));
  }

  void count(const Operand& operand) const {
    if (operand.kind == OperandKind::kRegister && !is_float(register_type(operand)) && !operand.negated) {
      const unsigned bits = scalar_bits(register_type(operand));
      if (bits == 32 || bits == 16) return;
    }
    source(operand, 32, Scalar::kU32, false);
  }

  void predicates(const Operand& operand) const {
    if (operand.kind == OperandKind::kPair) {
      for (const Operand& part : operand.elements)
        if (part.kind != OperandKind::kSink) destination(part, 1, Scalar::kPred, false);
      return;
    }
    if (operand.kind != OperandKind::kSink) destination(operand, 1, Scalar::kPred, false);
  }

  void parts(const Operand& operand, bool is_destination) const {
    const std::size_t n = operand.elements.size();
    const unsigned bits = scalar_bits(type(0));
    if ((n != 2 && n != 4) || bits % n != 0 || bits / n < 8 || is_float(type(0)) || is_integer(type(0)))
      fail(operand.place, fmt::format("{}: {} parts cannot make up a .{}; .b types of 2 or 4 parts can", text_, n,
                                      scalar_name(type(0))));
    for (const Operand& part : operand.elements) {
      if (is_destination && part.kind == OperandKind::kSink) continue;
      const Scalar wanted = bits / n == 8 ? Scalar::kB8 : bits / n == 16 ? Scalar::kB16 : Scalar::kB32;
      is_destination ? destination(part, bits / static_cast<unsigned>(n), wanted, bits / n == 8)
                     : source(part, bits / static_cast<unsigned>(n), wanted, bits / n == 8);
    }
  }

  void mov_destination(const Operand& operand) const {
    if (operand.kind == OperandKind::kVector) return parts(operand, true);
    destination(operand, scalar_bits(type(0)), type(0), false);
  }

  void mov_source(const Operand& operand) const {
    switch (operand.kind) {
      case OperandKind::kVector: return parts(operand, false);
      case OperandKind::kVariable:
        if (scalar_bits(type(0)) < 32 || is_float(type(0)))
          fail(operand.place, fmt::format("{}: the address of '{}' needs 32 or 64 bits", text_, operand.text));
        return;
      case OperandKind::kFunction: fail(operand.place, fmt::format("{}: pointers to functions need sm_20", text_));
      case OperandKind::kLabel: fail(operand.place, fmt::format("{}: '{}' is not declared", text_, operand.text));
      default: return source(operand, scalar_bits(type(0)), type(0), false);
    }
  }

  void data(const Operand& operand, bool is_load) const {
    const unsigned wanted = instruction_.mods.vector;
    const auto one = [&](const Operand& part) {
      if (is_load && part.kind == OperandKind::kSink) return;
      if (is_float(type(0))) {  // a float stays its size; only integers extend
        is_load ? destination(part, scalar_bits(type(0)), type(0), false)
                : source(part, scalar_bits(type(0)), type(0), false);
      } else {
        is_load ? destination(part, scalar_bits(type(0)), type(0), true)
                : source(part, scalar_bits(type(0)), type(0), true);
      }
    };
    if (wanted == 1) {
      if (operand.kind == OperandKind::kVector)
        fail(operand.place, fmt::format("{}: several registers need .v2 or .v4", text_));
      return one(operand);
    }
    if (scalar_bytes(type(0)) * wanted > 16)
      fail(instruction_.place, fmt::format("{}: an access has at most 16 bytes", text_));
    if (operand.kind != OperandKind::kVector || operand.elements.size() != wanted)
      fail(operand.place, fmt::format("{}: {{}} of {} registers are needed", text_, wanted));
    for (const Operand& part : operand.elements) one(part);
  }

  void address(const Operand& operand) const {
    if (operand.kind != OperandKind::kAddress)
      fail(operand.place, fmt::format("{}: an address in [ ] is needed", text_));
    const Operand& base = operand.elements[0];
    if (base.kind == OperandKind::kRegister) {
      const Scalar held = register_type(base);
      if (is_float(held) || (scalar_bits(held) != 32 && scalar_bits(held) != 64))
        fail(base.place, fmt::format("{}: register '{}' is .{}, which cannot hold an address", text_, base.text,
                                     scalar_name(held)));
      return;
    }
    if (base.kind != OperandKind::kVariable && base.kind != OperandKind::kInteger)
      fail(base.place, fmt::format("{}: '{}' is not declared, or not an address", text_, base.text));
  }

  void texture(const Operand& operand) const {
    if (operand.kind != OperandKind::kTexture)
      fail(operand.place, fmt::format("{}: [texture, {{coordinates}}] is needed", text_));
    const Operand& where = operand.elements[1];
    const std::size_t least = instruction_.mods.dimensions;
    if (where.kind != OperandKind::kVector) {
      if (least != 1) fail(where.place, fmt::format("{}: {} coordinates are needed", text_, least));
      return source(where, 32, type(1), false);
    }
    const std::size_t n = where.elements.size();
    if (n < least) fail(where.place, fmt::format("{}: {} coordinates are needed", text_, least));
    for (std::size_t k = 0; k < least; ++k) source(where.elements[k], 32, type(1), false);
  }

  void texels(const Operand& operand) const {
    if (instruction_.mods.vector != 4 || operand.kind != OperandKind::kVector || operand.elements.size() != 4)
      fail(operand.place, fmt::format("{}: a texel has four parts", text_));
    for (const Operand& part : operand.elements)
      if (part.kind != OperandKind::kSink) destination(part, 32, type(0), false);
  }

  void label(const Operand& operand) const {
    if (operand.kind == OperandKind::kRegister) fail(operand.place, "branches through a register need sm_20");
    if (operand.kind != OperandKind::kLabel) fail(operand.place, fmt::format("'{}' is not a label", operand.text));
  }

  void literal(const Operand& operand) const {
    if (operand.kind != OperandKind::kInteger)
      fail(operand.place, fmt::format("{}: an integer literal is needed", text_));
  }

  const Module& module_;
  const Function& function_;
  const Instruction& instruction_;
  const std::string& text_;
};

}  // namespace

void check_operands(const Module& module, const Function& function, const Instruction& instruction,
                    const std::string& text) {
  Checker(module, function, instruction, text).run();
}

}  // namespace g80::ptx
