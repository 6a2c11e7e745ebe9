// SPDX-License-Identifier: Apache-2.0
// The bundles between the blocks of an SM, in pipeline order.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/cta_bundles.h"
#include "hw/bundles/decoded_instruction.h"
#include "hw/bundles/fetch_bundles.h"
#include "hw/common/limits.h"

namespace g80 {

/// What the block that finds a fault of an instruction reports; fault_reporter adds the block of threads.
inline KernelFault instruction_fault(FaultKind kind, unsigned lane, const FetchedInstruction& fetched,
                                     const Origin& origin, std::uint32_t address = 0) {
  return {true, kind, static_cast<std::uint8_t>(lane), 0, 0, 0, address, {fetched.w0(), fetched.w1()}, origin};
}

using WarpMask = std::uint32_t;  // bit w = warp slot w

/// A warp starts: from the CTA launcher to every block with per-warp state.
struct WarpStart {
  bool valid = false;
  std::uint8_t warp = 0;
  std::uint8_t cta_slot = 0;
  std::uint8_t warp_in_cta = 0;
  std::uint8_t warps_in_cta = 1;
  LaneMask lanes = 0;  // populated lanes
  std::uint32_t pc = 0;
  std::uint16_t cta_x = 0, cta_y = 0;
  std::uint16_t shared_base = 0;   // of the block's s[] in the SM's shared memory
  std::uint16_t shared_bytes = 0;  // that the block owns
  G80_FIELDS(valid, (warp, 5), (cta_slot, 3), (warp_in_cta, 4), (warps_in_cta, 5), lanes, (pc, 24), cta_x, cta_y,
             shared_base, shared_bytes);
};

/// New pc of a warp: invalidates everything fetched for it so far. kStop: the warp has ended.
enum class RedirectKind : std::uint8_t { kStart, kJump, kStop };
inline const EnumText& enum_text(RedirectKind) {
  static const char* const names[] = {"START", "JUMP", "STOP"};
  static const EnumText text{"RedirectKind", names, 3};
  return text;
}
struct Redirect {
  bool valid = false;
  RedirectKind kind = RedirectKind::kStart;
  std::uint8_t warp = 0;
  std::uint32_t pc = 0;
  G80_FIELDS(valid, (kind, 2), (warp, 5), (pc, 24));
};

/// Up to four instructions of one warp, decoded from one fetch.
inline constexpr unsigned kMaxDecodeGroup = kMaxFetchBytes / 4;
struct DecodedGroup {
  bool valid = false;
  std::uint8_t warp = 0;
  std::uint8_t epoch = 0;
  std::uint8_t count = 0;
  std::array<FetchedInstruction, kMaxDecodeGroup> insn{};
  G80_FIELDS(valid, (warp, 5), epoch, (count, 3), insn);
};

/// Instructions waiting per warp, for the fetcher's credit.
struct BufferLevel {
  WarpMask room = ~WarpMask{0};  // warps whose buffer takes a whole fetch
  std::array<std::uint8_t, kMaxWarps> count{};
  G80_FIELDS(room, (count, 4));
};

/// The next instructions of all warps, for the scheduler. Each mask has a bit per warp slot.
struct WarpReady {
  WarpMask resident = 0;                                                   // holds a running warp
  WarpMask has_head = 0;                                                   // an instruction waits
  WarpMask ready = 0;                                                      // no hazard: may issue if its unit is free
  WarpMask sp = 0, sfu = 0, dp = 0, memory = 0, texture = 0, control = 0;  // unit of the head
  WarpMask multiply = 0;      // of sp: the head may go to the SFUs' multipliers instead
  WarpMask shared = 0;        // of sp: the head takes the port of s[] operands
  WarpMask load = 0;          // the head needs a load_table entry
  WarpMask wide = 0;          // ... the collector's wide words
  WarpMask wait_control = 0;  // a branch, join, exit of the warp is not resolved yet
  WarpMask wait_barrier = 0;
  WarpMask wait_memory = 0;  // hazard on a result that comes from memory
  WarpMask wait_alu = 0;     // hazard on a result in the pipeline
  WarpMask wait_drain = 0;   // bar or exit waits for earlier instructions
  G80_FIELDS(resident, has_head, ready, sp, sfu, dp, memory, texture, control, multiply, shared, load, wide,
             wait_control, wait_barrier, wait_memory, wait_alu, wait_drain);
};

/// Why a scheduler cycle issued nothing. Exactly one per cycle.
enum class StallReason : std::uint8_t {
  kIssued,       // a warp issued
  kNoWarp,       // no warp is resident
  kFetch,        // every runnable warp waits for instructions
  kControl,      // ... for a branch, join or exit to resolve
  kAlu,          // ... for a result in the pipeline
  kMemory,       // ... for a result from memory
  kBarrier,      // ... at a barrier
  kDrain,        // ... for its own earlier instructions, before a barrier
  kUnitBusy,     // a warp is ready but its execution unit is not
  kMemoryQueue,  // a warp is ready but the memory path takes no more
  kCount
};
inline constexpr unsigned kNumStallReasons = static_cast<unsigned>(StallReason::kCount);
inline const EnumText& enum_text(StallReason) {
  static const char* const names[] = {"ISSUED", "NO_WARP", "FETCH", "CONTROL",   "ALU",
                                      "MEMORY", "BARRIER", "DRAIN", "UNIT_BUSY", "MEMORY_QUEUE"};
  static const EnumText text{"StallReason", names, kNumStallReasons};
  return text;
}

/// The scheduler's choice of this scheduler cycle.
struct Pick {
  bool valid = false;
  std::uint8_t warp = 0;
  bool to_multipliers = false;  // an fp32 multiply, beside what the SPs work on
  StallReason stall = StallReason::kNoWarp;
  G80_FIELDS(valid, (warp, 5), to_multipliers, (stall, 4));
};

/// The picked warp's instruction on its way to the operand collector.
struct Issue {
  bool valid = false;
  std::uint8_t warp = 0;
  bool to_multipliers = false;
  FetchedInstruction fetched;
  Tag tag;
  G80_FIELDS(valid, (warp, 5), to_multipliers, (uid, tag.bits, 0), (insn, fetched, 0));
};

/// Active mask of every warp, kept by the reconvergence stack.
struct ActiveMasks {
  std::array<LaneMask, kMaxWarps> mask{};
  G80_FIELDS(mask);
};

/// A control instruction (or one with a join or exit flag) whose condition is known.
struct ControlEvent {
  bool valid = false;
  std::uint8_t warp = 0;
  LaneMask taken = 0;  // active lanes in which the condition holds
  IssuedInstruction fetched;
  Tag tag;
  G80_FIELDS(valid, (warp, 5), taken, (uid, tag.bits, 0), (insn, fetched, 0));
};

/// The warps that may issue again after a control instruction, and the one that ended.
struct Resolve {
  WarpMask warps = 0;
  bool ended = false;
  std::uint8_t ended_warp = 0;
  G80_FIELDS(warps, ended, (ended_warp, 5));
};

/// Most instructions that finish in a scheduler cycle: an SP's, one of SFUs and fp64 unit, a load, a store, a control
/// instruction.
inline constexpr unsigned kMaxReleases = 5;

/// Instructions that finished in this scheduler cycle: their results can be read. Filled from entry 0.
struct Release {
  struct Entry {
    bool valid = false;
    std::uint8_t warp = 0;
    IssuedInstruction fetched;
    Tag tag;
    G80_FIELDS(valid, (warp, 5), (uid, tag.bits, 0), (insn, fetched, 0));
  };
  std::array<Entry, kMaxReleases> entry{};
  G80_FIELDS(entry);
};

/// Credits returned to the scheduler since the start, modulo 256.
struct Credits {
  std::uint8_t collector = 0;  // collector units freed
  std::uint8_t memory = 0;     // memory instructions that left the address unit
  std::uint8_t load = 0;       // load_table entries freed
  std::uint8_t wide = 0;       // times that the collector's wide words were freed
  G80_FIELDS(collector, memory, load, wide);
};

}  // namespace g80
