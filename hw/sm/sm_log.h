// What an SM tells the checker, in the order it happens. Null when checking is off.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "hw/common/limits.h"
#include "hw/common/types.h"
#include "hw/sm/decoded_instruction.h"

namespace g80 {

struct SmLog {
  enum class Kind : std::uint8_t { kWarpStart, kIssue, kRetire, kSmem };

  struct WarpStart {
    std::uint8_t warp = 0, cta_slot = 0, warp_in_cta = 0, warps_in_cta = 1;
    std::uint16_t cta_x = 0, cta_y = 0;
    std::uint16_t shared_base = 0;  // of the block's s[] in the SM's shared memory
  };
  struct Issue {
    Tag tag;
    std::uint8_t warp = 0;
    InstructionRef ref;
    LaneMask active = 0;
    LaneMask lanes = 0;
    Cycle cycle = 0;
    std::uint32_t clock = 0, physid = 0;  // what a move from a special register would read
  };
  /// Values an instruction left in registers, flags and $a, in `lanes`.
  struct Retire {
    Tag tag;
    std::uint8_t warp = 0;
    const DecodedInstruction* decoded = nullptr;
    std::uint32_t pc = 0;
    LaneMask lanes = 0;
    std::uint8_t first_register = 0, num_registers = 0;
    bool half = false;  // one 16-bit half of first_register was written; values hold the whole register after it
    std::array<LaneWords, 4> value;
    LaneFlags flags;
    LaneWords addr;
    Cycle cycle = 0;
  };
  struct Smem {
    Tag tag;
    bool write = false;
    std::uint8_t half = 0;
    HalfMask lanes = 0;
    std::uint8_t bytes = 4;
    std::array<std::uint16_t, kHalfWarp> address{};  // in the SM's shared memory
    std::array<std::uint32_t, kHalfWarp> data{};
  };

  std::vector<Kind> order;  // interleaving of the four lists below
  std::vector<WarpStart> start;
  std::vector<Issue> issue;
  std::vector<Retire> retire;
  std::vector<Smem> smem;
  void clear() { order.clear(), start.clear(), issue.clear(), retire.clear(), smem.clear(); }
};

}  // namespace g80
