// SPDX-License-Identifier: Apache-2.0
// Runs small pieces of machine code on one preset and measures their shader cycles.
//
// A time is the difference of two runs that differ only in the number of copies and of loop rounds, so launch, first
// fetches, the loop and the end of the grid cancel out. Every run has its own machine, so rows do not
// depend on their order.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "hw/config/config.h"
#include "validation/experiment.h"

namespace g80::silicon {

class Bench {
 public:
  /// The runner's changes of the machine hold here too; it outlives the bench.
  Bench(std::string device, ExperimentRunner& runner)
      : device_(std::move(device)), runner_(runner), config_(load_config(device_, runner.sets())) {}

  const Config& config() const { return config_; }
  ExperimentRunner& runner() const { return runner_; }
  double shader_hz() const { return config_.clock.shader_mhz * 1e6; }
  unsigned num_sms() const { return config_.gpu.num_tpcs * config_.gpu.sms_per_tpc; }

  /// A launch on this device. Throws InputError if it does not finish.
  Observation run(Experiment experiment) const;
  /// A measurement that several rows need is made once, under its name.
  double once(const std::string& name, const std::function<double()>& value);

  /// Bytes per second of copies on the device, read and written.
  double copy_rate() const;
  /// Shader cycles by which one launch exceeds another; their difference is what the row spent its cycles with.
  double cycles_beyond(const Experiment& more, const Experiment& less) const;
  /// A launch of one kernel in assembly, whose only parameter is a buffer of `bytes` that reads zero;
  /// `dynamic_shared` bytes of s[] lie behind it, from 0x20 on.
  static Experiment experiment(const std::string& source, unsigned blocks, unsigned threads, std::uint32_t bytes = 256,
                               std::uint32_t dynamic_shared = 0);

  /// Cycles that an SM takes for `operation` of one of `warps` warps, nothing waiting for anything: the copies write
  /// four registers in turn ("{d}"). An operation may be several instructions, one a line. `head` are lines in front of
  /// the kernel.
  double issue_cycles(const std::string& operation, unsigned warps = 16, const std::string& setup = "",
                      const std::string& head = "") const;
  /// The same for warps that are blocks of their own, as many as an SM holds: none waits for another.
  double lone_issue_cycles(const std::string& operation) const;
  /// Cycles from one copy to the next in one warp when each needs the one before.
  double dependent_cycles(const std::string& operation, unsigned warps = 1, const std::string& setup = "") const;

 private:
  /// What an SM runs: `blocks` of so many warps, each with s[] of its own.
  struct Load {
    unsigned blocks, warps;
    std::uint32_t shared_bytes;
  };
  double per_copy(const std::string& operation, const std::string& setup, const std::string& head, Load load) const;

  const std::string device_;
  ExperimentRunner& runner_;
  const Config config_;
  std::map<std::string, std::pair<double, CycleBreakdown>> known_;
};

}  // namespace g80::silicon
