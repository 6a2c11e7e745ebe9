// SPDX-License-Identifier: Apache-2.0
// The source file and line of each instruction of a kernel.
//
// A table is a list of runs in ascending order of address: all code from a run's address up to the next run's belongs
// to its line. Line 0 means that the code belongs to no line. Files are in the order of their first run, with the
// path given to the compiler.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace g80 {

/// A line of a source file. `file` lives as long as the table it comes from.
struct SourcePlace {
  std::string_view file;
  std::uint32_t line = 0;
  bool operator==(const SourcePlace& other) const { return file == other.file && line == other.line; }
};
std::string to_text(const SourcePlace& place);  // "scale.cu:12"

class LineTable {
 public:
  struct Run {
    std::uint32_t address = 0;  // in bytes from the kernel's first word
    std::uint32_t file = 0;     // index into files()
    std::uint32_t line = 0;
    bool operator==(const Run& other) const {
      return address == other.address && file == other.file && line == other.line;
    }
  };

  /// Addresses ascend. Code of the line before extends its run; line 0, or no file, ends it.
  void add(std::uint32_t address, std::string_view file, std::uint32_t line);

  bool empty() const { return runs_.empty(); }
  const std::vector<Run>& runs() const { return runs_; }
  const std::vector<std::string>& files() const { return files_; }
  /// The line of the instruction at `address`, if it has one.
  std::optional<SourcePlace> find(std::uint32_t address) const;
  /// " (scale.cu:12)" for messages, or nothing.
  std::string remark(std::uint32_t address) const;
  bool operator==(const LineTable& other) const { return files_ == other.files_ && runs_ == other.runs_; }

 private:
  std::vector<std::string> files_;
  std::vector<Run> runs_;
};

}  // namespace g80
