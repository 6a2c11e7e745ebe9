// SPDX-License-Identifier: Apache-2.0
// The nested "name { ... }" text of a cubin as a tree with line numbers, independent of the names of blocks.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace g80 {

/// "key = value", or one word in braces.
struct BlockItem {
  std::string key, value;
  unsigned line = 0;
};

struct Block {
  std::string name;
  unsigned line = 0;
  std::vector<BlockItem> items;
  std::vector<BlockItem> words;  // bare words; key empty
  std::vector<Block> blocks;
};

/// The top-level blocks. Throws SourceError.
std::vector<Block> parse_blocks(std::string_view text, const std::string& filename);

/// Throws SourceError with "filename:line: message".
[[noreturn]] void fail_at(const std::string& filename, unsigned line, const std::string& message);

}  // namespace g80
