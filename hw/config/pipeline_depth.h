// SPDX-License-Identifier: Apache-2.0
// Computes the depth of the SM's pipelines from the dependent-issue latencies of the configuration.
//
// Issue to dependent issue of an SP instruction, in shader cycles (even = scheduler edges). The last lanes enter at E
// (an SP: 10) and leave D + 4 cycles later:
//   0 pick · 2 instruction buffer · 4 register banks · 6 dispatch · 7..E groups of lanes enter the pipe
//   · E+D the pipe announces the result · next scheduler edge, W: writeback chooses the slot of the write, release
//   · W+2 scoreboard · W+4 pick · W+6 instruction buffer · W+8 register banks read
//   · W+2..W+4 the slot: the banks' write drivers have all lanes from E+D+4 on, and the cells are written at W+4
// With D odd, W = E+D+1 and the dependent instruction is picked at E+D+5. The announcement is what makes the pipe four
// registers longer than the way from issue to issue: the release goes ahead of the data, as the dependent instruction
// reads its registers eight cycles after it.
#pragma once
#include <algorithm>
#include <cmath>

#include "hw/common/delay_registers.h"
#include "hw/common/types.h"
#include "hw/config/config.h"

namespace g80 {

inline constexpr unsigned kFixedCycles = 12;       // everything of the list above but entering and D, D odd
inline constexpr unsigned kResultAheadCycles = 4;  // from the announcement of a result to its last lanes
inline constexpr unsigned kMaxExecStages = 64 + kResultAheadCycles;

// Stages that compute; hw/exec/*_datapath.h list them.
inline constexpr unsigned kSpFunctionalStages = 8, kSfuFunctionalStages = 6, kMultiplierFunctionalStages = 7,
                          kDpFunctionalStages = 10;

/// Dependent-issue latencies that a pipe can have, in shader cycles: the even numbers from `least` to `most`.
struct LatencyRange {
  unsigned least, most;
};
/// Of a pipe whose lanes take `entry_cycles` to enter, with one stage a cycle.
constexpr LatencyRange exec_latencies(unsigned entry_cycles, unsigned functional) {
  const unsigned shortest = kFixedCycles + entry_cycles;  // with D = 1: kResultAheadCycles + 2 registers
  constexpr unsigned kRegisters = kResultAheadCycles + 2;
  return {shortest + (functional > kRegisters ? (functional - kRegisters + 1) / 2 * 2 : 0),
          shortest + kMaxExecStages - kResultAheadCycles - 2};
}
/// Stages of such a pipe in front of its result register.
constexpr unsigned exec_stages(unsigned latency, unsigned entry_cycles) {
  return latency - kFixedCycles - entry_cycles + 1 + kResultAheadCycles;
}
/// Registers of a pipe that only delay. Its result register counts.
constexpr unsigned padding_registers(unsigned stages, unsigned functional) { return stages + 1 - functional; }

// Shader cycles in which the lanes of an instruction enter the SPs and the SFUs, and keep them busy.
inline constexpr unsigned kSpOccupancy = kWarpSize / kNumSpLanes;
inline unsigned sfu_occupancy(const Config& config) { return kWarpSize / config.sm.num_sfus; }

inline unsigned sp_stages(const Config& config) { return exec_stages(config.sm.alu_latency, kSpOccupancy); }
inline unsigned sfu_stages(const Config& config) { return exec_stages(config.sm.sfu_latency, sfu_occupancy(config)); }

/// Shader cycles in which the lanes of an instruction enter the fp64 unit and keep it busy; 0 if there is none.
inline unsigned dp_occupancy(const Config& config) {
  return config.sm.num_dps == 0 ? 0 : kWarpSize / config.sm.num_dps;
}
inline unsigned dp_stages(const Config& config) { return exec_stages(config.sm.dp_latency, dp_occupancy(config)); }

/// Shader cycles in which the lanes of an fp32 multiply enter the SFUs' multipliers and keep the SFUs busy; 0 where the
/// SPs do all multiplies. Four multipliers an SFU, as far as an operand port feeds them: Lindholm et al., NVIDIA Tesla,
/// IEEE Micro 28(2), 2008.
inline unsigned multiply_occupancy(const Config& config) {
  constexpr unsigned kMultipliersPerSfu = 4;
  const unsigned lanes = std::min(kNumSpLanes, kMultipliersPerSfu * config.sm.num_sfus);
  return config.sm.sfu_mul ? kWarpSize / lanes : 0;
}
inline unsigned multiply_stages(const Config& config) {
  return exec_stages(config.sm.sfu_latency, multiply_occupancy(config));
}

// What a latency key asks for beyond the structure are registers that only delay, at the scheduler's rate.

/// Structure of a branch: 0 pick · 2 buffer · 4 collector · 6 control event · 8 stack · 10 fetch · 10+2L reply · +2
/// decode · +2 scoreboard · +2 pick.
inline unsigned branch_structure(const Config& config) { return 16 + 2 * config.icache.l1_latency; }
/// Registers in front of the control stack that make up sm.branch_latency, in shader cycles.
inline unsigned branch_extra_cycles(const Config& config) {
  return config.sm.branch_latency - branch_structure(config);
}

/// Structure of a move from s[]: 0 pick · 2 buffer · 4 collector · 6 address unit · 8, 10 half-warps at bank_conflict ·
/// 10, 12 at the banks · 14 second half in the collector, and from there (instead of cycle 4) as an SP instruction.
inline unsigned smem_structure(const Config& config) { return config.sm.alu_latency + 10; }
/// Stages behind the banks that make up sm.smem_latency, in shader cycles.
inline unsigned smem_extra_cycles(const Config& config) { return config.sm.smem_latency - smem_structure(config); }

/// Structure of a move from c[]: 6 address unit · 8, 10 passes of the half-warps · 12 collector, and from there
/// (instead of cycle 4) as an SP instruction.
inline unsigned const_structure(const Config& config) { return config.sm.alu_latency + 8; }
/// Stages behind the constant cache that make up sm.const_latency, in shader cycles.
inline unsigned const_extra_cycles(const Config& config) { return config.sm.const_latency - const_structure(config); }

/// Structure of a load of one register: 0 reply written into the entry · 2, 4 halves of the register read · 6 both at
/// writeback · 8 register written, released · 10 scoreboard · 12 pick. Each further register takes 4 cycles more.
inline constexpr unsigned kReturnStructure = 12;
/// Stages behind the load table that make up sm.return_latency, in shader cycles.
inline unsigned return_extra_cycles(const Config& config) { return config.sm.return_latency - kReturnStructure; }

/// Registers in core edges behind the crossing from address unit to coalescer, that make up sm.address_latency.
/// Structure: 0 pick · 2 buffer · 4 collector · 6 address unit, then the crossing. An entry shows half an edge earlier
/// than the count, on average over the clocks' phases.
inline unsigned access_way(const Config& config) {
  constexpr double kStructure = 6;
  const double cycles = std::max(0.0, config.sm.address_latency - kStructure);
  const auto edges = static_cast<unsigned>(std::lround(cycles * config.clock.core_mhz / config.clock.shader_mhz));
  return std::max(config.clock.crossing_edges, edges) - config.clock.crossing_edges;
}

}  // namespace g80
