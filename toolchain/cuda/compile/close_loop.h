// SPDX-License-Identifier: Apache-2.0
// How a loop is kept whole: all ways out of it and back to its beginning lead through one block.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace g80::cuda {

/// The number of a way, which LLVM cannot know: "@g80.way(" in the text.
inline constexpr std::string_view kWay = "@g80.way(";

/// What code does that other lanes can notice, and whether it notices what they do.
struct Effects {
  bool observes = false;
  bool writes = false, stores = false;  // stores: writes not only by atomic operations
  bool chooses = false;                 // calls a function that writes on some of its ways only
  bool waits = false;                   // at a barrier
  bool branches = false;                // of a function: more than one block

  void add(const Effects& other) {
    observes |= other.observes;
    writes |= other.writes;
    stores |= other.stores;
    chooses |= other.chooses;
    waits |= other.waits;
  }
  bool operator==(const Effects& other) const {
    return std::tie(observes, writes, stores, chooses, waits, branches) ==
           std::tie(other.observes, other.writes, other.stores, other.chooses, other.waits, other.branches);
  }
};
struct Block {
  std::string name, label;  // the line of its label; both empty for the first block
  std::string code, end;    // its instructions, the last of which is a text of its own
  bool is_added = false;
  Effects effects;
  std::size_t place = SIZE_MAX;  // in the source
};

/// A block and the way that it takes.
struct Edge {
  std::size_t from, way;
};
/// Where it leads: to a block, or to the end of the function as this block does.
struct Way {
  std::size_t block;
  bool returns;
};

/// Leads the edges through new blocks behind the last one of the loop. The first way is back to the first block.
void close_loop(std::vector<Block>& blocks, std::size_t first, std::size_t last, const std::vector<Way>& ways,
                const std::vector<Edge>& edges, const std::string& name);

/// True if the function ends with the block.
bool returns(const Block& block);

}  // namespace g80::cuda
