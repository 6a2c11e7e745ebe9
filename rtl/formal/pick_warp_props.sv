// SPDX-License-Identifier: Apache-2.0
// Which warp issues: one whenever one may, only one that may; under loose round robin none waits for more than one
// turn of all others, under greedy then oldest the last one goes on, else the one that started first issues. That
// age_matrix.sv knows which this is, age_matrix_props.sv and oldest_props.sv prove.
module pick_warp_props #(
  localparam int unsigned Warps = g80_pkg::MaxWarps,
  localparam int unsigned WarpW = $clog2(Warps)
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Warps-1:0] eligible_i,
  input logic [WarpW-1:0] oldest_i
);
  (* anyconst *) g80_pkg::scheduler_policy_e policy;
  logic [WarpW-1:0] last_q, warp;
  logic             found;

  pick_warp u_dut (
    .policy_i  (policy),
    .eligible_i,
    .last_i    (last_q),
    .oldest_i,
    .found_o   (found),
    .warp_o    (warp)
  );

  // Any warp, how often others issued while it could, and how many come before it in the turn
  (* anyconst *) logic [WarpW-1:0] one;
  logic [WarpW:0]   passed_over_q;
  logic [WarpW-1:0] before_it;

  assign before_it = one - last_q - WarpW'(1);  // at the sizes of the proofs, which are powers of two

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      last_q        <= '0;
      passed_over_q <= '0;
    end else if (found) begin
      last_q        <= warp;
      passed_over_q <= eligible_i[one] && warp != one ? passed_over_q + (WarpW+1)'(1) : '0;
    end
  end

  logic round_robin, goes_on;
  assign round_robin = policy == g80_pkg::PolicyLooseRoundRobin;
  assign goes_on     = policy == g80_pkg::PolicyGreedyThenOldest && eligible_i[last_q];

  always_comb begin : properties
    OldestMay: assume (eligible_i == '0 || eligible_i[oldest_i]);
    NeverIdles: assert (found == (eligible_i != '0));
    PicksWhoMay: assert (!found || eligible_i[warp]);
    StarvesNone: assert (!round_robin || passed_over_q + {1'b0, before_it} < (WarpW+1)'(Warps));
    LastGoesOn: assert (!goes_on || warp == last_q);
    OldestGoesFirst: assert (!found || round_robin || goes_on || warp == oldest_i);
    WaitsForAllOthers: cover (round_robin && passed_over_q == (WarpW+1)'(Warps - 1) && found && warp == one);
    OldestOvertakes: cover (found && !round_robin && !goes_on && warp == one && (&eligible_i) && one > last_q);
  end
endmodule
