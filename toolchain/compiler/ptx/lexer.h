// SPDX-License-Identifier: Apache-2.0
// Splits PTX text into words and drops comments, preprocessor lines and @@DWARF lines.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/compiler/ptx/token.h"

namespace g80::ptx {

struct TokenList {
  std::vector<Token> tokens;  // the last one is kEnd; texts refer to the source
  bool made_by_llvm = false;  // the text says that LLVM's NVPTX back end wrote it
};

/// Throws SourceError naming file and line of a word that PTX does not have.
TokenList tokenize(std::string_view source, const std::string& filename);

/// "file:line: message" as SourceError.
[[noreturn]] void fail_at(const std::string& filename, Place place, const std::string& message);

}  // namespace g80::ptx
