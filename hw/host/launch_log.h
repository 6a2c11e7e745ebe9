// SPDX-License-Identifier: Apache-2.0
// What the testbench knows of launches. The command processor writes it, nobody in hw/ reads it, and it knows the time
// itself.
#pragma once
#include <vector>

#include "hw/bundles/cta_bundles.h"
#include "hw/bundles/event_log.h"
#include "hw/bundles/launch_beat.h"
#include "hw/bundles/launch_state.h"
#include "hw/host/compute_state.h"

namespace g80 {

enum class LaunchOutcome : std::uint8_t { kRunning, kComplete, kFault, kTimeout, kRefused };
inline const EnumText& enum_text(LaunchOutcome) {
  static const char* const names[] = {"RUNNING", "COMPLETE", "FAULT", "TIMEOUT", "REFUSED"};
  static const EnumText text{"LaunchOutcome", names, 5};
  return text;
}

/// One LAUNCH. Times are simulated picoseconds; shader cycles are the shader edges in (accepted, ended].
struct LaunchRecord {
  std::uint32_t kernel = 0;  // 0: refused
  LaunchOutcome outcome = LaunchOutcome::kRunning;
  LaunchError error = LaunchError::kNone;  // of a refused launch
  KernelFault fault;
  Picoseconds accepted = 0;  // the machine was idle, and the rows of the launch state begin to leave
  Picoseconds ended = 0;     // the CTA scheduler saw the end of the last CTA
};

class LaunchLog {
 public:
  const std::vector<LaunchRecord>& records() const { return records_; }
  const LaunchState& launch() const { return launch_; }
  const TextureBindings& textures() const { return textures_; }

  void begin(std::uint32_t kernel) {
    LaunchRecord record;
    record.kernel = kernel;
    record.accepted = time_of_log();
    records_.push_back(record);
  }
  void send(const LaunchBeat& beat) { store_row(beat, launch_, textures_); }
  void refuse(LaunchError error) {
    records_.back().kernel = 0;
    records_.back().error = error;
    end(LaunchOutcome::kRefused, {});
  }
  void end(LaunchOutcome outcome, const KernelFault& fault) {
    if (records_.empty()) return;  // a machine whose state was loaded has no record of the launch in it
    records_.back().outcome = outcome;
    records_.back().fault = fault;
    records_.back().ended = time_of_log();
  }
  /// Of the grid that has ended: a store behind its last block.
  void late_fault(const KernelFault& fault) {
    if (records_.empty()) return;
    records_.back().outcome = LaunchOutcome::kFault;
    records_.back().fault = fault;
  }

 private:
  std::vector<LaunchRecord> records_;
  LaunchState launch_;
  TextureBindings textures_;
};

}  // namespace g80
