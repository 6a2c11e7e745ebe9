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
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("warp", s.warp, 5);
    v("cta_slot", s.cta_slot, 3);
    v("warp_in_cta", s.warp_in_cta, 4);
    v("warps_in_cta", s.warps_in_cta, 5);
    v("lanes", s.lanes);
    v("pc", s.pc, 24);
    v("cta_x", s.cta_x);
    v("cta_y", s.cta_y);
    v("shared_base", s.shared_base);
    v("shared_bytes", s.shared_bytes);
  }
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
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("kind", s.kind, 2);
    v("warp", s.warp, 5);
    v("pc", s.pc, 24);
  }
};

/// Up to four instructions of one warp, decoded from one fetch.
inline constexpr unsigned kMaxDecodeGroup = kMaxFetchBytes / 4;
struct DecodedGroup {
  bool valid = false;
  std::uint8_t warp = 0;
  std::uint8_t epoch = 0;
  std::uint8_t count = 0;
  std::array<FetchedInstruction, kMaxDecodeGroup> insn{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("warp", s.warp, 5);
    v("epoch", s.epoch);
    v("count", s.count, 3);
    v("insn", s.insn);
  }
};

/// Instructions waiting per warp, for the fetcher's credit.
struct BufferLevel {
  WarpMask room = ~WarpMask{0};  // warps whose buffer takes a whole fetch
  std::array<std::uint8_t, kMaxWarps> count{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("room", s.room);
    v("count", s.count, 4);
  }
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
  WarpMask wait_control = 0;  // a branch, join, exit of the warp is not resolved yet
  WarpMask wait_barrier = 0;
  WarpMask wait_memory = 0;  // hazard on a result that comes from memory
  WarpMask wait_alu = 0;     // hazard on a result in the pipeline
  WarpMask wait_drain = 0;   // bar or exit waits for earlier instructions
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("resident", s.resident);
    v("has_head", s.has_head);
    v("ready", s.ready);
    v("sp", s.sp);
    v("sfu", s.sfu);
    v("dp", s.dp);
    v("memory", s.memory);
    v("texture", s.texture);
    v("control", s.control);
    v("multiply", s.multiply);
    v("shared", s.shared);
    v("load", s.load);
    v("wait_control", s.wait_control);
    v("wait_barrier", s.wait_barrier);
    v("wait_memory", s.wait_memory);
    v("wait_alu", s.wait_alu);
    v("wait_drain", s.wait_drain);
  }
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
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("warp", s.warp, 5);
    v("to_multipliers", s.to_multipliers);
    v("stall", s.stall, 4);
  }
};

/// The picked warp's instruction on its way to the operand collector.
struct Issue {
  bool valid = false;
  std::uint8_t warp = 0;
  bool to_multipliers = false;
  FetchedInstruction fetched;
  Tag tag;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("warp", s.warp, 5);
    v("to_multipliers", s.to_multipliers);
    v("uid", s.tag.bits);
    v("insn", s.fetched);
  }
};

/// Active mask of every warp, kept by the reconvergence stack.
struct ActiveMasks {
  std::array<LaneMask, kMaxWarps> mask{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("mask", s.mask);
  }
};

/// A control instruction (or one with a join or exit flag) whose condition is known.
struct ControlEvent {
  bool valid = false;
  std::uint8_t warp = 0;
  LaneMask taken = 0;  // active lanes in which the condition holds
  FetchedInstruction fetched;
  Tag tag;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("warp", s.warp, 5);
    v("taken", s.taken);
    v("uid", s.tag.bits);
    v("insn", s.fetched);
  }
};

/// The warps that may issue again after a control instruction, and the one that ended.
struct Resolve {
  WarpMask warps = 0;
  bool ended = false;
  std::uint8_t ended_warp = 0;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("warps", s.warps);
    v("ended", s.ended);
    v("ended_warp", s.ended_warp, 5);
  }
};

/// Most instructions that finish in a scheduler cycle: an SP's, one of SFUs and fp64 unit, a load, a store, a control
/// instruction.
inline constexpr unsigned kMaxReleases = 5;

/// Instructions that finished in this scheduler cycle: their results can be read. Filled from entry 0.
struct Release {
  struct Entry {
    bool valid = false;
    std::uint8_t warp = 0;
    FetchedInstruction fetched;
    Tag tag;
    template <class S, class V>
    static constexpr void visit(S& s, V& v) {
      v("valid", s.valid);
      v("warp", s.warp, 5);
      v("uid", s.tag.bits);
      v("insn", s.fetched);
    }
  };
  std::array<Entry, kMaxReleases> entry{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("entry", s.entry);
  }
};

/// Credits returned to the scheduler since the start, modulo 256.
struct Credits {
  std::uint8_t collector = 0;  // collector units freed
  std::uint8_t memory = 0;     // memory instructions that left the address unit
  std::uint8_t load = 0;       // load_table entries freed
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("collector", s.collector);
    v("memory", s.memory);
    v("load", s.load);
  }
};

}  // namespace g80
