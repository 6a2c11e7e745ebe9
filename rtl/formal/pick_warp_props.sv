// SPDX-License-Identifier: Apache-2.0
// Which warp issues: one whenever one may, only one that may; under loose round robin none waits for more than one
// turn of all others, under greedy then oldest the last one goes on, else the one that started first.
module pick_warp_props #(
  localparam int unsigned Warps = g80_pkg::MaxWarps,
  localparam int unsigned WarpW = $clog2(Warps),
  localparam int unsigned Pairs = Warps * (Warps - 1) / 2
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Warps-1:0] eligible_i
);
  (* anyconst *) logic [Warps-1:0][WarpW-1:0] rank;  // in the order of their starts, 0 first
  (* anyconst *) g80_pkg::scheduler_policy_e policy;
  logic [Pairs-1:0] younger;
  logic             in_order;  // every warp has its own rank
  logic [WarpW-1:0] last_q, oldest, warp;
  logic             found;

  always_comb begin : order
    in_order = 1'b1;
    younger  = '0;
    for (int b = 0; b < Warps; b++) begin
      for (int a = 0; a < b; a++) begin
        if (rank[a] == rank[b]) in_order = 1'b0;
        younger[b*(b-1)/2+a] = rank[a] > rank[b];
      end
    end
  end

  age_matrix #(.Lanes(Warps)) u_age (
    .younger_i   (younger),
    .candidates_i(eligible_i),
    .oldest_o    (oldest),
    .used_i      (warp),
    .younger_o   ()
  );
  pick_warp u_dut (
    .policy_i  (policy),
    .eligible_i,
    .last_i    (last_q),
    .oldest_i  (oldest),
    .found_o   (found),
    .warp_o    (warp)
  );

  // Any warp, and how often others issued while it could
  (* anyconst *) logic [WarpW-1:0] one;
  logic [WarpW:0] passed_over_q;

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
    EveryWarpHasItsRank: assume (in_order);
    NeverIdles: assert (found == (eligible_i != '0));
    PicksWhoMay: assert (!found || eligible_i[warp]);
    StarvesNone: assert (!round_robin || passed_over_q < (WarpW+1)'(Warps));
    LastGoesOn: assert (!goes_on || warp == last_q);
    OldestGoesFirst: assert (!found || round_robin || goes_on || !eligible_i[one] || rank[warp] <= rank[one]);
    WaitsForAllOthers: cover (round_robin && passed_over_q == (WarpW+1)'(Warps - 1) && found && warp == one);
    OldestOvertakes: cover (found && !round_robin && !goes_on && warp == one && (&eligible_i) && one > last_q);
  end
endmodule
