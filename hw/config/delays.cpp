// SPDX-License-Identifier: Apache-2.0
#include "hw/config/delays.h"

namespace g80 {
namespace {

constexpr DelayForm kStructure = DelayForm::kStructure, kTimer = DelayForm::kTimer, kPadding = DelayForm::kPadding,
                    kLimit = DelayForm::kLimit;

}  // namespace

std::string_view delay_form_text(DelayForm form) {
  switch (form) {
    case kStructure: return "structure";
    case kPadding: return "padding";
    case kTimer: return "timer";
    case kLimit: return "limit";
  }
  return {};
}

std::string_view delay_form_meaning(DelayForm form) {
  switch (form) {
    case kStructure: return "the cycles are those of stages, lanes, ports and queues that do the work";
    case kPadding: return "structure, and named registers behind it that only delay";
    case kTimer: return "a register for each resource has the edge from which it is free; hardware has a down counter";
    case kLimit: return "adds no cycle: ends a launch that makes no progress";
  }
  return {};
}

const std::vector<Delay>& delays() {
  static const std::vector<Delay> rows = {
      // clang-format off
      {"clock.crossing_edges", kStructure, "synchroniser flops of an asynchronous FIFO's Gray pointers, and the edge that uses them", "hw/common/synchroniser.h"},
      {"clock.reset_cycles", kStructure, "the reset pin, behind which two flops of each clock follow", "hw/common/reset_synchroniser.h"},
      {"gpu.cta_launch_cycles", kPadding, "registers of a valid bit: from the scheduler's decision over the wires to the SM", "hw/gpu/cta_scheduler.h"},
      {"gpu.hang_cycles", kLimit, "no hardware: the model's watchdog", "tb/check/watchdog.h"},
      {"sm.alu_latency", kPadding, "stages of front end and SPs", "hw/exec/sp_array.h"},
      {"sm.sfu_latency", kPadding, "stages of front end and SFUs", "hw/exec/sfu.h"},
      {"sm.dp_latency", kPadding, "stages of front end and fp64 unit", "hw/exec/dp.h"},
      {"sm.smem_latency", kPadding, "address unit, conflict passes, banks; registers on the way back to the collector", "hw/smem/shared_memory.h"},
      {"sm.const_latency", kPadding, "address unit, tag lookup, broadcast; registers on the way back to the collector", "hw/sm/operand_collector.h"},
      {"sm.address_latency", kPadding, "address path and crossing to the coalescer; registers behind the synchroniser of its write pointer", "hw/gpu/tpc.cpp"},
      {"sm.address_cycles", kTimer, "the path to the coalescer, which has room for one address", "hw/exec/address_unit.h"},
      {"sm.return_latency", kPadding, "registers behind the load table; write ports of the register file, scoreboard", "hw/sm/load_table.h"},
      {"sm.shared_operand_cycles", kTimer, "port through which operands from s[] reach the SPs", "hw/sm/operand_collector.h"},
      {"sm.branch_latency", kPadding, "registers in front of the control stack; fetch, instruction cache, decode, scoreboard", "hw/sm/reconvergence_stack.h"},
      {"sm.control_cycles", kTimer, "the control unit takes the next instruction", "hw/sm/warp_scheduler.h"},
      {"sm.replay_cycles", kTimer, "issue port, taken by a pass of a bank conflict", "hw/sm/warp_scheduler.h"},
      {"sm.launch_words", kStructure, "words that the launcher sends to shared memory in a scheduler cycle", "hw/sm/cta_launcher.h"},
      {"sm.launch_lanes", kStructure, "lanes of $r0 that the launcher sends to the register file in a scheduler cycle", "hw/sm/cta_launcher.h"},
      {"sm.num_sfus", kStructure, "lanes that enter the SFUs in a cycle", "hw/exec/sfu.h"},
      {"sm.num_dps", kStructure, "lanes that enter the fp64 unit in a cycle", "hw/exec/dp.h"},
      {"sm.smem_passes_per_4_cycles", kTimer, "banks of shared memory", "hw/smem/bank_conflict.h"},
      {"sm.const_addresses_per_4_cycles", kTimer, "port of the first-level constant cache", "hw/cache/constant_cache.h"},
      {"icache.l1_latency", kPadding, "tag and data stages of the cache", "hw/cache/instruction_cache.h"},
      {"ccache.l2_latency", kPadding, "turn, tags, words; registers on the way to the SMs", "hw/cache/line_cache.h"},
      {"ccache.l3_latency", kPadding, "up to 6 registers from a TPC, arrival, turn, tags, words; registers back, the last ones the way to the TPC", "hw/cache/line_cache.h"},
      {"tex.l2_latency", kPadding, "tag and data stages of the cache; padding behind them", "hw/tex/texture_l2.h"},
      {"tex.address_lanes", kStructure, "address lanes of the texture unit", "hw/tex/texture_unit.h"},
      {"tex.filter_lanes", kStructure, "filter lanes of the texture unit", "hw/tex/texture_unit.h"},
      {"tex.pipeline_latency", kPadding, "stages of addressing, tags, texel cache, filter and return", "hw/tex/texture_unit.h"},
      {"tex.filter_latency", kPadding, "the part of these stages from the texel cache on", "hw/tex/texture_unit.h"},
      {"tlb.hit_latency", kPadding, "associative lookup, translation; registers in front of them", "hw/cache/tlb.h"},
      {"tlb.l2_latency", kPadding, "up to 6 registers from a TPC, turn, tag row, comparison, pages; registers back, the last ones the way to the TPC", "hw/cache/second_level_tlb.h"},
      {"coalescer.cycles_per_transaction", kTimer, "output of the coalescer", "hw/mem/coalescer.h"},
      {"xbar.request_flits_per_cycle", kStructure, "flits of a word of the crossbar, towards memory", "hw/mem/crossbar.h"},
      {"xbar.reply_flits_per_cycle", kStructure, "flits of a word of the crossbar, from memory", "hw/mem/crossbar.h"},
      {"xbar.request_latency", kPadding, "input queue, address divider, crossbar; 12 registers across the chip, half of them in front; padding behind the queue at their end", "hw/mem/crossbar.h"},
      {"xbar.reply_latency", kPadding, "input queue, address divider, crossbar; 12 registers across the chip; padding behind the queue at their end", "hw/mem/crossbar.h"},
      {"partition.request_latency", kPadding, "registers from the texture L2 to the queue in front of DRAM", "hw/mem/memory_partition.h"},
      {"partition.reply_latency", kPadding, "registers from DRAM's data to the texture L2, with the address register of the memory of data", "hw/mem/memory_partition.h"},
      {"partition.cycles_per_transaction", kTimer, "front end of the partition", "hw/mem/memory_partition.h"},
      {"dram.burst_cycles", kTimer, "data bus of the DRAM", "hw/dram/dram_timing.h"},
      {"dram.t_rrd", kTimer, "DRAM: row activation of two banks", "hw/dram/dram_timing.h"},
      {"dram.t_faw", kTimer, "DRAM: four row activations", "hw/dram/dram_timing.h"},
      {"dram.t_rcd", kTimer, "DRAM: row to column", "hw/dram/dram_timing.h"},
      {"dram.t_ras", kTimer, "DRAM: row open", "hw/dram/dram_timing.h"},
      {"dram.t_rp", kTimer, "DRAM: precharge", "hw/dram/dram_timing.h"},
      {"dram.t_rc", kTimer, "DRAM: row cycle", "hw/dram/dram_timing.h"},
      {"dram.t_ccd", kTimer, "DRAM: column to column", "hw/dram/dram_timing.h"},
      {"dram.cl", kStructure, "registers of a valid bit, in controller and chips: from the column read on the command bus to the first of its data", "hw/dram/dram_device.h"},
      {"dram.wl", kStructure, "registers of a valid bit, in controller and chips: from the column write on the command bus to the first of its data", "hw/dram/dram_device.h"},
      {"dram.t_wtr", kTimer, "DRAM: write to read", "hw/dram/dram_timing.h"},
      {"dram.bus_turnaround", kTimer, "data bus of the DRAM changes direction", "hw/dram/dram_timing.h"},
      {"dram.t_wr", kTimer, "DRAM: write recovery", "hw/dram/dram_timing.h"},
      {"dram.t_rtp", kTimer, "DRAM: read to precharge", "hw/dram/dram_timing.h"},
      {"dram.t_refi", kTimer, "DRAM: refresh interval", "hw/dram/dram_controller.h"},
      {"dram.t_rfc", kTimer, "DRAM: refresh", "hw/dram/dram_timing.h"},
      {"host.link_mb_per_s", kTimer, "lanes of each direction of the host link", "hw/host/host_link.h"},
      {"host.link_latency_ns", kPadding, "registers of a valid bit: link, root complex and memory of the host", "hw/host/host_link.h"},
      {"host.pushbuffer_words_per_cycle", kStructure, "words that the command processor reads in a cycle", "hw/host/command_processor.h"},
      {"host.launch_cycles", kTimer, "command processor and work distributor set up a grid", "hw/host/command_processor.h"},
      // clang-format on
  };
  return rows;
}

}  // namespace g80
