// SPDX-License-Identifier: Apache-2.0
// A warp issues in every cycle in which one may, and only one that may: its instruction was ready, a collector unit was
// free, and so was a unit that takes it. What is busy follows from the picks of the cycles before alone. Under loose
// round robin, of warps that want the port only, none waits for more than one turn of all others, but for one that goes
// first. watched_warp_props.sv has the others.
module warp_scheduler_props #(
  localparam int unsigned Warps      = g80_pkg::MaxWarps,
  localparam int unsigned WarpW      = $clog2(Warps),
  localparam int unsigned CollectorW = $clog2(g80_pkg::MaxSmCollectorUnits + 1),
  localparam int unsigned LoadW      = $clog2(g80_pkg::MaxSmLoadTableEntries + 1),
  localparam int unsigned UnitW      = $clog2(g80_pkg::WarpSize + 1),
  localparam int unsigned ControlW   = $clog2(g80_pkg::MaxSmControlCycles + 1),
  localparam int unsigned ReplayW    = $clog2(g80_pkg::MaxSmReplayCycles + 1),
  localparam int unsigned SharedW    = $clog2(g80_pkg::MaxSmSharedOperandCycles + 1),
  localparam int unsigned PortW      = 16
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input g80_pkg::redirect_t   start_i,
  input g80_pkg::warp_ready_t ready_i,
  input g80_pkg::credits_t    credit_i,
  input logic                 replay_i
);
  (* anyconst *) g80_pkg::scheduler_policy_e policy;
  (* anyconst *) logic [CollectorW-1:0] collector_units, memory_units;
  (* anyconst *) logic [LoadW-1:0]      load_entries;
  (* anyconst *) logic [UnitW-1:0]      sfu_cycles, multiply_cycles, dp_cycles;
  (* anyconst *) logic [ControlW-1:0]   control_cycles;
  (* anyconst *) logic [ReplayW-1:0]    replay_cycles;
  (* anyconst *) logic [SharedW-1:0]    shared_cycles;
  g80_pkg::pick_t pick;

  warp_scheduler u_dut (
    .clk_i,
    .rst_ni,
    .cfg_policy_i         (policy),
    .cfg_collector_units_i(collector_units),
    .cfg_memory_units_i   (memory_units),
    .cfg_load_entries_i   (load_entries),
    .cfg_sfu_cycles_i     (sfu_cycles),
    .cfg_multiply_cycles_i(multiply_cycles),
    .cfg_dp_cycles_i      (dp_cycles),
    .cfg_control_cycles_i (control_cycles),
    .cfg_replay_cycles_i  (replay_cycles),
    .cfg_shared_cycles_i  (shared_cycles),
    .start_i,
    .ready_i,
    .collector_credit_i   (credit_i),
    .memory_credit_i      (credit_i),
    .load_credit_i        (credit_i),
    .replay_i,
    .pick_o               (pick)
  );

  // The instruction that was picked in the cycle before, and the unit that takes it
  g80_pkg::warp_ready_t before_q;  // ready_i of that cycle
  logic                 replay_q;
  logic [WarpW-1:0]     picked;
  logic                 to_sfus, to_multipliers, to_dp, to_control, to_port;

  assign picked         = pick.warp[WarpW-1:0];
  assign to_sfus        = pick.valid && before_q.sfu[picked];
  assign to_multipliers = pick.valid && pick.to_multipliers && !to_sfus;
  assign to_dp          = pick.valid && before_q.dp[picked] && !to_sfus && !to_multipliers;
  assign to_control     = pick.valid && before_q.control[picked] && !to_sfus && !to_multipliers && !to_dp;
  assign to_port        = pick.valid && !to_sfus && !to_multipliers && !to_dp && !to_control;

  // Shader cycles until each takes another one: two fewer than in the cycle before
  logic [PortW-1:0]    port, port_q, port_sum;
  logic [UnitW-1:0]    sfus, sfus_q, sfus_sum, dp, dp_q, dp_sum;
  logic [ControlW-1:0] control, control_q, control_sum;
  logic [SharedW:0]    shared, shared_q, shared_sum;

  assign port_sum    = (to_port ? PortW'(g80_pkg::SpOccupancy) : port_q) + (replay_q ? PortW'(replay_cycles) : '0);
  assign sfus_sum    = to_sfus ? sfu_cycles : to_multipliers ? multiply_cycles : sfus_q;
  assign dp_sum      = to_dp ? dp_cycles : dp_q;
  assign control_sum = to_control ? control_cycles : control_q;
  assign shared_sum  = shared_q + (to_port && before_q.shared[picked] ? (SharedW+1)'(shared_cycles) : '0);
  assign port        = port_sum < PortW'(2) ? '0 : port_sum - PortW'(2);
  assign sfus        = sfus_sum < UnitW'(2) ? '0 : sfus_sum - UnitW'(2);
  assign dp          = dp_sum < UnitW'(2) ? '0 : dp_sum - UnitW'(2);
  assign control     = control_sum < ControlW'(2) ? '0 : control_sum - ControlW'(2);
  assign shared      = shared_sum < (SharedW+1)'(2) ? '0 : shared_sum - (SharedW+1)'(2);

  // Places in use: picked so far, less those given back
  logic [7:0] collectors, collectors_q, memories, memories_q, loads, loads_q, wides, wides_q;

  assign collectors = collectors_q + 8'(pick.valid);
  assign memories   = memories_q + 8'(pick.valid && (before_q.memory[picked] || before_q.texture[picked]));
  assign loads      = loads_q + 8'(pick.valid && before_q.load[picked]);
  assign wides      = wides_q + 8'(pick.valid && before_q.wide[picked]);

  // Any warp: whether it may issue in this cycle
  (* anyconst *) logic [WarpW-1:0] one;
  logic is_ready, for_port, wide_waits, blocked, may, may_q;

  assign is_ready = ready_i.ready[one] && !(pick.valid && picked == one);
  assign for_port = !(ready_i.sfu[one] || ready_i.dp[one] || ready_i.control[one]);
  assign wide_waits = ready_i.wide[one] && wides != credit_i.wide;
  assign blocked  = wide_waits ||
                    ((ready_i.memory[one] || ready_i.texture[one]) && memories - credit_i.memory >= 8'(memory_units)) ||
                    (ready_i.load[one] && loads - credit_i.load >= 8'(load_entries)) ||
                    (ready_i.shared[one] && shared > (SharedW+1)'(shared_cycles));

  always_comb begin : find_unit
    may = 1'b0;
    if (for_port && !blocked && port == '0) may = 1'b1;
    if ((ready_i.sfu[one] || ready_i.multiply[one]) && sfus == '0) may = 1'b1;
    if (ready_i.dp[one] && dp == '0 && !wide_waits) may = 1'b1;
    if (ready_i.control[one] && control == '0) may = 1'b1;
    if (!is_ready || collectors - credit_i.collector >= 8'(collector_units)) may = 1'b0;
  end

  // How often others issued while it was ready and all that was ready wanted the port only, and how many others come
  // before it in the turn: together never more than all others, which each pick leaves true
  logic             port_only, waits, waits_q;
  logic [WarpW:0]   passed_over_q, passed_over;
  logic [WarpW-1:0] last_q, last, before_it;
  logic             goes_first_q;

  assign last        = pick.valid ? picked : last_q;
  assign before_it   = one - last - WarpW'(1);  // at the sizes of the proofs, which are powers of two
  assign port_only   = (ready_i.ready & (ready_i.sfu | ready_i.dp | ready_i.control | ready_i.multiply)) == '0;
  assign waits       = is_ready && port_only && !blocked;
  assign passed_over = !waits_q || goes_first_q || (pick.valid && picked == one) ? '0
                       : passed_over_q + (WarpW+1)'(pick.valid);

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      before_q      <= '0;
      replay_q      <= 1'b0;
      port_q        <= '0;
      sfus_q        <= '0;
      dp_q          <= '0;
      control_q     <= '0;
      shared_q      <= '0;
      collectors_q  <= '0;
      memories_q    <= '0;
      loads_q       <= '0;
      wides_q       <= '0;
      may_q         <= 1'b0;
      waits_q       <= 1'b0;
      passed_over_q <= '0;
      last_q        <= '0;
      goes_first_q  <= 1'b0;
    end else begin
      before_q      <= ready_i;
      replay_q      <= replay_i;
      port_q        <= port;
      sfus_q        <= sfus;
      dp_q          <= dp;
      control_q     <= control;
      shared_q      <= shared;
      collectors_q  <= collectors;
      memories_q    <= memories;
      loads_q       <= loads;
      wides_q       <= wides;
      may_q         <= may;
      waits_q       <= waits;
      passed_over_q <= passed_over;
      last_q        <= last;
      goes_first_q  <= u_dut.warp != u_dut.in_turn;
    end
  end

  // An instruction is for one unit; only the SPs' can go to the multipliers
  logic [31:0] units, twice;
  assign units = ready_i.sp | ready_i.sfu | ready_i.dp | ready_i.control | ready_i.memory | ready_i.texture;
  assign twice = (ready_i.sfu & (ready_i.dp | ready_i.control)) | (ready_i.dp & ready_i.control) |
                 (ready_i.multiply & ~ready_i.sp) | (ready_i.sp & (ready_i.sfu | ready_i.dp | ready_i.control));

  logic round_robin;
  assign round_robin = policy == g80_pkg::PolicyLooseRoundRobin;

  always_comb begin : properties
    ReadyIsForAUnit: assume ((ready_i.ready & ~units) == '0 && twice == '0);
    StartedWarpExists: assume (start_i.warp < Warps);
    NeverIdles: assert (!may_q || pick.valid);
    PicksWhoMay: assert (!(pick.valid && picked == one) || may_q);
    OnlyMultipliesGoToTheSfus: assert (!to_multipliers || before_q.multiply[picked]);
    StarvesNone: assert (!round_robin || passed_over + {1'b0, before_it} < (WarpW+1)'(Warps));
    WaitsForAllOthers: cover (round_robin && passed_over_q == (WarpW+1)'(Warps - 1) && pick.valid && picked == one);
    MultipliesBesideThePort: cover (to_multipliers && port > PortW'(2) && multiply_cycles > UnitW'(2) && dp != '0);
  end
endmodule
