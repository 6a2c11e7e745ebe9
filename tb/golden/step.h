// SPDX-License-Identifier: Apache-2.0
// The state of a step in progress, shared by the parts of the executor. Internal to tb/golden.
#pragma once
#include "hw/isa/field_codec.h"
#include "tb/golden/executor.h"

namespace g80::golden {

struct Executor::Step {
  BlockState& block;
  WarpState& warp;
  MemoryPort& port;
  const DecodedInstruction& d;
  const isa::Instruction& insn;
  LaneMask lanes;  // guarded
  std::uint32_t next_pc;
  StepStatus status = StepStatus::kStepped;
  StepRecord& record;
};

/// Sign-extends the signed narrow types; others come zero-extended already.
std::uint32_t extend(isa::MemType type, std::uint32_t raw);
void extend(isa::MemType type, LaneWords& words);

/// Full-width select without branches: lane l takes `value` where bit l of `lanes` is set.
struct LaneBits {
  std::uint32_t bit[kWarpSize];
};
inline constexpr LaneBits make_lane_bits() {
  LaneBits bits{};
  for (unsigned l = 0; l < kWarpSize; ++l) bits.bit[l] = 1u << l;
  return bits;
}
inline constexpr LaneBits kLaneBits = make_lane_bits();
inline constexpr LaneMask kAllLanes = ~LaneMask{0};

inline void merge(LaneWords& into, const LaneWords& value, LaneMask lanes) {
  if (lanes == kAllLanes) {
    into = value;
    return;
  }
  for (unsigned l = 0; l < kWarpSize; ++l) into[l] = lanes & kLaneBits.bit[l] ? value[l] : into[l];
}

inline constexpr LaneWords kZeroWords{};
/// A register; one that is not allocated reads zero.
inline const LaneWords& register_of(const WarpState& warp, unsigned index) {
  return index < warp.r.size() ? warp.r[index] : kZeroWords;
}

}  // namespace g80::golden
