// SPDX-License-Identifier: Apache-2.0
// Counters over the time of a launch. A separate process reads some of the machine's counters every N shader cycles,
// between two edges. N starts at kFirstInterval; at kMostSamples samples every second one is dropped and N doubles,
// so launches of any length have a similar number of samples. Without a sampler there is no
// cost.
#pragma once
#include <systemc>
#include <vector>

#include "hw/gpu/gpu.h"
#include "tb/record/stall_cycles.h"
#include "tb/scenario/run_result.h"

namespace g80 {

class Sampler final : public sc_core::sc_module {
 public:
  static constexpr Cycle kFirstInterval = 32;
  static constexpr std::size_t kMostSamples = 768;

  SC_HAS_PROCESS(Sampler);
  Sampler(const sc_core::sc_module_name& name, Gpu& gpu);

  /// A launch begins.
  void begin();
  /// It has ended: `accepted` is the shader edge of its doorbell, `shader_cycles` its length. The last sample has all
  /// that was counted; it is taken after the launch's end, when the last store has moved.
  TimeSeries end(Cycle accepted, std::uint64_t shader_cycles);

 private:
  struct Sample {
    Cycle edge = 0;
    StallCycles stall{};  // of all SMs
    std::uint64_t lanes = 0, bytes_read = 0, bytes_written = 0, row_hits = 0, bursts = 0;
  };
  void sample();
  void schedule();
  Sample read() const;

  Gpu& gpu_;
  sc_core::sc_event due_;
  Cycle interval_ = kFirstInterval;
  Sample start_;
  std::vector<Sample> samples_;
};

}  // namespace g80
