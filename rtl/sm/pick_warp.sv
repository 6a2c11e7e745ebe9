// SPDX-License-Identifier: Apache-2.0
// The warp that issues, of those that may. This is where the issuing warp is decided.
module pick_warp #(
  localparam int unsigned Warps = g80_pkg::MaxWarps,
  localparam int unsigned WarpW = $clog2(Warps)
) (
  input  g80_pkg::scheduler_policy_e policy_i,
  input  logic [Warps-1:0]           eligible_i,  // may issue now
  input  logic [WarpW-1:0]           last_i,      // issued last
  input  logic [WarpW-1:0]           oldest_i,    // of the eligible ones, in the order of their starts
  output logic                       found_o,
  output logic [WarpW-1:0]           warp_o
);
  logic [WarpW-1:0] next;

  round_robin #(.Width(Warps)) u_next (
    .wanting_i(eligible_i),
    .last_i,
    .found_o,
    .index_o  (next)
  );

  always_comb begin : choose
    case (policy_i)
      g80_pkg::PolicyLooseRoundRobin:  warp_o = next;
      g80_pkg::PolicyGreedyThenOldest: warp_o = eligible_i[last_i] ? last_i : oldest_i;
      default:                         warp_o = oldest_i;
    endcase
  end
endmodule
