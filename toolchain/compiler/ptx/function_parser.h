// SPDX-License-Identifier: Apache-2.0
// Parses a function from its header to its closing brace.
#pragma once
#include <map>

#include "toolchain/compiler/ptx/cursor.h"
#include "toolchain/compiler/ptx/scope.h"
#include "toolchain/compiler/ptx/syntax.h"

namespace g80::ptx {

/// .file numbers to indices into Module::files, in the order of their first use.
class SourceFiles {
 public:
  explicit SourceFiles(std::vector<std::string>& files) : files_(files) {}
  std::uint32_t index(std::uint64_t number);
  void name(std::uint64_t number, std::string_view name);

 private:
  std::vector<std::string>& files_;
  std::map<std::uint64_t, std::uint32_t> indices_;
};

/// `.file n "name" ..` and `.loc n line column ..`, the word already taken.
void parse_file_directive(Cursor& cursor, SourceFiles& files);

/// After .entry or .func. The function is entered into the module, replacing a prototype of the same name.
/// `module_scope` has the names of the module's registers, which nvcc 2.x declared for arguments and results.
void parse_function(Cursor& cursor, Module& module, bool is_entry, SourceFiles& files, const Scope& module_scope);

}  // namespace g80::ptx
