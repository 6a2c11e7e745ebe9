#include "tb/machine/counter_snapshot.h"

#include <algorithm>
#include <cctype>

namespace g80 {
namespace {

std::string lower(const char* text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

SmCounters difference(const CounterSnapshot::SmPart& a, const CounterSnapshot::SmPart& b, std::uint64_t shader_cycles, bool segment_rule) {
  SmCounters out;
  std::uint64_t total = 0;
  for (unsigned i = 0; i < kNumStallReasons; ++i) total += b.scheduler.stall[i] - a.scheduler.stall[i];
  out.scheduler_cycles = std::min<std::uint64_t>((shader_cycles + 1) / 2, total);
  std::uint64_t outside = total - out.scheduler_cycles;
  out.issued = out.warp_instructions = b.scheduler.stall[0] - a.scheduler.stall[0];
  for (unsigned i = 1; i < kNumStallReasons; ++i) {
    std::uint64_t cycles = b.scheduler.stall[i] - a.scheduler.stall[i];
    if (static_cast<StallReason>(i) == StallReason::kNoWarp) {
      const std::uint64_t taken = std::min(cycles, outside);
      cycles -= taken;
      outside -= taken;
    }
    out.stall.emplace_back(stall_name(static_cast<StallReason>(i)), cycles);
  }
  out.scheduler_cycles += outside;  // a launch that was stopped: nothing was outside it
  out.thread_instructions = b.writeback.thread_instructions - a.writeback.thread_instructions;
  out.branches = b.stack.branches - a.stack.branches;
  out.divergent_branches = b.stack.divergent_branches - a.stack.divergent_branches;
  out.barriers = b.barrier.arrivals - a.barrier.arrivals;
  out.blocks = b.blocks - a.blocks;
  out.shared_passes = b.bank_conflict.passes - a.bank_conflict.passes;
  out.bank_conflict_passes = b.bank_conflict.conflicts - a.bank_conflict.conflicts;
  for (std::size_t i = 0; i < out.active_lanes.size(); ++i) {
    out.active_lanes[i] = b.writeback.active_lanes[i] - a.writeback.active_lanes[i];
  }
  const Coalescer::Counters &ca = a.coalescer, &cb = b.coalescer;
  const auto since = [&](std::uint64_t Coalescer::Counters::*counter) { return cb.*counter - ca.*counter; };
  using C = Coalescer::Counters;
  const std::uint64_t small = since(&C::gld_32b) + since(&C::gst_32b);
  const std::uint64_t wide = since(&C::gld_64b) + since(&C::gld_128b) + since(&C::gst_64b) + since(&C::gst_128b);
  // Under the strict rule a transaction of 32 bytes is a lane that did not coalesce; under the segment rule a half-warp
  // coalesced if it needed no more transactions than a perfect one.
  out.coalesced_transactions = segment_rule ? since(&C::gld_coherent) + since(&C::gst_coherent) : wide;
  out.uncoalesced_transactions = small + wide - std::min(small + wide, out.coalesced_transactions);
  out.other = {
      {"gld_coherent", since(&C::gld_coherent)},
      {"gld_incoherent", since(&C::gld_incoherent)},
      {"gst_coherent", since(&C::gst_coherent)},
      {"gst_incoherent", since(&C::gst_incoherent)},
      {"memory_transactions", since(&C::transactions)},
      {"local_load", since(&C::local_load)},
      {"local_store", since(&C::local_store)},
      {"atomics", since(&C::atomics)},
      {"barriers_by_part_of_a_warp", b.barrier.divergent - a.barrier.divergent},
      {"barriers_missed_by_ended_warps", b.barrier.missed - a.barrier.missed},
      {"register_bank_conflicts", b.collector.bank_conflicts - a.collector.bank_conflicts},
      {"instruction_cache_hits", b.instruction_cache.hits - a.instruction_cache.hits},
      {"instruction_cache_misses", b.instruction_cache.misses - a.instruction_cache.misses},
      {"constant_cache_hits", b.constant_cache.hits - a.constant_cache.hits},
      {"constant_cache_misses", b.constant_cache.misses - a.constant_cache.misses},
  };
  return out;
}

}  // namespace

std::string stall_name(StallReason reason) { return lower(enum_text(reason).names[static_cast<unsigned>(reason)]); }

CounterSnapshot take_counters(Gpu& gpu) {
  CounterSnapshot out;
  const Cycle now = gpu.shader.first_edge_after_now() - 1;
  for (unsigned i = 0; i < gpu.num_sms(); ++i) {
    const Sm& sm = gpu.sm(i);
    out.sm.push_back({sm.warp_scheduler.counters(now), sm.writeback.counters(), sm.reconvergence_stack.counters(), sm.barrier.counters(),
                      sm.bank_conflict.counters(), gpu.tpcs[i / gpu.config.gpu.sms_per_tpc]->coalescers[i % gpu.config.gpu.sms_per_tpc]->counters(), sm.operand_collector.counters(),
                      sm.instruction_cache.counters(), sm.constant_cache.counters(), sm.launcher.ended()});
  }
  for (const auto& channel : gpu.channels) out.dram.push_back(channel->controller.counters());
  for (const auto& tpc : gpu.tpcs) out.tlb.push_back(tpc->tlb.counters());
  return out;
}

void fill_counters(const CounterSnapshot& before, const CounterSnapshot& after, std::uint64_t shader_cycles, bool segment_rule,
                   LaunchResult& result) {
  for (std::size_t i = 0; i < after.sm.size(); ++i) {
    result.sms.push_back(difference(before.sm[i], after.sm[i], shader_cycles, segment_rule));
  }
  std::uint64_t conflicts = 0, refreshes = 0, turnarounds = 0, bus = 0, tlb_misses = 0;
  for (std::size_t i = 0; i < after.dram.size(); ++i) {
    const DramController::Counters &a = before.dram[i], &b = after.dram[i];
    result.memory.dram_read_bytes += (b.reads - a.reads) * kSectorBytes;
    result.memory.dram_write_bytes += (b.writes - a.writes) * kSectorBytes;
    result.memory.dram_row_hits += b.row_hits - a.row_hits;
    result.memory.dram_row_misses += b.row_misses - a.row_misses + b.row_conflicts - a.row_conflicts;
    conflicts += b.row_conflicts - a.row_conflicts;
    refreshes += b.refreshes - a.refreshes;
    turnarounds += b.turnarounds - a.turnarounds;
    bus += b.data_bus_cycles - a.data_bus_cycles;
  }
  for (std::size_t i = 0; i < after.tlb.size(); ++i) tlb_misses += after.tlb[i].misses - before.tlb[i].misses;
  result.memory.other = {{"dram_row_conflicts", conflicts},
                         {"dram_refreshes", refreshes},
                         {"dram_turnarounds", turnarounds},
                         {"dram_data_bus_cycles", bus},
                         {"tlb_misses", tlb_misses}};
}

}  // namespace g80
