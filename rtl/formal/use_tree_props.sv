// SPDX-License-Identifier: Apache-2.0
// Tree pseudo-LRU: the victim is the leaf at which a walk from the root ends, always a candidate, and never the lane
// that was used last if there is another one.
module use_tree_props #(
  parameter int unsigned Lanes = 8,  // a power of two
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input logic             clk_i,
  input logic             use_i,
  input logic [LaneW-1:0] used_i,
  input logic [Lanes-1:0] candidates_i
);
  logic [Lanes-1:1] upper_q, upper;
  logic [LaneW-1:0] victim;

  use_tree #(.Lanes(Lanes)) u_dut (
    .upper_i     (upper_q),
    .candidates_i,
    .victim_o    (victim),
    .used_i,
    .upper_o     (upper)
  );

  logic             any_q = 1'b0;
  logic [LaneW-1:0] last_q;

  always_ff @(posedge clk_i) begin : registers
    if (use_i) begin
      upper_q <= upper;
      last_q  <= used_i;
      any_q   <= 1'b1;
    end
  end

  // The walk
  logic [2*Lanes-1:1] has_candidate;  // below the node
  logic [LaneW:0]     node;
  logic               go_up;

  always_comb begin : walk
    has_candidate = '0;
    for (int l = 0; l < Lanes; l++) has_candidate[Lanes+l] = candidates_i[l];
    for (int n = Lanes - 1; n >= 1; n--) has_candidate[n] = has_candidate[2*n] || has_candidate[2*n+1];
    node  = (LaneW+1)'(1);
    go_up = 1'b0;
    for (int d = 0; d < LaneW; d++) begin
      go_up = !upper_q[node[LaneW-1:0]];
      node  = {node[LaneW-1:0], go_up};
      if (!has_candidate[node]) node[0] = !node[0];
    end
  end

  always_comb begin : properties
    VictimEndsTheWalk: assert (candidates_i == '0 || {1'b1, victim} == node);
    VictimIsACandidate: assert (candidates_i == '0 || candidates_i[victim]);
    LastUsedStays: assert (!any_q || (candidates_i & ~(Lanes'(1) << last_q)) == '0 || victim != last_q);
    NothingElseIsLeft: cover (any_q && candidates_i == Lanes'(1) << last_q && victim == last_q);
  end
endmodule
