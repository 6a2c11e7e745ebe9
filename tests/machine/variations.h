// SPDX-License-Identifier: Apache-2.0
// The ways a machine may differ without a result that differs: one list, for kernels and random programs alike.
#pragma once
#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "hw/config/config_keys.h"
#include "tb/machine/gpu_backend.h"
#include "tb/machine/twin_select.h"
#include "tests/support/random_seed.h"

namespace g80::testing {

/// What must be as on the base machine; each level includes those before it.
enum class Keeps {
  kMemory,        // every buffer, byte for byte; how the run ends
  kInstructions,  // what was executed: instructions, lanes, branches, barriers, blocks, accesses
  kWork,          // what the accesses became: transactions, passes of shared memory
  kStatistics,    // everything: each counter of each SM, each cycle
};

struct Variation {
  std::string name;
  Keeps keeps = Keeps::kWork;
  std::vector<std::string> sets{};  // --set
  MachineOptions machine{};
};
inline void PrintTo(const Variation& variation, std::ostream* out) { *out << variation.name; }

/// Numbers of SMs, in every shape of up to four to a TPC: 1, 2, 4, 8 and 16.
inline std::vector<Variation> shapes() {
  std::vector<Variation> list;
  for (unsigned sms = 1; sms <= 16; sms *= 2) {
    for (unsigned per_tpc = 1; per_tpc <= 4 && per_tpc <= sms; per_tpc *= 2) {
      list.push_back({fmt::format("{}_tpcs_of_{}", sms / per_tpc, per_tpc),
                      Keeps::kWork,
                      {fmt::format("gpu.num_tpcs={}", sms / per_tpc), fmt::format("gpu.sms_per_tpc={}", per_tpc)}});
    }
  }
  return list;
}

/// Every choice of every key that has choices: a choice that is added later is in the list.
inline std::vector<Variation> policies() {
  std::vector<Variation> list;
  std::map<std::string_view, Variation> replacement;  // every cache takes it: one variation for each choice
  for (const ConfigKey& key : config_keys()) {
    const bool is_replacement = key.name.find("replacement") != std::string_view::npos;
    for (const std::string_view choice : key.choices) {
      const std::string set = fmt::format("{}={}", key.full_name(), choice);
      if (is_replacement) {
        Variation& variation = replacement[choice];
        variation.name = fmt::format("replacement_{}", choice);
        variation.keeps = Keeps::kWork;
        variation.sets.push_back(set);
        continue;
      }
      Variation variation{fmt::format("{}_{}_{}", key.section, key.name, choice), Keeps::kWork, {set}};
      list.push_back(variation);
    }
  }
  for (const auto& [choice, variation] : replacement) list.push_back(variation);
  for (unsigned seed = 2; seed <= 5; ++seed) {
    list.push_back({fmt::format("cta_order_of_seed_{}", seed),
                    Keeps::kWork,
                    {"gpu.cta_order=shuffled", fmt::format("gpu.seed={}", seed)}});
  }
  return list;
}

/// Machines of other sizes and speeds.
inline std::vector<Variation> machines() {
  std::vector<Variation> list = {
      {"starved", Keeps::kWork, {"sm.load_table_entries=1",
                                 "sm.address_queue=1",
                                 "sm.collector_units=1",
                                 "sm.register_banks=1",
                                 "sm.ibuffer_entries=4",
                                 "coalescer.queue=1",
                                 "xbar.queue=1",
                                 "partition.queue=1",
                                 "dram.window=1",
                                 "dram.write_high=1",
                                 "dram.write_low=0",
                                 "tex.queue=1",
                                 "tex.mshrs=1",
                                 "tex.l2_mshrs=1",
                                 "ccache.mshrs=1",
                                 "tlb.entries=1",
                                 "tlb.walkers=1",
                                 "tlb.l2_entries=1",
                                 "tlb.l2_ways=1",
                                 "host.copy_reads=1"}},
      {"slow_memory",
       Keeps::kWork,
       {"dram.cl=60", "dram.t_rcd=70", "dram.t_rp=70", "dram.t_ras=100", "dram.t_rc=180", "xbar.request_latency=90",
        "xbar.reply_latency=150", "partition.request_latency=64", "partition.reply_latency=128",
        "partition.cycles_per_transaction=7", "coalescer.cycles_per_transaction=3"}},
      {"quick_memory",
       Keeps::kWork,
       {"dram.cl=1", "dram.wl=1", "dram.t_rcd=1", "dram.t_rp=1", "dram.t_ras=1", "dram.t_rc=2", "dram.t_wtr=1",
        "dram.t_wr=1", "dram.t_rrd=1", "dram.t_rtp=1", "xbar.request_latency=1", "xbar.reply_latency=1",
        "partition.request_latency=0", "partition.reply_latency=0", "tlb.hit_latency=2", "tlb.l2_latency=7"}},
      {"small_caches",
       Keeps::kWork,
       {"icache.l1_bytes=256", "icache.l1_ways=1", "icache.line_bytes=32", "ccache.line_bytes=32",
        "ccache.l1_bytes=256", "ccache.l1_ways=1", "ccache.l2_bytes=1024", "ccache.l2_ways=1", "ccache.l3_bytes=1024",
        "ccache.l3_ways=1", "tex.l1_bytes=256", "tex.l1_ways=1", "tex.l2_bytes=1024", "tex.l2_ways=1",
        "tlb.l2_entries=0"}},
      {"slow_shader_clock", Keeps::kWork, {"clock.shader_mhz=301.7", "clock.core_mhz=877.1", "clock.dram_mhz=599.9"}},
      {"quick_shader_clock", Keeps::kWork, {"clock.shader_mhz=2999.9", "clock.core_mhz=211.3", "clock.dram_mhz=389.7"}},
      {"long_pipes",
       Keeps::kWork,
       // clang-format off
       {"sm.alu_latency=76", "sm.sfu_latency=80", "sm.smem_latency=90", "sm.const_latency=90", "sm.branch_latency=200"}},
      {"multiplies_beside", Keeps::kWork, {"sm.sfu_mul=true"}},
      {"stack_in_memory", Keeps::kWork, {"sm.stack_on_chip=1"}},
      {"one_block_at_a_time", Keeps::kWork, {"sm.max_ctas=1"}},
      {"no_launch_time", Keeps::kWork, {"gpu.cta_launch_cycles=1", "host.launch_cycles=0"}},
      {"segment_rule", Keeps::kInstructions, {"coalescer.segment_rule=true"}},
      // clang-format on
  };
  for (const unsigned partitions : {1, 4, 6, 8}) {
    list.push_back(
        {fmt::format("{}_partitions", partitions), Keeps::kWork, {fmt::format("gpu.num_partitions={}", partitions)}});
    list.back().machine.check_sleep = partitions == 6;  // a request passes the stages of a divider
  }
  list.push_back({"late_crossings", Keeps::kWork});
  list.back().machine.late_crossings = random_seed();
  return list;
}

/// A second run, what only looks at the machine or steps it in another way, and RTL in the place of blocks, each by
/// itself or all of a multiprocessor as one model, if this program has RTL.
inline std::vector<Variation> onlookers() {
  std::vector<Variation> list;
  for (const char* name : {"again", "no_sleep", "shuffled", "no_lockstep", "rtl", "sleep_check", "random_state",
                           "rtl_sm", "threads", "sleep_check_of_random_state"}) {
    list.push_back({name, Keeps::kStatistics});
  }
  list[1].machine.no_sleep = true;
  list[2].machine.shuffle = 1;
  list[3].machine.lockstep = false;
  list[4].machine.rtl = "all";
  list[5].machine.check_sleep = true;
  list[6].machine.random_state = random_seed();
  list[7].machine.rtl = "sm";
  list[8].machine.threads = 3;
  list[9].machine.check_sleep = true;
  list[9].machine.random_state = random_seed();
  const auto needs_rtl = [](const Variation& variation) { return !variation.machine.rtl.empty(); };
  if (!has_twins()) list.erase(std::remove_if(list.begin(), list.end(), needs_rtl), list.end());
  return list;
}

inline std::vector<Variation> all_variations() {
  std::vector<Variation> list;
  for (const auto& part : {shapes(), policies(), machines(), onlookers()})
    list.insert(list.end(), part.begin(), part.end());
  return list;
}

/// A shape, a machine and two to four policies together, drawn from `random`; it keeps what all of them keep. Later
/// settings of a key win.
template <class Random>
Variation combination(Random& random) {
  Variation out{"", Keeps::kWork};
  const auto add = [&](const std::vector<Variation>& list) {
    const Variation& part = list[random() % list.size()];
    out.name += (out.name.empty() ? "" : " + ") + part.name;
    out.keeps = std::min(out.keeps, part.keeps);
    out.sets.insert(out.sets.end(), part.sets.begin(), part.sets.end());
    out.machine.lockstep &= part.machine.lockstep;
    if (part.machine.late_crossings) out.machine.late_crossings = part.machine.late_crossings;
  };
  add(shapes());
  add(machines());
  for (auto count = 2 + random() % 3; count > 0; --count) add(policies());
  return out;
}

}  // namespace g80::testing
