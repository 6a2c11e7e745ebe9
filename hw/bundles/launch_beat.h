// SPDX-License-Identifier: Apache-2.0
// The launch bus, from the command processor to all TPCs: a row of 64 bits of the launch state at each edge. The rows
// end in registers beside the SMs (hw/gpu/launch_registers.h) and in the texture unit.
#pragma once
#include <algorithm>
#include <cstdint>

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

/// What the rows hold. Two words, the first one in the low half, unless something else is said.
namespace launch_row {
enum : unsigned {
  kCode,    // base, first pc
  kGrid,    // 16 bits each: grid x, y, block x, y
  kBlock,   // 16 bits each: block z, threads, bytes of s[], grid number
  kLimits,  // 8 bits each: registers, none, parameters, calls; 16 bits each: valid banks of c[], spaces of g[]
  kLocal,   // base, bytes
  kStack,   // base, entries
  kGlobal,  // base, limit: a row for each space
  kConstBank = kGlobal + kNumGlobalSpaces,  // address, bytes: a row for each bank
  kParam = kConstBank + kNumConstBanks,     // the rows of the parameters that the kernel has
  kTables = kParam + kMaxUserParams / 2,    // base and last entry of the header table, then of the sampler table
  kSampler = kTables + 2,                   // 16 bits each, the highest one valid: four bindings
  kTexture = kSampler + kMaxSamplers / 4,   // the highest bit of each word valid: two bindings
  kEnd = kTexture + kMaxTextures / 2
};
}  // namespace launch_row

struct LaunchBeat {
  bool valid = false;
  std::uint8_t row = 0;
  std::uint64_t data = 0;
  G80_FIELDS(valid, row, data);
};

/// Writes a row below kTables into the registers; the others are those of the texture unit.
void store_row(const LaunchBeat& beat, LaunchState& launch);

}  // namespace g80
