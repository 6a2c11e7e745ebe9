// SPDX-License-Identifier: Apache-2.0
// Proves that a block on the reference never ends: it comes back to a state in which it has been, and memory has not
// changed in between.
#pragma once
#include <cstdint>
#include <vector>

#include "tb/golden/block_state.h"

namespace g80::golden {

class Repetition {
 public:
  /// A block starts.
  void begin(std::uint64_t instruction, std::uint64_t changes);
  /// True if the block is in the same state as before. Called each time all of its warps have had their turn, with the
  /// number of instructions and that of changes to what the block's state does not contain.
  bool is_seen(const BlockState& block, std::uint64_t instruction, std::uint64_t changes);

 private:
  static constexpr std::uint64_t kPatience = 1'000'000;  // instructions without a change before states are compared

  static std::vector<std::uint64_t> places(const BlockState& block);
  static std::uint64_t digest(const BlockState& block);

  std::uint64_t changes_ = 0, since_ = 0;     // the last change
  std::uint64_t compared_ = 0, renewed_ = 0;  // states since then; when the one to compare with was taken
  std::vector<std::uint64_t> places_;         // of its warps: differ in most states
  std::uint64_t digest_ = 0;
};

}  // namespace g80::golden
