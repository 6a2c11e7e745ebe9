// SPDX-License-Identifier: Apache-2.0
#include "tb/record/sampler.h"

#include <algorithm>
#include <iterator>

namespace g80 {

Sampler::Sampler(const sc_core::sc_module_name& name, Gpu& gpu) : sc_module(name), gpu_(gpu) {
  SC_METHOD(sample);
  sensitive << due_;
  dont_initialize();
}

void Sampler::begin() {
  samples_.clear();
  samples_.reserve(kMostSamples);
  interval_ = kFirstInterval;
  start_ = read();
  schedule();
}

Sampler::Sample Sampler::read() const {
  Sample out;
  out.edge = gpu_.shader.last_edge();
  for (unsigned i = 0; i < gpu_.num_sms(); ++i) {
    const SmCounterBank sm = gpu_.sm(i).counters(out.edge);
    for (unsigned reason = 0; reason < kNumStallReasons; ++reason) out.stall[reason] += sm.stall[reason];
    out.lanes += sm.thread_instructions;
  }
  for (const auto& channel : gpu_.channels) {
    const DramController::Counters& dram = channel->controller.counters();
    out.bytes_read += dram.reads * gpu_.config.dram.burst_bytes;
    out.bytes_written += dram.writes * gpu_.config.dram.burst_bytes;
    out.row_hits += dram.row_hits;
    out.bursts += dram.reads + dram.writes;
  }
  return out;
}

// Samples half a cycle after an edge, so never at an edge of the shader clock.
void Sampler::schedule() {
  const Cycle next = (samples_.empty() ? start_.edge : samples_.back().edge) + interval_;
  const Picoseconds half = gpu_.shader.edge_time(1) / 2;
  const Picoseconds now = sc_core::sc_time_stamp().value();
  due_.notify(sc_core::sc_time::from_value(Domain::edge_time(gpu_.shader.mhz(), next) + half - now));
}

void Sampler::sample() {
  samples_.push_back(read());
  if (samples_.size() == kMostSamples) {  // the second, the fourth, ... stay: multiples of the doubled interval
    for (std::size_t k = 0; 2 * k + 1 < samples_.size(); ++k) samples_[k] = samples_[2 * k + 1];
    samples_.resize(samples_.size() / 2);
    interval_ *= 2;
  }
  schedule();
}

// Cycles count from begin(): until the launch is accepted, memory may still write what came before it.
TimeSeries Sampler::end(Cycle accepted, std::uint64_t shader_cycles) {
  due_.cancel();
  TimeSeries series;
  series.names = {"issued"};
  for (unsigned reason = 1; reason < kNumStallReasons; ++reason)
    series.names.push_back("stall." + stall_name(static_cast<StallReason>(reason)));
  for (const char* name :
       {"thread_instructions", "dram_read_bytes", "dram_write_bytes", "dram_row_hits", "dram_bursts"})
    series.names.push_back(name);
  series.values.resize(series.names.size());

  const auto add = [&](std::uint64_t cycle, const Sample& sample) {
    series.cycles.push_back(cycle);
    const StallCycles stall = stalls_of_launch(start_.stall, sample.stall, (cycle + 1) / 2 * gpu_.num_sms());
    for (unsigned reason = 0; reason < kNumStallReasons; ++reason) {
      std::vector<std::uint64_t>& sums = series.values[reason];  // that of cycles without a warp may be one too large
      sums.push_back(sums.empty() ? stall[reason] : std::max(sums.back(), stall[reason]));
    }
    const std::uint64_t others[] = {sample.lanes - start_.lanes, sample.bytes_read - start_.bytes_read,
                                    sample.bytes_written - start_.bytes_written, sample.row_hits - start_.row_hits,
                                    sample.bursts - start_.bursts};
    for (std::size_t k = 0; k < std::size(others); ++k) series.values[kNumStallReasons + k].push_back(others[k]);
  };
  add(0, start_);
  // Stores of the last blocks move after the launch's end. Every sample stands at its own edge, and the last one is the
  // first that has all: the end's counts at the end's cycle would be a transfer faster than the memory.
  samples_.push_back(read());
  const Sample all = samples_.back();
  for (const Sample& sample : samples_) {
    if (sample.edge <= start_.edge + series.cycles.back()) continue;
    add(sample.edge - start_.edge, sample);
    if (sample.edge >= accepted + shader_cycles && sample.bursts == all.bursts) break;
  }
  return series;
}

}  // namespace g80
