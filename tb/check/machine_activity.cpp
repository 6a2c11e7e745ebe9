// SPDX-License-Identifier: Apache-2.0
#include "tb/check/machine_activity.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/config/config_rules.h"
#include "tb/waves/signal_table.h"

namespace g80 {
namespace {

template <class Array>
std::uint64_t sum_of(const Array& counts) {
  std::uint64_t sum = 0;
  for (const auto& count : counts) sum += count;
  return sum;
}

std::uint64_t moves_of(const SmPins& sm, Cycle now) {
  const SmCounterBank bank = sm.counters(now);
  return bank.issued() + bank.blocks + bank.device_accesses + bank.icache_hits + bank.icache_misses +
         bank.icache_merges + bank.ccache_passes;
}

std::uint64_t moves_of(const LineCacheCounters& cache) { return cache.hits + cache.misses + cache.merges; }

std::uint64_t moves_of(const Tlb& tlb) { return tlb.counters().hits + tlb.counters().misses + tlb.counters().faults; }

std::uint64_t moves_of(const Tpc& tpc, Cycle now) {
  std::uint64_t sum = 0;
  for (const auto& sm : tpc.sms) sum += moves_of(*sm, now);
  for (const auto& coalescer : tpc.coalescers)
    sum += coalescer->counters().half_warps + coalescer->counters().transactions;
  const TextureUnit::Counters texture = tpc.texture_unit.counters();
  return sum + sum_of(tpc.arbiter.counters().granted) + moves_of(tpc.tlb) + tpc.router.counters().replies +
         texture.requests + texture.texels + texture.misses + texture.descriptor_reads +
         moves_of(tpc.second_level.counters());
}

std::uint64_t moves_of(const MemoryChannel& channel) {
  const auto& partition = channel.partition.counters();
  return partition.reads + partition.writes + partition.reductions + partition.atomics +
         channel.controller.counters().reads + channel.controller.counters().writes;
}

}  // namespace

MachineActivity::MachineActivity(Gpu& gpu) : gpu_(gpu) {
  // While a grid runs, the command processor only waits for it. In any other state it has work of its own in flight.
  add(gpu.command_processor, [&gpu] {
    const CommandProcessorRegs& registers = gpu.command_processor.registers();
    if (registers.request.valid || (registers.state == CommandState::kParse && gpu.push.size() != 0)) return true;
    return registers.grid_running ? !registers.grid.valid : registers.state != CommandState::kParse;
  });
  add(gpu.copy_engine, [&gpu] { return !gpu.copy_engine.registers().idle; });
  add(gpu.host_link, [&gpu] { return !gpu.host_link.idle(); });
  add(gpu.host_port, [&gpu] { return !gpu.host_port.registers().idle; });
  add(gpu.cta_scheduler, [&gpu] { return gpu.cta_scheduler.sending(); });
  add(gpu.chip_port, [&gpu] { return !gpu.chip_port.registers().idle; });
  add(gpu.chip_tlb, [&gpu] { return !gpu.chip_tlb.idle(); });
  add(gpu.second_level_tlb, [&gpu] { return !gpu.second_level_tlb.idle(); });
  add(gpu.third_level, [&gpu] { return !gpu.third_level.idle(); });
  add(gpu.request_crossbar, [&gpu] { return !gpu.request_crossbar.registers().idle; });
  add(gpu.reply_crossbar, [&gpu] { return !gpu.reply_crossbar.registers().idle; });
  for (const auto& tpc_pointer : gpu.tpcs) {
    Tpc& tpc = *tpc_pointer;
    for (const auto& sm : tpc.sms) add_sm(*sm);
    for (const auto& coalescer : tpc.coalescers) {
      add(*coalescer, [&block = *coalescer] { return !block.registers().idle; });
    }
    add(tpc.arbiter, [&tpc] { return !tpc.arbiter.registers().idle; });
    add(tpc.tlb, [&tpc] { return !tpc.tlb.idle(); });
    add(tpc.router, [&tpc] { return !tpc.router.idle(); });
    add(tpc.texture_unit, [&tpc] { return !tpc.texture_unit.idle(); });
    add(tpc.second_level, [&tpc] { return !tpc.second_level.idle(); });
  }
  for (const auto& l2 : gpu.texture_l2s) {
    add(*l2, [&block = *l2] { return !block.idle(); });
  }
  for (const auto& channel : gpu.channels) {
    add(channel->partition, [&block = channel->partition] { return !block.registers().idle; });
    add(channel->controller, [&block = channel->controller] { return block.registers().waiting != 0; });
  }
  add_queues();
}

void MachineActivity::add_sm(SmPins& sm) {
  SmState state;
  sm.read_state(state);
  for (std::size_t i = 0; i < state.part.size(); ++i) {
    parts_.push_back({fmt::format("{}.{}", sm.name(), state.part[i].block), [&sm, i] {
                        SmState now;
                        sm.read_state(now);
                        return now.part[i].holds_work;
                      }});
  }
}

// The entries of every queue are in flight, also events that the host has not taken yet. The push buffer is left out:
// its words count only while the command processor parses (see above).
void MachineActivity::add_queues() {
  for (Traceable* item : collect_items({{}, WaveLevel::kLanes})) {
    const auto* const queue = dynamic_cast<const QueueView*>(item);
    if (queue == nullptr || queue == &gpu_.push) continue;
    parts_.push_back({item->trace_name(), [queue] { return queue->size() != 0; }});
  }
}

std::uint64_t MachineActivity::moves() const {
  const auto& processor = gpu_.command_processor.counters();
  const auto& copies = gpu_.copy_engine.counters();
  const auto& ctas = gpu_.cta_scheduler.counters();
  const auto& second_tlb = gpu_.second_level_tlb.counters();
  std::uint64_t sum = processor.words + processor.launches + processor.queries + copies.orders + copies.transactions +
                      gpu_.host_link.counters().packets_up + gpu_.host_link.counters().packets_down + ctas.grids +
                      ctas.ctas_placed + ctas.ctas_finished + ctas.faults + gpu_.chip_port.counters().requests +
                      gpu_.chip_port.counters().replies + moves_of(gpu_.chip_tlb) + second_tlb.hits +
                      second_tlb.misses + second_tlb.fills + moves_of(gpu_.third_level.counters()) +
                      gpu_.request_crossbar.counters().packets + gpu_.reply_crossbar.counters().packets;
  const Cycle now = gpu_.shader.last_edge();
  for (const auto& tpc : gpu_.tpcs) sum += moves_of(*tpc, now);
  for (const auto& l2 : gpu_.texture_l2s) sum += l2->counters().hits + l2->counters().misses + l2->counters().merges;
  for (const auto& channel : gpu_.channels) sum += moves_of(*channel);
  return sum;
}

// What the host writes to mapped memory nobody sees here, so each access to it counts.
std::uint64_t MachineActivity::memory_changes() const {
  std::uint64_t sum = gpu_.host_link.counters().packets_up + gpu_.host_link.counters().packets_down;
  for (const auto& channel : gpu_.channels) sum += channel->device.cells().changes();
  return sum;
}

bool MachineActivity::anything_in_flight() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.holds(); });
}

std::string MachineActivity::in_flight_text(unsigned most) const {
  std::string text;
  unsigned count = 0;
  for (const Part& part : parts_) {
    if (!part.holds()) continue;
    if (++count <= most) text += (count == 1 ? "" : ", ") + part.name;
  }
  if (count > most) text += fmt::format(" and {} more", count - most);
  return text;
}

std::uint64_t longest_step(const Config& config) {
  constexpr double kNarrowestLink = kMaxTransactionBytes;  // cycles of a transaction at a byte a cycle
  const auto& sm = config.sm;
  const auto& dram = config.dram;
  const double link_us = 2 * config.host.link_latency_ns / 1e3 + 2.0 * kMaxTransactionBytes / config.host.link_mb_per_s;
  const double shader = link_us * config.clock.shader_mhz + sm.control_cycles + sm.shared_operand_cycles +
                        sm.alu_latency + sm.sfu_latency + sm.dp_latency + sm.smem_latency + sm.const_latency +
                        sm.address_latency + sm.return_latency + sm.branch_latency +
                        kWarpSize * (sm.replay_cycles + sm.address_cycles + 4) + 2 * config.icache.l1_latency;
  const double rows = launch_row::kEnd * row_interval(config.clock.core_mhz, config.clock.shader_mhz);
  const double core = config.host.launch_cycles + rows + 3 * kControlWay + config.gpu.cta_launch_cycles +
                      config.coalescer.cycles_per_transaction + config.tlb.hit_latency + config.tlb.l2_latency +
                      2 * (config.xbar.request_latency + config.xbar.reply_latency) + config.partition.request_latency +
                      config.partition.reply_latency + config.partition.cycles_per_transaction +
                      config.ccache.l2_latency + config.ccache.l3_latency + config.tex.pipeline_latency +
                      config.tex.l2_latency + kNarrowestLink + 8 * config.clock.crossing_edges;
  // A burst goes through the controller's stages, two of them before any choice, and may wait for two refreshes, with a
  // row to close before each of them.
  const double bursts = 2.0 * kBankCommandClocks + 2.0 * (dram.t_rfc + 2 * longest_row_use(config)) + dram.t_rc +
                        dram.t_rcd + dram.cl + dram.wl + dram.t_wtr + dram.t_wr + dram.t_rtp + dram.t_rrd + dram.t_faw +
                        dram.t_ccd + dram.bus_turnaround + dram.burst_cycles + dram.num_banks;
  return static_cast<std::uint64_t>(shader + core * config.clock.shader_mhz / config.clock.core_mhz +
                                    bursts * config.clock.shader_mhz / config.clock.dram_mhz);
}

std::uint64_t most_transactions(const Config& config) {
  return std::uint64_t{config.gpu.num_tpcs} * config.gpu.sms_per_tpc * config.sm.load_table_entries * kWarpSize;
}

}  // namespace g80
