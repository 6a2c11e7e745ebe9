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
  kStage,        // detail = PipelineStage; by StageEvents only
};

/// Where an instruction is from now on. In Konata a stage with an X in its name executes.
enum class PipelineStage : std::uint8_t {
  // Before it issues. Of a fetch: warp, lanes = epoch
  kFetch,    // the warp has asked for code
  kDecode,   // the code has come
  kBuffer,   // pc, words: one instruction of it has been decoded
  kDropped,  // warp: whatever has been fetched for it and has not issued
  // Behind its issue: uid
  kOperands,   // in a unit of the operand collector
  kSp,         // in an execution unit, until its last lanes leave
  kSfu,        // likewise
  kMultiply,   // likewise: a multiply in the SFUs
  kDp,         // likewise
  kControl,    // in the reconvergence stack
  kAddress,    // in the address unit
  kShared,     // at the banks of s[]
  kConstant,   // in the constant cache
  kMemory,     // in the load table: g[], l[] and textures
  kWriteback,  // until its results can be read
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
  /// Only events of one SM have to come in their order; those of another may come meanwhile, from another thread.
  virtual bool takes_sms_apart() const { return false; }
};

}  // namespace g80
