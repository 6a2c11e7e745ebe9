// SPDX-License-Identifier: Apache-2.0
// Rows of the seven measured times of square_array: each time, its ratio to the first, and the transactions behind it.
#include <fmt/format.h>

#include "validation/rows.h"
#include "validation/seed_rows.h"

namespace g80::silicon {
namespace {

constexpr double kBand = 0.10;
constexpr const char* kDecided = "docs/accuracy.md: what was fitted to these times";

template <unsigned kTrial>
Finding time_of(SeedRuns& runs) {
  return {runs.trial(kTrial)};
}
template <unsigned kTrial>
Finding ratio_of(SeedRuns& runs) {
  return {runs.trial(kTrial) / runs.trial(1)};
}

/// Transactions of the loads of one round of a block of 512 threads.
template <unsigned kTrial>
Finding transactions_of(SeedRuns& runs) {
  constexpr unsigned kBlocks = 2, kRounds = 4;
  const RunTotals all = totals(runs.program("square_array", {{"trial", fmt::format("{}", kTrial)},
                                                             {"blocks", fmt::format("{}", kBlocks)},
                                                             {"per_thread", fmt::format("{}", kRounds)}}));
  return {static_cast<double>(all.coalesced + all.uncoalesced) / (2 * kBlocks * kRounds)};
}

#define TIME(n, said, ms)                                                                                      \
  {                                                                                                            \
    "1.3.time" #n, kThreadsBlocks, trial_rows()[n - 1].what, "ms", said, ms*(1 - trial_rows()[n - 1].allowed), \
        ms*(1 + trial_rows()[n - 1].allowed), kDecided, time_of<n>                                             \
  }
#define RATIO(n, said, low, high, text) \
  { "1.3.ratio" #n, kThreadsBlocks, text, "times", said, low, high, kDecided, ratio_of<n> }
#define TRANSACTIONS(n, number)                                                                                \
  {                                                                                                            \
    "1.3.transactions" #n, kThreadsBlocks, "transactions of a load of 512 threads, trial " #n, "transactions", \
        #number, number, number, "hw/mem/coalesce.h: the strict rule for half-warps", transactions_of<n>       \
  }

}  // namespace

std::vector<SeedRow> time_rows() {
  return {
      TRANSACTIONS(1, 32),
      TRANSACTIONS(2, 32),
      TRANSACTIONS(3, 512),
      TRANSACTIONS(4, 512),
      TRANSACTIONS(5, 32),
      TRANSACTIONS(6, 64),
      TRANSACTIONS(7, 512),
      TIME(1, "14.5", 14.5),
      TIME(2, "14.7", 14.7),
      TIME(3, "86.0", 86.0),
      TIME(4, "93.5", 93.5),
      TIME(5, "14.4", 14.4),
      TIME(6, "22.1", 22.1),
      TIME(7, "85.5", 85.5),
      RATIO(2, "1.01", 0.95, 1.05, "half the stride costs nothing: trial 2 to trial 1"),
      RATIO(3, "5.93", 5, 8, "a factor of six: trial 3 to trial 1"),
      RATIO(4, "6.45", 5, 8, "an offset costs as much: trial 4 to trial 1"),
      RATIO(5, "0.99", 0.95, 1.05, "groups of a half-warp cost nothing: trial 5 to trial 1"),
      RATIO(6, "1.52", 1.3, 2, "half as much again: trial 6 to trial 1"),
      RATIO(7, "5.90", 5, 8, "everything at its worst does not multiply: trial 7 to trial 1"),
      {"1.3.order", kThreadsBlocks, "an offset is not cheaper than a short stride: trial 4 to trial 3", "times", "1.09",
       1, 1.3, kDecided, [](SeedRuns& runs) { return Finding{runs.trial(4) / runs.trial(3)}; }},
      {"1.3.bandwidth", kThreadsBlocks, "what trial 1 moves: 2^25 words read and written", "GB/s", "18.5",
       18.5 * (1 - kBand), 18.5 * (1 + kBand), kDecided,
       [](SeedRuns& runs) { return Finding{2 * 4 * 33554432.0 / runs.trial(1) / 1e6}; }},
  };
}

}  // namespace g80::silicon
