#include "tb/waves/standard_views.h"

namespace g80 {

namespace {

using F = ViewFormat;

// The first SM, TPC and partition stand for all.
constexpr const char* kChip = "*gpu";
constexpr const char* kTpc = "*tpc0";
constexpr const char* kSm = "*sm0";
constexpr const char* kEverySm = "*sm[0-9]";
constexpr const char* kChannel = "*channel0";

// Cycle counters first: they are what the other rows are read against.
ViewGroup clocks() {
  return {"clocks", "clocks", true,
          {{"shader_cycle", F::kDecimal}, {"core_cycle", F::kDecimal}, {"dram_cycle", F::kDecimal}, {"shader_issue_en"}}};
}
ViewGroup all_clocks() { return {"clocks", "clocks", true, {{"*cycle", F::kDecimal}, {"*"}}}; }

ViewGroup host() {
  return {"host: command processor", "*command_processor", true, {{"state"}, {"method"}, {"grid_running"}, {"kernel", F::kDecimal}}};
}
ViewGroup cta_scheduler() {
  return {"CTA scheduler", "*cta_scheduler", true,
          {{"running"}, {"total", F::kDecimal}, {"placed", F::kDecimal}, {"finished", F::kDecimal}, {"candidates", F::kHex, "SMs with room"}}};
}
ViewGroup issue() {
  return {"issue", kEverySm, true,
          {{"ready.resident", F::kHex, "warps resident"}, {"ready.ready", F::kHex, "warps ready"}, {"pick.valid"}, {"pick.stall", F::kHex, "stall reason"},
           {"issue.valid"}, {"issue.warp", F::kDecimal, "warp"}, {"issue.insn.pc", F::kHex, "pc"}, {"issue.insn.pc", F::kSourceLine, "source line"},
           {"issue.insn.words", F::kInstruction, "instruction"}, {"masks.mask[0]", F::kHex, "active lanes of warp 0"}},
          true};
}
ViewGroup launcher() {
  return {"SM0: warps start", kSm, true,
          {{"warp_start.valid"}, {"warp_start.warp", F::kDecimal}, {"warp_start.cta_slot", F::kDecimal}, {"warp_start.lanes"}, {"warp_start.pc"}}};
}
ViewGroup fetch() {
  return {"SM0: fetch, instruction cache", kSm, true,
          {{"fetch.active", F::kHex, "fetch: warps that want"}, {"fetch_request.valid"}, {"fetch_request.warp", F::kDecimal}, {"fetch_request.address"},
           {"fetch_ready"}, {"icache_line.valid", F::kHex, "icache miss"}, {"icache_line.address", F::kHex, "icache miss: line"},
           {"icache_fill.valid", F::kHex, "icache fill"}, {"fetch_reply.valid"}, {"fetch_reply.warp", F::kDecimal}}};
}
ViewGroup instruction_buffer() {
  return {"SM0: decode, instruction buffer", kSm, true,
          {{"decoded.valid"}, {"decoded.warp", F::kDecimal}, {"decoded.count", F::kDecimal}, {"decoded.insn[0].pc"},
           {"decoded.insn[0].words", F::kInstruction, "decoded.insn[0]"}, {"level.count[0]", F::kDecimal, "buffered: warp 0"},
           {"level.count[1]", F::kDecimal, "buffered: warp 1"}}};
}
ViewGroup scoreboard() {
  return {"SM0: scoreboard (a bit per warp)", kSm, true,
          {{"ready.resident"}, {"ready.has_head"}, {"ready.ready"}, {"ready.wait_control"}, {"ready.wait_barrier"}, {"ready.wait_memory"},
           {"ready.wait_alu"}, {"ready.wait_drain"}, {"drained"}}};
}
ViewGroup warp_scheduler() {
  return {"SM0: warp scheduler", kSm, true,
          {{"pick.valid"}, {"pick.warp", F::kDecimal}, {"pick.stall"}, {"issue.valid"}, {"issue.warp", F::kDecimal}, {"issue.uid"},
           {"issue.insn.pc"}, {"issue.insn.words", F::kInstruction, "issue.insn"}, {"issue.insn.pc", F::kSourceLine, "source line"}}};
}
ViewGroup credits() {
  return {"SM0: room behind the scheduler", kSm, false,
          {{"collector_credit.*", F::kDecimal}, {"memory_credit.*", F::kDecimal}, {"load_credit.*", F::kDecimal}}};
}
ViewGroup reconvergence() {
  return {"SM0: reconvergence stack, barrier", kSm, true,
          {{"control.valid"}, {"control.warp", F::kDecimal}, {"control.insn.words", F::kInstruction, "control.insn"}, {"control.taken"}, {"redirect.*"},
           {"resolve.*"}, {"masks.mask[0]"}, {"masks.mask[1]"}, {"barrier_waiting"}, {"barrier_opened"}}};
}
ViewGroup operand_collector() {
  return {"SM0: operand collector", kSm, true,
          {{"operand_collector.occupied", F::kBinary, "collectors occupied"}, {"operand_collector.reading", F::kBinary, "collectors reading"},
           {"busy_banks", F::kBinary, "register banks busy"}}};
}
ViewGroup exec() {
  return {"SM0: execution units", kSm, true,
          {{"to_sp.valid"}, {"to_sp.warp", F::kDecimal}, {"to_sp.lanes"}, {"to_sp.uid"}, {"to_sp.insn.words", F::kInstruction, "to_sp.insn"},
           {"sp_result.valid"}, {"sp_result.uid"}, {"to_sfu.valid"}, {"to_sfu.insn.words", F::kInstruction, "to_sfu.insn"}, {"sfu_result.valid"},
           {"to_address.valid"}, {"to_address.uid"}, {"to_address.insn.words", F::kInstruction, "to_address.insn"}, {"release.entry[0].valid"},
           {"release.entry[0].warp", F::kDecimal}}};
}
ViewGroup shared_memory() {
  return {"SM0: shared memory", kSm, true,
          {{"smem_request.valid"}, {"smem_request.write"}, {"smem_request.half"}, {"smem_request.lanes", F::kBinary}, {"smem_request.origin.uid"},
           {"smem_ready"}, {"smem_pass.valid"}, {"smem_pass.lanes", F::kBinary}, {"smem_pass.last"},
           {"bank_conflict.pending", F::kBinary, "lanes still to serve"}, {"smem_reply.valid"}}};
}
ViewGroup addresses() {
  return {"SM0: addresses of the shared-memory request", kSm, false, {{"smem_request.address[*]"}}};
}
ViewGroup loads() {
  return {"SM0: loads on their way", kSm, true,
          {{"load_open.valid"}, {"load_open.id", F::kDecimal}, {"load_open.warp", F::kDecimal}, {"load_open.lanes"}, {"load_open.uid"},
           {"load_open.insn.words", F::kInstruction, "load_open.insn"}, {"load_table.occupied", F::kHex, "loads open (a bit per id)"},
           {"load_result.valid"}, {"load_result.id", F::kDecimal}, {"load_result.uid"}}};
}
ViewGroup coalescer() {
  return {"TPC0: coalescer of SM0", kTpc, true,
          {{"sm0_access.count", F::kDecimal, "half-warps waiting"}, {"sm0_access.origin.uid"}, {"sm0_access.lanes", F::kBinary},
           {"sm0_access.address[0]"}, {"coalescer0.busy"}, {"coalescer0.pending", F::kBinary, "lanes still to serve"},
           {"coalescer0.made", F::kDecimal, "transactions made"}, {"sm0_transaction.valid"}, {"sm0_transaction.virtual_address"},
           {"sm0_transaction.bytes", F::kDecimal}, {"sm0_transaction.op"}, {"sm0_transaction.origin.uid"}, {"sm0_transaction_ready"}}};
}
ViewGroup tlb() {
  return {"TPC0: TLB, crossbar port", kChip, true,
          {{"tpc0.tlb_request.valid"}, {"tpc0.tlb_request.origin.uid"}, {"tpc0_request.valid"}, {"tpc0_request.address"}, {"tpc0_request.origin.uid"},
           {"tpc0_request_ready"}, {"tpc0_reply.valid"}, {"tpc0_reply.origin.uid"}}};
}
ViewGroup crossbar() {
  return {"crossbars (a bit per port)", kChip, true,
          {{"request_crossbar.offered", F::kBinary, "requests offered"}, {"request_crossbar.ready", F::kBinary, "requests: ready"},
           {"reply_crossbar.offered", F::kBinary, "replies offered"}, {"reply_crossbar.ready", F::kBinary, "replies: ready"}}};
}
ViewGroup partition() {
  return {"memory partition 0", kChannel, true,
          {{"partition.ready"}, {"partition.queued", F::kDecimal}, {"partition.rop_busy"}, {"to_dram.count", F::kDecimal, "bursts to the DRAM"},
           {"to_dram.uid"}, {"from_dram.count", F::kDecimal, "bursts from the DRAM"}, {"from_dram.uid"}, {"partition.reply_offered"}}};
}
ViewGroup dram() {
  return {"DRAM 0: commands", kChannel, true,
          {{"command.kind"}, {"command.bank", F::kDecimal}, {"command.row", F::kDecimal}, {"command.column", F::kDecimal}, {"command.uid"},
           {"controller.waiting", F::kDecimal, "bursts waiting"}, {"controller.open_banks", F::kBinary, "open banks"}}};
}
// The stations of a load, in the order in which it passes them. A colour for each clock; uids decimal, because GTKWave
// fills hexadecimal numbers up with zeros, and there is no room for them.
std::vector<ViewGroup> stations_of_a_load() {
  constexpr ViewColor kShader = ViewColor::kGreen, kCore = ViewColor::kOrange, kDram = ViewColor::kYellow;
  ViewGroup time = clocks();
  time.open = false;
  return {
      time,
      {"1 SM0 (shader clock): issue, operands, addresses", kSm, true,
       {{"pick.valid"}, {"issue.insn.words", F::kInstruction, "issue.insn"}, {"issue.uid", F::kDecimal}, {"to_address.uid", F::kDecimal},
        {"load_open.uid", F::kDecimal}, {"scoreboard.pending[0].registers.low", F::kHex, "$r pending, warp 0 (a bit each)"}},
       false, kShader},
      {"2 TPC0 (core clock): coalescer, TLB", kTpc, true,
       {{"sm0_access.count", F::kDecimal, "half-warps waiting"}, {"sm0_access.origin.uid", F::kDecimal}, {"sm0_transaction.valid"},
        {"sm0_transaction.origin.uid", F::kDecimal}, {"tlb_request.valid"}, {"tlb_request.origin.uid", F::kDecimal}},
       false, kCore},
      {"3 request crossbar, partition 0 (core clock)", kChip, true,
       {{"tpc0_request.valid"}, {"tpc0_request.client"}, {"tpc0_request.address"}, {"tpc0_request.origin.uid", F::kDecimal},
        {"partition0_request.valid"}, {"partition0_request.origin.uid", F::kDecimal}},
       false, kCore},
      {"4 DRAM 0 (dram clock)", kChannel, true,
       {{"to_dram.count", F::kDecimal, "bursts waiting"}, {"to_dram.uid", F::kDecimal}, {"command.kind"}, {"command.bank", F::kDecimal},
        {"command.row"}, {"command.column"}, {"command.uid", F::kDecimal}, {"from_dram.count", F::kDecimal, "bursts back"},
        {"from_dram.uid", F::kDecimal}},
       false, kDram},
      {"5 reply crossbar, TPC0 (core clock)", kChip, true,
       {{"partition0_reply.valid"}, {"partition0_reply.origin.uid", F::kDecimal}, {"tpc0_reply.valid"}, {"tpc0_reply.origin.uid", F::kDecimal},
        {"tpc0.sm0_reply.count", F::kDecimal, "replies waiting"}, {"tpc0.sm0_reply.origin.uid", F::kDecimal}},
       false, kCore},
      {"6 SM0 (shader clock): result, release", kSm, true,
       {{"load_result.valid"}, {"load_result.uid", F::kDecimal}, {"load_result.value[0]"}, {"release.entry[0].valid"}},
       false, kShader},
  };
}
ViewGroup replies() {
  return {"TPC0: replies to SM0", kTpc, true,
          {{"sm0_reply.count", F::kDecimal, "replies waiting"}, {"sm0_reply.id", F::kDecimal}, {"sm0_reply.lanes", F::kBinary}, {"sm0_reply.origin.uid"}}};
}

}  // namespace

std::vector<ViewSpec> standard_views() {
  constexpr double kCycles = 12;    // about thirty pixels to a shader cycle of these chips
  constexpr double kLoad = 15;      // two hundred nanoseconds
  constexpr double kKernel = 20;    // a kernel of some thousand cycles
  return {
      {"overview", "How does a kernel run, from doorbell to DRAM?",
       {clocks(), host(), cta_scheduler(), issue(), launcher(), fetch(), instruction_buffer(), scoreboard(), reconvergence(), operand_collector(),
        exec(), shared_memory(), loads(), coalescer(), tlb(), crossbar(), partition(), dram(), replies()},
       kKernel},
      {"issue", "Why did no warp issue in this cycle?",
       {clocks(), warp_scheduler(), scoreboard(), credits(), instruction_buffer(), fetch(), reconvergence(), operand_collector()},
       kCycles},
      {"shared_memory", "How many passes does this shared-memory access take?", {clocks(), exec(), shared_memory(), addresses()}, kCycles},
      {"load", "Where is my load? Follow its uid.",
       stations_of_a_load(),
       kLoad},
      {"dram", "Which command goes to the DRAM, and why not sooner?", {all_clocks(), partition(), dram()}, kCycles},
  };
}

}  // namespace g80
