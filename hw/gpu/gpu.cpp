// SPDX-License-Identifier: Apache-2.0
#include "hw/gpu/gpu.h"

#include <algorithm>
#include <string_view>

#include "hw/common/fnv.h"
#include "hw/config/initial_word.h"

namespace g80 {
namespace {

constexpr unsigned kPushQueue = 64;  // entries of the push buffer fetched ahead; the host refills it
constexpr unsigned kHostQueue = 4;   // orders and events

std::uint32_t seed_of(std::uint64_t seed, std::string_view name) { return random_word(seed, fnv1a(name)); }

/// When the pin is: behind clock.reset_cycles edges of the slowest clock.
Picoseconds reset_released(const Config& config) {
  const double slowest = std::min({config.clock.shader_mhz, config.clock.core_mhz, config.clock.dram_mhz});
  return Domain::edge_time(slowest, config.clock.reset_cycles);
}

bool reset_is_late(const GpuOptions& options, std::string_view clock) {
  return options.late_crossings && seed_of(*options.late_crossings, clock) >> 31 != 0;
}

void catch_late(const sc_core::sc_object& of, std::uint64_t seed) {
  for (sc_core::sc_object* child : of.get_child_objects()) {
    if (auto* queue = dynamic_cast<QueueView*>(child)) queue->catch_late(seed_of(seed, child->name()));
    catch_late(*child, seed);
  }
}

}  // namespace

Gpu::Gpu(const sc_core::sc_module_name& name, const Config& config_in, const GpuOptions& options)
    : sc_module(name),
      config(config_in),
      shader("shader", 0, config.clock.shader_mhz, Domain::kUntilReleased, options.no_sleep),
      core("core", 1, config.clock.core_mhz, Domain::kUntilReleased, options.no_sleep),
      dram("dram", 2, config.clock.dram_mhz, Domain::kUntilReleased, options.no_sleep),
      shader_reset("shader_reset", reset_released(config), reset_is_late(options, "shader")),
      core_reset("core_reset", reset_released(config), reset_is_late(options, "core")),
      dram_reset("dram_reset", reset_released(config), reset_is_late(options, "dram")),
      workers(options.threads > 1 ? std::make_unique<Workers>(options.threads) : nullptr),
      push("push", nullptr, &core, kPushQueue, config.clock.crossing_edges),
      copy_orders("copy_orders", nullptr, &core, kHostQueue, config.clock.crossing_edges),
      fences("fences", &core, nullptr, kHostQueue, config.clock.crossing_edges),
      copies_done("copies_done", &core, nullptr, kHostQueue, config.clock.crossing_edges),
      host_memory("host_memory"),
      memory_idle("memory_idle"),
      partition_logs(config.gpu.num_partitions + 1),
      blocks_(options.twins),
      command_processor(blocks_.make<CommandProcessor>("command_processor", config)),
      copy_engine(blocks_.make<CopyEngine>("copy_engine", config)),
      host_link(blocks_.make<HostLink>("host_link", config)),
      host_port(blocks_.make<HostPort>("host_port", config, options.checked ? &partition_logs.back() : nullptr)),
      cta_scheduler(blocks_.make<CtaScheduler>("cta_scheduler", config)),
      chip_port(blocks_.make<ChipPort>("chip_port")),
      chip_tlb(blocks_.make<Tlb>("chip_tlb", config)),
      second_level_tlb(blocks_.make<SecondLevelTlb>("second_level_tlb", config)),
      third_level(blocks_.make<ThirdLevelCache>("third_level", config)),
      request_crossbar(blocks_.make<RequestCrossbar>("request_crossbar", config)),
      reply_crossbar(blocks_.make<ReplyCrossbar>("reply_crossbar", config)),
      launch_(connect_.wire<LaunchBeat>("launch")),
      code_flush_(connect_.wire<std::uint32_t>("code_flush")),
      texture_flush_(connect_.wire<std::uint32_t>("texture_flush")),
      tlb_flush_(connect_.wire<std::uint32_t>("tlb_flush")),
      page_directory_(connect_.wire<std::uint32_t>("page_directory")) {
  if (options.shuffle) {
    for (Domain* domain : {&shader, &core, &dram}) domain->shuffle(*options.shuffle + domain->number());
  }
  if (workers != nullptr) {
    for (Domain* domain : {&shader, &core, &dram}) domain->step_groups_with(*workers);
    dram.run_groups_apart(core);
  }
  shader.run_groups_apart(core);
  core.add(command_processor);
  core.add(copy_engine);
  core.add(host_link);
  core.add(host_port);
  core.add(cta_scheduler);
  core.add(chip_port);
  core.add(chip_tlb);
  core.add(second_level_tlb);
  core.add(third_level);
  core.add(core_reset);
  shader.add(shader_reset);
  dram.add(dram_reset);
  core.begin_group(0);
  core.add(request_crossbar);
  core.begin_group(1);
  core.add(reply_crossbar);
  connect_host();
  connect_host_port();
  connect_chip_port();
  for (unsigned t = 0; t < config.gpu.num_tpcs; ++t) make_tpc(t, options.twins);
  for (unsigned p = 0; p < config.gpu.num_partitions; ++p) {
    make_channel(p, options.checked ? &partition_logs[p] : nullptr, options.twins);
  }
  watch_idle();
  if (options.late_crossings) catch_late(*this, *options.late_crossings);
}

// SystemC looks for a port that goes from the end of its list, where the last one made stands.
Gpu::~Gpu() {
  while (!channels.empty()) channels.pop_back();
  while (!tpcs.empty()) tpcs.pop_back();
}

void Gpu::connect_host() {
  command_processor.push_i(push);
  command_processor.event_o(fences);
  command_processor.memory_idle_i(memory_idle);
  command_processor.launch_o(launch_);
  command_processor.code_flush_o(code_flush_);
  command_processor.texture_flush_o(texture_flush_);
  command_processor.tlb_flush_o(tlb_flush_);
  connect_.direct("grid", command_processor.grid_o, cta_scheduler.grid_i);
  connect_.direct("grid_status", cta_scheduler.status_o, command_processor.status_i);
  connect_.direct("hold_copies", command_processor.hold_copies_o, copy_engine.hold_i);
  connect_.direct("copy_idle", copy_engine.idle_o, command_processor.copy_idle_i);
  connect_.direct("tlb_flush_orders", copy_engine.tlb_flush_orders_o, command_processor.tlb_flush_orders_i);
  copy_engine.order_i(copy_orders);
  copy_engine.event_o(copies_done);
  connect_.handshake("link_packet", copy_engine.packet_o, copy_engine.packet_ready_i, host_link.packet_i[0],
                     host_link.packet_ready_o[0]);
  connect_.direct("copy_completion", host_link.completion_o[0], copy_engine.completion_i);
  connect_.direct("port_completion", host_link.completion_o[1], host_port.completion_i);
  connect_.direct("copy_writes_sent", host_link.sent_o[0], copy_engine.sent_i);
  connect_.direct("port_writes_sent", host_link.sent_o[1], host_port.sent_i);
  host_link.host_memory(host_memory);
  copy_engine.page_directory_o(page_directory_);
}

void Gpu::connect_host_port() {
  const unsigned port = config.gpu.num_partitions;
  connect_.handshake("host_request", request_crossbar.out_o[port], request_crossbar.out_ready_i[port],
                     host_port.request_i, host_port.request_ready_o);
  connect_.handshake("host_reply", host_port.reply_o, host_port.reply_ready_i, reply_crossbar.in_i[port],
                     reply_crossbar.in_ready_o[port]);
  connect_.handshake("host_packet", host_port.packet_o, host_port.packet_ready_i, host_link.packet_i[1],
                     host_link.packet_ready_o[1]);
}

void Gpu::connect_chip_port() {
  const unsigned port = config.gpu.num_tpcs;
  connect_.handshake("command_request", command_processor.request_o, command_processor.request_ready_i,
                     chip_port.command_i, chip_port.command_ready_o);
  connect_.handshake("copy_request", copy_engine.request_o, copy_engine.request_ready_i, chip_port.copy_i,
                     chip_port.copy_ready_o);
  connect_.direct("copy_reply", chip_port.copy_reply_o, copy_engine.reply_i);
  connect_.handshake("third_level_miss", third_level.memory_o, third_level.memory_ready_i, chip_port.line_i,
                     chip_port.line_ready_o);
  connect_.handshake("third_level_line", chip_port.line_reply_o, chip_port.line_reply_ready_i, third_level.memory_i,
                     third_level.memory_ready_o);
  third_level.flush_i(code_flush_);
  connect_.handshake("chip_virtual", chip_port.tlb_o, chip_port.tlb_ready_i, chip_tlb.request_i, chip_tlb.ready_o);
  connect_.handshake("chip_translated", chip_tlb.request_o, chip_tlb.ready_i, chip_port.translated_i,
                     chip_port.translated_ready_o);
  connect_.handshake("chip_refused", chip_tlb.fault_o, chip_tlb.fault_ready_i, chip_port.refusal_i,
                     chip_port.refusal_ready_o);
  connect_.handshake("chip_walk", chip_port.walk_reply_o, chip_port.walk_reply_ready_i, chip_tlb.walk_i,
                     chip_tlb.walk_ready_o);
  chip_tlb.flush_i(tlb_flush_);
  chip_tlb.page_directory_i(page_directory_);
  second_level_tlb.flush_i(tlb_flush_);
  connect_second_level_tlb(port, chip_tlb, "chip_tlb");
  connect_.handshake("chip_request", chip_port.request_o, chip_port.request_ready_i, request_crossbar.in_i[port],
                     request_crossbar.in_ready_o[port]);
  connect_.handshake("chip_reply", reply_crossbar.out_o[port], reply_crossbar.out_ready_i[port], chip_port.reply_i,
                     chip_port.reply_ready_o);
}

void Gpu::connect_second_level_tlb(unsigned requester, Tlb& tlb, const std::string& name) {
  connect_.handshake(name + "_question", tlb.question_o, tlb.question_ready_i, second_level_tlb.question_i[requester],
                     second_level_tlb.question_ready_o[requester]);
  connect_.direct(name + "_answer", second_level_tlb.answer_o[requester], tlb.answer_i);
}

void Gpu::make_tpc(unsigned t, const TwinTable& twins) {
  const auto named = [t](const char* what) { return fmt::format("tpc{}_{}", t, what); };
  tpcs.push_back(
      std::make_unique<Tpc>(fmt::format("tpc{}", t).c_str(), config, t, launch_, shader, core, memory_idle, twins));
  Tpc& tpc = *tpcs.back();
  tpc.launch_bus.code_flush_i(code_flush_);
  tpc.launch_bus.texture_flush_i(texture_flush_);
  tpc.launch_bus.tlb_flush_i(tlb_flush_);
  tpc.launch_bus.page_directory_i(page_directory_);
  connect_second_level_tlb(t, tpc.tlb, named("tlb"));
  connect_.handshake(named("request"), tpc.tlb.request_o, tpc.tlb.ready_i, request_crossbar.in_i[t],
                     request_crossbar.in_ready_o[t]);
  connect_.handshake(named("reply"), reply_crossbar.out_o[t], reply_crossbar.out_ready_i[t], tpc.router.reply_i,
                     tpc.router.reply_ready_o);
  connect_.direct(named("line_miss"), tpc.second_level.miss_o, third_level.request_i[t]);
  connect_.direct(named("line"), third_level.reply_o[t], tpc.second_level.line_i);
  const unsigned edges = config.clock.crossing_edges;
  for (unsigned i = 0; i < config.gpu.sms_per_tpc; ++i) {
    const unsigned id = t * config.gpu.sms_per_tpc + i;
    SmPins& sm = *tpc.sms[i];
    connect_.crossing(fmt::format("sm{}_cta", id), core, shader, kMaxCtasPerSm, edges, cta_scheduler.cta_o[id],
                      sm.cta_i);
    // Behind the end of a CTA may come the word that the SM is idle.
    connect_.crossing(fmt::format("sm{}_cta_done", id), shader, core, 2 * kMaxCtasPerSm, edges, sm.cta_done_o,
                      cta_scheduler.done_i[id]);
    connect_.crossing(fmt::format("sm{}_fault", id), shader, core, kMaxCtasPerSm, edges, sm.fault_o,
                      cta_scheduler.fault_i[id]);
  }
}

void Gpu::make_channel(unsigned p, PartitionLog* log, const TwinTable& twins) {
  const auto named = [p](const char* what) { return fmt::format("partition{}_{}", p, what); };
  texture_l2s.push_back(&blocks_.make<TextureL2>(fmt::format("texture_l2_{}", p).c_str(), config));
  TextureL2& l2 = *texture_l2s.back();
  const double place = (p + 0.5) / config.gpu.num_partitions;
  core.begin_group(place);
  dram.begin_group(place);
  core.add(l2);
  channels.push_back(
      std::make_unique<MemoryChannel>(fmt::format("channel{}", p).c_str(), config, core, dram, log, twins));
  MemoryPartition& partition = channels.back()->partition;
  l2.flush_i(texture_flush_);
  connect_.handshake(named("l2_request"), request_crossbar.out_o[p], request_crossbar.out_ready_i[p], l2.request_i,
                     l2.request_ready_o);
  connect_.handshake(named("l2_reply"), l2.reply_o, l2.reply_ready_i, reply_crossbar.in_i[p],
                     reply_crossbar.in_ready_o[p]);
  connect_.handshake(named("request"), l2.partition_o, l2.partition_ready_i, partition.request_i,
                     partition.request_ready_o);
  connect_.handshake(named("reply"), partition.reply_o, partition.reply_ready_i, l2.partition_i, l2.partition_ready_o);
  memory_idle.add(named("idle"), partition);
  memory_idle.add(named("l2_idle"), l2);
}

void Gpu::watch_idle() {
  memory_idle.add("host_port_idle", host_port);
  memory_idle.add("chip_port_idle", chip_port);
  memory_idle.add("request_crossbar_idle", request_crossbar);
  memory_idle.add("reply_crossbar_idle", reply_crossbar);
  memory_idle.add("chip_tlb_idle", chip_tlb);
  memory_idle.add("second_level_tlb_idle", second_level_tlb);
  memory_idle.add("third_level_idle", third_level);
}

std::vector<Way> Gpu::ways() const {
  const unsigned lines = third_level.way(), pages = second_level_tlb.way();
  const unsigned requests = request_crossbar.input_way(), replies = reply_crossbar.output_way();
  return {
      {"launch", "launch_bus", kControlWay},
      {"code_flush", "launch_bus", kControlWay},
      {"texture_flush", "launch_bus", kControlWay},
      {"tlb_flush", "launch_bus", kControlWay},
      {"page_directory", "launch_bus", kControlWay},
      {"sm_cta", "cta_scheduler", config.gpu.cta_launch_cycles},
      {"sm_cta_done", "cta_scheduler", kControlWay},
      {"sm_fault", "cta_scheduler", kControlWay},
      {"sm_coalescer_idle", "memory_idle", kControlWay},
      {"arbiter_idle", "memory_idle", kControlWay},
      {"tlb_idle", "memory_idle", kControlWay},
      {"router_idle", "memory_idle", kControlWay},
      {"texture_unit_idle", "memory_idle", kControlWay},
      {"second_level_idle", "memory_idle", kControlWay},
      {"tpc_tlb_question", "second_level_tlb", pages},
      {"tpc_tlb_question_ready", "second_level_tlb", pages},
      {"tpc_tlb_answer", "second_level_tlb", pages},
      {"tpc_line_miss", "third_level", lines},
      {"tpc_line", "third_level", lines},
      {"tpc_request", "request_crossbar", requests},
      {"tpc_request_ready", "request_crossbar", requests},
      {"tpc_reply", "reply_crossbar", replies},
      {"tpc_reply_ready", "reply_crossbar", replies},
  };
}

DeviceMemory Gpu::device_memory() {
  std::vector<DramStorage*> cells;
  for (auto& channel : channels) cells.push_back(&channel->device.cells());
  return DeviceMemory(AddressMap(config), cells);
}

}  // namespace g80
