// SPDX-License-Identifier: Apache-2.0
// Stops a machine at the first difference between a block and the twin beside it (tb/twins/checked_twin.h).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/common/clocked.h"

namespace g80 {

class CheckedTwin;

/// Where a block and its twin first differ.
struct TwinDifference {
  std::string block;
  Cycle cycle = 0;  // shader cycle of the edge
  std::string text;
};

class TwinCheck final : private TraceSink {
 public:
  /// Call after the machine is built; it must outlive the check. `domains`: its clocks, the shader clock first.
  explicit TwinCheck(std::vector<Domain*> domains);
  ~TwinCheck() override;
  TwinCheck(const TwinCheck&) = delete;
  TwinCheck& operator=(const TwinCheck&) = delete;

  std::optional<TwinDifference> difference() const;
  /// Throws ModelError if there is one. Called before the next edge of any clock, so that a wave still shows the edge
  /// of the difference; call it once more when the machine stops.
  void look() const;
  /// What was compared so far.
  std::string summary() const;

 private:
  struct Pair {
    const ClockedBase* block;
    const CheckedTwin* twin;
  };
  void edge_begin(Domain&) override { look(); }
  void changed(std::uint32_t) override {}

  const std::vector<Domain*> domains_;
  std::vector<Pair> pairs_;
};

}  // namespace g80
