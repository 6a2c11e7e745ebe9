// SPDX-License-Identifier: Apache-2.0
// The order in which lanes were used: of two, the one used last is younger, and no three lanes are in a circle, so it
// is an order of all. That the oldest of some is found in every order is proven in oldest_props.sv.
module age_matrix_props #(
  parameter int unsigned Lanes = 8,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Pairs = Lanes * (Lanes - 1) / 2
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Lanes-1:0] candidates_i,
  input logic             uses_i,
  input logic [LaneW-1:0] used_i
);
  logic [Pairs-1:0]            younger_q, younger;
  logic [LaneW-1:0]            oldest;
  logic [Lanes-1:0][Lanes-1:0] after;  // [a][b]: a was used after b

  age_matrix #(.Lanes(Lanes)) u_dut (
    .younger_i   (younger_q),
    .candidates_i,
    .oldest_o    (oldest),
    .used_i,
    .younger_o   (younger)
  );
  for (genvar a = 0; a < Lanes; a++) begin : gen_lane
    for (genvar b = 0; b < Lanes; b++) begin : gen_other
      if (a < b) assign after[a][b] = younger_q[b*(b-1)/2+a];
      else if (a > b) assign after[a][b] = !younger_q[a*(a-1)/2+b];
      else assign after[a][b] = 1'b0;
    end
  end

  // Any three lanes, and what the first two were used for
  (* anyconst *) logic [LaneW-1:0] one, two, three;
  logic known_q, one_is_younger_q;  // one of them was used

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      younger_q        <= '0;
      known_q          <= 1'b0;
      one_is_younger_q <= 1'b0;
    end else if (uses_i) begin
      younger_q <= younger;
      if (used_i == one || used_i == two) begin
        known_q          <= 1'b1;
        one_is_younger_q <= used_i == one;
      end
    end
  end

  always_comb begin : properties
    LastUsedIsYounger: assert (!known_q || one == two || after[one][two] == one_is_younger_q);
    NoThreeInACircle: assert (!(after[one][two] && after[two][three] && after[three][one]));
    OldestOfMany: cover (&candidates_i && known_q && oldest == two && one_is_younger_q && two != '0);
  end
endmodule
