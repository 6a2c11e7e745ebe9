#include "tb/waves/standard_views.h"

namespace g80 {

namespace {

using F = ViewFormat;

constexpr const char* kSm = "*sm0";  // the first SM stands for all

ViewGroup clocks() { return {"clocks", "clocks", true, {{"*", F::kDecimal}}}; }

ViewGroup host() {
  return {"host: command processor", "*command_processor", true, {{"state"}, {"method"}, {"kernel"}, {"grid_running"}}};
}
ViewGroup cta_scheduler() {
  return {"CTA scheduler", "*cta_scheduler", true, {{"running"}, {"placed", F::kDecimal}, {"finished", F::kDecimal}, {"candidates", F::kBinary}}};
}
ViewGroup launcher() {
  return {"SM0: warps start", kSm, true, {{"warp_start.valid"}, {"warp_start.warp", F::kDecimal}, {"warp_start.lanes"}, {"warp_start.pc"}}};
}
ViewGroup fetch() {
  return {"SM0: fetch", kSm, true,
          {{"fetch_request.valid"}, {"fetch_request.warp", F::kDecimal}, {"fetch_request.address"}, {"fetch_ready"}, {"fetch_reply.valid"},
           {"fetch.active", F::kBinary}}};
}
ViewGroup instruction_buffer() {
  return {"SM0: decode, instruction buffer", kSm, true,
          {{"decoded.valid"}, {"decoded.warp", F::kDecimal}, {"decoded.count", F::kDecimal}, {"decoded.insn[0].pc"},
           {"decoded.insn[0].words", F::kInstruction}, {"level.count[0]", F::kDecimal}, {"level.count[1]", F::kDecimal},
           {"level.count[2]", F::kDecimal}, {"level.count[3]", F::kDecimal}}};
}
ViewGroup scoreboard() {
  return {"SM0: scoreboard (a bit per warp)", kSm, true,
          {{"ready.resident"}, {"ready.has_head"}, {"ready.ready"}, {"ready.wait_control"}, {"ready.wait_barrier"}, {"ready.wait_memory"},
           {"ready.wait_alu"}, {"ready.wait_drain"}, {"drained"}}};
}
ViewGroup warp_scheduler() {
  return {"SM0: warp scheduler", kSm, true,
          {{"pick.valid"}, {"pick.warp", F::kDecimal}, {"pick.stall"}, {"issue.valid"}, {"issue.warp", F::kDecimal}, {"issue.uid"},
           {"issue.insn.pc"}, {"issue.insn.words", F::kInstruction}}};
}
ViewGroup credits() {
  return {"SM0: room behind the scheduler", kSm, false, {{"collector_credit.*", F::kDecimal}, {"memory_credit.*", F::kDecimal}, {"load_credit.*", F::kDecimal}}};
}
ViewGroup reconvergence() {
  return {"SM0: reconvergence stack, barrier", kSm, true,
          {{"control.valid"}, {"control.warp", F::kDecimal}, {"control.taken"}, {"redirect.*"}, {"resolve.*"}, {"masks.mask[0]"}, {"masks.mask[1]"},
           {"barrier_waiting"}, {"barrier_opened"}}};
}
ViewGroup operand_collector() {
  return {"SM0: operand collector", kSm, true,
          {{"operand_collector.occupied", F::kBinary}, {"operand_collector.reading", F::kBinary}, {"busy_banks", F::kBinary}}};
}
ViewGroup exec() {
  return {"SM0: execution units", kSm, true,
          {{"to_sp.valid"}, {"to_sp.lanes"}, {"to_sp.uid"}, {"to_sp.insn.words", F::kInstruction}, {"sp_result.valid"}, {"sp_result.uid"},
           {"to_sfu.valid"}, {"to_sfu.insn.words", F::kInstruction}, {"sfu_result.valid"}, {"to_address.valid"}, {"to_address.uid"},
           {"to_address.insn.words", F::kInstruction}, {"release.entry[0].valid"}, {"release.entry[0].warp", F::kDecimal}}};
}
ViewGroup shared_memory() {
  return {"SM0: shared memory", kSm, true,
          {{"smem_request.valid"}, {"smem_request.write"}, {"smem_request.half"}, {"smem_request.lanes", F::kBinary}, {"smem_request.origin.uid"},
           {"smem_ready"}, {"smem_pass.valid"}, {"smem_pass.lanes", F::kBinary}, {"smem_pass.last"}, {"bank_conflict.pending", F::kBinary},
           {"smem_reply.valid"}}};
}
ViewGroup addresses() {
  return {"SM0: addresses of the shared-memory request", kSm, false, {{"smem_request.address[*]"}}};
}
ViewGroup loads() {
  return {"SM0: loads on their way", kSm, true,
          {{"load_open.valid"}, {"load_open.id", F::kDecimal}, {"load_open.warp", F::kDecimal}, {"load_open.lanes"}, {"load_open.uid"},
           {"load_open.insn.words", F::kInstruction}, {"load_table.occupied", F::kBinary}, {"load_result.valid"}, {"load_result.id", F::kDecimal},
           {"load_result.uid"}}};
}
ViewGroup coalescer() { return {"coalescer", "*coalescer*", true, {{"offered*"}, {"busy"}, {"pending*", F::kBinary}, {"made", F::kDecimal}}}; }
ViewGroup crossbar() { return {"crossbar", "*crossbar*", true, {{"offered", F::kBinary}, {"ready", F::kBinary}, {"last", F::kDecimal}}}; }
ViewGroup partition() { return {"memory partition 0", "*partition0", true, {{"ready"}, {"queued"}, {"reply_offered"}, {"rop_busy"}, {"idle"}}}; }
ViewGroup dram() {
  return {"DRAM commands", "*dram_controller*", true,
          {{"command.kind"}, {"command.bank", F::kDecimal}, {"command.row", F::kDecimal}, {"command.column", F::kDecimal}, {"command.uid"}}};
}

}  // namespace

std::vector<ViewSpec> standard_views() {
  return {
      {"overview", "How does a kernel run, from doorbell to DRAM?",
       {clocks(), host(), cta_scheduler(), launcher(), fetch(), instruction_buffer(), scoreboard(), warp_scheduler(), reconvergence(),
        operand_collector(), exec(), shared_memory(), loads(), coalescer(), crossbar(), partition(), dram()}},
      {"issue", "Why did no warp issue in this cycle?",
       {clocks(), warp_scheduler(), scoreboard(), credits(), instruction_buffer(), fetch(), reconvergence(), operand_collector()}},
      {"shared_memory", "How many passes does this shared-memory access take?", {clocks(), exec(), shared_memory(), addresses()}},
      {"load", "Where is my load? Follow its uid.", {clocks(), warp_scheduler(), loads(), coalescer(), crossbar(), partition(), dram()}},
      {"dram", "Which command goes to the DRAM, and why not sooner?", {clocks(), partition(), dram()}},
  };
}

}  // namespace g80
