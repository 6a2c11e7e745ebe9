// SPDX-License-Identifier: Apache-2.0
// Part of warp_scheduler: one warp at a time is watched until it has issued. If PickPatience others have issued in
// cycles in which it might have, it goes first.
module watched_warp #(
  localparam int unsigned Warps = g80_pkg::MaxWarps,
  localparam int unsigned WarpW = $clog2(Warps),
  localparam int unsigned AgeW  = $clog2(g80_pkg::PickPatience + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             fair_i,      // the policy
  input  logic [Warps-1:0] visible_i,   // wait to issue
  input  logic [Warps-1:0] eligible_i,  // might issue now
  input  logic             picks_i,
  input  logic [WarpW-1:0] in_turn_i,   // the choice of the policy
  output logic [WarpW-1:0] warp_o
);
  logic [WarpW-1:0] watched_d, watched_q;
  logic [AgeW-1:0]  passed_over_d, passed_over_q;  // PickPatience or more
  logic             overdue;

  assign overdue = passed_over_q == AgeW'(g80_pkg::PickPatience);
  assign warp_o  = fair_i && overdue && eligible_i[watched_q] ? watched_q : in_turn_i;

  always_comb begin : next_watched
    watched_d     = watched_q;
    passed_over_d = passed_over_q;
    if (picks_i && (warp_o == watched_q || !visible_i[watched_q])) begin
      watched_d     = watched_q + WarpW'(1);
      passed_over_d = '0;
    end else if (picks_i && eligible_i[watched_q] && !overdue) begin
      passed_over_d = passed_over_q + AgeW'(1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      watched_q     <= '0;
      passed_over_q <= '0;
    end else begin
      watched_q     <= watched_d;
      passed_over_q <= passed_over_d;
    end
  end
endmodule
