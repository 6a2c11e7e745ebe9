// SPDX-License-Identifier: Apache-2.0
// One line of .sasm source with a read position; every error names file, line and column.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/assembler/expression.h"

namespace g80 {

class SourceLine {
 public:
  SourceLine(const std::string& filename, unsigned number, std::string_view text)
      : filename_(&filename), number_(number), text_(text) {}

  const std::string& filename() const { return *filename_; }
  unsigned number() const { return number_; }
  std::string_view text() const { return text_; }
  std::size_t position() const { return position_; }
  /// The unread part without surrounding spaces.
  std::string_view rest();

  bool at_end();
  bool take(char c);
  /// The next run of name characters, or nothing.
  std::string_view peek_word();
  std::string_view take_word();
  /// A name that expressions can use.
  std::string take_name(std::string_view what);
  /// The name of a kernel, variable or parameter, which PTX may have given: it may also begin with $ or %.
  std::string take_ptx_name(std::string_view what);
  std::int64_t take_number(const isa::SymbolLookup& symbols, std::int64_t low, std::int64_t high,
                           std::string_view what);
  void expect_end();

  [[noreturn]] void fail(std::size_t position, const std::string& message) const;

 private:
  void skip_spaces();

  const std::string* filename_;
  unsigned number_;
  std::string_view text_;
  std::size_t position_ = 0;
};

/// The lines of a source without comments; empty ones are left out. `text` must outlive the result.
std::vector<SourceLine> source_lines(std::string_view text, const std::string& filename);

}  // namespace g80
