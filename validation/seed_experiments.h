// SPDX-License-Identifier: Apache-2.0
// Experiments with more than one result: rows use single numbers of them, the report plots them.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "validation/experiment.h"

namespace g80::silicon {

/// The textbook's Figure 3.8: warps of three blocks on one SM, each of which waits for a load.
struct Timeline38 {
  struct Issue {
    Cycle cycle;           // from the first load
    unsigned block, warp;  // from 0
    unsigned number;       // of the instruction in its part of the kernel, from 1 (the load)
  };
  struct Wait {
    unsigned block, warp, number;  // of the instruction that waits
    Cycle from, to;                // cycles without an issue of this warp
    unsigned others;               // instructions that other warps issued meanwhile
  };
  std::vector<Issue> issues;
  std::vector<Wait> waits;  // one for each warp
};
Timeline38 figure_38(ExperimentRunner& runner);

/// Share of used issue cycles of an SM for a number of resident warps that periodically wait for a load.
struct HidingPoint {
  unsigned warps = 0;
  double used = 0;
};
std::vector<HidingPoint> latency_hiding(ExperimentRunner& runner);

/// 16 warps that compute, load a word and meet at a barrier, as so many blocks.
struct BarrierPoint {
  unsigned blocks = 0;
  double lost = 0;  // cycles of the SM that a round costs beyond issuing it
  double used = 0;  // share of the issue cycles in use
};
std::vector<BarrierPoint> barrier_costs(ExperimentRunner& runner);

/// Warp instructions by active threads: 32, 24 to 31, 16 to 23, 8 to 15, 1 to 7 (and none).
struct Histogram {
  std::array<std::uint64_t, 5> issued{};
  std::uint64_t total = 0;
  double share(std::size_t bucket) const {
    return total == 0 ? 0 : static_cast<double>(issued[bucket]) / static_cast<double>(total);
  }
};
}  // namespace g80::silicon
