// SPDX-License-Identifier: Apache-2.0
// Stands in for age_matrix.sv in proofs of many lanes: any candidate may be the oldest, if there is one. What the order
// is, age_matrix_props.sv and oldest_props.sv prove.
module free_age #(
  parameter int unsigned Lanes = 16,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Pairs = Lanes * (Lanes - 1) / 2
) (
  input  logic [Pairs-1:0] younger_i,
  input  logic [Lanes-1:0] candidates_i,
  output logic [LaneW-1:0] oldest_o,
  input  logic [LaneW-1:0] used_i,
  output logic [Pairs-1:0] younger_o
);
  (* anyseq *) logic [LaneW-1:0] any_lane;
  logic [LaneW-1:0] first;

  lowest_set #(.Width(Lanes)) u_first (
    .mask_i (candidates_i),
    .found_o(),
    .index_o(first)
  );
  assign oldest_o  = candidates_i[any_lane] ? any_lane : first;
  assign younger_o = '0;
endmodule
