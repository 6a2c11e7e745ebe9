// SPDX-License-Identifier: Apache-2.0
// What the watchdog says about a grid, or a copy, that does not end.
#pragma once
#include <cstdint>
#include <string>

#include "hw/common/check.h"

namespace g80 {

enum class HangKind : std::uint8_t { kNone, kBarrierDeadlock, kDeadlock, kLivelock };

struct HangReport {
  HangKind kind = HangKind::kNone;
  std::string text;
};

/// A copy, or the start of a launch, never ends: a hang (exit code 3) for which no kernel is to blame.
struct MachineHung : ModelError {
  using ModelError::ModelError;
};

}  // namespace g80
