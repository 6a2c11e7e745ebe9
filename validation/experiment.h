// SPDX-License-Identifier: Apache-2.0
// Runs one kernel on its own machine and records how it ended, its counters, its buffers, and on
// request the warp events and every access to device memory on its way to a coalescer.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/bundles/transaction.h"
#include "tb/record/machine_event.h"
#include "tb/scenario/run_result.h"
#include "validation/cycle_breakdown.h"

namespace g80::silicon {

using Words = std::vector<std::uint32_t>;

enum class Watch : std::uint8_t {
  kNothing,
  kEvents,  // starts, issues, releases, ends
  kWaits,   // and what each warp waits for
};

struct Experiment {
  std::string kernel;   // a folder of kernels/, a file there that ends in .cu, or assembly
  std::string entry{};  // which kernel of several; empty: the first
  std::string device = "8600gts";
  std::vector<std::string> sets{};  // as --set
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::vector<Words> buffers{};  // their addresses are the first parameters, as wide as the kernel has them
  Words params{};                // the others
  bool texture = false;          // the first buffer lies behind $t0 too: words, by their number
  std::uint32_t dynamic_shared = 0;
  std::uint64_t max_cycles = 0;
  Watch watch = Watch::kNothing;
  bool accesses = false;
  bool profile = false;  // counters of each instruction
};

struct Observation {
  std::string refusal;  // why it was not launched; empty if it was launched
  LaunchResult result;
  std::vector<MachineEvent> events;      // of the launch, in the order of time
  std::vector<HalfWarpAccess> accesses;  // in the order in which each SM made them
  std::vector<std::uint32_t> addresses;  // of the buffers
  std::vector<Words> buffers;            // after a launch that finished
  unsigned num_sms = 0;
  CycleBreakdown where;

  std::uint64_t sum(std::uint64_t SmCounters::*counter) const;
};

/// Makes experiments on machines of their own, all changed in the same way, and keeps what the longest of them spent
/// its cycles with.
class ExperimentRunner {
 public:
  explicit ExperimentRunner(std::vector<std::string> sets = {}) : sets_(std::move(sets)) {}
  const std::vector<std::string>& sets() const { return sets_; }

  /// Throws InputError for source that cannot be assembled or compiled; a launch that the device refuses is a result.
  Observation run(Experiment experiment);
  /// Seconds that a copy of `more` bytes on the device takes beyond one of `less` bytes, each of pages of its own.
  double copy_seconds(const std::string& device, std::uint32_t more, std::uint32_t less);
  /// A launch that was made elsewhere, or one that was known.
  void note(const CycleBreakdown& where);
  /// As if `where` had been all that was run by `measure`, which returns it.
  template <class Measure>
  void note_only(const Measure& measure) {
    const CycleBreakdown before = take();
    const CycleBreakdown where = measure();
    take();
    note(before);
    note(where);
  }
  /// Of the longest launch since the last call.
  CycleBreakdown take();

 private:
  std::vector<std::string> sets_;
  CycleBreakdown longest_;
};

/// The one-SM machine with the SM of `device`.
inline const std::vector<std::string> kOneSm = {"gpu.num_tpcs=1", "gpu.sms_per_tpc=1"};

}  // namespace g80::silicon
