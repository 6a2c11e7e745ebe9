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
ViewGroup bank_conflicts() {
  return {"SM0: shared memory, a half-warp", kSm, true,
          {{"smem_request.valid", F::kHex, "request"}, {"smem_ready", F::kHex, "request is taken"}, {"smem_request.origin.uid", F::kDecimal, "uid"},
           {"smem_request.half", F::kHex, "half"}, {"smem_request.write", F::kHex, "write"}, {"smem_request.lanes", F::kBinary, "lanes"},
           {"smem_request.address[0]", F::kHex, "address of lane 0"}, {"smem_request.address[1]", F::kHex, "address of lane 1"},
           {"smem_request.address[2]", F::kHex, "address of lane 2"}, {"smem_request.address[15]", F::kHex, "address of lane 15"},
           {"smem_pass.valid", F::kHex, "pass"}, {"smem_pass.lanes", F::kBinary, "lanes of the pass"}, {"smem_pass.last", F::kHex, "last pass"},
           {"bank_conflict.pending", F::kBinary, "lanes still to serve"}, {"smem_reply.valid", F::kHex, "reply"},
           {"smem_reply.origin.uid", F::kDecimal, "reply: uid"}}};
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
           {"controller.waiting", F::kDecimal, "bursts waiting"}, {"controller.open_banks", F::kBinary, "open banks"}},
          false, ViewColor::kYellow};
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
// An instruction as it is issued, with the line of the program.
ViewGroup issued() {
  return {"SM0: issue", kSm, true,
          {{"pick.stall", F::kHex, "stall reason"}, {"issue.valid"}, {"issue.warp", F::kDecimal, "warp"}, {"issue.insn.pc", F::kHex, "pc"},
           {"issue.insn.words", F::kInstruction, "instruction"}, {"issue.insn.pc", F::kSourceLine, "source line"}}};
}
ViewGroup access() {
  return {"SM0: memory instruction", kSm, true,
          {{"to_address.valid"}, {"to_address.warp", F::kDecimal, "warp"}, {"to_address.uid", F::kDecimal, "uid"},
           {"to_address.lanes", F::kHex, "lanes"}, {"to_address.insn.words", F::kInstruction, "instruction"},
           {"to_address.insn.pc", F::kSourceLine, "source line"}}};
}
ViewGroup half_warps() {
  return {"TPC0: half-warps to the coalescer", kTpc, true,
          {{"sm0_access.count", F::kDecimal, "half-warps waiting"}, {"sm0_access.origin.uid", F::kDecimal, "uid"}, {"sm0_access.half", F::kHex, "half"},
           {"sm0_access.op", F::kHex, "operation"}, {"sm0_access.client", F::kHex, "space"}, {"sm0_access.bytes", F::kDecimal, "bytes of a lane"},
           {"sm0_access.lanes", F::kBinary, "lanes"},
           {"sm0_access.address[0]", F::kHex, "address of lane 0"}, {"sm0_access.address[1]", F::kHex, "address of lane 1"},
           {"sm0_access.address[2]", F::kHex, "address of lane 2"}, {"sm0_access.address[15]", F::kHex, "address of lane 15"}}};
}
ViewGroup transactions() {
  return {"TPC0: coalescer, its transactions", kTpc, true,
          {{"coalescer0.busy"}, {"coalescer0.pending", F::kBinary, "lanes still to serve"}, {"coalescer0.made", F::kDecimal, "transactions made"},
           {"sm0_transaction.valid"}, {"sm0_transaction_ready"}, {"sm0_transaction.origin.uid", F::kDecimal, "uid"},
           {"sm0_transaction.op", F::kHex, "operation"},
           {"sm0_transaction.bytes", F::kDecimal, "bytes"}, {"sm0_transaction.virtual_address", F::kHex, "address"},
           {"sm0_transaction.lanes", F::kBinary, "lanes"}}};
}
ViewGroup to_memory() {
  return {"TPC0 to the partitions", kChip, true,
          {{"tpc0_request.valid"}, {"tpc0_request_ready"}, {"tpc0_request.origin.uid", F::kDecimal, "uid"},
           {"tpc0_request.client", F::kHex, "client"}, {"tpc0_request.bytes", F::kDecimal, "bytes"}, {"tpc0_request.address", F::kHex, "address"}}};
}
ViewGroup control_events() {
  return {"SM0: control instructions at the stack", kSm, true,
          {{"control.valid"}, {"control.warp", F::kDecimal, "warp"}, {"control.insn.words", F::kInstruction, "instruction"},
           {"control.insn.pc", F::kSourceLine, "source line"}, {"control.taken", F::kHex, "lanes that take it"}, {"redirect.valid"},
           {"redirect.warp", F::kDecimal, "redirect: warp"}, {"redirect.kind", F::kHex, "redirect: kind"}, {"redirect.pc", F::kHex, "redirect: pc"}}};
}
ViewGroup control_state() {
  return {"SM0: warps 0 to 3", kSm, true,
          {{"masks.mask[0]", F::kBinary, "warp 0: active lanes"}, {"reconvergence_stack.depth[0]", F::kDecimal, "warp 0: stack entries"},
           {"masks.mask[1]", F::kBinary, "warp 1: active lanes"}, {"reconvergence_stack.depth[1]", F::kDecimal, "warp 1: stack entries"},
           {"masks.mask[2]", F::kBinary, "warp 2: active lanes"}, {"reconvergence_stack.depth[2]", F::kDecimal, "warp 2: stack entries"},
           {"masks.mask[3]", F::kBinary, "warp 3: active lanes"}, {"reconvergence_stack.depth[3]", F::kDecimal, "warp 3: stack entries"}}};
}
ViewGroup barrier() {
  return {"SM0: barrier 0 of the blocks in slots 0 and 1", kSm, true,
          {{"control.valid", F::kHex, "control instruction"}, {"control.warp", F::kDecimal, "warp"}, {"control.insn.words", F::kInstruction, "instruction"},
           {"control.insn.pc", F::kSourceLine, "source line"}, {"barrier.arrived_at_0[0]", F::kDecimal, "slot 0: warps arrived"},
           {"barrier.launched[0]", F::kDecimal, "slot 0: warps launched"}, {"barrier.live[0]", F::kDecimal, "slot 0: warps alive"},
           {"barrier.arrived_at_0[1]", F::kDecimal, "slot 1: warps arrived"}, {"barrier.launched[1]", F::kDecimal, "slot 1: warps launched"},
           {"barrier.live[1]", F::kDecimal, "slot 1: warps alive"}}};
}
ViewGroup barrier_warps() {
  return {"SM0: a bit per warp", kSm, true,
          {{"ready.resident", F::kBinary, "resident"}, {"barrier_waiting", F::kBinary, "at the barrier"}, {"barrier_opened", F::kHex, "let through"},
           {"ready.wait_drain", F::kHex, "wait for their own instructions"}, {"ready.ready", F::kHex, "ready"}}};
}
ViewGroup constant_reads() {
  return {"SM0: constant cache", kSm, true,
          {{"const_request.valid"}, {"const_ready"}, {"const_request.warp", F::kDecimal, "warp"}, {"const_request.origin.uid", F::kDecimal, "uid"},
           {"const_request.lanes", F::kHex, "lanes"}, {"const_request.address[0]", F::kHex, "address of lane 0"},
           {"ccache_line.valid", F::kHex, "miss"}, {"ccache_line.address", F::kHex, "miss: line"}, {"ccache_fill.valid", F::kHex, "fill"},
           {"const_reply.valid", F::kHex, "reply"}, {"const_reply.origin.uid", F::kDecimal, "reply: uid"}}};
}
ViewGroup second_level() {
  return {"TPC0: second level, instructions and constants", kTpc, true,
          {{"sm0_line_request.count", F::kDecimal, "requests of SM0"}, {"sm0_line_request.client", F::kHex, "client"}, {"sm0_line_request.address", F::kHex, "line"},
           {"second_level.miss.valid", F::kHex, "miss"}, {"second_level.miss.client", F::kHex, "miss: client"}, {"second_level.miss.address", F::kHex, "miss: line"},
           {"sm0_line_reply.count", F::kDecimal, "lines for SM0"}, {"sm0_line_reply.address", F::kHex, "line for SM0"}}};
}
ViewGroup third_level() {
  return {"chip: third level, instructions and constants", kChip, true,
          {{"third_level_miss.valid", F::kHex, "miss"}, {"third_level_miss.virtual_address", F::kHex, "miss: address"},
           {"third_level_line.valid", F::kHex, "line from the memory"}, {"third_level_line.virtual_address", F::kHex, "address of the line"}}};
}
ViewGroup texture() {
  return {"TPC0: texture unit", kTpc, true,
          {{"sm0_texture.count", F::kDecimal, "half-warps of SM0"}, {"sm0_texture.op", F::kHex, "operation"}, {"sm0_texture.lanes", F::kBinary, "lanes"},
           {"texture_unit.waiting", F::kDecimal, "half-warps waiting"}, {"texture_unit.in_flight", F::kDecimal, "half-warps in flight"},
           {"texture_request.valid", F::kHex, "miss"}, {"texture_request.virtual_address", F::kHex, "miss: address"},
           {"texture_reply.valid", F::kHex, "line"}, {"texture_reply.virtual_address", F::kHex, "line: address"},
           {"sm0_texels.count", F::kDecimal, "texels for SM0"}}};
}
ViewGroup texture_l2() {
  return {"texture L2 of partition 0", kChip, true,
          {{"partition0_l2_request.valid", F::kHex, "request"}, {"partition0_l2_request.client", F::kHex, "client"},
           {"partition0_l2_request.address", F::kHex, "address"},
           {"partition0_request.valid", F::kHex, "goes to the DRAM"}, {"partition0_request.client", F::kHex, "goes to the DRAM: client"},
           {"partition0_l2_reply.valid", F::kHex, "reply"}, {"partition0_l2_reply.client", F::kHex, "reply: client"}}};
}
ViewGroup replies() {
  return {"TPC0: replies to SM0", kTpc, true,
          {{"sm0_reply.count", F::kDecimal, "replies waiting"}, {"sm0_reply.id", F::kDecimal}, {"sm0_reply.lanes", F::kBinary}, {"sm0_reply.origin.uid"}}};
}

// A colour for each clock, in every view.
ViewColor color_of(const std::string& scope) {
  if (scope == kSm || scope == kEverySm) return ViewColor::kGreen;
  if (scope == kTpc || scope == kChip || scope == kChannel) return ViewColor::kOrange;
  return ViewColor::kDefault;
}

std::vector<ViewSpec> specs() {
  constexpr double kInstructions = 11;  // about sixty pixels to a shader cycle of these chips: room for an instruction
  constexpr double kCycles = 12;         // half of that
  constexpr double kMisses = 16.3;       // five hundred nanoseconds: a line comes from the DRAM
  constexpr double kLoad = 15;           // two hundred nanoseconds
  constexpr double kKernel = 20;         // a kernel of some thousand cycles
  return {
      {"overview", "How does a kernel run, from doorbell to DRAM?",
       {clocks(), host(), cta_scheduler(), issue(), launcher(), fetch(), instruction_buffer(), scoreboard(), reconvergence(), operand_collector(),
        exec(), shared_memory(), loads(), coalescer(), tlb(), crossbar(), partition(), dram(), replies()},
       kKernel},
      {"issue", "Why did no warp issue in this cycle?",
       {clocks(), warp_scheduler(), scoreboard(), credits(), instruction_buffer(), fetch(), reconvergence(), operand_collector()},
       kInstructions},
      {"shared_memory", "How many passes does this shared-memory access take?", {clocks(), access(), bank_conflicts()}, kInstructions},
      {"load", "Where is my load? Follow its uid.",
       stations_of_a_load(),
       kLoad},
      {"coalescing", "How many transactions does this access make, and of how many bytes?",
       {clocks(), access(), half_warps(), transactions(), to_memory()},
       kInstructions},
      {"divergence", "Which lanes run, and where do they part and rejoin?", {clocks(), issued(), control_events(), control_state()}, kInstructions},
      {"barrier", "Which warp does the barrier wait for?", {clocks(), issued(), barrier(), barrier_warps()}, kCycles},
      {"caches", "Which cache misses, and how far does the miss go?",
       {clocks(), fetch(), constant_reads(), second_level(), third_level(), texture(), texture_l2()},
       kMisses},
      {"dram", "Which command goes to the DRAM, and does it find its row open?", {clocks(), dram(), partition()}, kCycles},
  };
}

}  // namespace

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
