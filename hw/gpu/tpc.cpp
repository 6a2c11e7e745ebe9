// SPDX-License-Identifier: Apache-2.0
#include "hw/gpu/tpc.h"

#include <algorithm>

#include "hw/config/pipeline_depth.h"
#include "hw/sm/sm.h"

namespace g80 {

Tpc::Tpc(const sc_core::sc_module_name& name, const Config& config, unsigned index, Wire<LaunchBeat>& launch,
         Domain& shader, Domain& core, IdleDetector& memory_idle, const TwinTable& twins)
    : sc_module(name),
      blocks_(twins),
      launch_bus(blocks_.make<LaunchBus>("launch_bus", config.gpu.sms_per_tpc)),
      arbiter(blocks_.make<TpcArbiter>("arbiter", config)),
      tlb(blocks_.make<Tlb>("tlb", config)),
      router(blocks_.make<ReplyRouter>("router", config)),
      texture_unit(blocks_.make<TextureUnit>("texture_unit", config, index)),
      second_level(blocks_.make<SecondLevelCache>("second_level", config, index)) {
  const unsigned num_sms = config.gpu.sms_per_tpc;
  const double place = (index + 0.5) / config.gpu.num_tpcs;
  core.begin_group(place);
  core.add(launch_bus);
  launch_bus.beat_i(launch);
  for (unsigned i = 0; i < num_sms; ++i) {
    shader.begin_group(place);
    sms.push_back(
        std::make_unique<Sm>(fmt::format("sm{}", i).c_str(), config, index * num_sms + i, index, i, shader, twins));
    coalescers.push_back(&blocks_.make<Coalescer>(fmt::format("coalescer{}", i).c_str(), config, index, i));
    core.add(*coalescers.back());
    connect_sm(i, config, shader, core, memory_idle);
  }
  connect_.direct("launch_tables", launch_bus.tables_o, texture_unit.tables_i);
  connect_.direct("code_flush", launch_bus.code_flush_o, second_level.flush_i);
  connect_.direct("texture_flush", launch_bus.texture_flush_o, texture_unit.flush_i);
  connect_.direct("tlb_flush", launch_bus.tlb_flush_o, tlb.flush_i);
  connect_.direct("page_directory", launch_bus.page_directory_o, tlb.page_directory_i);
  core.add(texture_unit);
  core.add(arbiter);
  core.add(tlb);
  core.add(router);
  core.add(second_level);

  const unsigned texture = arbiter.texture_requester();
  connect_.handshake("texture_request", texture_unit.miss_o, texture_unit.miss_ready_i, arbiter.requester_i[texture],
                     arbiter.requester_ready_o[texture]);
  connect_.handshake("tlb_request", arbiter.request_o, arbiter.request_ready_i, tlb.request_i, tlb.ready_o);
  connect_.handshake("tlb_refused", tlb.fault_o, tlb.fault_ready_i, router.refused_i, router.refused_ready_o);
  connect_.handshake("texture_reply", router.texture_o, router.texture_ready_i, texture_unit.line_i,
                     texture_unit.line_ready_o);
  connect_.handshake("walk_reply", router.walk_o, router.walk_ready_i, tlb.walk_i, tlb.walk_ready_o);

  memory_idle.add("arbiter_idle", arbiter);
  memory_idle.add("tlb_idle", tlb);
  memory_idle.add("router_idle", router);
  memory_idle.add("texture_unit_idle", texture_unit);
  memory_idle.add("second_level_idle", second_level);
}

Tpc::~Tpc() {
  while (!sms.empty()) sms.pop_back();
}

void Tpc::connect_sm(unsigned i, const Config& config, Domain& shader, Domain& core, IdleDetector& memory_idle) {
  SmPins& sm = *sms[i];
  Coalescer& coalescer = *coalescers[i];
  const unsigned edges = config.clock.crossing_edges, depth = full_rate_depth(edges, shader, core);
  const auto named = [i](const char* what) { return fmt::format("sm{}_{}", i, what); };
  // The way from the address unit is registers for the queue's write pointer, behind its synchroniser: a half-warp
  // rests in the queue from its push on. So its places cover what is on the way: one every other shader cycle.
  const unsigned way = access_way(config);
  const double half_warps_per_edge = config.clock.shader_mhz / config.clock.core_mhz / 2;
  const auto on_the_way = static_cast<unsigned>(way * half_warps_per_edge + 1);
  // An SM looks at it at every other edge of its clock.
  connect_.crossing(named("launch"), core, shader, depth + 1, edges, launch_bus.sm_o[i], sm.launch_i);
  connect_.crossing(named("access"), shader, core, std::max(depth, config.sm.address_queue) + on_the_way, edges,
                    sm.access_o, coalescer.access_i, way);
  connect_.crossing(named("reply"), core, shader, depth, edges, router.sm_o[i], sm.reply_i);
  connect_.crossing(named("texture"), shader, core, depth, edges, sm.tex_o, texture_unit.sm_i[i]);
  connect_.crossing(named("texels"), core, shader, depth, edges, texture_unit.sm_o[i], sm.tex_i);
  connect_.crossing(named("line_request"), shader, core, depth, edges, sm.line_o, second_level.sm_i[i]);
  connect_.crossing(named("line_reply"), core, shader, depth, edges, second_level.sm_o[i], sm.line_i);
  connect_.handshake(named("transaction"), coalescer.request_o, coalescer.request_ready_i, arbiter.requester_i[i],
                     arbiter.requester_ready_o[i]);
  memory_idle.add(named("coalescer_idle"), coalescer);
}

}  // namespace g80
