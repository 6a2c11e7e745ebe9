// SPDX-License-Identifier: Apache-2.0
#include "tb/record/counter_snapshot.h"

#include <algorithm>
#include <numeric>

namespace g80 {
namespace {

using Values = CounterSnapshot::Values;
constexpr std::uint64_t kComputed = 0;  // in the table: filled in by charge_cycles() or class_transactions()

Values sm_values(const SmCounterBank& sm, const Coalescer::Counters& coalescer) {
  return {
#define G80_SM_MEMBER(member, name, unit, module, source, meaning) source,
#define G80_SM_COUNTER(name, unit, module, source, meaning) source,
#include "tb/record/counters.def"
  };
}

std::uint64_t requests_of_sms(const Tpc& tpc) {
  const auto& granted = tpc.arbiter.counters().granted;
  return std::accumulate(granted.begin(), granted.begin() + static_cast<std::ptrdiff_t>(tpc.sms.size()),
                         std::uint64_t{0});
}

Values tpc_values(const Gpu& gpu, unsigned index) {
  const Tpc& tpc = *gpu.tpcs[index];
  return {
#define G80_TPC_COUNTER(name, unit, module, source, meaning) source,
#include "tb/record/counters.def"
  };
}

Values partition_values(const Gpu& gpu, unsigned index) {
  const MemoryChannel& channel = *gpu.channels[index];
  const TextureL2& l2 = *gpu.texture_l2s[index];
  return {
#define G80_PARTITION_COUNTER(name, unit, module, source, meaning) source,
#include "tb/record/counters.def"
  };
}

Values chip_values(const Gpu& gpu) {
  return {
#define G80_CHIP_COUNTER(name, unit, module, source, meaning) source,
#include "tb/record/counters.def"
  };
}

/// The differences of two readings; each call returns that of the next counter.
class Since {
 public:
  Since(const Values& before, const Values& after) : before_(before), after_(after) {}
  std::uint64_t next() {
    const std::size_t at = at_++;
    return after_[at] - before_[at];
  }

 private:
  const Values& before_;
  const Values& after_;
  std::size_t at_ = 0;
};

UnitCounters tpc_counters(Since since) {
  return {
#define G80_TPC_COUNTER(name, unit, module, source, meaning) {#name, since.next()},
#include "tb/record/counters.def"
  };
}
UnitCounters partition_counters(Since since) {
  return {
#define G80_PARTITION_COUNTER(name, unit, module, source, meaning) {#name, since.next()},
#include "tb/record/counters.def"
  };
}
UnitCounters chip_counters(Since since) {
  return {
#define G80_CHIP_COUNTER(name, unit, module, source, meaning) {#name, since.next()},
#include "tb/record/counters.def"
  };
}

/// Scheduler cycles, issues and stall reasons of the launch. If it was stopped, no cycle is outside it.
void charge_cycles(const StallCycles& cycles, SmCounters& out) {
  out.scheduler_cycles = std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0});
  out.issued = out.warp_instructions = cycles[static_cast<unsigned>(StallReason::kIssued)];
  out.stall = named_stalls(cycles);
}

// Under the strict rule, a 32-byte transaction serves one lane that did not coalesce. Under the segment rule, a
// half-warp is coalesced if it needs no more transactions than consecutive addresses would.
void class_transactions(bool segment_rule, SmCounters& out) {
  const auto of = [&](std::string_view name) {
    return std::find_if(out.other.begin(), out.other.end(),
                        [&](const NamedCount& count) { return count.first == name; })
        ->second;
  };
  const std::uint64_t small = of("gld_32b") + of("gst_32b");
  const std::uint64_t wide = of("gld_64b") + of("gld_128b") + of("gst_64b") + of("gst_128b");
  out.coalesced_transactions = segment_rule ? of("gld_coherent") + of("gst_coherent") : wide;
  out.uncoalesced_transactions = small + wide - std::min(small + wide, out.coalesced_transactions);
}

SmCounters sm_counters(Since since) {
  SmCounters out;
#define G80_SM_MEMBER(member, name, unit, module, source, meaning) out.member = since.next();
#include "tb/record/counters.def"
  out.other = {
#define G80_SM_COUNTER(name, unit, module, source, meaning) {#name, since.next()},
#include "tb/record/counters.def"
  };
  return out;
}

}  // namespace

CounterSnapshot take_counters(Gpu& gpu) {
  CounterSnapshot out;
  const Cycle now = gpu.shader.last_edge();
  const unsigned per_tpc = gpu.config.gpu.sms_per_tpc;
  for (unsigned i = 0; i < gpu.num_sms(); ++i) {
    const SmCounterBank sm = gpu.sm(i).counters(now);
    out.stall.push_back(sm.stall);
    out.sm.push_back(sm_values(sm, gpu.tpcs[i / per_tpc]->coalescers[i % per_tpc]->counters()));
  }
  for (unsigned i = 0; i < gpu.tpcs.size(); ++i) out.tpc.push_back(tpc_values(gpu, i));
  for (unsigned i = 0; i < gpu.channels.size(); ++i) out.partition.push_back(partition_values(gpu, i));
  out.chip = chip_values(gpu);
  return out;
}

void begin_launch(Gpu& gpu) {
  for (unsigned i = 0; i < gpu.num_sms(); ++i) gpu.sm(i).begin_launch();
}

std::uint64_t executing_cycles(Gpu& gpu) {
  Cycle first = ~Cycle{0}, last = 0;
  const Cycle now = gpu.shader.last_edge();
  for (unsigned i = 0; i < gpu.num_sms(); ++i) {
    const SmCounterBank sm = gpu.sm(i).counters(now);
    if (sm.first_issue == SmCounterBank::kNever) continue;
    first = std::min(first, sm.first_issue);
    last = std::max(last, sm.last_retirement);
  }
  return last > first ? last - first : 0;
}

void fill_counters(const CounterSnapshot& before, const CounterSnapshot& after, std::uint64_t shader_cycles,
                   bool segment_rule, LaunchResult& result) {
  for (std::size_t i = 0; i < after.sm.size(); ++i) {
    SmCounters& sm = result.sms.emplace_back(sm_counters({before.sm[i], after.sm[i]}));
    charge_cycles(stalls_of_launch(before.stall[i], after.stall[i], (shader_cycles + 1) / 2), sm);
    class_transactions(segment_rule, sm);
  }
  for (std::size_t i = 0; i < after.tpc.size(); ++i) result.tpcs.push_back(tpc_counters({before.tpc[i], after.tpc[i]}));
  for (std::size_t i = 0; i < after.partition.size(); ++i) {
    result.partitions.push_back(partition_counters({before.partition[i], after.partition[i]}));
  }
  result.chip = chip_counters({before.chip, after.chip});
}

}  // namespace g80
