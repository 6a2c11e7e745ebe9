// SPDX-License-Identifier: Apache-2.0
// View groups of the host, the CTA scheduler, and the path to memory: TPC, crossbars, partitions, DRAM.
#include "tb/waves/view_groups.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "hw/bundles/launch_beat.h"
#include "hw/common/limits.h"
#include "hw/dram/burst_window.h"

namespace g80::view_groups {

using F = ViewFormat;

ViewGroup host() {
  return {"host: command processor",
          "*command_processor",
          true,
          {{"state"}, {"method"}, {"grid_running"}, {"kernel", F::kDecimal}}};
}
ViewGroup cta_scheduler() {
  return {"CTA scheduler",
          "*cta_scheduler",
          true,
          {{"running"},
           {"following.valid"},
           {"following.x", F::kDecimal, "the CTA that is placed next"},
           {"following.y", F::kDecimal},
           {"unfinished", F::kDecimal, "CTAs on SMs and on their way"},
           {"candidates", F::kHex, "SMs with room"}}};
}
ViewGroup launch_bus() {
  return {"host: rows of launch state, idle words",
          "*command_processor",
          true,
          {{"fit.step"},
           {"fit.blocks", F::kDecimal, "blocks that fit on an SM"},
           {"beat.valid"},
           {"beat.row", F::kDecimal, "row that leaves"},
           {"beat.data", F::kHex},
           {"setup.left", F::kDecimal, "core cycles until the grid starts"},
           {"watched", F::kBinary, "the grid has a watchdog"},
           {"looking", F::kBinary, "at idle words"},
           {"idle_way", F::kBinary, "idle words, the oldest one highest"},
           {"fence_pending"}}};
}
ViewGroup ledger() {
  ViewGroup group{"CTA scheduler: ledger",
                  "*cta_scheduler",
                  true,
                  {{"ctas_per_sm", F::kDecimal, "CTAs that an SM holds"},
                   {"turn.tpc", F::kDecimal, "TPC that was served last"},
                   {"departures.moving", F::kDecimal, "CTAs on their way"},
                   {"words.stage[0].ended", F::kHex, "SMs that end a CTA: the way begins"},
                   {fmt::format("words.stage[{}].ended", kControlWay - 1), F::kHex, "and ends"},
                   {"idle_sms", F::kHex, "idle SMs"},
                   {"status.fault.valid"},
                   {"status.finished", F::kDecimal, "last grid that ended"}}};
  for (unsigned sm = 0; sm < kMaxSms; ++sm) group.rows.push_back({fmt::format("resident[{}]", sm), F::kDecimal});
  return group;
}
ViewGroup coalescer() {
  return {"TPC0: coalescer of SM0",
          kTpc,
          true,
          {{"sm0_access.count", F::kDecimal, "half-warps waiting"},
           {"sm0_access.origin.uid"},
           {"sm0_access.lanes", F::kBinary},
           {"sm0_access.address[0]"},
           {"coalescer0.busy"},
           {"coalescer0.pending", F::kBinary, "lanes still to serve"},
           {"coalescer0.made", F::kDecimal, "transactions made"},
           {"sm0_transaction.valid"},
           {"sm0_transaction.virtual_address"},
           {"sm0_transaction.bytes", F::kDecimal},
           {"sm0_transaction.op"},
           {"sm0_transaction.origin.uid"},
           {"sm0_transaction_ready"}}};
}
ViewGroup tlb() {
  return {"TPC0: TLB, crossbar port",
          kChip,
          true,
          {{"tpc0.tlb_request.valid"},
           {"tpc0.tlb_request.origin.uid"},
           {"tpc0_tlb_question.valid"},
           {"tpc0_tlb_question.virtual_address"},
           {"tpc0_tlb_answer.valid"},
           {"tpc0_tlb_answer.hit"},
           {"tpc0_request.valid"},
           {"tpc0_request.address"},
           {"tpc0_request.origin.uid"},
           {"tpc0_request_ready"},
           {"tpc0_reply.valid"},
           {"tpc0_reply.origin.uid"}}};
}
ViewGroup tlb_stages() {
  return {"TPC0: TLB, stages and walkers",
          kTpc,
          true,
          {{"tlb.queue.count", F::kDecimal, "requests waiting"},
           {"tlb.queue.front.virtual_address", F::kHex, "address in front"},
           {"tlb.queue.front.origin.uid", F::kHex, "uid in front"},
           {"tlb.ahead", F::kDecimal, "the lookup is ahead by"},
           {"tlb.sought.valid", F::kBinary, "a lookup waits"},
           {"tlb.sought.virtual_address", F::kHex, "lookup: address"},
           {"tlb.found.valid", F::kBinary, "found"},
           {"tlb.found.slot", F::kDecimal, "in slot"},
           {"tlb.miss.valid", F::kBinary, "a miss waits"},
           {"tlb.miss.virtual_address", F::kHex, "miss: address"},
           {"tlb.filled", F::kBinary, "a fill took the port"},
           {"tlb.used.valid", F::kBinary, "ages change"},
           {"tlb.used.slot", F::kDecimal, "ages: slot"},
           {"tlb.walker[*].state"},
           {"tlb.walker[*].virtual_address"},
           {"tlb.walker[*].table"},
           {"tlb.walker[*].restart"}}};
}
ViewGroup tlb_entries() {
  ViewGroup group{"TPC0: TLB, tags and ages of its entries", kTpc, true, {}};
  constexpr unsigned kShown = 16;  // slots
  for (unsigned slot = 0; slot < kShown; ++slot) {
    const std::string name = fmt::format("tlb.entries.slot[{}].", slot);
    group.rows.push_back({name + "valid", F::kBinary});
    group.rows.push_back({name + "line", F::kHex});
    group.rows.push_back({name + "use_age", F::kDecimal});
  }
  return group;
}
ViewGroup second_level_tlb() {
  return {"chip: second level of the TLB",
          kChip,
          true,
          {{"second_level_tlb.picked.valid"},
           {"second_level_tlb.picked.fill"},
           {"second_level_tlb.picked.requester", F::kDecimal, "picked: TPC"},
           {"second_level_tlb.picked.virtual_address", F::kHex, "picked: address"},
           {"second_level_tlb.row.valid"},
           {"second_level_tlb.compared.valid"},
           {"second_level_tlb.compared.hit"},
           {"second_level_tlb.compared.slot", F::kDecimal},
           {"second_level_tlb.pipe.count", F::kDecimal, "answers on their way"},
           {"second_level_tlb.answered", F::kBinary, "TPCs with an answer"}}};
}
ViewGroup crossbar() {
  return {"crossbars (a bit per port)",
          kChip,
          true,
          {{"request_crossbar.offered", F::kBinary, "requests offered"},
           {"request_crossbar.ready", F::kBinary, "requests: ready"},
           {"reply_crossbar.offered", F::kBinary, "replies offered"},
           {"reply_crossbar.ready", F::kBinary, "replies: ready"}}};
}
ViewGroup partition() {
  return {"memory partition 0",
          kChannel,
          true,
          {{"partition.ready"},
           {"partition.queue.count", F::kDecimal, "transactions waiting"},
           {"partition.rop.stage", F::kHex, "atomic unit"},
           {"to_dram.count", F::kDecimal, "bursts to the DRAM"},
           {"to_dram.uid"},
           {"from_dram.count", F::kDecimal, "bursts from the DRAM"},
           {"from_dram.uid"},
           {"partition.reply_offered"}}};
}
ViewGroup partition_transactions() {
  return {"memory partition 0: transactions, slots",
          kChannel,
          true,
          {{"partition.queue.arrived", F::kDecimal, "transactions behind the registers"},
           {"partition.queue.front.op", F::kHex, "front: operation"},
           {"partition.queue.front.address", F::kHex, "front: address"},
           {"partition.queue.front.bytes", F::kDecimal, "front: bytes"},
           {"partition.queue.front.origin.uid", F::kHex, "front: uid"},
           {"partition.start_wait", F::kDecimal, "edges until it may start"},
           {"partition.sent", F::kDecimal, "its bursts that have gone"},
           {"partition.slot", F::kDecimal, "its slot"},
           {"partition.free_slots.count", F::kDecimal, "free slots"},
           {"partition.slots.awaited[0]", F::kBinary, "first slot: bursts awaited"},
           {"partition.slots.awaited[1]", F::kBinary, "second slot"},
           {"partition.writing", F::kDecimal, "bursts being written"},
           {"partition.done_slots.moving", F::kDecimal, "replies in the registers"},
           {"partition.done_slots.arrived", F::kDecimal, "replies behind them"},
           {"partition.reply_slot", F::kDecimal, "slot of the reply"}}};
}
ViewGroup partition_atomics() {
  return {"memory partition 0: the atomic under way",
          kChannel,
          true,
          {{"partition.rop.stage", F::kHex, "stage"},
           {"partition.rop.burst", F::kHex, "its burst"},
           {"partition.rop.slot", F::kDecimal, "its slot"},
           {"partition.rop.uid", F::kHex, "uid"},
           {"partition.rop.atomic.op", F::kDecimal, "operation"},
           {"partition.rop.old_value", F::kHex, "old value"},
           {"partition.rop.atomic.b", F::kHex, "b"},
           {"partition.rop.sums.sum", F::kHex, "sum"},
           {"partition.rop.sums.less", F::kBinary, "less than b"},
           {"partition.rop.sums.equal", F::kBinary, "equal to b"}}};
}
ViewGroup dram() {
  return {"DRAM 0: pins",
          kChannel,
          true,
          {{"command.kind"},
           {"command.bank", F::kDecimal},
           {"command.address", F::kHex},
           {"command.uid"},
           {"dq_to_device.valid", F::kBinary, "data to the chips"},
           {"dq_from_device.valid", F::kBinary, "data from the chips"},
           {"controller.waiting", F::kDecimal, "bursts waiting"},
           {"controller.writes", F::kDecimal, "the writes among them"},
           {"controller.draining", F::kBinary, "writes go"},
           {"controller.bypassed", F::kDecimal, "younger bursts that went first"},
           {"controller.alone", F::kBinary, "only the oldest burst is served"},
           {"controller.open_banks", F::kBinary, "open banks"}},
          false,
          ViewColor::kYellow};
}
ViewGroup dram_banks() {
  ViewGroup group{"DRAM 0: banks; clocks to legal commands", kChannel, true, {}, false, ViewColor::kYellow};
  for (unsigned bank = 0; bank < kMaxDramBanks; ++bank) {
    const std::string name = fmt::format("controller.bank[{}].", bank);
    group.rows.push_back({name + "open", F::kBinary});
    group.rows.push_back({name + "row", F::kHex});
    for (const char* timer : {"activate_wait", "column_wait", "precharge_wait"})
      group.rows.push_back({name + timer, F::kDecimal});
  }
  for (const char* timer : {"activate_wait", "read_wait", "write_wait"})
    group.rows.push_back({std::string("controller.rank.") + timer, F::kDecimal});
  for (unsigned i = 0; i < 4; ++i)
    group.rows.push_back({fmt::format("controller.rank.window_wait[{}]", i), F::kDecimal});
  group.rows.push_back({"controller.rank.oldest", F::kDecimal, "the oldest of them"});
  return group;
}
ViewGroup dram_window() {
  ViewGroup group{"DRAM 0: window (age: entered less order)",
                  kChannel,
                  true,
                  {{"controller.arrived.valid", F::kBinary, "a burst enters"},
                   {"controller.window.entered", F::kDecimal, "bursts entered"}},
                  false,
                  ViewColor::kYellow};
  for (const char* side : {"controller.window.reads.", "controller.window.writes."}) {
    for (const char* mask : {"valid", "row_hit", "ordered"}) group.rows.push_back({side + std::string(mask), F::kHex});
    for (unsigned slot = 0; slot < kWindowSlots; ++slot) {
      group.rows.push_back({fmt::format("{}order[{}]", side, slot), F::kDecimal});
      group.rows.push_back({fmt::format("{}local[{}]", side, slot), F::kHex});
      group.rows.push_back({fmt::format("{}uid[{}]", side, slot), F::kHex});
    }
  }
  return group;
}
ViewGroup half_warps() {
  return {"TPC0: half-warps to the coalescer",
          kTpc,
          true,
          {{"sm0_access.count", F::kDecimal, "half-warps waiting"},
           {"sm0_access.origin.uid", F::kHex, "uid"},
           {"sm0_access.half", F::kHex, "half"},
           {"sm0_access.op", F::kHex, "operation"},
           {"sm0_access.client", F::kHex, "space"},
           {"sm0_access.bytes", F::kDecimal, "bytes of a lane"},
           {"sm0_access.lanes", F::kBinary, "lanes"},
           {"sm0_access.address[0]", F::kHex, "address of lane 0"},
           {"sm0_access.address[1]", F::kHex, "address of lane 1"},
           {"sm0_access.address[2]", F::kHex, "address of lane 2"},
           {"sm0_access.address[15]", F::kHex, "address of lane 15"}}};
}
ViewGroup transactions() {
  return {"TPC0: coalescer, its transactions",
          kTpc,
          true,
          {{"coalescer0.busy"},
           {"coalescer0.pending", F::kBinary, "lanes still to serve"},
           {"coalescer0.made", F::kDecimal, "transactions made"},
           {"sm0_transaction.valid"},
           {"sm0_transaction_ready"},
           {"sm0_transaction.origin.uid", F::kHex, "uid"},
           {"sm0_transaction.op", F::kHex, "operation"},
           {"sm0_transaction.bytes", F::kDecimal, "bytes"},
           {"sm0_transaction.virtual_address", F::kHex, "address"},
           {"sm0_transaction.lanes", F::kBinary, "lanes"}}};
}
ViewGroup to_memory() {
  return {"TPC0 to the partitions",
          kChip,
          true,
          {{"tpc0_request.valid"},
           {"tpc0_request_ready"},
           {"tpc0_request.origin.uid", F::kHex, "uid"},
           {"tpc0_request.client", F::kHex, "client"},
           {"tpc0_request.bytes", F::kDecimal, "bytes"},
           {"tpc0_request.address", F::kHex, "address"}}};
}
ViewGroup second_level() {
  return {"TPC0: L2 of instructions and constants",
          kTpc,
          true,
          {{"sm0_line_request.count", F::kDecimal, "requests of SM0"},
           {"sm0_line_request.client", F::kHex, "client"},
           {"sm0_line_request.address", F::kHex, "line"},
           {"second_level.stages.picked.valid", F::kHex, "picked"},
           {"second_level.stages.access.request.valid", F::kHex, "words are read or written"},
           {"second_level.stages.access.slot", F::kDecimal, "slot"},
           {"second_level.misses.state[0]", F::kHex, "miss register 0"},
           {"second_level.misses.state[1]", F::kHex, "miss register 1"},
           {"second_level.miss.valid", F::kHex, "miss"},
           {"second_level.miss.client", F::kHex, "miss: client"},
           {"second_level.miss.address", F::kHex, "miss: line"},
           {"sm0_line_reply.count", F::kDecimal, "lines for SM0"},
           {"sm0_line_reply.address", F::kHex, "line for SM0"}}};
}
ViewGroup third_level() {
  return {"chip: L3 of instructions and constants",
          kChip,
          true,
          {{"third_level.stages.picked.valid", F::kHex, "picked"},
           {"third_level.misses.state[0]", F::kHex, "miss register 0"},
           {"third_level.misses.state[1]", F::kHex, "miss register 1"},
           {"third_level_miss.valid", F::kHex, "miss"},
           {"third_level_miss.virtual_address", F::kHex, "miss: address"},
           {"third_level_line.valid", F::kHex, "line from the memory"},
           {"third_level_line.virtual_address", F::kHex, "address of the line"}}};
}
ViewGroup texture() {
  return {"TPC0: texture unit",
          kTpc,
          true,
          {{"sm0_texture.count", F::kDecimal, "half-warps of SM0"},
           {"sm0_texture.op", F::kHex, "operation"},
           {"sm0_texture.lanes", F::kBinary, "lanes"},
           {"texture_unit.waiting", F::kDecimal, "half-warps waiting"},
           {"texture_unit.in_flight", F::kDecimal, "half-warps in flight"},
           {"texture_request.valid", F::kHex, "miss"},
           {"texture_request.virtual_address", F::kHex, "miss: address"},
           {"texture_reply.valid", F::kHex, "line"},
           {"texture_reply.virtual_address", F::kHex, "line: address"},
           {"sm0_texels.count", F::kDecimal, "texels for SM0"}}};
}
ViewGroup texture_addresses() {
  ViewGroup group{"TPC0: texture, coordinates to addresses",
                  kTpc,
                  true,
                  {{"texture_unit.coordinates.count", F::kDecimal, "half-warps waiting"},
                   {"texture_unit.asked.valid", F::kBinary, "bindings are read"},
                   {"texture_unit.bound.valid", F::kBinary, "descriptors are looked up"},
                   {"texture_unit.headers.fetch", F::kHex, "header: fetch"},
                   {"texture_unit.samplers.fetch", F::kHex, "sampler: fetch"},
                   {"texture_unit.bound.header", F::kHex, "address of the header"},
                   {"texture_unit.setup.valid", F::kBinary, "lanes enter"},
                   {"texture_unit.setup.lanes", F::kBinary, "lanes to enter"},
                   {"texture_unit.setup.axis[0].size", F::kDecimal, "texels of a row"},
                   {"texture_unit.setup.axis[0].period", F::kDecimal, "repeated after"},
                   {"texture_unit.addresses.count", F::kDecimal, "groups in the stages"},
                   {"texture_unit.addresses.oldest", F::kDecimal, "row of the oldest one"}}};
  group.rows.push_back({"texture_unit.addresses.row[*].stage", F::kDecimal});
  const std::pair<const char*, const char*> lanes[] = {{"coord[0]", "lane 0: coordinate, register bits"},
                                                       {"scaled[0].product", "lane 0: significand times scale"},
                                                       {"fixed[0]", "lane 0: in fixed point"},
                                                       {"placed[0].index", "lane 0: index after wrap or clamp"},
                                                       {"taps[0].index[0]", "lane 0: index of tap 0"},
                                                       {"taps[0].fraction", "lane 0: fraction"},
                                                       {"row[0]", "lane 0: row of taps 0 and 1"},
                                                       {"texels.present", "lane 0: taps present"},
                                                       {"texels.address[0]", "lane 0: address of tap 0"}};
  for (const auto& [of, title] : lanes) {
    group.rows.push_back({std::string("texture_unit.addresses.lane[0].") + of, F::kHex, title});
  }
  return group;
}
ViewGroup texture_texels() {
  ViewGroup group{"TPC0: texture unit, from tags to results",
                  kTpc,
                  true,
                  {{"texture_unit.ports.count", F::kDecimal, "rows in front of the tags"},
                   {"texture_unit.ports.front.ports", F::kDecimal, "front row: lines"},
                   {"texture_unit.ports.front.line[0]", F::kHex, "front row: line of port 0"},
                   {"texture_unit.tag_port", F::kDecimal, "tags: next port"},
                   {"texture_unit.cache.outstanding", F::kDecimal, "lines outstanding"},
                   {"texture_unit.cache.unsent", F::kDecimal, "lines to ask for"},
                   {"texture_unit.cache.oldest", F::kDecimal, "row of the oldest one"},
                   {"texture_unit.rows.group.count", F::kDecimal, "rows that wait for texels"},
                   {"texture_unit.rows.padding.moving", F::kDecimal, "rows in the padding"},
                   {"texture_unit.rows.group.front.fill", F::kBinary, "front row: brings a line in"},
                   {"texture_unit.row.valid", F::kBinary, "a row's texels are read"},
                   {"texture_unit.filter_shares", F::kDecimal, "shares of its group in the filter"},
                   {"texture_unit.filter.count", F::kDecimal, "beats of shares in the filter"}}};
  group.rows.push_back({"texture_unit.filter.row[*].stage", F::kDecimal});
  group.rows.push_back({"texture_unit.filter.share[0].present", F::kHex, "share 0: taps of its lane"});
  group.rows.push_back({"texture_unit.filter.share[0].sum[0]", F::kHex, "share 0: sum of component 0"});
  group.rows.push_back({"texture_unit.results.count", F::kDecimal, "replies being made"});
  group.rows.push_back({"texture_unit.replies_ready", F::kDecimal, "complete replies"});
  return group;
}
ViewGroup texture_l2() {
  return {"texture L2 of partition 0",
          kChip,
          true,
          {{"partition0_l2_request.valid", F::kHex, "request"},
           {"partition0_l2_request.client", F::kHex, "client"},
           {"partition0_l2_request.address", F::kHex, "address"},
           {"partition0_request.valid", F::kHex, "goes to the DRAM"},
           {"partition0_request.client", F::kHex, "goes to the DRAM: client"},
           {"texture_l2_0.look_up.valid", F::kBinary, "look up"},
           {"texture_l2_0.look_up.read.address", F::kHex, "look up: address"},
           {"texture_l2_0.access.valid", F::kBinary, "access"},
           {"texture_l2_0.access.slot", F::kDecimal, "access: line"},
           {"texture_l2_0.fill.writes", F::kBinary, "a line is written"},
           {"texture_l2_0.fill.answers", F::kBinary, "readers of a line are answered"},
           {"texture_l2_0.misses.used", F::kHex, "miss registers in use"},
           {"partition0_l2_reply.valid", F::kHex, "reply"},
           {"partition0_l2_reply.client", F::kHex, "reply: client"}}};
}
ViewGroup replies() {
  return {"TPC0: replies to SM0",
          kTpc,
          true,
          {{"sm0_reply.count", F::kDecimal, "replies waiting"},
           {"sm0_reply.id", F::kDecimal},
           {"sm0_reply.lanes", F::kBinary},
           {"sm0_reply.origin.uid"}}};
}

}  // namespace g80::view_groups
