// SPDX-License-Identifier: Apache-2.0
// A twin beside its block: the block runs as it does without a twin, and what the twin's model makes of the same inputs
// is compared with the block at every edge at which the block is awake. tb/check/twin_check.h looks at the result.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "hw/common/types.h"

namespace g80 {

class CheckedTwin {
 public:
  struct Difference {
    Cycle edge = 0;  // of the block's clock
    Picoseconds time = 0;
    bool in_output = false;
    std::string text;    // the output, register or counter, and both values
    std::string inputs;  // that the edge saw
  };
  virtual ~CheckedTwin() = default;
  /// The twin runs beside its block, not in its place. Call before the simulation starts.
  void run_beside() { beside_ = true; }
  bool beside() const { return beside_; }
  /// The first one; both run on.
  const std::optional<Difference>& difference_found() const { return found_; }
  std::uint64_t edges_compared() const { return edges_; }

 protected:
  bool beside_ = false;
  std::optional<Difference> found_;
  std::uint64_t edges_ = 0;
};

}  // namespace g80
