// SPDX-License-Identifier: Apache-2.0
// The lanes of a warp under any sequence of branches, joins, calls, loops and exits: the sides of a branch partition
// its lanes, no lane is lost, and a join has all lanes again that came to it. Without quad mode, which sets lanes to
// run that have ended, and up to the first fault, which ends the grid.
module warp_control_props #(
  localparam int unsigned Lanes  = g80_pkg::WarpSize,
  localparam int unsigned LaneW  = $clog2(Lanes),
  localparam int unsigned Places = g80_pkg::MaxSmStackOnChip,
  localparam int unsigned PlaceW = $clog2(Places),
  localparam int unsigned CountW = $clog2(Places + 1),
  localparam int unsigned DepthW = $clog2(g80_pkg::MaxStackDepth + 1),
  localparam int unsigned EntryW = g80_pkg::StackEntryWidth
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic [Lanes-1:0]      start_i,  // lanes of the warp, at a reset
  input g80_pkg::instruction_t insn_i,
  input logic [Lanes-1:0]      condition_i,
  input logic                  taken_first_i,
  input logic                  track_i
);
  logic [Lanes-1:0]              active, active_q, taken;
  g80_pkg::control_state_t       state, state_q, former;
  logic [Places-1:0][EntryW-1:0] entry_q;
  logic                          push;
  logic [PlaceW-1:0]             push_place;
  g80_pkg::stack_entry_t         pushed;
  g80_pkg::control_outcome_t     outcome;
  logic                          fresh_q, ended_q, fault_q;

  always_comb begin : read_state
    former = state_q;
    if (fresh_q) former.runnable = active_q;
  end
  assign taken = condition_i & active_q;

  warp_control u_dut (
    .insn_i,
    .pc_i           (24'd0),
    .taken_i        (taken),
    .taken_first_i,
    .on_chip_limit_i(CountW'(Places)),
    .depth_limit_i  (DepthW'(Places)),
    .calls_limit_i  ((DepthW+1)'(Places)),
    .active_i       (active_q),
    .state_i        (former),
    .entry_i        (entry_q),
    .active_o       (active),
    .state_o        (state),
    .push_o         (push),
    .push_place_o   (push_place),
    .pushed_o       (pushed),
    .outcome_o      (outcome)
  );

  // Any lane, and any two entries. The chosen join: its lanes, and its place.
  (* anyconst *) logic [LaneW-1:0]  lane;
  (* anyconst *) logic [PlaceW-1:0] lower, upper;
  g80_pkg::stack_entry_t low, high;
  logic                  fault, tracked_q, meets;
  logic [Lanes-1:0]      joined_q;
  logic [CountW-1:0]     place_q;

  assign low   = entry_q[lower];
  assign high  = entry_q[upper];
  assign fault = outcome.fault != g80_pkg::FaultNone;

  // A join with the chosen entry on top, which at least one of its lanes has reached
  logic joins;
  assign joins = insn_i.op == g80_pkg::OpNop && insn_i.join_ && !insn_i.exit;
  assign meets = tracked_q && joins && CountW'(state_q.count) == place_q + CountW'(1) && !fault &&
                 (joined_q & former.runnable) != '0;

  // Entries that hold the lane, and entries at which the sides of a branch meet
  logic [Places-1:0] holds, is_join;

  for (genvar p = 0; p < Places; p++) begin : gen_place
    g80_pkg::stack_entry_t its;
    assign its        = entry_q[p];
    assign holds[p]   = CountW'(p) < CountW'(state_q.count) && its.mask[lane];
    assign is_join[p] = CountW'(p) < CountW'(state_q.count) && its.type_ != g80_pkg::StackEntryTypeBranch;
  end

  always_ff @(posedge clk_i) begin : registers
    if (!rst_ni) begin
      active_q  <= start_i;
      state_q   <= g80_pkg::ControlStateDefault;
      fresh_q   <= 1'b1;
      ended_q   <= 1'b0;
      fault_q   <= 1'b0;
      tracked_q <= 1'b0;
    end else if (!ended_q && !fault_q) begin
      active_q <= active;
      state_q  <= state;
      fresh_q  <= 1'b0;
      ended_q  <= outcome.ended;
      fault_q  <= fault;
      if (push) entry_q[push_place] <= pushed;
      if (push && track_i && !tracked_q && pushed.type_ == g80_pkg::StackEntryTypeJoinat) begin
        tracked_q <= 1'b1;
        joined_q  <= active_q;
        place_q   <= CountW'(state_q.count);
      end else if (CountW'(state.count) <= place_q) begin
        tracked_q <= 1'b0;
      end
    end
  end

  logic runs, has_low, has_both;
  assign runs     = rst_ni && !ended_q && !fault_q;
  assign has_low  = CountW'(lower) < CountW'(state_q.count);  // the ring begins at place 0
  assign has_both = lower < upper && CountW'(upper) < CountW'(state_q.count);

  always_comb begin : properties
    WarpHasLanes: assume (start_i != '0);
    NoQuads: assume (insn_i.op != g80_pkg::OpQuadon && insn_i.op != g80_pkg::OpQuadpop);
    BranchHasAJoin: assume (!outcome.diverged || is_join != '0);
    SidesPartitionTheLanes: assert (!(runs && outcome.diverged && !fault) ||
                                    ((active & pushed.mask[Lanes-1:0]) == '0 &&
                                     (active | pushed.mask[Lanes-1:0]) == active_q));
    ActiveLanesHaveNotEnded: assert (!runs || !active_q[lane] || former.runnable[lane]);
    WarpHasAnActiveLane: assert (!runs || active_q != '0);
    NoLaneIsLost: assert (!runs || !former.runnable[lane] || active_q[lane] || holds != '0);
    BreakIsWaitedFor: assert (!runs || !state_q.broke[lane] || !former.runnable[lane]);
    SideThatWaitsIsApart: assert (!(runs && has_low) || low.type_ != g80_pkg::StackEntryTypeBranch ||
                                  !(low.mask[lane] && active_q[lane]));
    SidesStayApart: assert (!(runs && has_both) || low.type_ != g80_pkg::StackEntryTypeBranch ||
                            !(low.mask[lane] && high.mask[lane]));
    JoinHoldsAllAbove: assert (!(runs && has_both) || low.type_ == g80_pkg::StackEntryTypeBranch ||
                               low.mask[lane] || !high.mask[lane]);
    JoinHasItsLanesAgain: assert (!(runs && meets) || active[lane] == (joined_q[lane] && former.runnable[lane]));
    JoinsAfterBothSides: cover (runs && meets && joined_q == start_i && start_i == '1 && active == '1 &&
                                active_q != '1);
  end
endmodule
