// SPDX-License-Identifier: Apache-2.0
#include "tb/waves/standard_views.h"

#include "tb/waves/view_groups.h"

namespace g80 {

namespace {

using namespace view_groups;

// Each clock domain has a colour, the same in every view.
ViewColor color_of(const std::string& scope) {
  if (scope == kSm || scope == kEverySm) return ViewColor::kGreen;
  if (scope == kTpc || scope == kChip || scope == kChannel) return ViewColor::kOrange;
  return ViewColor::kDefault;
}

std::vector<ViewSpec> specs() {
  constexpr double kInstructions = 11;  // about sixty pixels to a shader cycle of these chips: room for an instruction
  constexpr double kCycles = 12;        // half of that
  constexpr double kMisses = 16.3;      // five hundred nanoseconds: a line comes from the DRAM
  constexpr double kLoad = 15;          // two hundred nanoseconds
  constexpr double kKernel = 20;        // a kernel of some thousand cycles
  return {
      {"overview",
       "How does a kernel run, from doorbell to DRAM?",
       {clocks(), host(), cta_scheduler(), issue(), launcher(), fetch(), instruction_buffer(), scoreboard(),
        reconvergence(), operand_collector(), exec(), shared_memory(), loads(), coalescer(), tlb(), crossbar(),
        partition(), dram(), replies()},
       kKernel},
      {"blocks",
       "What does a launch wait for, and which block goes to which SM?",
       {clocks(), host(), launch_bus(), cta_scheduler(), ledger(), launcher()},
       kKernel},
      {"issue",
       "Why did no warp issue in this cycle?",
       {clocks(), warp_scheduler(), scoreboard(), credits(), instruction_buffer(), fetch(), reconvergence(),
        operand_collector()},
       kInstructions,
       "first issue"},
      {"shared_memory",
       "How many passes does this shared-memory access take?",
       {clocks(), access(), bank_conflicts()},
       kInstructions,
       "first shared access"},
      {"load", "Where is my load? Follow its uid.", stations_of_a_load(), kLoad, "first load"},
      {"coalescing",
       "How many transactions does this access make, and of how many bytes?",
       {clocks(), access(), half_warps(), transactions(), to_memory()},
       kInstructions,
       "first access"},
      {"divergence",
       "Which lanes run, and where do they diverge and reconverge?",
       {clocks(), issued(), control_events(), control_state()},
       kInstructions,
       "first control"},
      {"barrier",
       "Which warp does the barrier wait for?",
       {clocks(), issued(), barrier(), barrier_warps()},
       kCycles,
       "first barrier"},
      {"caches",
       "Which cache misses, and how far does the miss go?",
       {clocks(), fetch(), constant_reads(), second_level(), third_level(), texture(), texture_l2()},
       kMisses,
       "first miss"},
      {"texture",
       "Where in the texture unit is my half-warp?",
       {clocks(), texture(), texture_addresses(), texture_texels(), texture_l2()},
       kMisses,
       "first texture miss"},
      {"tlb",
       "Which page is walked for, and how far is the walk?",
       {clocks(), tlb(), tlb_stages(), tlb_entries(), second_level_tlb()},
       kMisses,
       "TLB miss"},
      {"dram",
       "Which command goes to the DRAM, and is its row open?",
       {clocks(), dram(), dram_banks(), dram_window(), partition()},
       kCycles,
       "first burst"},
      {"partition",
       "What does a memory partition do, and what does its front transaction wait for?",
       {clocks(), texture_l2(), partition_transactions(), partition_atomics(), partition(), dram()},
       kCycles,
       "first burst"},
      {"rtl", "What does the RTL of the warp scheduler do? (needs --rtl)", both_languages(), kInstructions,
       "first issue"},
  };
}

}  // namespace

std::vector<WavePlace> wave_places() {
  return {
      {"launch", ""},
      {"first issue", "gpu.tpc0.sm0.issue.valid"},
      {"warps compete", "(gpu.tpc0.sm0.ready.ready & (gpu.tpc0.sm0.ready.ready - 1)) != 0"},
      {"first load", "gpu.tpc0.sm0.load_open.valid"},
      {"first access", "gpu.tpc0.sm0_access.count != 0"},
      {"uncoalesced access", "gpu.tpc0.coalescer0.made == 2"},
      {"first shared access", "gpu.tpc0.sm0.smem_request.valid && !gpu.tpc0.sm0.smem_request.header"},
      {"bank conflict", "gpu.tpc0.sm0.smem_replay != 0"},
      {"first control", "gpu.tpc0.sm0.control.valid"},
      {"divergence", "falls(gpu.tpc0.sm0.masks.mask[0]) && gpu.tpc0.sm0.masks.mask[0] != 0"},
      {"first barrier", "gpu.tpc0.sm0.barrier_waiting != 0"},
      {"barrier open", "gpu.tpc0.sm0.barrier_opened != 0"},
      {"first miss", "gpu.tpc0.sm0.icache_line.valid"},
      {"constant miss", "gpu.tpc0.sm0.ccache_line.valid"},
      {"first atomic", "gpu.channel0.partition.rop.stage != EMPTY"},
      {"first texture miss", "gpu.tpc0.texture_request.valid"},
      {"TLB miss", "gpu.tpc0.tlb.miss.valid"},
      {"first burst", "gpu.channel0.to_dram.count != 0"},
      {"row change", "gpu.channel0.command.kind == PRE && gpu.channel0.controller.waiting > 4"},
  };
}

std::vector<ViewSpec> standard_views() {
  std::vector<ViewSpec> views = specs();
  for (ViewSpec& view : views) {
    for (ViewGroup& group : view.groups) {
      if (group.color == ViewColor::kDefault) group.color = color_of(group.scope);
    }
  }
  return views;
}

}  // namespace g80
