// SPDX-License-Identifier: Apache-2.0
// What the watchdog says about a grid that does not end.
#pragma once
#include <cstdint>
#include <string>

namespace g80 {

enum class HangKind : std::uint8_t { kNone, kBarrierDeadlock, kDeadlock, kLivelock };

struct HangReport {
  HangKind kind = HangKind::kNone;
  std::string text;
};

}  // namespace g80
