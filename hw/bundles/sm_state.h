// SPDX-License-Identifier: Apache-2.0
// What the testbench may read of an SM beside its pins: its counters, its live state for the watchdog, for diagnoses
// and for the shell, and single words of its memories. hw/sm/sm_pins.h has the functions.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/sm_bundles.h"
#include "hw/common/limits.h"
#include "hw/common/types.h"

namespace g80 {

/// Counters of an SM. They only grow.
struct SmCounterBank {
  std::array<std::uint64_t, kNumStallReasons> stall{};  // scheduler cycles; kIssued counts the issues
  static constexpr Cycle kNever = ~Cycle{0};
  Cycle first_issue = kNever;  // edge of the launch's first issue
  Cycle last_retirement = 0;   // edge at which an instruction last retired
  std::uint64_t blocks = 0;    // that have ended
  std::uint64_t instructions = 0, thread_instructions = 0;
  std::array<std::uint64_t, 5> active_lanes{};  // instructions that executed in 32, 24-31, 16-23, 8-15, 0-7 lanes
  std::uint64_t writeback_bank_conflicts = 0, register_bank_conflicts = 0;
  std::uint64_t branches = 0, divergent_branches = 0, stack_spills = 0, stack_refills = 0;
  std::uint64_t barrier_arrivals = 0, barrier_openings = 0, barriers_divergent = 0, barriers_missed = 0;
  std::uint64_t shared_requests = 0, shared_passes = 0, shared_conflicts = 0;
  std::uint64_t sp_instructions = 0, sp_lanes = 0, sfu_instructions = 0, sfu_lanes = 0;
  std::uint64_t sfu_multiplies = 0, sfu_multiply_lanes = 0, dp_instructions = 0, dp_lanes = 0;
  std::array<std::uint64_t, 8> prof_trigger{};  // pmevent i executed by a warp
  std::uint64_t device_accesses = 0;            // accesses to g[], l[] and textures that have left the SM
  std::uint64_t icache_hits = 0, icache_misses = 0, icache_merges = 0;
  std::uint64_t ccache_hits = 0, ccache_misses = 0, ccache_merges = 0, ccache_passes = 0;

  std::uint64_t issued() const { return stall[static_cast<unsigned>(StallReason::kIssued)]; }
};

/// A block that is resident in an SM.
struct CtaSlot {
  bool valid = false;
  std::uint16_t x = 0, y = 0;
  std::uint8_t first_warp = 0, num_warps = 0;
  std::uint16_t shared_base = 0;  // of its s[] in the SM's shared memory
  WarpMask live = 0;

  WarpMask warps() const { return ((WarpMask{2} << (num_warps - 1)) - 1) << first_warp; }
  G80_FIELDS(valid, x, y, (first_warp, 5), (num_warps, 5), shared_base, live);
};

/// Warps at one barrier of a block.
struct BarrierState {
  std::uint8_t arrived = 0;
  WarpMask waiting = 0;
  G80_FIELDS((arrived, 5), waiting);
};

/// The parts of an SM that hold work, in the order in which messages name them.
struct SmPart {
  const char* block;  // name in the hierarchy
  bool holds_work;
};

/// An SM between two cycles: everything that decides how it goes on, but for the contents of its memories.
struct SmState {
  struct Warp {
    std::uint32_t pc = 0;                                        // of the unresolved control instruction, or the next
    bool has_head = false;                                       // an instruction is decoded and waits
    std::uint8_t in_flight = 0;                                  // instructions picked and not finished
    std::uint8_t buffered = 0;                                   // instructions in the buffer
    std::uint8_t registers = 0;                                  // per thread
    std::uint16_t shared_base = 0;                               // of the block's s[] in the SM's shared memory
    std::uint16_t shared_limit = 0;                              // bytes of s[] that the block owns
    std::uint32_t chip_warp = 0;                                 // number of the warp slot on the chip, for l[]
    LaneMask populated = 0;                                      // lanes that hold a thread
    LaneMask active = 0, runnable = 0, broke = 0, returned = 0;  // of the reconvergence stack
    std::uint32_t stack_depth = 0;                               // entries of the control stack
    std::uint32_t stack_in_memory = 0;                           // the oldest of them are not on chip
    std::uint64_t stack_digest = 0;                              // a hash of those in memory
    std::uint32_t locks_held = 0;                                // words of s[] locked
    std::uint64_t locks_granted = 0;                             // since the start
    FetchedInstruction head;
    ThreadState pending;  // registers that instructions in flight write
  };
  std::array<CtaSlot, kMaxCtasPerSm> slot{};
  std::array<Warp, kMaxWarps> warp{};
  WarpReady ready;
  WarpMask control = 0;  // an unresolved control instruction is in flight
  WarpMask ended = 0;
  WarpMask drained = 0;          // ended, nothing in flight
  WarpMask leaving = 0;          // picked or issued, not in the operand collector yet
  WarpMask barrier_waiting = 0;  // wait at a barrier
  std::array<std::array<BarrierState, kMaxBarriers>, kMaxCtasPerSm> barrier{};  // by CTA slot
  std::array<std::uint8_t, kMaxCtasPerSm> barrier_expected{};                   // warps that its barriers wait for
  WarpMask stack_waiting = 0;  // wait for a control-stack entry from memory
  std::array<SmPart, 8> part{};

  const CtaSlot* slot_of(unsigned warp_slot) const {
    for (const CtaSlot& one : slot) {
      if (one.valid && warp_slot >= one.first_warp && warp_slot < one.first_warp + one.num_warps) return &one;
    }
    return nullptr;
  }
};

/// The memories of an SM that peek() reads, and what `index` numbers there.
enum class SmMemory : std::uint8_t {
  kRegister,      // $r: a word for each lane
  kFlags,         // $c: four bits for each lane
  kAddress,       // $a: a word for each lane
  kControlStack,  // entry on chip, counted from the oldest of all: words 0, 1, 2 are type, lanes, pc
  kShared,        // word in the SM's shared memory, in word 0; `warp` does not matter
  kLock           // which of the words that the warp has locked: its byte address in the SM, in word 0
};

}  // namespace g80
