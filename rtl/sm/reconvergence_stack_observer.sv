// SPDX-License-Identifier: Apache-2.0
// Signals of reconvergence_stack for the simulator only: its registers as a C++ struct, event counters, what waves and
// the shell show of queues and stacks, the tag of the instruction that is reported, and whether the clock may stop. It
// keeps a digest of each stack's part in memory, for the watchdog.
module reconvergence_stack_observer #(
  localparam int unsigned Warps  = g80_pkg::MaxWarps,
  localparam int unsigned WarpW  = $clog2(Warps),
  localparam int unsigned CountW = $clog2(Warps + 1),
  localparam int unsigned Places = g80_pkg::MaxSmStackOnChip,
  localparam int unsigned DepthW = $clog2(g80_pkg::MaxStackDepth + 1),
  localparam int unsigned Delay  = g80_pkg::MaxSmBranchLatency / 2,
  localparam int unsigned EntryW = g80_pkg::StackEntryWidth,
  localparam int unsigned StateW = g80_pkg::ControlStateWidth
) (
  input logic                                clk_i,
  input logic                                rst_ni,
  input logic                                idle_i,          // nothing changes until an input does
  input g80_pkg::reconvergence_stack_regs_t  registers_i,
  input g80_pkg::warp_start_t                start_i,
  input g80_pkg::stack_fill_t                fill_i,

  // The executed instruction
  input logic                                obeys_i,         // ... has to do with the stack
  input logic                                resolves_i,      // ... is over
  input g80_pkg::control_event_t             event_i,
  input g80_pkg::op_e                        op_i,
  input g80_pkg::control_outcome_t           outcome_i,
  input logic [DepthW-1:0]                   depth_i,         // entries behind it

  // Queues
  input logic [Delay-1:0]                    resolving_i,
  input logic [CountW-1:0]                   turns_i,
  input logic [WarpW-1:0]                    next_turn_i,
  input logic [CountW-1:0]                   to_memory_i,
  input g80_pkg::stack_access_t              access_i,        // the oldest of them

  // The warps
  input logic [Warps-1:0]                    fresh_i,
  input logic [Warps-1:0]                    refilled_i,
  /* verilator tracing_off */
  input logic [Warps-1:0][StateW-1:0]        state_i,
  input logic [Warps-1:0][EntryW-1:0]        refill_i,
  input logic [Places-1:0][EntryW-1:0]       entry_i [Warps]
  /* verilator tracing_on */
);
  // Each entry of a digest changes it by an odd factor, so that it can be taken out again.
  localparam logic [63:0] Factor  = 64'h9e3779b97f4a7c15;
  localparam logic [63:0] Inverse = 64'hf1de83e19937733d;

  logic [Warps-1:0][63:0]                  digest_d;
  logic [31:0]                             uid_d;
  g80_pkg::reconvergence_stack_counters_t  counters_d;
  logic                                    succeeds;

  // The adapter reads these.
  g80_pkg::reconvergence_stack_counters_t counters_q /*verilator public_flat_rd*/;
  g80_pkg::reconvergence_stack_regs_t     registers  /*verilator public_flat_rd*/;
  logic                                   sleep      /*verilator public_flat_rd*/;
  logic [31:0]                            uid_q      /*verilator public_flat_rd*/;  // of the last one that is over
  struct packed {
    logic [Delay-1:0]              resolving;
    logic [CountW-1:0]             turns;
    logic [WarpW-1:0]              next_turn;
    logic [CountW-1:0]             to_memory;
    g80_pkg::stack_access_t        access;
  } drawn /*verilator public_flat_rd*/;
  /* verilator tracing_off */
  logic [Warps-1:0][StateW-1:0]              state    /*verilator public_flat_rd*/;
  logic [Warps-1:0][63:0]                    digest_q /*verilator public_flat_rd*/;
  logic [Warps-1:0][Places-1:0][EntryW-1:0]  stack    /*verilator public_flat_rd*/;
  /* verilator tracing_on */

  assign registers       = registers_i;
  assign sleep           = idle_i;
  assign drawn.resolving = resolving_i;
  assign drawn.turns     = turns_i;
  assign drawn.next_turn = turns_i == '0 ? '0 : next_turn_i;
  assign drawn.to_memory = to_memory_i;
  assign drawn.access    = to_memory_i == '0 ? g80_pkg::StackAccessDefault : access_i;

  for (genvar w = 0; w < Warps; w++) begin : gen_warp
    g80_pkg::control_state_t shown;

    // As if a warp began, and an entry came back, at once
    always_comb begin : complete
      shown    = state_i[w];
      stack[w] = entry_i[w];
      if (fresh_i[w]) begin
        shown          = g80_pkg::ControlStateDefault;
        shown.runnable = registers_i.masks.mask[w];
      end
      if (refilled_i[w]) begin
        shown.oldest    = '0;
        shown.count     = 7'd1;
        shown.in_memory = shown.in_memory - 12'd1;
        stack[w][0]     = refill_i[w];
      end
    end
    assign state[w] = shown;
  end

  function automatic logic [63:0] digest(input g80_pkg::stack_entry_t entry_);
    digest = {entry_.mask, 5'd0, entry_.type_, entry_.pc};
  endfunction

  always_comb begin : next_digest
    digest_d = digest_q;
    if (start_i.valid) digest_d[start_i.warp] = '0;
    if (fill_i.valid) digest_d[fill_i.warp] = digest_q[fill_i.warp] * Inverse - digest(fill_i.entry);
    if (obeys_i && outcome_i.spills)
      digest_d[event_i.warp] = (digest_q[event_i.warp] + digest(outcome_i.spilled)) * Factor;
  end

  assign succeeds = obeys_i && outcome_i.fault == g80_pkg::FaultNone;
  assign uid_d    = resolves_i ? event_i.uid : uid_q;

  always_comb begin : count
    counters_d = counters_q;
    if (succeeds && op_i == g80_pkg::OpBra) begin
      counters_d.branches           = counters_q.branches + 64'd1;
      counters_d.divergent_branches = counters_q.divergent_branches + 64'(outcome_i.diverged);
    end
    counters_d.spills  = counters_q.spills + 64'(obeys_i && outcome_i.spills);
    counters_d.refills = counters_q.refills + 64'(obeys_i && outcome_i.waits);
    if (resolves_i && 64'(depth_i) > counters_q.max_depth) counters_d.max_depth = 64'(depth_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_of_observer
    if (!rst_ni) begin
      counters_q <= '0;
      digest_q   <= '0;
      uid_q      <= '0;
    end else begin
      counters_q <= counters_d;
      digest_q   <= digest_d;
      uid_q      <= uid_d;
    end
  end
endmodule

bind reconvergence_stack reconvergence_stack_observer u_observer (
  .clk_i,
  .rst_ni,
  .idle_i     (!turn && row_empty && !start_i.valid && memory_empty),
  .registers_i('{redirect: redirect_q, resolve: resolve_q, arrival: arrival_q, masks: masks_o, fault: fault_q,
                 access: access_q, refilling: refilling_q, depth: depth_q, pc: pc_q}),
  .start_i,
  .fill_i,
  .obeys_i    (obeys),
  .resolves_i (resolves),
  .event_i    (event_now),
  .op_i       (insn.op),
  .outcome_i  (outcome),
  .depth_i    (depth),
  .resolving_i(u_resolving.valid_q),
  .turns_i    (u_turns.count_q),
  .next_turn_i(u_turns.turn_q[u_turns.head_q]),
  .to_memory_i(u_to_memory.count_q),
  .access_i   (u_to_memory.front_o),
  .fresh_i    (fresh_q),
  .refilled_i (refilled_q),
  .state_i    (u_state.word),
  .refill_i   (u_refill.word),
  .entry_i    (u_entries.word)
);
