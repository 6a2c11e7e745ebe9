// SPDX-License-Identifier: Apache-2.0
// The launch bus, from the command processor to all TPCs (hw/gpu/launch_bus.h): a row of 64 bits of the launch state at
// each edge. The rows end in the SMs' launchers and in the texture units.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "hw/bundles/launch_state.h"
#include "hw/common/fields.h"
#include "hw/common/limits.h"

namespace g80 {

/// Registers on each way between a TPC and the units that serve the whole chip: launch, flushes, ends of blocks,
/// faults, idle, lines, the TLB's second level, the crossbar's switch of requests. Half as many as across the chip:
/// these units are taken to lie in its middle.
inline constexpr unsigned kControlWay = 6;
/// Those of a way to such a unit and as many of one from there, as far as `latency` edges have room for them beside the
/// `structure`, but one each at least.
constexpr unsigned way_within(unsigned latency, unsigned structure) {
  return std::clamp((std::max(latency, structure) - structure) / 2, 1u, kControlWay);
}

/// What the rows hold, in the order in which they travel. Two words, the first one in the low half, unless something
/// else is said. Those from kTables up to kParam are for the texture unit.
namespace launch_row {
enum : unsigned {
  kCode,                                    // base, first pc
  kGrid,                                    // 16 bits each: grid x, y, block x, y
  kBlock,                                   // 16 bits each: block z, threads, bytes of s[], grid number
  kLocal,                                   // base, bytes
  kStack,                                   // base, entries
  kGlobal,                                  // base, limit: a row for each space
  kConstBank = kGlobal + kNumGlobalSpaces,  // address, bytes: a row for each bank
  kTables = kConstBank + kNumConstBanks,    // base and last entry of the header table, then of the sampler table
  kSampler = kTables + 2,                   // 16 bits each, the highest one valid: four bindings
  kTexture = kSampler + kMaxSamplers / 4,   // the highest bit of each word valid: two bindings
  kParam = kTexture + kMaxTextures / 2,     // the rows of the parameters that the kernel has
  kLimits = kParam + kMaxUserParams / 2,    // 8 bits each: registers, number of the launch, parameters, calls; 16 bits
                                            // each: valid banks of c[], spaces of g[]. Behind it the SM has all
  kEnd
};
constexpr bool is_of_texture(unsigned row) { return row >= kTables && row < kParam; }
}  // namespace launch_row

/// Core edges from a row to the next one: an SM takes one at a scheduler edge, which is every other one of its clock.
inline unsigned row_interval(double core_mhz, double shader_mhz) {
  return static_cast<unsigned>(std::ceil(2 * core_mhz / shader_mhz));
}

struct LaunchBeat {
  bool valid = false;
  std::uint8_t row = 0;
  std::uint64_t data = 0;
  G80_FIELDS(valid, row, data);
};

/// Writes a row of the SMs; the others are not theirs.
void store_row(const LaunchBeat& beat, LaunchState& launch, std::array<std::uint32_t, kMaxUserParams>& param);

/// The rows of the SMs that make `launch`, in their order: for whoever runs an SM without a command processor.
std::vector<LaunchBeat> sm_rows(const LaunchState& launch, const std::array<std::uint32_t, kMaxUserParams>& param);

}  // namespace g80
