// Runs one kernel on a machine of its own and keeps what was seen of it: how it ended, its counters, its buffers, and on
// request the events of the warps and every access to device memory on its way to a coalescer.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/mem/transaction.h"
#include "tb/record/machine_events.h"
#include "tb/report/run_result.h"

namespace g80::silicon {

using Words = std::vector<std::uint32_t>;

enum class Watch : std::uint8_t {
  kNothing,
  kEvents,    // starts, issues, releases, ends
  kWaits,     // and what each warp waits for
};

struct Experiment {
  std::string kernel;  // a folder of kernels/, or assembly
  std::string device = "8600gts";
  std::vector<std::string> sets{};  // as --set
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::vector<Words> buffers{};  // their addresses are the first parameters
  Words params{};                // the others
  std::uint32_t dynamic_shared = 0;
  std::uint64_t max_cycles = 0;
  Watch watch = Watch::kNothing;
  bool accesses = false;
  bool profile = false;  // counters of each instruction
};

struct Observation {
  std::string refusal;  // why it was not launched; empty if it was
  LaunchResult result;
  std::vector<MachineEvent> events;      // of the launch, in the order of time
  std::vector<HalfWarpAccess> accesses;  // in the order in which each SM made them
  std::vector<std::uint32_t> addresses;  // of the buffers
  std::vector<Words> buffers;            // after a launch that finished
  unsigned num_sms = 0;

  std::uint64_t sum(std::uint64_t SmCounters::*counter) const;
};

/// Throws InputError for source that cannot be assembled; a launch that the device refuses is a result.
Observation observe(const Experiment& experiment);

/// The one-SM machine with the SM of `device`.
inline const std::vector<std::string> kOneSm = {"gpu.num_tpcs=1", "gpu.sms_per_tpc=1"};

}  // namespace g80::silicon
