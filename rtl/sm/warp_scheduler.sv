// SPDX-License-Identifier: Apache-2.0
// Picks the warp that issues in each scheduler cycle (two shader cycles), or reports why none can.
// Twin of hw/sm/warp_scheduler.h, equal to it at every clock edge.
module warp_scheduler #(
  localparam int unsigned CollectorW = $clog2(g80_pkg::MaxSmCollectorUnits + 1),
  localparam int unsigned LoadW      = $clog2(g80_pkg::MaxSmLoadTableEntries + 1),
  localparam int unsigned UnitW      = $clog2(g80_pkg::WarpSize + 1),
  localparam int unsigned ControlW   = $clog2(g80_pkg::MaxSmControlCycles + 1),
  localparam int unsigned ReplayW    = $clog2(g80_pkg::MaxSmReplayCycles + 1),
  localparam int unsigned SharedW    = $clog2(g80_pkg::MaxSmSharedOperandCycles + 1)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // Straps
  input  g80_pkg::scheduler_policy_e cfg_policy_i,
  input  logic [CollectorW-1:0]      cfg_collector_units_i,
  input  logic [CollectorW-1:0]      cfg_memory_units_i,     // collector units that memory instructions may use
  input  logic [LoadW-1:0]           cfg_load_entries_i,
  input  logic [UnitW-1:0]           cfg_sfu_cycles_i,       // shader cycles that an instruction occupies the SFUs
  input  logic [UnitW-1:0]           cfg_multiply_cycles_i,  // ... the SFUs, if it is an fp32 multiply
  input  logic [UnitW-1:0]           cfg_dp_cycles_i,        // ... the fp64 unit
  input  logic [ControlW-1:0]        cfg_control_cycles_i,   // ... the control unit
  input  logic [ReplayW-1:0]         cfg_replay_cycles_i,    // ... the port, for each further pass of a bank conflict
  input  logic [SharedW-1:0]         cfg_shared_cycles_i,    // ... the port of s[] operands

  // From cta_launcher: ages follow the order of warp starts
  input  g80_pkg::redirect_t         start_i,

  // From scoreboard
  input  g80_pkg::warp_ready_t       ready_i,

  // From operand_collector, address_unit and load_table
  input  g80_pkg::credits_t          collector_credit_i,
  input  g80_pkg::credits_t          memory_credit_i,
  input  g80_pkg::credits_t          load_credit_i,

  // From bank_conflict: this pass is not the last of its request
  input  logic                       replay_i,

  // To instruction_buffer and scoreboard
  output g80_pkg::pick_t             pick_o
);
  localparam int unsigned Warps = g80_pkg::MaxWarps;
  localparam int unsigned WarpW = $clog2(Warps);
  localparam int unsigned Pairs = Warps * (Warps - 1) / 2;
  localparam int unsigned PortW = 16;
  localparam int unsigned WorkW = SharedW + 1;  // of the instruction that the port serves, and of one that waits

  // Registers
  g80_pkg::pick_t   pick_d, pick_q;
  logic [Warps-1:0] hidden_d, hidden_q;    // the last pick: the scoreboard does not know it yet
  logic [WarpW-1:0] last_d, last_q;        // issued last
  logic [Pairs-1:0] younger_d, younger_q;  // order of the warp starts, as in age_matrix.sv
  // Shader cycles until each takes an instruction
  logic [PortW-1:0]    port_wait_d, port_wait_q;
  logic [UnitW-1:0]    sfu_wait_d, sfu_wait_q;
  logic [UnitW-1:0]    dp_wait_d, dp_wait_q;
  logic [ControlW-1:0] control_wait_d, control_wait_q;
  logic [WorkW-1:0]    shared_work_d, shared_work_q;  // in which the port of s[] operands serves what was picked

  // What has places
  logic collector_free, memory_free, load_free, wide_free;
  logic picks, to_memory, to_load, to_wide;

  credit_count u_collector (
    .clk_i,
    .rst_ni,
    .cfg_places_i(8'(cfg_collector_units_i)),
    .credit_i    (collector_credit_i.collector),
    .take_i      (picks),
    .free_o      (collector_free)
  );
  credit_count u_memory (
    .clk_i,
    .rst_ni,
    .cfg_places_i(8'(cfg_memory_units_i)),
    .credit_i    (memory_credit_i.memory),
    .take_i      (to_memory),
    .free_o      (memory_free)
  );
  credit_count u_load (
    .clk_i,
    .rst_ni,
    .cfg_places_i(8'(cfg_load_entries_i)),
    .credit_i    (load_credit_i.load),
    .take_i      (to_load),
    .free_o      (load_free)
  );
  credit_count u_wide (
    .clk_i,
    .rst_ni,
    .cfg_places_i(8'd1),
    .credit_i    (collector_credit_i.wide),
    .take_i      (to_wide),
    .free_o      (wide_free)
  );

  // The warps that may issue
  logic [Warps-1:0] visible, memory_class, wide_blocked, for_port, queue_blocked, unblocked;
  logic [Warps-1:0] on_port, on_sfus, on_dp, on_control, for_multipliers;
  logic [Warps-1:0] eligible;

  assign visible       = ready_i.ready & ~hidden_q;
  assign memory_class  = ready_i.memory | ready_i.texture;
  assign wide_blocked  = wide_free ? '0 : ready_i.wide;
  assign for_port      = visible & ~(ready_i.sfu | ready_i.dp | ready_i.control);
  assign queue_blocked = ((memory_free ? '0 : memory_class) | (load_free ? '0 : ready_i.load) | wide_blocked) &
                         for_port;
  // One instruction with an operand from s[] may wait for the one before.
  assign unblocked     = for_port & ~queue_blocked &
                         ~(shared_work_q > WorkW'(cfg_shared_cycles_i) ? ready_i.shared : '0);

  always_comb begin : use_port
    on_port = unblocked;
    if ((unblocked & ~ready_i.multiply) != '0) on_port = unblocked & ~ready_i.multiply;  // it can go to the SFUs
    if (port_wait_q != '0) on_port = '0;
  end

  assign on_sfus         = sfu_wait_q == '0 ? visible & (ready_i.sfu | ready_i.multiply) : '0;
  assign on_dp           = dp_wait_q == '0 ? visible & ready_i.dp & ~wide_blocked : '0;
  assign on_control      = control_wait_q == '0 ? visible & ready_i.control : '0;
  assign for_multipliers = ready_i.multiply & ~on_port;
  assign eligible        = collector_free ? on_port | on_sfus | on_dp | on_control : '0;

  // The pick
  logic [WarpW-1:0]       oldest, in_turn, warp;
  logic [Pairs-1:0]       younger_after_start;
  g80_pkg::stall_reason_e reason;

  age_matrix #(.Lanes(Warps)) u_age (
    .younger_i   (younger_q),
    .candidates_i(eligible),
    .oldest_o    (oldest),
    .used_i      (start_i.warp),
    .younger_o   (younger_after_start)
  );
  pick_warp u_pick (
    .policy_i  (cfg_policy_i),
    .eligible_i(eligible),
    .last_i    (last_q),
    .oldest_i  (oldest),
    .found_o   (picks),
    .warp_o    (in_turn)
  );

  watched_warp u_watched (
    .clk_i,
    .rst_ni,
    .fair_i    (cfg_policy_i == g80_pkg::PolicyLooseRoundRobin),
    .visible_i (visible),
    .eligible_i(eligible),
    .picks_i   (picks),
    .in_turn_i (in_turn),
    .warp_o    (warp)
  );
  stall_reason u_stall (
    .ready_i,
    .hidden_i       (hidden_q),
    .queue_blocked_i(visible != '0 && visible == queue_blocked),
    .reason_o       (reason)
  );

  always_comb begin : next_pick
    pick_d       = g80_pkg::PickDefault;
    pick_d.stall = reason;
    if (picks) begin
      pick_d.valid          = 1'b1;
      pick_d.warp           = warp;
      pick_d.to_multipliers = (hidden_d & for_multipliers) != '0;
      pick_d.stall          = g80_pkg::StallIssued;
    end
  end

  assign hidden_d  = picks ? Warps'(1) << warp : '0;
  assign last_d    = picks ? warp : last_q;
  assign younger_d = start_i.valid ? younger_after_start : younger_q;
  assign to_memory = (hidden_d & memory_class) != '0;
  assign to_load   = (hidden_d & ready_i.load) != '0;
  assign to_wide   = (hidden_d & ready_i.wide) != '0;

  // The unit that it takes, by its bit: an index would choose one of 24 for each question. What is left of each wait is
  // counted for both cases, before the pick is known.
  logic                to_sfus, to_multipliers, to_dp, to_control, to_port, to_shared;
  logic [PortW-1:0]    replayed, port_taken, port_kept, port_left, port_wait_left;
  logic [UnitW-1:0]    sfu_left, multiply_left, sfu_wait_left, dp_left, dp_wait_left;
  logic [ControlW-1:0] control_left, control_wait_left;
  logic [WorkW-1:0]    shared_taken, shared_left, shared_work_left;

  assign to_sfus        = (hidden_d & ready_i.sfu) != '0;
  assign to_multipliers = (hidden_d & ~ready_i.sfu & for_multipliers) != '0;
  assign to_dp          = (hidden_d & ~ready_i.sfu & ~for_multipliers & ready_i.dp) != '0;
  assign to_control     = (hidden_d & ~ready_i.sfu & ~for_multipliers & ~ready_i.dp & ready_i.control) != '0;
  assign to_port        = (hidden_d & on_port) != '0;
  assign to_shared      = (hidden_d & on_port & ready_i.shared) != '0;
  assign replayed       = replay_i ? PortW'(cfg_replay_cycles_i) : '0;
  assign port_taken     = PortW'(g80_pkg::SpOccupancy) + replayed;
  assign port_kept      = port_wait_q + replayed;
  assign shared_taken   = shared_work_q + WorkW'(cfg_shared_cycles_i);

  count_down #(.Width(PortW))    u_port_taken    (.cycles_i(port_taken),             .left_o(port_left));
  count_down #(.Width(PortW))    u_port_kept     (.cycles_i(port_kept),              .left_o(port_wait_left));
  count_down #(.Width(UnitW))    u_sfu_taken     (.cycles_i(cfg_sfu_cycles_i),       .left_o(sfu_left));
  count_down #(.Width(UnitW))    u_multiply      (.cycles_i(cfg_multiply_cycles_i),  .left_o(multiply_left));
  count_down #(.Width(UnitW))    u_sfu_kept      (.cycles_i(sfu_wait_q),             .left_o(sfu_wait_left));
  count_down #(.Width(UnitW))    u_dp_taken      (.cycles_i(cfg_dp_cycles_i),        .left_o(dp_left));
  count_down #(.Width(UnitW))    u_dp_kept       (.cycles_i(dp_wait_q),              .left_o(dp_wait_left));
  count_down #(.Width(ControlW)) u_control_taken (.cycles_i(cfg_control_cycles_i),   .left_o(control_left));
  count_down #(.Width(ControlW)) u_control_kept  (.cycles_i(control_wait_q),         .left_o(control_wait_left));
  count_down #(.Width(WorkW))    u_shared_taken  (.cycles_i(shared_taken),           .left_o(shared_left));
  count_down #(.Width(WorkW))    u_shared_kept   (.cycles_i(shared_work_q),          .left_o(shared_work_left));

  assign port_wait_d    = to_port ? port_left : port_wait_left;
  assign sfu_wait_d     = to_sfus ? sfu_left : to_multipliers ? multiply_left : sfu_wait_left;
  assign dp_wait_d      = to_dp ? dp_left : dp_wait_left;
  assign control_wait_d = to_control ? control_left : control_wait_left;
  assign shared_work_d  = to_shared ? shared_left : shared_work_left;

  assign pick_o = pick_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      pick_q         <= g80_pkg::PickDefault;
      hidden_q       <= '0;
      last_q         <= '0;
      younger_q      <= '0;
      port_wait_q    <= '0;
      sfu_wait_q     <= '0;
      dp_wait_q      <= '0;
      control_wait_q <= '0;
      shared_work_q  <= '0;
    end else begin
      pick_q         <= pick_d;
      hidden_q       <= hidden_d;
      last_q         <= last_d;
      younger_q      <= younger_d;
      port_wait_q    <= port_wait_d;
      sfu_wait_q     <= sfu_wait_d;
      dp_wait_q      <= dp_wait_d;
      control_wait_q <= control_wait_d;
      shared_work_q  <= shared_work_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      IssuedIsNoStall: assert (pick_q.valid == (pick_q.stall == g80_pkg::StallIssued));
      PickIsHiddenOneCycle: assert (hidden_q == (pick_q.valid ? Warps'(1) << pick_q.warp : '0));
      NeverPicksTwiceInARow: assert ((eligible & hidden_q) == '0);
      PolicyIsKnown: assert (cfg_policy_i <= g80_pkg::PolicyGreedyThenOldest);
      PortWaitFits: assert (port_kept >= port_wait_q);
    end
  end
endmodule
