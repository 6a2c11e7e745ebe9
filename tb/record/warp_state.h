// SPDX-License-Identifier: Apache-2.0
// The reason why a warp does not issue; of several reasons the one closest to progress.
#pragma once
#include <cstdint>

#include "hw/common/fields.h"

namespace g80 {

enum class WarpState : std::uint8_t { kAbsent, kReady, kFetch, kControl, kAlu, kMemory, kBarrier, kDrain };
inline const EnumText& enum_text(WarpState) {
  static const char* const names[] = {"absent", "ready", "fetch", "control", "alu", "memory", "barrier", "drain"};
  static const EnumText text{"WarpState", names, 8};
  return text;
}

}  // namespace g80
