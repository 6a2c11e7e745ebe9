// The machine's counters at one moment; the difference of two is what a launch did.
#pragma once
#include <vector>

#include "hw/gpu/gpu.h"
#include "tb/report/run_result.h"

namespace g80 {

struct CounterSnapshot {
  struct SmPart {
    WarpScheduler::Counters scheduler;
    Writeback::Counters writeback;
    ReconvergenceStack::Counters stack;
    Barrier::Counters barrier;
    BankConflict::Counters bank_conflict;
    Coalescer::Counters coalescer;
    OperandCollector::Counters collector;
    InstructionCache::Counters instruction_cache;
    ConstantCache::Counters constant_cache;
    std::uint64_t blocks = 0;
  };
  std::vector<SmPart> sm;
  std::vector<DramController::Counters> dram;
  std::vector<Tlb::Counters> tlb;
};

/// "memory_queue"
std::string stall_name(StallReason reason);

CounterSnapshot take_counters(Gpu& gpu);

/// What happened between two snapshots. `shader_cycles` of the launch: cycles outside it, in which no warp is resident, are
/// taken out of the "no warp" stalls, so that each SM's columns add up to the launch's scheduler cycles.
void fill_counters(const CounterSnapshot& before, const CounterSnapshot& after, std::uint64_t shader_cycles, bool segment_rule,
                   LaunchResult& result);

}  // namespace g80
