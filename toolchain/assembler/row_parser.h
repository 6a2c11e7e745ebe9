// SPDX-License-Identifier: Apache-2.0
// Matches one line of text against the syntax of table rows.
#pragma once
#include <string_view>

#include "hw/isa/opcode_table.h"
#include "toolchain/assembler/expression.h"

namespace g80::isa {

class RowParser {
 public:
  RowParser(std::string_view text, const SymbolLookup& symbols) : text_(text), symbols_(symbols) {}

  /// Reads exit, join, guard and lane mask, then the mnemonic. False: see problem().
  bool read_prefix();
  std::string_view mnemonic() const { return mnemonic_; }
  std::size_t mnemonic_position() const { return body_; }

  /// True if the rest of the line is the syntax of `row`; fills `insn`.
  bool match(const Row& row, Instruction& insn);

  /// The problem found furthest into the line.
  const TextProblem& problem() const { return problem_; }
  bool fail(std::size_t position, std::string message);
  /// Problems of a line whose syntax fits; they count more than those of rows that did not fit.
  void refuse(std::string message) {
    problem_ = {body_, std::move(message)};
    refused_ = true;
  }

 private:
  /// The number from `start` to here is too large or too small.
  bool fail_to_fit(std::size_t start, unsigned bits);
  void skip_spaces();
  std::string_view peek_word();
  std::string_view take_word();
  bool take_char(char c);
  bool expect_char(char c);

  bool match_item(const Item& item, Instruction& insn);
  bool match_field(const Field& field, Instruction& insn);
  bool match_words(const Field& field, Instruction& insn);
  bool match_unit_number(const Field& field, Instruction& insn);
  bool match_register(unsigned width, unsigned bits, Operand& op);
  bool match_address(Instruction& insn, Operand& op);
  bool match_shared(const Field& field, Instruction& insn);
  bool match_const(const Field& field, Instruction& insn, Operand& op);
  bool match_memory(const Field& field, Instruction& insn);
  bool match_global(const Field& field, Instruction& insn);
  bool match_results(const Field& field, Instruction& insn);
  bool match_sources(Instruction& insn);
  bool match_number(std::int64_t& value);
  bool match_indexed(std::string_view prefix, unsigned limit, unsigned& index);

  std::string_view text_;
  const SymbolLookup& symbols_;
  std::size_t position_ = 0;
  std::size_t body_ = 0;
  std::string_view mnemonic_;
  Instruction prefix_;
  bool has_guard_ = false, has_lanes_ = false, results_empty_ = false;
  TextProblem problem_;
  bool failed_ = false, refused_ = false;
};

}  // namespace g80::isa
