// SPDX-License-Identifier: Apache-2.0
// Checks and counts of a machine as its observers.
#pragma once
#include <string>
#include <vector>

#include "hw/gpu/gpu.h"
#include "hw/isa/encoding.h"
#include "tb/check/protocol_monitor.h"
#include "tb/check/twin_check.h"
#include "tb/events/coverage.h"
#include "tb/machine/machine_observer.h"
#include "tb/record/pc_profile.h"

namespace g80 {

/// Twins beside their blocks.
class TwinObserver final : public MachineObserver {
 public:
  explicit TwinObserver(const std::vector<Domain*>& domains) : check(domains) {}
  void launch_ends(Cycle, LaunchResult&) override { check.look(); }
  std::vector<std::string> finish() override { return check.look(), std::vector<std::string>{}; }
  const TwinCheck check;
};

/// Counters of each instruction.
class ProfileObserver final : public MachineObserver {
 public:
  explicit ProfileObserver(Gpu& gpu);
  ~ProfileObserver() override;
  void launch_begins(const LoadedKernel& kernel, std::uint64_t number) override;
  void launch_ends(Cycle accepted, LaunchResult& result) override;

 private:
  Gpu& gpu_;
  std::vector<PcProfile> profiles_;  // one per SM
  const Kernel* kernel_ = nullptr;
};

/// The protocols between blocks.
class ProtocolObserver final : public MachineObserver {
 public:
  ProtocolObserver(const std::vector<Domain*>& domains, Cycle bound, const Config& config) : monitors_(domains, bound) {
    monitors_.watch_machine(config);
  }
  void watch() override { monitors_.look(); }
  void launch_ends(Cycle, LaunchResult& result) override {
    result.end == LaunchEnd::kFinished ? monitors_.launch_finished() : monitors_.stop();
  }

 private:
  ProtocolMonitors monitors_;
};

/// Functional coverage, which is added to a file at the end, also of a run that a failure ended.
class CoverageObserver final : public MachineObserver {
 public:
  explicit CoverageObserver(std::string file) : coverage_(earlier_coverage(file)), file_(std::move(file)) {}
  ~CoverageObserver() override;
  void watch() override { coverage_.watch(); }
  std::vector<std::string> finish() override;

 private:
  Coverage coverage_;
  const std::string file_;
  bool written_ = false;
};

}  // namespace g80
