// SPDX-License-Identifier: Apache-2.0
// Collects the lines of one kernel, then lays out and encodes its code.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/common/limits.h"
#include "toolchain/assembler/line_assembler.h"
#include "toolchain/assembler/source_line.h"
#include "toolchain/assembler/symbol_table.h"
#include "toolchain/cubin/module.h"

namespace g80 {

/// Where a variable goes: a bank and, if given, its offset.
struct BankPlacement {
  unsigned bank = 0;
  std::optional<std::uint32_t> offset;
};
/// Reads "[c<bank>] [@ offset]".
BankPlacement take_placement(SourceLine& line, unsigned bank, const isa::SymbolLookup& symbols);
DataType take_type(SourceLine& line);
std::uint32_t align_up(std::uint32_t value, std::uint32_t alignment);

/// What the constant banks hold so far.
class ConstantBanks {
 public:
  /// The first byte behind everything in the bank.
  std::uint32_t end(unsigned bank) const;
  /// Takes `bytes` bytes for `owner`, if no offset is given behind everything in the bank, and returns their offset.
  /// Bytes behind the bank's last, and those of another owner, are an error.
  std::uint32_t take(const BankPlacement& placement, std::uint32_t bytes, std::uint32_t alignment,
                     std::string_view owner, const SourceLine& line, std::size_t position);

 private:
  struct Place {
    std::uint32_t end;
    std::string owner;
  };
  std::array<std::map<std::uint32_t, Place>, kNumConstBanks> places_;  // by their first byte
};

class KernelBuilder {
 public:
  KernelBuilder(std::string name, isa::Arch arch, const SymbolTable& module_symbols, const ConstantBanks& banks);

  /// A directive of a kernel (.reg .param .shared .local .smem .const .bar .equ .word); false if it is none of them.
  bool directive(std::string_view name, SourceLine& line);
  void label(const std::string& name, const SourceLine& line, std::size_t position);
  void instruction(const SourceLine& line);
  /// Everything after the last line; `end` is for messages about the whole kernel.
  Kernel finish(const SourceLine& end);

 private:
  struct Statement {
    SourceLine line;
    bool has_label = false;
    std::optional<isa::Words> raw;  // .word
  };

  void define(const std::string& name, std::int64_t value, const SourceLine& line, std::size_t position);
  void parameter(SourceLine& line);
  void shared(SourceLine& line);
  void constant(SourceLine& line);
  void raw_word(SourceLine& line);
  isa::AssembledLine assemble_statement(const Statement& statement) const;
  isa::SymbolLookup lookup() const {
    return [this](std::string_view name) { return symbols_.find(name); };
  }

  Kernel kernel_;
  isa::Arch arch_;
  SymbolTable symbols_;
  ConstantBanks banks_;
  std::uint32_t shared_end_ = kParameterBase;
  bool has_shared_ = false;
  std::optional<std::uint32_t> reg_, bar_, smem_;
  std::vector<Statement> statements_;
  std::vector<std::pair<std::string, std::size_t>> labels_;  // name, index of the statement it stands before
  bool pending_label_ = false;
};

}  // namespace g80
