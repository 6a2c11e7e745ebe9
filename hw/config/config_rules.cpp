// SPDX-License-Identifier: Apache-2.0
#include "hw/config/config_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hw/common/limits.h"
#include "hw/common/types.h"
#include "hw/config/pipeline_depth.h"
#include "hw/config/texture_depth.h"

namespace g80 {
namespace {

constexpr bool is_power_of_two(std::uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

/// Checks rules one by one. A broken rule throws ConfigError with "where: key = value ...".
class Rules {
 public:
  using Where = std::function<std::string(std::string_view)>;
  explicit Rules(const Where& where) : where_(where) {}

  template <class Value>
  void require(bool holds, std::string_view key, const Value& value, const std::string& what) const {
    if (!holds) throw ConfigError(fmt::format("{}: {} = {} {}", where_(key), key, value, what));
  }
  void power_of_two(std::string_view key, std::uint64_t value) const {
    require(is_power_of_two(value), key, value, "must be a power of two");
  }
  void multiple(std::string_view key, std::uint64_t value, std::string_view of, std::uint64_t unit) const {
    require(value % unit == 0, key, value, fmt::format("must be a multiple of {} ({})", of, unit));
  }
  // Address bits select the set, so the number of sets is a power of two. The number of ways may be any.
  void cache(std::string_view key, std::uint64_t bytes, std::uint64_t ways, std::uint64_t line) const {
    require(bytes % (ways * line) == 0 && is_power_of_two(bytes / (ways * line)), key, bytes,
            fmt::format("must be {} ways x {}-byte lines x a power-of-two number of sets", ways, line));
  }

 private:
  const Where& where_;
};

/// Limits the ratio of the clocks: while a unit waits for a much slower clock, the machine seems to hang. Domain counts
/// frequencies in units of 100 Hz.
void check_clocks(const Config& config, const Rules& rules) {
  constexpr double kMaxRatio = 100, kUnitsPerMhz = 1e4;
  const auto& clock = config.clock;
  const auto whole = [&](std::string_view key, double mhz) {
    rules.require(std::round(mhz * kUnitsPerMhz) / kUnitsPerMhz == mhz, key, mhz, "must be a multiple of 0.0001 MHz");
  };
  whole("clock.shader_mhz", clock.shader_mhz);
  whole("clock.core_mhz", clock.core_mhz);
  whole("clock.dram_mhz", clock.dram_mhz);
  const auto close = [](double a, double b) { return a <= kMaxRatio * b && b <= kMaxRatio * a; };
  rules.require(close(clock.core_mhz, clock.shader_mhz), "clock.core_mhz", clock.core_mhz,
                fmt::format("must be within a factor of {} of clock.shader_mhz ({})", kMaxRatio, clock.shader_mhz));
  rules.require(close(clock.dram_mhz, clock.shader_mhz), "clock.dram_mhz", clock.dram_mhz,
                fmt::format("must be within a factor of {} of clock.shader_mhz ({})", kMaxRatio, clock.shader_mhz));
}

void check_sm(const Config& config, const Rules& rules) {
  const auto& sm = config.sm;
  rules.require(sm.max_threads <= kWarpSize * sm.max_warps, "sm.max_threads", sm.max_threads,
                fmt::format("must not exceed {} x sm.max_warps ({})", kWarpSize, kWarpSize * sm.max_warps));
  rules.require(config.device.max_threads_per_block <= sm.max_threads, "device.max_threads_per_block",
                config.device.max_threads_per_block,
                fmt::format("must not exceed sm.max_threads ({}), or the block would never start", sm.max_threads));
  rules.multiple("sm.num_registers", sm.num_registers, "sm.register_granule", sm.register_granule);
  rules.power_of_two("sm.register_granule", sm.register_granule);
  rules.power_of_two("sm.warp_granule", sm.warp_granule);
  rules.power_of_two("sm.shared_granule", sm.shared_granule);
  rules.multiple("sm.shared_bytes", sm.shared_bytes, "sm.shared_granule", sm.shared_granule);
  rules.power_of_two("sm.fetch_bytes", sm.fetch_bytes);
  rules.require(sm.fetch_bytes <= 4 * sm.ibuffer_entries, "sm.fetch_bytes", sm.fetch_bytes,
                fmt::format("must not exceed 4 x sm.ibuffer_entries ({}), or a fetch of short instructions never fits",
                            4 * sm.ibuffer_entries));
  rules.require(kWarpSize % sm.num_sfus == 0, "sm.num_sfus", sm.num_sfus, "must divide the 32 lanes of a warp");
  rules.require(4 % sm.smem_passes_per_4_cycles == 0, "sm.smem_passes_per_4_cycles", sm.smem_passes_per_4_cycles,
                "must divide 4");
  rules.power_of_two("sm.lock_flags", sm.lock_flags);
  rules.require(4 % sm.const_addresses_per_4_cycles == 0, "sm.const_addresses_per_4_cycles",
                sm.const_addresses_per_4_cycles, "must divide 4");
  rules.require(sm.address_cycles % 2 == 0, "sm.address_cycles", sm.address_cycles,
                "must be even: the address unit runs at half the shader clock");
  rules.require(sm.stack_on_chip <= sm.stack_depth, "sm.stack_on_chip", sm.stack_on_chip,
                fmt::format("must not exceed sm.stack_depth ({})", sm.stack_depth));
  rules.require(sm.num_dps == 0 || kWarpSize % sm.num_dps == 0, "sm.num_dps", sm.num_dps,
                "must divide the 32 lanes of a warp");
}

/// Latencies that the pipelines can have. One that others are counted from comes before them.
void check_latencies(const Config& config, const Rules& rules) {
  const auto& sm = config.sm;
  const auto pipe = [&](std::string_view key, unsigned latency, const LatencyRange& range, std::string_view why) {
    rules.require(latency % 2 == 0 && latency >= range.least && latency <= range.most, key, latency,
                  fmt::format("must be an even number from {} to {}{}", range.least, range.most, why));
  };
  const auto path = [&](std::string_view key, unsigned latency, unsigned structure, std::string_view of) {
    rules.require(latency >= structure && (latency - structure) % kSchedulerPeriod == 0, key, latency,
                  fmt::format("must be an even number from {} on{}", structure, of));
  };
  pipe("sm.alu_latency", sm.alu_latency, exec_latencies(kSpOccupancy, kSpFunctionalStages), "");
  pipe("sm.sfu_latency", sm.sfu_latency, exec_latencies(sfu_occupancy(config), kSfuFunctionalStages),
       fmt::format(" with sm.num_sfus = {}", sm.num_sfus));
  if (sm.sfu_mul) {
    pipe("sm.sfu_latency", sm.sfu_latency, exec_latencies(multiply_occupancy(config), kMultiplierFunctionalStages),
         fmt::format(" with sm.sfu_mul and sm.num_sfus = {}", sm.num_sfus));
  }
  if (sm.num_dps != 0) {
    pipe("sm.dp_latency", sm.dp_latency, exec_latencies(dp_occupancy(config), kDpFunctionalStages),
         fmt::format(" with sm.num_dps = {}", sm.num_dps));
  }
  path("sm.branch_latency", sm.branch_latency, branch_structure(config), " (16 + 2 x icache.l1_latency)");
  path("sm.smem_latency", sm.smem_latency, smem_structure(config), " (sm.alu_latency + 10)");
  path("sm.const_latency", sm.const_latency, const_structure(config), " (sm.alu_latency + 8)");
  path("sm.return_latency", sm.return_latency, kReturnStructure, "");
}

void check_caches(const Config& config, const Rules& rules) {
  rules.power_of_two("icache.line_bytes", config.icache.line_bytes);
  rules.power_of_two("ccache.line_bytes", config.ccache.line_bytes);
  rules.power_of_two("tex.line_bytes", config.tex.line_bytes);
  rules.require(config.icache.line_bytes == config.ccache.line_bytes, "icache.line_bytes", config.icache.line_bytes,
                fmt::format("must equal ccache.line_bytes ({}): the second and third level hold lines of both",
                            config.ccache.line_bytes));
  rules.cache("icache.l1_bytes", config.icache.l1_bytes, config.icache.l1_ways, config.icache.line_bytes);
  rules.cache("ccache.l1_bytes", config.ccache.l1_bytes, config.ccache.l1_ways, config.ccache.line_bytes);
  rules.cache("ccache.l2_bytes", config.ccache.l2_bytes, config.ccache.l2_ways, config.ccache.line_bytes);
  rules.cache("ccache.l3_bytes", config.ccache.l3_bytes, config.ccache.l3_ways, config.ccache.line_bytes);
  rules.cache("tex.l1_bytes", config.tex.l1_bytes, config.tex.l1_ways, config.tex.line_bytes);
  rules.cache("tex.l2_bytes", config.tex.l2_bytes, config.tex.l2_ways, config.tex.line_bytes);
  const unsigned least = least_texture_latency(config);
  rules.require(config.tex.pipeline_latency >= least, "tex.pipeline_latency", config.tex.pipeline_latency,
                fmt::format("must be at least {}: the stages of the texture unit with tex.address_lanes = {}, "
                            "tex.filter_lanes = {} and tex.filter_latency = {}",
                            least, config.tex.address_lanes, config.tex.filter_lanes, config.tex.filter_latency));
}

void check_memory(const Config& config, const Rules& rules) {
  const auto& partition = config.partition;
  const auto& dram = config.dram;
  rules.power_of_two("device.texture_alignment", config.device.texture_alignment);
  rules.power_of_two("tlb.reach_bytes", config.tlb.reach_bytes);
  rules.require(config.tlb.l2_entries == 0 || (config.tlb.l2_entries % config.tlb.l2_ways == 0 &&
                                               is_power_of_two(config.tlb.l2_entries / config.tlb.l2_ways)),
                "tlb.l2_entries", config.tlb.l2_entries,
                fmt::format("must be 0 or {} ways x a power-of-two number of sets", config.tlb.l2_ways));
  rules.power_of_two("xbar.flit_bytes", config.xbar.flit_bytes);
  rules.power_of_two("partition.interleave_bytes", partition.interleave_bytes);
  // The known hashes fold higher bits into a 1-, 2- or 3-bit digit; 6 partitions hash the low bit of three pairs.
  const unsigned partitions = config.gpu.num_partitions;
  rules.require(partition.hash == PartitionHash::kPlain || partitions == 6 || is_power_of_two(partitions),
                "partition.hash", to_text(partition.hash),
                fmt::format("needs gpu.num_partitions to be 1, 2, 4, 6 or 8, not {}", partitions));
  rules.power_of_two("dram.num_banks", dram.num_banks);
  rules.power_of_two("dram.row_bytes", dram.row_bytes);
  rules.multiple("dram.row_bytes", dram.row_bytes, "dram.burst_bytes", dram.burst_bytes);
  rules.multiple("dram.row_bytes", dram.row_bytes, "partition.interleave_bytes", partition.interleave_bytes);
  constexpr unsigned kBytesPerCycle = 16;  // 64 data pins, both edges of the clock
  rules.require(dram.burst_bytes == kBytesPerCycle * dram.burst_cycles, "dram.burst_bytes", dram.burst_bytes,
                fmt::format("must be {} x dram.burst_cycles ({}): 64 pins move {} bytes per clock", kBytesPerCycle,
                            kBytesPerCycle * dram.burst_cycles, kBytesPerCycle));
  rules.require(dram.t_ccd >= dram.burst_cycles, "dram.t_ccd", dram.t_ccd,
                fmt::format("must be at least dram.burst_cycles ({}), or bursts overlap", dram.burst_cycles));
  rules.require(dram.write_high <= dram.window, "dram.write_high", dram.write_high,
                fmt::format("must be at most dram.window ({})", dram.window));
  rules.require(dram.write_low < dram.write_high, "dram.write_low", dram.write_low,
                fmt::format("must be less than dram.write_high ({})", dram.write_high));
  rules.require(dram.t_faw >= dram.t_rrd, "dram.t_faw", dram.t_faw,
                fmt::format("must be at least dram.t_rrd ({})", dram.t_rrd));
  rules.require(dram.t_ras >= dram.t_rcd, "dram.t_ras", dram.t_ras,
                fmt::format("must be at least dram.t_rcd ({})", dram.t_rcd));
  rules.require(dram.t_rc >= dram.t_ras + dram.t_rp, "dram.t_rc", dram.t_rc,
                fmt::format("must be at least dram.t_ras + dram.t_rp ({})", dram.t_ras + dram.t_rp));
  // A refresh interval must leave time to open a row, move a burst and close the row, or no data ever moves.
  // A row in use when a refresh is due takes part of the interval after it, and the controller then opens the next one
  // only if the time that is left is at least tRCD: the two parts together are one row's use.
  const std::uint32_t use = longest_row_use(config);
  rules.require(dram.t_refi > dram.t_rfc + use, "dram.t_refi", dram.t_refi,
                fmt::format("must exceed dram.t_rfc ({}) + {} to open and use a row and close those of all banks, or "
                            "refresh leaves no time for data",
                            dram.t_rfc, use));
}

}  // namespace

std::uint32_t longest_row_use(const Config& config) {
  const auto& dram = config.dram;
  const std::uint32_t from_column = std::max(dram.t_rtp, dram.wl + dram.burst_cycles + dram.t_wr);
  const std::uint32_t to_column = std::max(dram.t_rcd, kBankCommandClocks);
  return std::max(dram.t_rc, to_column + from_column + dram.t_rp) + dram.num_banks - 1;
}

void check_config_rules(const Config& config, const std::function<std::string(std::string_view full_name)>& where) {
  const Rules rules(where);
  const unsigned sms = config.gpu.num_tpcs * config.gpu.sms_per_tpc;
  rules.require(
      sms <= kMaxSms, "gpu.num_tpcs", config.gpu.num_tpcs,
      fmt::format("x gpu.sms_per_tpc = {} makes {} SMs, but {} is the most", config.gpu.sms_per_tpc, sms, kMaxSms));
  check_clocks(config, rules);
  check_sm(config, rules);
  check_latencies(config, rules);
  check_caches(config, rules);
  check_memory(config, rules);
}

}  // namespace g80
