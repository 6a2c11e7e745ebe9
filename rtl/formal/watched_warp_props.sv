// SPDX-License-Identifier: Apache-2.0
// Whichever warps may issue, and whatever the policy chooses: if it is fair, others issue PickPatience times at most in
// cycles in which the watched warp might have, and each warp is watched after the one before it.
module watched_warp_props #(
  localparam int unsigned Warps = g80_pkg::MaxWarps,
  localparam int unsigned WarpW = $clog2(Warps),
  localparam int unsigned AgeW  = $clog2(g80_pkg::PickPatience + 2)
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Warps-1:0] visible_i,
  input logic [Warps-1:0] eligible_i,
  input logic [WarpW-1:0] in_turn_i
);
  (* anyconst *) logic fair;
  (* anyconst *) logic [WarpW-1:0] one;  // any warp
  logic             picks, ends, watched;
  logic [WarpW-1:0] warp, watched_q;
  logic [AgeW-1:0]  passes, passes_q;    // since it is watched

  assign picks   = eligible_i != '0;
  assign watched = u_dut.watched_q == one;
  assign ends    = picks && (warp == one || !visible_i[one]);
  assign passes  = passes_q + AgeW'(picks && warp != one && eligible_i[one]);

  watched_warp u_dut (
    .clk_i,
    .rst_ni,
    .fair_i   (fair),
    .visible_i,
    .eligible_i,
    .picks_i  (picks),
    .in_turn_i,
    .warp_o   (warp)
  );

  logic was_one_q, ended_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      passes_q  <= '0;
      watched_q <= '0;
      was_one_q <= 1'b0;
      ended_q   <= 1'b0;
    end else begin
      passes_q  <= watched && !ends && fair ? passes : '0;
      watched_q <= u_dut.watched_q;
      was_one_q <= watched;
      ended_q   <= ends;
    end
  end

  always_comb begin : properties
    WhoMayWaits: assume ((eligible_i & ~visible_i) == '0);
    PolicyChoosesWhoMay: assume (!picks || eligible_i[in_turn_i]);
    PicksWhoMay: assert (!picks || eligible_i[warp]);
    PatienceEnds: assert (32'(passes_q) <= g80_pkg::PickPatience);
    EachIsWatched: assert (!was_one_q || u_dut.watched_q == (ended_q ? watched_q + WarpW'(1) : watched_q));
    GoesFirst: cover (32'(passes_q) == g80_pkg::PickPatience && warp == one && in_turn_i != one);
  end
endmodule
