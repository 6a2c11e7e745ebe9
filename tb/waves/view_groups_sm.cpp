// SPDX-License-Identifier: Apache-2.0
// View groups of the clocks and of the blocks of an SM.
#include "tb/waves/view_groups.h"

namespace g80::view_groups {

using F = ViewFormat;

// The cycle counters come first, as the time scale of the other rows.
ViewGroup clocks() {
  return {"clocks",
          "clocks",
          true,
          {{"shader_clk"},
           {"shader_cycle", F::kDecimal},
           {"shader_issue_en"},
           {"core_clk"},
           {"core_cycle", F::kDecimal},
           {"dram_clk"},
           {"dram_cycle", F::kDecimal}}};
}
ViewGroup issue() {
  return {"issue",
          kEverySm,
          true,
          {{"ready.resident", F::kHex, "warps resident"},
           {"ready.ready", F::kHex, "warps ready"},
           {"pick.valid"},
           {"pick.stall", F::kHex, "stall reason"},
           {"issue.valid"},
           {"issue.warp", F::kDecimal, "warp"},
           {"issue.insn.pc", F::kHex, "pc"},
           {"issue.insn.pc", F::kSourceLine, "source line"},
           {"issue.insn.words", F::kInstruction, "instruction"},
           {"masks.mask[0]", F::kHex, "active lanes of warp 0"}},
          true};
}
ViewGroup launcher() {
  return {"SM0: warps start",
          kSm,
          true,
          {{"launch.number", F::kDecimal, "launch whose rows are here"},
           {"warp_start.valid"},
           {"warp_start.warp", F::kDecimal},
           {"warp_start.cta_slot", F::kDecimal},
           {"warp_start.lanes"},
           {"warp_start.pc"}}};
}
ViewGroup fetch() {
  return {"SM0: fetch, instruction cache",
          kSm,
          true,
          {{"fetch.active", F::kHex, "fetch: warps that request"},
           {"fetch_request.valid"},
           {"fetch_request.warp", F::kDecimal},
           {"fetch_request.address"},
           {"fetch_ready"},
           {"icache_line.valid", F::kHex, "icache miss"},
           {"icache_line.address", F::kHex, "icache miss: line"},
           {"icache_fill.valid", F::kHex, "icache fill"},
           {"fetch_reply.valid"},
           {"fetch_reply.warp", F::kDecimal}}};
}
ViewGroup instruction_buffer() {
  return {"SM0: decode, instruction buffer",
          kSm,
          true,
          {{"decoded.valid"},
           {"decoded.warp", F::kDecimal},
           {"decoded.count", F::kDecimal},
           {"decoded.insn[0].pc"},
           {"decoded.insn[0].words", F::kInstruction, "decoded.insn[0]"},
           {"level.count[0]", F::kDecimal, "buffered: warp 0"},
           {"level.count[1]", F::kDecimal, "buffered: warp 1"}}};
}
ViewGroup scoreboard() {
  return {"SM0: scoreboard (a bit per warp)",
          kSm,
          true,
          {{"ready.resident"},
           {"ready.has_head"},
           {"ready.ready"},
           {"ready.wait_control"},
           {"ready.wait_barrier"},
           {"ready.wait_memory"},
           {"ready.wait_alu"},
           {"ready.wait_drain"},
           {"drained"}}};
}
ViewGroup warp_scheduler() {
  return {"SM0: warp scheduler",
          kSm,
          true,
          {{"pick.valid"},
           {"pick.warp", F::kDecimal},
           {"pick.stall"},
           {"issue.valid"},
           {"issue.warp", F::kDecimal},
           {"issue.uid"},
           {"issue.insn.pc"},
           {"issue.insn.words", F::kInstruction, "issue.insn"},
           {"issue.insn.pc", F::kSourceLine, "source line"}}};
}
ViewGroup credits() {
  return {"SM0: free places after the scheduler",
          kSm,
          false,
          {{"collector_credit.*", F::kDecimal}, {"memory_credit.*", F::kDecimal}, {"load_credit.*", F::kDecimal}}};
}
ViewGroup reconvergence() {
  return {"SM0: reconvergence stack, barrier",
          kSm,
          true,
          {{"control.valid"},
           {"control.warp", F::kDecimal},
           {"control.insn.words", F::kInstruction, "control.insn"},
           {"control.taken"},
           {"redirect.*"},
           {"resolve.*"},
           {"masks.mask[0]"},
           {"masks.mask[1]"},
           {"barrier_waiting"},
           {"barrier_opened"}}};
}
ViewGroup operand_collector() {
  return {"SM0: operand collector",
          kSm,
          true,
          {{"operand_collector.occupied", F::kBinary, "collectors occupied"},
           {"register_file.reading", F::kBinary, "collectors reading"},
           {"busy_banks", F::kBinary, "register banks busy"}}};
}
ViewGroup exec() {
  return {"SM0: execution units",
          kSm,
          true,
          {{"to_sp.valid"},
           {"to_sp.warp", F::kDecimal},
           {"to_sp.lanes"},
           {"to_sp.uid"},
           {"to_sp.insn.words", F::kInstruction, "to_sp.insn"},
           {"sp_result.valid"},
           {"sp_result.uid"},
           {"to_sfu.valid"},
           {"to_sfu.insn.words", F::kInstruction, "to_sfu.insn"},
           {"sfu_result.valid"},
           {"to_address.valid"},
           {"to_address.uid"},
           {"to_address.insn.words", F::kInstruction, "to_address.insn"},
           {"release.entry[0].valid"},
           {"release.entry[0].warp", F::kDecimal}}};
}
ViewGroup shared_memory() {
  return {"SM0: shared memory",
          kSm,
          true,
          {{"smem_request.valid"},
           {"smem_request.write"},
           {"smem_request.half"},
           {"smem_request.lanes", F::kBinary},
           {"smem_request.origin.uid"},
           {"smem_ready"},
           {"smem_pass.valid"},
           {"smem_pass.lanes", F::kBinary},
           {"smem_pass.last"},
           {"smem_replay"},
           {"bank_conflict.pending", F::kBinary, "lanes still to serve"},
           {"smem_reply.valid"}}};
}
ViewGroup bank_conflicts() {
  return {"SM0: shared memory, a half-warp",
          kSm,
          true,
          {{"smem_request.valid", F::kHex, "request"},
           {"smem_ready", F::kHex, "request is taken"},
           {"smem_request.origin.uid", F::kHex, "uid"},
           {"smem_request.half", F::kHex, "half"},
           {"smem_request.write", F::kHex, "write"},
           {"smem_request.lanes", F::kBinary, "lanes"},
           {"smem_request.address[0]", F::kHex, "address of lane 0"},
           {"smem_request.address[1]", F::kHex, "address of lane 1"},
           {"smem_request.address[2]", F::kHex, "address of lane 2"},
           {"smem_request.address[15]", F::kHex, "address of lane 15"},
           {"smem_pass.valid", F::kHex, "pass"},
           {"smem_pass.lanes", F::kBinary, "lanes of the pass"},
           {"smem_pass.last", F::kHex, "last pass"},
           {"smem_replay", F::kHex, "issued again"},
           {"bank_conflict.pending", F::kBinary, "lanes still to serve"},
           {"smem_reply.valid", F::kHex, "reply"},
           {"smem_reply.origin.uid", F::kHex, "reply: uid"}}};
}
ViewGroup loads() {
  return {"SM0: loads on their way",
          kSm,
          true,
          {{"load_open.valid"},
           {"load_open.id", F::kDecimal},
           {"load_open.warp", F::kDecimal},
           {"load_open.lanes"},
           {"load_open.uid"},
           {"load_open.insn.words", F::kInstruction, "load_open.insn"},
           {"load_table.occupied", F::kHex, "loads open (a bit per id)"},
           {"load_result.valid"},
           {"load_result.id", F::kDecimal},
           {"load_result.word", F::kDecimal},
           {"load_result.half", F::kDecimal},
           {"load_result.uid"}}};
}
// The issued instruction, with its source line.
ViewGroup issued() {
  return {"SM0: issue",
          kSm,
          true,
          {{"pick.stall", F::kHex, "stall reason"},
           {"issue.valid"},
           {"issue.warp", F::kDecimal, "warp"},
           {"issue.insn.pc", F::kHex, "pc"},
           {"issue.insn.words", F::kInstruction, "instruction"},
           {"issue.insn.pc", F::kSourceLine, "source line"}}};
}
ViewGroup access() {
  return {"SM0: memory instruction",
          kSm,
          true,
          {{"to_address.valid"},
           {"to_address.warp", F::kDecimal, "warp"},
           {"to_address.uid", F::kHex, "uid"},
           {"to_address.lanes", F::kHex, "lanes"},
           {"to_address.insn.words", F::kInstruction, "instruction"},
           {"to_address.insn.pc", F::kSourceLine, "source line"}}};
}
ViewGroup control_events() {
  return {"SM0: control instructions at the stack",
          kSm,
          true,
          {{"control.valid"},
           {"control.warp", F::kDecimal, "warp"},
           {"control.insn.words", F::kInstruction, "instruction"},
           {"control.insn.pc", F::kSourceLine, "source line"},
           {"control.taken", F::kHex, "lanes that take it"},
           {"redirect.valid"},
           {"redirect.warp", F::kDecimal, "redirect: warp"},
           {"redirect.kind", F::kHex, "redirect: kind"},
           {"redirect.pc", F::kHex, "redirect: pc"}}};
}
ViewGroup control_state() {
  return {"SM0: warps 0 to 3",
          kSm,
          true,
          {{"masks.mask[0]", F::kBinary, "warp 0: active lanes"},
           {"reconvergence_stack.depth[0]", F::kDecimal, "warp 0: stack entries"},
           {"masks.mask[1]", F::kBinary, "warp 1: active lanes"},
           {"reconvergence_stack.depth[1]", F::kDecimal, "warp 1: stack entries"},
           {"masks.mask[2]", F::kBinary, "warp 2: active lanes"},
           {"reconvergence_stack.depth[2]", F::kDecimal, "warp 2: stack entries"},
           {"masks.mask[3]", F::kBinary, "warp 3: active lanes"},
           {"reconvergence_stack.depth[3]", F::kDecimal, "warp 3: stack entries"}}};
}
ViewGroup barrier() {
  return {"SM0: barrier 0 of blocks in slots 0 and 1",
          kSm,
          true,
          {{"control.valid", F::kHex, "control instruction"},
           {"control.warp", F::kDecimal, "warp"},
           {"control.insn.words", F::kInstruction, "instruction"},
           {"control.insn.pc", F::kSourceLine, "source line"},
           {"barrier.arrived[0].at[0]", F::kDecimal, "slot 0: warps arrived"},
           {"barrier.launched[0]", F::kDecimal, "slot 0: warps launched"},
           {"barrier.live[0]", F::kDecimal, "slot 0: warps alive"},
           {"barrier.arrived[1].at[0]", F::kDecimal, "slot 1: warps arrived"},
           {"barrier.launched[1]", F::kDecimal, "slot 1: warps launched"},
           {"barrier.live[1]", F::kDecimal, "slot 1: warps alive"}}};
}
ViewGroup barrier_warps() {
  return {"SM0: a bit per warp",
          kSm,
          true,
          {{"ready.resident", F::kBinary, "resident"},
           {"barrier_waiting", F::kBinary, "at the barrier"},
           {"barrier_opened", F::kHex, "let through"},
           {"ready.wait_drain", F::kHex, "wait for their own instructions"},
           {"ready.ready", F::kHex, "ready"}}};
}
ViewGroup constant_reads() {
  return {"SM0: constant cache",
          kSm,
          true,
          {{"const_request.valid"},
           {"const_ready"},
           {"const_request.warp", F::kDecimal, "warp"},
           {"const_request.origin.uid", F::kHex, "uid"},
           {"const_request.lanes", F::kHex, "lanes"},
           {"const_request.address[0]", F::kHex, "address of lane 0"},
           {"ccache_line.valid", F::kHex, "miss"},
           {"ccache_line.address", F::kHex, "miss: line"},
           {"ccache_fill.valid", F::kHex, "fill"},
           {"const_reply.valid", F::kHex, "reply"},
           {"const_reply.origin.uid", F::kHex, "reply: uid"}}};
}

}  // namespace g80::view_groups
