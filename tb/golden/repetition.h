// SPDX-License-Identifier: Apache-2.0
// Proves that blocks that run together on the reference never end: they come back to a state in which they have been,
// but for registers that decide nothing, and memory has not changed in between.
#pragma once
#include <cstdint>
#include <vector>

#include "tb/golden/block_state.h"
#include "tb/golden/deciding_registers.h"
#include "tb/golden/executor.h"

namespace g80::golden {

class Repetition {
 public:
  /// A block starts or ends.
  void begin(std::uint64_t instruction, std::uint64_t changes);
  void executed(const StepRecord& step) {
    if (compares_) deciding_.add(step.pc, step.decoded->insn);
  }
  /// True if the blocks are in the same state as before. Called each time all of their warps have had their turn, with
  /// the number of instructions and that of changes to what the state of blocks does not contain.
  bool is_seen(const std::vector<BlockState>& blocks, std::uint64_t instruction, std::uint64_t changes);

 private:
  static constexpr std::uint64_t kPatience = 1'000'000;  // instructions without a change before states are compared

  static std::vector<std::uint64_t> places(const std::vector<BlockState>& blocks);
  std::uint64_t digest(const std::vector<BlockState>& blocks);

  std::uint64_t changes_ = 0, since_ = 0;     // the last change
  bool compares_ = false;                     // long enough ago
  DecidingRegisters deciding_;                // while states are compared
  std::uint64_t compared_ = 0, renewed_ = 0;  // states since then; when the one to compare with was taken
  std::vector<std::uint64_t> places_;         // of the warps: differ in most states
  std::uint64_t digest_ = 0;
};

}  // namespace g80::golden
