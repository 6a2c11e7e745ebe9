// SPDX-License-Identifier: Apache-2.0
// One architectural event of a machine. Who reads events needs this file; who watches a machine, machine_events.h.
#pragma once
#include <cstdint>

#include "hw/common/types.h"

namespace g80 {

enum class EventKind : std::uint8_t {
  kWarpStart,    // warp, lanes = populated ones, pc, detail = warp in its block, w0 and w1 = the block's x and y
  kWarpEnd,      // warp
  kIssue,        // warp, pc, uid, words
  kRelease,      // warp, uid: the results of the instruction can be read
  kBarrierOpen,  // lanes = released warps (bit = warp slot)
  kWaits,        // warp, detail = WarpState; with Detail::kEverything only
  kDramRequest,  // unit = partition, uid, detail = 1 for a write; with Detail::kEverything only
  kDramReply,    // unit = partition, uid, detail = 1 for a write; with Detail::kEverything only
};

struct MachineEvent {
  Cycle cycle = 0;  // shader edge
  std::uint32_t pc = 0, uid = 0;
  std::uint32_t w0 = 0, w1 = 0;
  std::uint32_t lanes = 0;
  EventKind kind = EventKind::kIssue;
  std::uint8_t unit = 0;  // SM, or memory partition
  std::uint8_t warp = 0, detail = 0;
};

class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void event(const MachineEvent& event) = 0;
};

}  // namespace g80
