// SPDX-License-Identifier: Apache-2.0
// Round robin: of those that want, the first behind `last_i`, else the first of all.
module round_robin #(
  parameter int unsigned Width = 32,
  localparam int unsigned IndexW = $clog2(Width)
) (
  input  logic [Width-1:0]  wanting_i,
  input  logic [IndexW-1:0] last_i,
  output logic              found_o,
  output logic [IndexW-1:0] index_o
);
  logic [Width-1:0]  behind;
  logic              found_behind;
  logic [IndexW-1:0] index_behind, index_first;

  always_comb begin : find_behind
    for (int i = 0; i < Width; i++) behind[i] = wanting_i[i] && IndexW'(i) > last_i;
  end

  lowest_set #(.Width(Width)) u_behind (
    .mask_i (behind),
    .found_o(found_behind),
    .index_o(index_behind)
  );
  lowest_set #(.Width(Width)) u_first (
    .mask_i (wanting_i),
    .found_o(found_o),
    .index_o(index_first)
  );

  assign index_o = found_behind ? index_behind : index_first;
endmodule
