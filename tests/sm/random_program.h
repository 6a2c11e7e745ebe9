// SPDX-License-Identifier: Apache-2.0
// Random programs for the SM: arithmetic of every form, memory of every space (each thread in a place of its own),
// branches, loops with break, calls and early exits. A program depends on its seed alone.
#pragma once
#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "hw/isa/opcode_table.h"
#include "toolchain/assembler/line_assembler.h"

namespace g80::testing {

struct ProgramShape {
  unsigned blocks = 8;   // pieces at the top level
  bool control = true;   // branches, loops, calls
  unsigned nesting = 0;  // branches inside each other, once in the program
  bool memory = true;
  bool barriers = true;
  bool exchange = false;  // threads read each other's words between barriers, and add to one word of the grid
  std::uint32_t data_base = 0x40000;  // g[] of the first thread; the word that all add to lies 32 bytes below
  isa::Arch arch = isa::Arch::kSm11;
};

/// Reserved: $r14 = address of the thread's 32 bytes of g[], $r15 = loop counter, $a4 = address of its 16 bytes of s[].
/// $r0 .. $r13, $a1 .. $a3 and the flags are the program's.
class RandomProgram {
 public:
  RandomProgram(unsigned seed, const ProgramShape& shape) : random_(seed), shape_(shape) {}

  std::vector<std::uint32_t> generate() {
    text("cvt u32 $r1 u16 $r0l");
    text("mov b32 $r2 u16 s[0xc]");
    text("shl b32 $r2 $r2 0x7");
    text("add b32 $r2 $r2 $r1");
    text("shl b32 $r14 $r2 0x5");
    text(fmt::format("add b32 $r14 $r14 0x{:x}", shape_.data_base));
    text("shl $a4 $r1 0x4");
    text("add $a4 $a4 0x200");
    text("mov b32 $r3 0x3f9d70a4");
    text("mul $r4 u24 $r1 $r1");
    for (unsigned i = 0; shape_.memory && i < 4; ++i)
      text(fmt::format("st b128 l[0x{:x}] $r4q", 16 * i));  // the last tenant's
    for (unsigned i = 0; i < shape_.blocks; ++i) {
      if (shape_.nesting != 0 && i == shape_.blocks / 2) nest(shape_.nesting);
      piece(3);
    }
    text("exit (never) nop");
    for (unsigned i = 0; i < functions_; ++i) function(i);
    return link();
  }

 private:
  struct Line {
    isa::Words words[2];
    unsigned count = 1;
    std::string label_use;  // the target of a control instruction
    std::string text;
    std::string label;  // defines a label, no code
  };

  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  static isa::Words assemble(const std::string& line, isa::Arch arch) {
    try {
      return isa::assemble(line, arch);
    } catch (const isa::AssemblyError& error) {
      throw std::runtime_error(line + ": " + error.what());
    }
  }
  void text(const std::string& line) { lines_.push_back({{assemble(line, shape_.arch)}, 1, "", "", ""}); }
  void control(const std::string& line, const std::string& target) { lines_.push_back({{}, 1, target, line, ""}); }
  void label(const std::string& name) { lines_.push_back({{}, 0, "", "", name}); }
  std::string fresh(const char* stem) { return fmt::format("{}{}", stem, next_label_++); }
  std::string condition() {
    static const char* const names[] = {"l", "e", "le", "g", "lg", "ge", "u", "s", "ns", "c", "nc", "eu", "o"};
    return fmt::format("({} $c{})", names[pick(13)], pick(4));
  }
  std::string maybe_guard() { return pick(3) == 0 ? condition() + " " : ""; }

  void piece(unsigned depth) {
    const unsigned kind = pick(12);
    if (shape_.control && depth > 0 && kind < 2) return branch(depth);
    if (shape_.control && depth > 1 && kind == 2 && !in_loop_ && !in_function_) return loop(depth);
    if (shape_.control && kind == 3 && !in_function_) return call();
    if (shape_.control && kind == 4 && pick(4) == 0 && !in_function_) return text(condition() + " ret");
    if (shape_.barriers && kind == 5 && depth == 3 && !in_function_) return text("bar inc wait 0x0 0xfff");
    if (shape_.exchange && kind == 6 && depth == 3 && !in_function_) return exchange();
    if (shape_.memory && kind < 9) {
      for (unsigned i = 0; i < 2; ++i) memory();
      return;
    }
    for (unsigned i = 0; i < 6; ++i) arithmetic();
  }
  void branch(unsigned depth) {
    const std::string other = fresh("else"), join = fresh("join");
    control("joinat", join);
    control(condition() + " bra", other);
    piece(depth - 1);
    control("bra", join);
    label(other);
    piece(depth - 1);
    if (in_loop_ && pick(3) == 0) text(condition() + " break");
    label(join);
    text("join (never) nop");
  }
  void nest(unsigned levels) {
    const std::string other = fresh("else"), join = fresh("join");
    const unsigned deeper = pick(2);
    control("joinat", join);
    control(condition() + " bra", other);
    for (unsigned side = 0; side < 2; ++side) {
      if (side == deeper && levels > 1) {
        nest(levels - 1);
      } else {
        piece(1);
      }
      if (side == 0) {
        control("bra", join);
        label(other);
      }
    }
    label(join);
    text("join (never) nop");
  }
  void loop(unsigned depth) {
    const std::string head = fresh("loop"), end = fresh("end");
    in_loop_ = true;
    text(fmt::format("mov b32 $r15 0x{:x}", 1 + pick(4)));
    control("breakaddr", end);
    label(head);
    piece(depth - 1);
    text("add b32 $r15 $r15 0xffffffff");
    text("set $c3 # le s32 $r15 $r124");
    text("(lg $c3) break");
    if (pick(2) == 0) text(condition() + " break");
    control("bra", head);
    label(end);
    in_loop_ = false;
  }
  void call() {
    if (functions_ < 3) ++functions_;
    control("call", fmt::format("function{}", pick(functions_)));
  }
  void function(unsigned number) {
    in_function_ = true;
    label(fmt::format("function{}", number));
    piece(1);
    if (pick(2) == 0) text(condition() + " ret");
    piece(0);
    text("ret");
    in_function_ = false;
  }

  /// At the top level only: who is still running gets there, so the result is the same in every order.
  void exchange() {
    const unsigned r = pick(14), other = (r + 1 + pick(13)) % 14;
    text(fmt::format("st b32 s[$a4] $r{}", r));
    text("bar inc wait 0x0 0xfff");
    text(fmt::format("shr u32 $r{} $r14 0x5", r));
    text(fmt::format("and b32 $r{} $r{} 0x3f", r, r));  // the thread
    text(fmt::format("xor b32 $r{} $r{} 0x{:x}", r, r, 1 + pick(63)));
    text(fmt::format("shl $a3 $r{} 0x4", r));
    text("add $a3 $a3 0x200");
    text(fmt::format("mov b32 $r{} b32 s[$a3]", other));
    text("bar inc wait 0x0 0xfff");
    if (pick(2) == 0) return;
    text(fmt::format("mov b32 $r{} 0x{:x}", r, shape_.data_base - 32));
    text(fmt::format("red add u32 g14[$r{}] $r{}", r, other));
  }

  void memory() {
    const std::string guard = maybe_guard();
    const unsigned r = pick(14), pair = 2 * pick(7), quad = 4 * pick(3);
    switch (pick(22)) {
      case 0: return text(fmt::format("{}ld b32 $r{} g14[$r14]", guard, r));
      case 1: return text(fmt::format("{}ld u8 $r{} g14[$r14]", guard, r));
      case 2: return text(fmt::format("{}ld s16 $r{} g14[$r14]", guard, r));
      case 3: return text(fmt::format("{}ld b64 $r{}d g14[$r14]", guard, pair));
      case 4: return text(fmt::format("{}ld b128 $r{}q g14[$r14]", guard, quad));
      case 5: return text(fmt::format("{}st b32 g14[$r14] $r{}", guard, r));
      case 6: return text(fmt::format("{}st u8 g14[$r14] $r{}", guard, r));
      case 7: return text(fmt::format("{}st b64 g14[$r14] $r{}d", guard, pair));
      case 8: return text(fmt::format("{}st b128 g14[$r14] $r{}q", guard, quad));
      case 9: return text(fmt::format("{}st b32 s[$a4+0x{:x}] $r{}", guard, 4 * pick(4), r));
      case 10: return text(fmt::format("{}st b16 s[$a4+0x{:x}] $r{}h", guard, 2 * pick(8), r));
      case 11: return text(fmt::format("{}st b8 s[$a4+0x{:x}] $r{}", guard, pick(16), r));
      case 12: return text(fmt::format("{}mov b32 $r{} b32 s[$a4+0x{:x}]", guard, r, 4 * pick(4)));
      case 13: return text(fmt::format("{}mov b32 $r{} s16 s[$a4+0x{:x}]", guard, r, 2 * pick(8)));
      case 14:
        return text(fmt::format("{}add b32 $r{} b32 s[$a4+0x{:x}] c1[0x{:x}]", guard, r, 4 * pick(4), 4 * pick(32)));
      case 15: return text(fmt::format("{}st b32 l[0x{:x}] $r{}", guard, 4 * pick(16), r));
      case 16: return text(fmt::format("{}st b64 l[0x{:x}] $r{}d", guard, 8 * pick(8), pair));
      case 17: return text(fmt::format("{}st b128 l[0x{:x}] $r{}q", guard, 16 * pick(4), quad));
      case 18: return text(fmt::format("{}ld b64 $r{}d l[0x{:x}]", guard, pair, 8 * pick(8)));
      case 19: return text(fmt::format("{}ld b128 $r{}q l[0x{:x}]", guard, quad, 16 * pick(4)));
      case 20: return text(fmt::format("{}ld s8 $r{} l[0x{:x}]", guard, r, pick(64)));
      default: return text(fmt::format("{}ld add u32 $r{} g14[$r14] $r{}", guard, r, pick(14)));
    }
  }

  static void remap(isa::Operand& operand, bool destination) {
    using isa::OperandKind;
    switch (operand.kind) {
      case OperandKind::kReg: operand.index = static_cast<std::uint8_t>(operand.index % 20); break;
      case OperandKind::kHalf: operand.index = static_cast<std::uint8_t>(operand.index % 28); break;
      case OperandKind::kPair: operand.index = static_cast<std::uint8_t>(operand.index % 14 & ~1u); break;
      case OperandKind::kAddr:
        operand.index = static_cast<std::uint8_t>(destination ? 1 + operand.index % 3 : operand.index % 5);
        break;
      default: break;
    }
    if (destination && operand.kind == OperandKind::kReg && (operand.index == 14 || operand.index == 15))
      operand.index -= 8;
  }

  /// An instruction of a random row of the opcode table that touches no memory but c1[] and the head of s[].
  bool random_instruction(isa::Form form, isa::Words& out) {
    const std::vector<isa::Row>& rows = isa::OpcodeTable::get().rows();
    const isa::Row& row = rows[pick(static_cast<unsigned>(rows.size()))];
    if (row.form != form || row.graphics || row.alias || row.arch > shape_.arch) return false;
    if (row.unit != isa::Unit::kSp && row.unit != isa::Unit::kSfu && row.unit != isa::Unit::kDp) return false;
    const std::uint64_t noise =
        std::uint64_t{static_cast<std::uint32_t>(random_())} << 32 | static_cast<std::uint32_t>(random_());
    const std::uint64_t word = row.match | (noise & ~row.mask);
    isa::Instruction insn;
    if (isa::decode(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32), shape_.arch, insn) !=
        isa::DecodeError::kNone)
      return false;
    if (insn.op == isa::Op::kMovFromSpecial || insn.op == isa::Op::kInvalid) return false;
    insn.exit = insn.join = false;
    bool in_memory = false;
    for (isa::Operand& operand : insn.src) {
      in_memory |= operand.kind == isa::OperandKind::kShared || operand.kind == isa::OperandKind::kConst;
      remap(operand, false);
    }
    remap(insn.dst, true);
    if (in_memory && insn.addr_reg != 0) return false;
    if (form != isa::Form::kLong) {  // the third source repeats the destination
      for (isa::Operand& operand : insn.src) {
        if (&operand == &insn.src[2] && operand.kind != isa::OperandKind::kNone) operand.index = insn.dst.index;
      }
    }
    insn.ignored0 = insn.ignored1 = 0;
    try {
      out = isa::encode(insn);
    } catch (const std::invalid_argument&) {
      return false;
    }
    return true;
  }
  void arithmetic() {
    const unsigned kind = pick(6);
    const isa::Form form = kind == 0 ? isa::Form::kShort : kind == 1 ? isa::Form::kImmediate : isa::Form::kLong;
    Line line;
    line.count = form == isa::Form::kShort ? 2 : 1;  // short instructions come in pairs
    for (unsigned i = 0; i < line.count; ++i) {
      while (!random_instruction(form, line.words[i])) continue;
    }
    lines_.push_back(line);
  }

  std::vector<std::uint32_t> link() {
    std::vector<std::pair<std::string, std::uint32_t>> labels;
    std::uint32_t at = 0;
    for (const Line& line : lines_) {
      if (!line.label.empty()) labels.emplace_back(line.label, at);
      at += line.count == 0 ? 0 : 8;
    }
    std::vector<std::uint32_t> words;
    for (Line& line : lines_) {
      if (line.count == 0) continue;
      if (!line.label_use.empty()) {
        for (const auto& [name, address] : labels) {
          if (name == line.label_use)
            line.words[0] = assemble(fmt::format("{} 0x{:x}", line.text, address), shape_.arch);
        }
      }
      words.push_back(line.words[0].w0);
      words.push_back(line.count == 2 ? line.words[1].w0 : line.words[0].w1);
    }
    return words;
  }

  std::mt19937 random_;
  const ProgramShape shape_;
  std::vector<Line> lines_;
  unsigned next_label_ = 0, functions_ = 0;
  bool in_loop_ = false, in_function_ = false;
};

}  // namespace g80::testing
