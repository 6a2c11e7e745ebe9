// SPDX-License-Identifier: Apache-2.0
// The events that an SM logs for the checker at the boundaries of its stages, in order. Null when checking is off.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "hw/bundles/decoded_instruction.h"
#include "hw/common/limits.h"
#include "hw/common/types.h"

namespace g80 {

struct SmLog {
  enum class Kind : std::uint8_t {
    kWarpStart,
    kIssue,
    kOperands,
    kControl,
    kAccess,
    kSmem,
    kRetire,
    kRelease,
    kOpen,
    kEnded
  };

  struct WarpStart {
    std::uint8_t warp = 0, cta_slot = 0, warp_in_cta = 0, warps_in_cta = 1;
    std::uint16_t cta_x = 0, cta_y = 0;
    std::uint16_t shared_base = 0;  // of the block's s[] in the SM's shared memory
  };
  struct Issue {
    Tag tag;
    std::uint8_t warp = 0;
    FetchedInstruction fetched;
    LaneMask active = 0;
    LaneMask lanes = 0;
    Cycle cycle = 0;
    std::uint32_t clock = 0, physid = 0;  // what a move from a special register would read
  };
  /// The operands with which an instruction left the collector: words[first .. first + count - 1], for each register,
  /// s[] and c[] source in order its words; of g[], l[] and s[] accesses the address register (g[] only) and the data
  /// stored.
  struct Operands {
    Tag tag;
    std::uint8_t warp = 0;
    std::uint8_t count = 0;
    bool as_stored = true;  // the registers among them hold these values
    std::uint32_t first = 0;
  };
  /// State of a warp after the reconvergence stack has executed a control instruction.
  struct Control {
    Tag tag;
    std::uint8_t warp = 0;
    bool ended = false;
    std::uint32_t pc = 0;
    LaneMask active = 0;
    Cycle cycle = 0;
  };
  /// Half a warp's access to g[], as it leaves the SM.
  struct Access {
    Tag tag;
    std::uint8_t half = 0;
    HalfMask lanes = 0;
    std::array<std::uint32_t, kHalfWarp> address{};
    std::array<std::uint32_t, kHalfWarp> data{};  // first word of what is stored
    Cycle cycle = 0;
  };
  /// Values that an instruction wrote into registers, flags and $a, in `lanes`; of a 16-bit half in the low half.
  struct Retire {
    Tag tag;
    std::uint8_t warp = 0;
    FetchedInstruction fetched;
    LaneMask lanes = 0;
    std::uint8_t first_register = 0, num_registers = 0;
    LaneMask loaded = 0;  // lanes in which the registers were written
    std::array<LaneWords, 4> value;
    LaneFlags flags;
    LaneWords addr;
    Cycle cycle = 0;
  };
  /// A pass through the banks of shared memory.
  struct Smem {
    Tag tag;
    bool write = false;
    bool last = false;  // of its half-warp
    std::uint8_t half = 0;
    HalfMask lanes = 0;
    HalfMask requested = 0;  // lanes of the half-warp's request
    std::uint8_t bytes = 4;
    bool lock = false;                               // a read asked for locks, a write gave them back
    HalfMask granted = 0;                            // lanes that got the lock
    std::array<std::uint16_t, kHalfWarp> address{};  // in the SM's shared memory
    std::array<std::uint32_t, kHalfWarp> data{};
    Cycle cycle = 0;
  };
  /// The scoreboard was informed that an instruction has finished.
  struct Release {
    std::uint8_t warp = 0;
    FetchedInstruction fetched;
    Cycle cycle = 0;
  };

  /// The scoreboard was informed that a barrier released warps.
  struct Open {
    std::uint32_t warps = 0;  // bit = warp slot
    Cycle cycle = 0;
  };
  /// Shared memory was informed that the warps of a block have ended.
  struct Ended {
    std::uint32_t warps = 0;  // bit = warp slot
  };

  std::vector<Kind> order;  // interleaving of the lists below
  std::vector<WarpStart> start;
  std::vector<Issue> issue;
  std::vector<Retire> retire;
  std::vector<Smem> smem;
  std::vector<Operands> operands;
  std::vector<LaneWords> words;
  std::vector<Control> control;
  std::vector<Access> access;
  std::vector<Release> release;
  std::vector<Open> open;
  std::vector<Ended> ended;
  void clear() {
    order.clear(), start.clear(), issue.clear(), retire.clear(), smem.clear();
    operands.clear(), words.clear(), control.clear(), access.clear(), release.clear(), open.clear(), ended.clear();
  }
};

}  // namespace g80
