// SPDX-License-Identifier: Apache-2.0
// What the testbench knows of launches. The command processor writes it, and nobody in hw/ reads it.
#pragma once
#include <vector>

#include "hw/bundles/cta_bundles.h"
#include "hw/bundles/launch_beat.h"
#include "hw/bundles/launch_state.h"
#include "hw/common/types.h"
#include "hw/host/compute_state.h"

namespace g80 {

enum class LaunchOutcome : std::uint8_t { kRunning, kComplete, kFault, kTimeout, kRefused };
inline const EnumText& enum_text(LaunchOutcome) {
  static const char* const names[] = {"RUNNING", "COMPLETE", "FAULT", "TIMEOUT", "REFUSED"};
  static const EnumText text{"LaunchOutcome", names, 5};
  return text;
}

/// One LAUNCH. Edges are those of the core clock; shader cycles are the shader edges behind the first up to the second.
struct LaunchRecord {
  std::uint32_t kernel = 0;  // 0: refused
  LaunchOutcome outcome = LaunchOutcome::kRunning;
  LaunchError error = LaunchError::kNone;  // of a refused launch
  KernelFault fault;
  Cycle accepted_edge = 0;  // the machine was idle, and the rows of the launch state begin to leave
  Cycle ended_edge = 0;     // the CTA scheduler saw the end of the last CTA
};

class LaunchLog {
 public:
  const std::vector<LaunchRecord>& records() const { return records_; }
  const LaunchState& launch() const { return launch_; }
  const std::array<std::uint32_t, kMaxUserParams>& param() const { return param_; }
  const TextureBindings& textures() const { return textures_; }

  void begin(std::uint32_t kernel, Cycle edge) {
    LaunchRecord record;
    record.kernel = kernel;
    record.accepted_edge = edge;
    records_.push_back(record);
  }
  void send(const LaunchBeat& beat) {
    if (launch_row::is_of_texture(beat.row)) {
      textures_.store(beat.row, beat.data);
    } else {
      store_row(beat, launch_, param_);
    }
  }
  void refuse(LaunchError error, Cycle edge) {
    records_.back().kernel = 0;
    records_.back().error = error;
    end(LaunchOutcome::kRefused, {}, edge);
  }
  void end(LaunchOutcome outcome, const KernelFault& fault, Cycle edge) {
    if (records_.empty()) return;  // a machine whose state was loaded has no record of the launch in it
    records_.back().outcome = outcome;
    records_.back().fault = fault;
    records_.back().ended_edge = edge;
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
  std::array<std::uint32_t, kMaxUserParams> param_{};
  TextureBindings textures_;
};

}  // namespace g80
