// SPDX-License-Identifier: Apache-2.0
// Machines drawn from the whole legal range of every key of hw/config/config.def, or of those that are timing alone: a
// preset, and settings over it that keep the rules between keys. A key that is added later is drawn as well.
#pragma once
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "hw/config/config.h"
#include "hw/config/config_keys.h"
#include "hw/config/config_rules.h"
#include "hw/config/pipeline_depth.h"
#include "hw/config/texture_depth.h"

namespace g80::testing {

/// The keys that change when things happen, and nothing else.
inline bool is_timing(const ConfigKey& key) {
  static constexpr std::string_view kNames[] = {"clock.shader_mhz",
                                                "clock.core_mhz",
                                                "clock.dram_mhz",
                                                "clock.crossing_edges",
                                                "gpu.cta_launch_cycles",
                                                "sm.smem_latency",
                                                "sm.const_latency",
                                                "sm.address_latency",
                                                "sm.return_latency",
                                                "sm.branch_latency",
                                                "sm.load_table_entries",
                                                "sm.address_queue",
                                                "icache.l1_latency",
                                                "ccache.l2_latency",
                                                "ccache.l3_latency",
                                                "ccache.mshrs",
                                                "tex.l2_latency",
                                                "tex.l2_mshrs",
                                                "tex.pipeline_latency",
                                                "tex.mshrs",
                                                "tex.queue",
                                                "tlb.entries",
                                                "tlb.walkers",
                                                "tlb.hit_latency",
                                                "tlb.l2_latency",
                                                "coalescer.cycles_per_transaction",
                                                "coalescer.queue",
                                                "xbar.request_latency",
                                                "xbar.reply_latency",
                                                "xbar.queue",
                                                "partition.request_latency",
                                                "partition.reply_latency",
                                                "partition.queue",
                                                "partition.cycles_per_transaction",
                                                "dram.window",
                                                "dram.write_high",
                                                "dram.write_low",
                                                "dram.t_rcd",
                                                "dram.cl",
                                                "dram.wl",
                                                "dram.t_wr",
                                                "dram.t_rtp",
                                                "dram.t_wtr",
                                                "dram.t_rfc",
                                                "host.launch_cycles",
                                                "host.copy_reads"};
  const std::string name = key.full_name();
  for (const std::string_view each : kNames) {
    if (each == name) return true;
  }
  return false;
}

struct RandomConfiguration {
  std::string preset;
  std::vector<std::string> sets;  // --set
};

/// Draws values and mends combinations. Everything follows from the seed.
class ConfigurationGenerator {
 public:
  explicit ConfigurationGenerator(std::uint64_t seed) : random_(seed) {}

  /// A legal one, whose copies over the link end in reasonable time.
  RandomConfiguration legal() {
    constexpr std::uint32_t kLongestLatencyNs = 2000, kSlowestMbPerS = 100;
    RandomConfiguration out = draw();
    config_.host.link_latency_ns = std::min(config_.host.link_latency_ns, kLongestLatencyNs);
    config_.host.link_mb_per_s = std::max(config_.host.link_mb_per_s, kSlowestMbPerS);
    if (below(4) != 0) make_room(config_);
    out.sets = legal_settings(load_config(out.preset));
    return out;
  }
  /// Legal settings over `preset` that change when things happen: most timing keys, anywhere in their ranges.
  std::vector<std::string> timing(const std::string& preset) {
    constexpr double kSlowestMhz = 30, kFastestMhz = 3000;  // a run ends in reasonable time
    config_ = load_config(preset);
    for (const ConfigKey& key : config_keys()) {
      if (is_timing(key) && below(3) != 0) key.store(config_, key, value_of(key));
    }
    for (double* mhz : {&config_.clock.shader_mhz, &config_.clock.core_mhz, &config_.clock.dram_mhz})
      *mhz = std::clamp(*mhz, kSlowestMhz, kFastestMhz);
    return legal_settings(load_config(preset));
  }
  /// Legal settings over `preset` with other clocks, crossings and queues, in a small machine.
  std::vector<std::string> clocks(const std::string& preset) {
    config_ = load_config(preset);
    Config& c = config_;
    for (double* mhz : {&c.clock.shader_mhz, &c.clock.core_mhz, &c.clock.dram_mhz}) {
      if (below(3) != 0) *mhz = std::round(1000 * 150 * std::pow(12, static_cast<double>(below(1000)) / 1000)) / 1000;
    }
    // Often SMs that run far ahead of their memory: the longer the crossings, and the slower the clock behind them.
    if (below(2) != 0) c.clock.core_mhz = std::round(c.clock.shader_mhz / (3 + static_cast<double>(below(6))));
    c.clock.crossing_edges = 3 + static_cast<unsigned>(below(6));
    for (unsigned* places : {&c.xbar.queue, &c.partition.queue, &c.coalescer.queue, &c.sm.address_queue,
                             &c.sm.load_table_entries, &c.dram.window, &c.tex.queue, &c.tex.mshrs, &c.tex.l2_mshrs,
                             &c.ccache.mshrs, &c.tlb.entries, &c.tlb.walkers, &c.host.copy_reads}) {
      if (below(3) == 0) *places = 1 + static_cast<unsigned>(below(below(2) != 0 ? 2 : 12));
    }
    if (below(4) == 0) c.dram.t_rcd = 1 + static_cast<unsigned>(below(30));
    c.gpu.num_tpcs = 1 + static_cast<unsigned>(below(3));
    c.gpu.sms_per_tpc = 1 + static_cast<unsigned>(below(2));
    c.gpu.num_partitions = 1 + static_cast<unsigned>(below(3));
    return legal_settings(load_config(preset));
  }
  /// As drawn: each value is in its key's range, and the rules between keys may refuse them together.
  RandomConfiguration any() {
    RandomConfiguration out = draw();
    out.sets = settings(config_, load_config(out.preset));
    return out;
  }

 private:
  /// What was drawn, as far as the rules allow it.
  std::vector<std::string> legal_settings(const Config& preset) {
    mend(config_);
    // What the rules still refuse goes back to the preset, one key after the other.
    std::vector<const ConfigKey*> changed = different(config_, preset);
    std::shuffle(changed.begin(), changed.end(), random_);
    while (!refusal(config_).empty() && !changed.empty()) {
      changed.back()->store(config_, *changed.back(), changed.back()->load(preset));
      changed.pop_back();
      mend(config_);
    }
    return settings(config_, preset);
  }
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  RandomConfiguration draw() {
    RandomConfiguration out;
    const std::vector<std::string> presets = preset_names();
    out.preset = presets[below(presets.size())];
    config_ = load_config(out.preset);
    // A few keys, many or all: what goes wrong with two values may be hidden behind a hundred others.
    const std::uint64_t share = std::array{2, 10, 40, 100}[below(4)];
    for (const ConfigKey& key : config_keys()) {
      if (key.type == "text" || below(100) >= share) continue;
      key.store(config_, key, value_of(key));
    }
    return out;
  }
  ConfigValue value_of(const ConfigKey& key) {
    if (key.type == "boolean") return below(2) != 0;
    if (key.type == "choice") return std::string(key.choices[below(key.choices.size())]);
    const double present = std::visit(
        [](const auto& value) -> double {
          if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) return static_cast<double>(value);
          return 0;
        },
        key.load(config_));
    // Ranges go over decades: small values are as likely as large ones.
    const double low = std::log(key.min + 1), high = std::log(key.max + 1);
    double value = std::exp(low + (high - low) * static_cast<double>(below(1u << 20)) / (1u << 20)) - 1;
    switch (below(8)) {
      case 0: value = key.min; break;
      case 1: value = key.max; break;
      case 2: value = present * (0.75 + 0.5 * static_cast<double>(below(1000)) / 1000); break;
      default: break;
    }
    value = std::clamp(value, key.min, key.max);
    if (key.type == "f64") return std::round(value * 1000) / 1000;
    return static_cast<std::int64_t>(value);
  }

  // For small kernels: on most machines that are drawn from all values nothing could start.
  static void make_room(Config& c) {
    const auto least = [](auto& value, unsigned floor) {
      value = std::max<std::decay_t<decltype(value)>>(value, floor);
    };
    least(c.device.compute_minor, 1);
    least(c.device.memory_bytes, 64u << 20);
    least(c.device.constant_bytes, 8192);
    least(c.device.max_grid, 64);
    least(c.device.max_block_x, 128);
    least(c.device.max_block_y, 16);
    least(c.device.max_threads_per_block, 128);
    least(c.sm.max_warps, 8);
    least(c.sm.max_threads, 256);
    least(c.sm.num_registers, 8192);
    least(c.sm.shared_bytes, 8192);
    least(c.sm.stack_depth, 16);
  }
  // The rules of hw/config/config_rules.cpp, as what to do about a value that breaks one.
  template <class Value>
  static void power_of_two(Value& value) {
    while ((value & (value - 1)) != 0) value &= value - 1;
  }
  template <class Value>
  static void multiple(Value& value, Value unit, Value least, Value most) {
    value = std::max(value, least);
    value = value / unit * unit;
    if (value < least) value += unit;
    if (value > most) value -= unit;
  }
  static void divisor_of_32(std::uint32_t& value) {
    if (value != 0) power_of_two(value);
  }
  // What hw/config/pipeline_depth.h can build stages for.
  static void pipe(std::uint32_t& latency, unsigned entry_cycles, unsigned functional) {
    const unsigned shortest = kFixedCycles + entry_cycles, registers = kResultAheadCycles + 2;
    const unsigned least = shortest + (functional > registers ? (functional - registers + 1) / 2 * 2 : 0);
    latency = std::clamp(latency, least, shortest + kMaxExecStages - kResultAheadCycles - 2) & ~1u;
  }
  // Ways and line stay, the number of sets changes; ways go down until the cache is not too large.
  static void cache(std::uint32_t& bytes, std::uint32_t& ways, std::uint32_t line, std::uint32_t least,
                    std::uint32_t most) {
    while (ways * line > most) --ways;
    std::uint32_t sets = std::max(1u, bytes / (ways * line));
    power_of_two(sets);
    while (ways * line * sets < least) sets *= 2;
    bytes = ways * line * sets;
  }
  void mend(Config& c) {
    const auto near = [&](double& mhz) {
      mhz = std::clamp(mhz, std::ceil(c.clock.shader_mhz / 100), 100 * c.clock.shader_mhz);
    };
    near(c.clock.core_mhz);
    near(c.clock.dram_mhz);
    // The rules allow 100 between the shader clock and each of the others, so 10000 between those two: one step of the
    // slower one would then be 10000 edges of the other, and a copy of a few kilobytes 100 million.
    c.clock.core_mhz = std::min(c.clock.core_mhz, 100 * c.clock.dram_mhz);
    c.clock.dram_mhz = std::min(c.clock.dram_mhz, 100 * c.clock.core_mhz);
    c.gpu.sms_per_tpc = std::min(c.gpu.sms_per_tpc, 32 / c.gpu.num_tpcs);
    if (c.gpu.sms_per_tpc == 0) c.gpu.sms_per_tpc = 1;

    auto& sm = c.sm;
    sm.max_threads = std::min(sm.max_threads, 32 * sm.max_warps);
    c.device.max_threads_per_block = std::min(c.device.max_threads_per_block, sm.max_threads);
    power_of_two(sm.register_granule);
    power_of_two(sm.warp_granule);
    multiple(sm.num_registers, sm.register_granule, 256u, 16384u);
    power_of_two(sm.shared_granule);
    multiple(sm.shared_bytes, sm.shared_granule, 1024u, 16384u);
    for (auto* value : {&sm.smem_passes_per_4_cycles, &sm.const_addresses_per_4_cycles, &sm.lock_flags})
      power_of_two(*value);
    divisor_of_32(sm.num_sfus);
    divisor_of_32(sm.num_dps);
    pipe(sm.alu_latency, kWarpSize / kNumSpLanes, kSpFunctionalStages);
    pipe(sm.sfu_latency, kWarpSize / sm.num_sfus, kSfuFunctionalStages);
    if (sm.num_dps != 0) pipe(sm.dp_latency, dp_occupancy(c), kDpFunctionalStages);
    const auto path = [](std::uint32_t& latency, unsigned structure) { latency = std::max(latency & ~1u, structure); };
    path(sm.smem_latency, sm.alu_latency + 10);
    path(sm.const_latency, sm.alu_latency + 8);
    path(sm.branch_latency, 16 + 2 * c.icache.l1_latency);
    path(sm.return_latency, 12);
    sm.stack_on_chip = std::min(sm.stack_on_chip, sm.stack_depth);

    power_of_two(c.icache.line_bytes);
    c.ccache.line_bytes = c.icache.line_bytes;
    power_of_two(c.tex.line_bytes);
    sm.fetch_bytes = std::min({sm.fetch_bytes, c.icache.line_bytes, 4 * sm.ibuffer_entries});
    power_of_two(sm.fetch_bytes);
    cache(c.icache.l1_bytes, c.icache.l1_ways, c.icache.line_bytes, 256, 65536);
    cache(c.ccache.l1_bytes, c.ccache.l1_ways, c.ccache.line_bytes, 256, 65536);
    cache(c.ccache.l2_bytes, c.ccache.l2_ways, c.ccache.line_bytes, 1024, 1048576);
    cache(c.ccache.l3_bytes, c.ccache.l3_ways, c.ccache.line_bytes, 1024, 1048576);
    cache(c.tex.l1_bytes, c.tex.l1_ways, c.tex.line_bytes, 256, 65536);
    cache(c.tex.l2_bytes, c.tex.l2_ways, c.tex.line_bytes, 1024, 1048576);
    constexpr unsigned kMostLatency = 1024;
    const unsigned beside_filter = least_texture_latency(c) - c.tex.filter_latency;
    c.tex.filter_latency = std::min(c.tex.filter_latency, kMostLatency - beside_filter);
    c.tex.pipeline_latency = std::max(c.tex.pipeline_latency, least_texture_latency(c));

    for (auto* value : {&c.device.texture_alignment, &c.tlb.reach_bytes, &c.xbar.flit_bytes,
                        &c.partition.interleave_bytes, &c.dram.num_banks, &c.dram.row_bytes, &c.dram.burst_bytes}) {
      power_of_two(*value);
    }
    if (c.tlb.l2_entries != 0) cache(c.tlb.l2_entries, c.tlb.l2_ways, 1, 1, 2048);
    const unsigned partitions = c.gpu.num_partitions;
    if (partitions != 6 && (partitions & (partitions - 1)) != 0) c.partition.hash = PartitionHash::kPlain;

    auto& dram = c.dram;
    dram.write_high = std::clamp(dram.write_high, 1u, dram.window);
    dram.write_low = std::min(dram.write_low, dram.write_high - 1);
    dram.burst_cycles = dram.burst_bytes / 16;
    dram.row_bytes = std::max(dram.row_bytes, c.partition.interleave_bytes);
    dram.t_ccd = std::max(dram.t_ccd, dram.burst_cycles);
    dram.t_faw = std::max(dram.t_faw, dram.t_rrd);
    dram.t_ras = std::max(dram.t_ras, dram.t_rcd);
    dram.t_rp = std::clamp(dram.t_rp, 1u, std::max(1u, 255 - std::min(254u, dram.t_ras)));
    dram.t_ras = std::min(dram.t_ras, 254u);
    dram.t_rcd = std::min(dram.t_rcd, dram.t_ras);
    dram.t_rc = std::max(dram.t_rc, dram.t_ras + dram.t_rp);
    dram.t_refi = std::max(dram.t_refi, dram.t_rfc + longest_row_use(c) + 1);
  }

  static std::string refusal(const Config& config) {
    try {
      check_config_rules(config, [](std::string_view) { return std::string("drawn"); });
    } catch (const ConfigError& error) {
      return error.what();
    }
    return {};
  }
  static std::vector<const ConfigKey*> different(const Config& config, const Config& preset) {
    std::vector<const ConfigKey*> keys;
    for (const ConfigKey& key : config_keys()) {
      if (key.load(config) != key.load(preset)) keys.push_back(&key);
    }
    return keys;
  }
  static std::vector<std::string> settings(const Config& config, const Config& preset) {
    std::vector<std::string> sets;
    for (const ConfigKey* key : different(config, preset)) {
      const ConfigValue value = key->load(config);
      const auto* text = std::get_if<std::string>(&value);
      sets.push_back(key->full_name() + "=" + (text != nullptr ? *text : quote_config_value(value)));
    }
    return sets;
  }

  std::mt19937_64 random_;
  Config config_;
};

}  // namespace g80::testing
