// SPDX-License-Identifier: Apache-2.0
// Proves that blocks that run together on the reference never end: they come back to a state in which they have been,
// but for registers that decide nothing, and memory has not changed in between. If they read a clock that only delays,
// at places where it decides nothing, and s[] has not been written either: who comes first may differ each time.
#pragma once
#include <cstdint>
#include <vector>

#include "tb/golden/block_state.h"
#include "tb/golden/deciding_registers.h"
#include "tb/golden/executor.h"

namespace g80::golden {

class Repetition {
 public:
  explicit Repetition(unsigned registers) : registers_(registers) {}

  /// A block starts or ends.
  void begin(std::uint64_t instruction, std::uint64_t changes);
  void executed(const StepRecord& step) {
    if (compares_) note(step);
  }
  /// A good moment to look at the warp that has executed `step`: at the begin of a loop, where it will come again.
  bool is_at_turn(const StepRecord& step);
  /// True if the blocks are in the same state as before. Called each time all of their warps have had their turn, with
  /// the number of instructions and that of changes to what the state of blocks does not contain.
  bool is_seen(const std::vector<BlockState>& blocks, std::uint64_t instruction, std::uint64_t changes);

 private:
  static constexpr std::uint64_t kPatience = 1'000'000;  // instructions without a change before states are compared

  void note(const StepRecord& step);
  bool depends_on_clock(const std::vector<BlockState>& blocks);
  static std::vector<std::uint64_t> places(const std::vector<BlockState>& blocks);
  std::uint64_t digest(const std::vector<BlockState>& blocks);

  std::uint64_t changes_ = 0, since_ = 0;  // the last change
  bool compares_ = false;                  // long enough ago
  const unsigned registers_;               // of a thread
  DecidingRegisters deciding_;             // while states are compared, like the next three
  bool reads_clock_ = false, writes_shared_ = false, writes_local_ = false;
  std::uint64_t compared_ = 0, renewed_ = 0;  // states since then; when the one to compare with was taken
  std::vector<std::uint64_t> places_;         // of the warps: differ in most states
  std::uint64_t digest_ = 0;
};

}  // namespace g80::golden
