// SPDX-License-Identifier: Apache-2.0
// Program counters, active masks and control stacks of all warps: where lanes diverge and reconverge.
// Twin of hw/sm/reconvergence_stack.h, equal to it at every clock edge.
//
// One control instruction is executed in a cycle, by the rules of warp_control.sv. What a warp keeps lies in memories
// that one warp reads and writes in a cycle, but for the active lanes, which others need.
module reconvergence_stack (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // Straps
  input  logic [6:0]              cfg_delay_i,               // registers in front of the stack
  input  logic                    cfg_taken_first_i,         // side of a divergent branch
  input  logic [6:0]              cfg_on_chip_i,             // entries of a warp here
  input  logic [12:0]             cfg_depth_i,               // ... and altogether

  // Launch state, stable while a grid runs
  input  logic [12:0]             launch_stack_depth_i,      // 0: as many as the chip has
  input  logic [7:0]              launch_call_limit_log_i,

  // From cta_launcher
  input  g80_pkg::warp_start_t    start_i,

  // From operand_collector
  input  g80_pkg::control_event_t control_i,

  // To fetch, instruction_buffer and scoreboard
  output g80_pkg::redirect_t      redirect_o,
  output g80_pkg::resolve_t       resolve_o,

  // To barrier
  output g80_pkg::control_event_t arrival_o,

  // To operand_collector
  output g80_pkg::active_masks_t  masks_o,

  // To fault_reporter
  output g80_pkg::kernel_fault_t  fault_o,

  // To address_unit: entries to memory, and reads of them
  output g80_pkg::stack_access_t  access_o,
  input  logic                    access_ready_i,

  // From load_table
  input  g80_pkg::stack_fill_t    fill_i
);
  localparam int unsigned Warps   = g80_pkg::MaxWarps;
  localparam int unsigned WarpW   = $clog2(Warps);
  localparam int unsigned Lanes   = g80_pkg::WarpSize;
  localparam int unsigned Places  = g80_pkg::MaxSmStackOnChip;
  localparam int unsigned PlaceW  = $clog2(Places);
  localparam int unsigned CountW  = $clog2(Places + 1);
  localparam int unsigned DepthW  = $clog2(g80_pkg::MaxStackDepth + 1);
  localparam int unsigned EventW  = g80_pkg::ControlEventWidth;
  localparam int unsigned StoredW = EventW - WarpW - 1;  // of a control event: its warp says where
  localparam int unsigned EntryW  = g80_pkg::StackEntryWidth;
  localparam int unsigned StateW  = g80_pkg::ControlStateWidth;
  localparam int unsigned AccessW = g80_pkg::StackAccessWidth;
  localparam int unsigned Delay   = g80_pkg::MaxSmBranchLatency / 2;  // more than the longest latency needs

  // Registers
  g80_pkg::redirect_t          redirect_d, redirect_q;
  g80_pkg::resolve_t           resolve_d, resolve_q;
  g80_pkg::control_event_t     arrival_d, arrival_q;
  g80_pkg::kernel_fault_t      fault_d, fault_q;
  g80_pkg::stack_access_t      access_d, access_q;
  logic [Warps-1:0][Lanes-1:0] active_d, active_q;
  logic [Warps-1:0]            fresh_d, fresh_q;          // has executed no control instruction yet
  logic [Warps-1:0]            refilling_d, refilling_q;  // waits for an entry from memory
  logic [Warps-1:0]            refilled_d, refilled_q;    // has got it, and goes on when it is its turn
  logic [Warps-1:0][7:0]       depth_d, depth_q;          // saturated
  logic [Warps-1:0][23:0]      pc_d, pc_q;                // after the last control instruction

  // Control instructions, and those that go on
  g80_pkg::control_event_t arriving, event_now;
  logic                    row_empty, turn, memory_full, executes;
  logic [WarpW-1:0]        warp;
  logic [StoredW-1:0]      stored;

  delay_memory #(
    .Depth(Delay),
    .Width(EventW)
  ) u_resolving (
    .clk_i,
    .rst_ni,
    .cfg_stages_i(cfg_delay_i),
    .data_i      (control_i),
    .data_o      (arriving),
    .empty_o     (row_empty)
  );

  sram_1r1w #(
    .Words(Warps),
    .Width(StoredW)
  ) u_in_turn (
    .clk_i,
    .write_i        (arriving.valid),
    .write_address_i(arriving.warp),
    .write_data_i   ({arriving.taken, arriving.uid, arriving.insn}),
    .read_address_i (warp),
    .read_data_o    (stored)
  );

  control_turns u_turns (
    .clk_i,
    .rst_ni,
    .first_valid_i (arriving.valid),
    .first_i       (arriving.warp),
    .second_valid_i(fill_i.valid),
    .second_i      (fill_i.warp),
    .take_i        (executes),
    .valid_o       (turn),
    .warp_o        (warp)
  );

  assign executes  = turn && !memory_full;
  assign event_now = arriving.valid && arriving.warp == warp ? arriving : {1'b1, warp, stored};

  // The warp whose turn it is. An entry that has come from memory is the only one here.
  logic                          fills, refilled;
  logic [EntryW-1:0]             refill_data, refill;
  logic [StateW-1:0]             state_data;
  logic [Places-1:0][EntryW-1:0] entry_data, entry;
  g80_pkg::control_state_t       state;

  assign fills    = fill_i.valid && fill_i.warp == warp;
  assign refilled = refilled_q[warp] || fills;
  assign refill   = fills ? fill_i.entry : refill_data;

  always_comb begin : read_state
    state = state_data;
    if (fresh_q[warp]) begin
      state          = g80_pkg::ControlStateDefault;
      state.runnable = active_q[warp];
    end
    if (refilled) begin
      state.oldest    = '0;
      state.count     = CountW'(1);
      state.in_memory = state.in_memory - 12'd1;
    end
  end

  always_comb begin : read_entries
    entry = entry_data;
    if (refilled) entry[0] = refill;
  end

  // Rules of the chip and of the grid
  logic [DepthW-1:0] depth_limit;
  logic [DepthW:0]   calls_limit;

  assign depth_limit = launch_stack_depth_i == '0 || launch_stack_depth_i > cfg_depth_i
                           ? cfg_depth_i : launch_stack_depth_i[DepthW-1:0];

  always_comb begin : find_calls_limit
    calls_limit = '0;
    if (launch_call_limit_log_i > 8'(DepthW)) calls_limit = (DepthW + 1)'(2 * g80_pkg::MaxStackDepth);  // all
    else if (launch_call_limit_log_i != '0)
      calls_limit = (DepthW + 1)'(1) << (launch_call_limit_log_i[3:0] - 4'd1);
  end

  // What the instruction does
  g80_pkg::decoded_instruction_t decoded;
  g80_pkg::instruction_t     insn;
  logic [Lanes-1:0]          active;
  g80_pkg::control_state_t   next_state;
  logic                      push;
  logic [PlaceW-1:0]         push_place;
  g80_pkg::stack_entry_t     pushed;
  g80_pkg::control_outcome_t ruled, outcome;
  logic                      is_error, traps, breaks, arrives, obeys, resolves;

  issued_fields u_fields (
    .insn_i   (event_now.insn),
    .decoded_o(decoded)
  );
  assign insn = decoded.insn;

  warp_control u_control (
    .insn_i         (insn),
    .pc_i           (event_now.insn.pc),
    .taken_i        (event_now.taken),
    .taken_first_i  (cfg_taken_first_i),
    .on_chip_limit_i(cfg_on_chip_i),
    .depth_limit_i  (depth_limit),
    .calls_limit_i  (calls_limit),
    .active_i       (active_q[warp]),
    .state_i        (state),
    .entry_i        (entry),
    .active_o       (active),
    .state_o        (next_state),
    .push_o         (push),
    .push_place_o   (push_place),
    .pushed_o       (pushed),
    .outcome_o      (ruled)
  );

  assign is_error = event_now.insn.error != g80_pkg::DecodeErrorNone;
  assign traps    = insn.op == g80_pkg::OpTrap;
  assign breaks   = insn.op == g80_pkg::OpBrkpt && event_now.taken != '0;
  assign arrives  = executes && !is_error && insn.op == g80_pkg::OpBar;
  assign obeys    = executes && !is_error && !traps && !breaks && insn.op != g80_pkg::OpBar;
  assign resolves = obeys && outcome.fault == g80_pkg::FaultNone && !outcome.waits;

  always_comb begin : judge
    outcome = ruled;
    if (breaks) outcome.fault = g80_pkg::FaultBreakpoint;
    if (traps) outcome.fault = g80_pkg::FaultTrap;
    if (is_error)
      outcome.fault = event_now.insn.error == g80_pkg::DecodeErrorUnalignedLong
                          ? g80_pkg::FaultUnalignedLongInstruction : g80_pkg::FaultIllegalInstruction;
  end

  // The memories of what a warp keeps
  sram_1r1w #(
    .Words(Warps),
    .Width(StateW)
  ) u_state (
    .clk_i,
    .write_i        (executes),
    .write_address_i(warp),
    .write_data_i   (obeys ? next_state : state),
    .read_address_i (warp),
    .read_data_o    (state_data)
  );

  sram_1r1w #(
    .Words(Warps),
    .Width(EntryW)
  ) u_refill (
    .clk_i,
    .write_i        (fill_i.valid),
    .write_address_i(fill_i.warp),
    .write_data_i   (fill_i.entry),
    .read_address_i (warp),
    .read_data_o    (refill_data)
  );

  sram_columns #(
    .Rows   (Warps),
    .Columns(Places),
    .Width  (EntryW)
  ) u_entries (
    .clk_i,
    .write_i       (executes && (refilled || (obeys && push))),
    .write_row_i   (warp),
    .write_column_i(refilled ? '0 : push_place),  // an instruction that has waited pushes nothing
    .write_data_i  (refilled ? refill : pushed),
    .read_row_i    (warp),
    .read_data_o   (entry_data)
  );

  // Entries to memory, and reads of them
  g80_pkg::stack_access_t access, access_front;
  logic                   to_memory, memory_empty, front_valid, held;

  always_comb begin : find_access
    access.valid  = 1'b1;
    access.write  = outcome.spills;
    access.warp   = warp;
    access.number = outcome.number;
    access.entry  = outcome.spilled;
    access.pc     = event_now.insn.pc;
    access.uid    = event_now.uid;
  end
  assign to_memory = obeys && (outcome.spills || outcome.waits);
  assign held      = access_q.valid && !access_ready_i;

  sram_queue #(
    .Depth(Warps),
    .Width(AccessW)
  ) u_to_memory (
    .clk_i,
    .rst_ni,
    .push_i      (to_memory),
    .data_i      (access),
    .pop_i       (front_valid && !held),
    .empty_o     (memory_empty),
    .full_o      (memory_full),
    .front_o     (),
    .head_valid_o(front_valid),
    .head_o      (access_front)
  );

  always_comb begin : next_access
    access_d       = access_q;
    access_d.valid = held;
    if (!held && front_valid) access_d = access_front;
  end

  // What others are told
  always_comb begin : next_redirect
    redirect_d = g80_pkg::RedirectDefault;
    resolve_d  = g80_pkg::ResolveDefault;
    if (resolves) begin
      resolve_d.warps = Warps'(1) << warp;
      if (outcome.ended) begin
        resolve_d.ended      = 1'b1;
        resolve_d.ended_warp = warp;
      end
      if (outcome.ended || outcome.jumped) begin
        redirect_d.valid = 1'b1;
        redirect_d.kind  = outcome.ended ? g80_pkg::RedirectStop : g80_pkg::RedirectJump;
        redirect_d.warp  = warp;
        redirect_d.pc    = outcome.pc;
      end
    end
  end

  always_comb begin : next_arrival
    arrival_d = arrives ? event_now : arrival_q;
    arrival_d.valid = arrives;
  end

  // The first fault, and the first lane that is active: lane 0 if none is. Its warp issues nothing more.
  logic [Lanes-1:0]         active_at_fault;
  logic [$clog2(Lanes)-1:0] first_active;

  assign active_at_fault = obeys ? active : active_q[warp];

  lowest_set #(.Width(Lanes)) u_first_active (
    .mask_i (active_at_fault),
    .found_o(),
    .index_o(first_active)
  );

  always_comb begin : next_fault
    fault_d = fault_q;
    if (executes && !arrives && outcome.fault != g80_pkg::FaultNone && !fault_q.valid) begin
      fault_d.valid       = 1'b1;
      fault_d.kind        = outcome.fault;
      fault_d.lane        = first_active;
      fault_d.word        = event_now.insn.words;
      fault_d.origin.uid  = event_now.uid;
      fault_d.origin.warp = 8'(warp);
      fault_d.origin.pc   = event_now.insn.pc;
    end
  end

  // The warps
  logic [DepthW-1:0] depth;

  assign depth = DepthW'(next_state.in_memory) + DepthW'(next_state.count);

  for (genvar w = 0; w < Warps; w++) begin : gen_warp
    logic starts, its_turn, gets_entry;

    assign starts     = start_i.valid && start_i.warp == WarpW'(w);
    assign its_turn   = executes && warp == WarpW'(w);
    assign gets_entry = fill_i.valid && fill_i.warp == WarpW'(w);

    assign fresh_d[w]     = starts || (fresh_q[w] && !its_turn);
    assign refilled_d[w]  = !its_turn && (gets_entry || refilled_q[w]);
    assign refilling_d[w] = (its_turn && obeys && outcome.waits) || (refilling_q[w] && !gets_entry);
    assign active_d[w]    = starts ? start_i.lanes : its_turn && obeys ? active : active_q[w];

    always_comb begin : next_place
      depth_d[w] = depth_q[w];
      pc_d[w]    = pc_q[w];
      if (starts) begin
        depth_d[w] = '0;
        pc_d[w]    = start_i.pc;
      end
      if (its_turn && resolves) begin
        depth_d[w] = depth > DepthW'(255) ? 8'd255 : depth[7:0];
        pc_d[w]    = outcome.pc;
      end
    end
  end

  assign redirect_o   = redirect_q;
  assign resolve_o    = resolve_q;
  assign arrival_o    = arrival_q;
  assign masks_o.mask = active_q;
  assign fault_o      = fault_q;
  assign access_o     = access_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      redirect_q  <= g80_pkg::RedirectDefault;
      resolve_q   <= g80_pkg::ResolveDefault;
      arrival_q   <= g80_pkg::ControlEventDefault;
      fault_q     <= g80_pkg::KernelFaultDefault;
      access_q    <= g80_pkg::StackAccessDefault;
      active_q    <= '0;
      fresh_q     <= '1;
      refilling_q <= '0;
      refilled_q  <= '0;
      depth_q     <= '0;
      pc_q        <= '0;
    end else begin
      redirect_q  <= redirect_d;
      resolve_q   <= resolve_d;
      arrival_q   <= arrival_d;
      fault_q     <= fault_d;
      access_q    <= access_d;
      active_q    <= active_d;
      fresh_q     <= fresh_d;
      refilling_q <= refilling_d;
      refilled_q  <= refilled_d;
      depth_q     <= depth_d;
      pc_q        <= pc_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      EntryComesToAWarpThatWaits: assert (!fill_i.valid || refilling_q[fill_i.warp]);
      StartingWarpHasNoInstruction: assert (!(start_i.valid && executes && start_i.warp == warp));
      WarpThatGoesOnPushesNothing: assert (!(executes && refilled && push));
      OneAccessForAnInstruction: assert (!(outcome.spills && outcome.waits));
    end
  end
endmodule
