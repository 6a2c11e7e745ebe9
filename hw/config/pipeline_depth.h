// SPDX-License-Identifier: Apache-2.0
// Computes the depth of the SM's pipelines from the dependent-issue latencies of the configuration.
//
// Issue to dependent issue of an SP instruction, in shader cycles (even = scheduler edges):
//   0 pick · 2 instruction buffer · 4 collector reads operands · 6 dispatch · 7..10 four groups of lanes enter the SP
//       pipe
//   · 10+D the last group leaves · next scheduler edge writeback, release · +2 scoreboard · +2 pick
// With D odd this is 15 + D. SFU and fp64 differ in the cycles their lanes take to enter.
#pragma once
#include <algorithm>
#include <cmath>

#include "hw/common/types.h"
#include "hw/config/config.h"

namespace g80 {

inline constexpr unsigned kMaxExecStages = 64;
inline constexpr unsigned kFixedCycles = 12;  // everything of the list above but entering and D, D odd

/// Stages of a pipe whose lanes take `entry_cycles` to enter, for a dependent-issue latency of `latency`. Those above
/// `functional`, the stages that compute, only delay. Throws ConfigError if the latency is below what the structure
/// takes or not a whole number of scheduler cycles.
inline unsigned exec_stages(const char* key, unsigned latency, unsigned entry_cycles, unsigned functional = 1) {
  const unsigned shortest = kFixedCycles + entry_cycles;  // with one stage
  const unsigned least = shortest + functional / 2 * 2;
  if (latency % 2 != 0 || latency < least || latency - shortest + 1 > kMaxExecStages) {
    throw ConfigError(std::string(key) + " = " + std::to_string(latency) + ": allowed are even numbers from " +
                      std::to_string(least) + " to " + std::to_string(shortest + kMaxExecStages - 2));
  }
  return latency - shortest + 1;
}

inline constexpr unsigned kSpFunctionalStages = 8;  // hw/exec/sp_datapath.h
inline unsigned sp_stages(const Config& config) {
  return exec_stages("sm.alu_latency", config.sm.alu_latency, kWarpSize / kNumSpLanes, kSpFunctionalStages);
}

/// Shader cycles in which the lanes of an instruction enter the fp64 unit and keep it busy; 0 if there is none.
inline unsigned dp_occupancy(const Config& config) {
  return config.sm.num_dps == 0 ? 0 : kWarpSize / config.sm.num_dps;
}

/// Shader cycles in which the lanes of an fp32 multiply enter the SFUs' multipliers and keep the SFUs busy; 0 where the
/// SPs do all multiplies. Four multipliers an SFU, as far as an operand port feeds them: Lindholm et al., NVIDIA Tesla,
/// IEEE Micro 28(2), 2008.
inline unsigned multiply_occupancy(const Config& config) {
  constexpr unsigned kMultipliersPerSfu = 4;
  const unsigned lanes = std::min(kNumSpLanes, kMultipliersPerSfu * config.sm.num_sfus);
  return config.sm.sfu_mul ? kWarpSize / lanes : 0;
}

/// Scheduler cycles a resolved branch waits beyond what the stages take, in shader cycles.
/// Structure: 0 pick · 2 buffer · 4 collector · 6 control event · 8 stack · 10 fetch · 10+2L reply · +2 decode ·
/// +2 scoreboard · +2 pick = 16 + 2L.
inline unsigned branch_extra_cycles(const Config& config) {
  const unsigned structure = 16 + 2 * config.icache.l1_latency;
  return config.sm.branch_latency > structure ? (config.sm.branch_latency - structure + 1) / 2 * 2 : 0;
}

/// Stages behind the banks that make up sm.smem_latency, in shader cycles. Structure of a move from s[]: 0 pick · 2
/// buffer · 4 collector · 6 address unit · 8, 10 half-warps at bank_conflict · 10, 12 at the banks · 14 second half in
/// the collector, and from there (instead of cycle 4) as an SP instruction.
inline unsigned smem_extra_cycles(const Config& config) {
  const unsigned structure = config.sm.alu_latency + 10;
  return config.sm.smem_latency > structure ? (config.sm.smem_latency - structure + 1) / 2 * 2 : 0;
}

/// Stages behind the constant cache that make up sm.const_latency. Structure: 6 address unit · 8, 10 passes of the
/// half-warps · 12 collector, and from there (instead of cycle 4) as an SP instruction.
inline unsigned const_extra_cycles(const Config& config) {
  const unsigned structure = config.sm.alu_latency + 8;
  return config.sm.const_latency > structure ? (config.sm.const_latency - structure + 1) / 2 * 2 : 0;
}

/// Core edges from the address unit's push to the half-warp's arrival at the coalescer, that make up
/// sm.address_latency: the crossing and the stages in front of it. Structure: 0 pick · 2 buffer · 4 collector · 6
/// address unit. An entry shows half an edge earlier than the count, on average over the clocks' phases.
inline unsigned access_edges(const Config& config) {
  constexpr double kStructure = 6;
  const double cycles = std::max(0.0, config.sm.address_latency - kStructure);
  const auto edges = static_cast<unsigned>(std::lround(cycles * config.clock.core_mhz / config.clock.shader_mhz));
  return std::max(config.clock.crossing_edges, edges);
}

/// Shader cycles to read a control-stack entry back from memory: a computed delay for request, closed row and reply
/// without contention. Its traffic is not modelled.
inline unsigned stack_refill_cycles(const Config& config) {
  const double path =
      (config.xbar.request_latency + config.xbar.reply_latency) * config.clock.shader_mhz / config.clock.core_mhz;
  const double dram =
      (config.dram.t_rcd + config.dram.cl + config.dram.burst_cycles) * config.clock.shader_mhz / config.clock.dram_mhz;
  return (config.sm.address_latency + config.sm.return_latency + static_cast<unsigned>(path + dram) + 1) / 2 * 2;
}

/// Stages behind the load table that make up sm.return_latency, in shader cycles. Structure: 0 reply at the load table
/// · 2 result at writeback · 4 register written, released · 6 scoreboard · 8 pick.
inline unsigned return_extra_cycles(const Config& config) {
  constexpr unsigned kStructure = 8;
  return config.sm.return_latency > kStructure ? (config.sm.return_latency - kStructure + 1) / 2 * 2 : 0;
}

}  // namespace g80
