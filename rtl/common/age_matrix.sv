// SPDX-License-Identifier: Apache-2.0
// The order in which lanes were used, as a bit for each pair of them. Which lane is the oldest of some, and what the
// bits are after one more use. Lanes that were each used once are in order, whatever the bits were before.
module age_matrix #(
  parameter int unsigned Lanes = 16,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Pairs = Lanes * (Lanes - 1) / 2
) (
  input  logic [Pairs-1:0] younger_i,     // pair (a, b), a < b, is bit b * (b - 1) / 2 + a: a was used after b
  input  logic [Lanes-1:0] candidates_i,
  output logic [LaneW-1:0] oldest_o,      // of the candidates

  input  logic [LaneW-1:0] used_i,
  output logic [Pairs-1:0] younger_o      // with this use
);
  logic [Lanes-1:0] oldest;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [Lanes-1:0] is_older;  // than the other lane, which is then no reason to keep this one

    for (genvar o = 0; o < Lanes; o++) begin : gen_other
      if (o == l) begin : gen_itself
        assign is_older[o] = 1'b1;
      end else if (l < o) begin : gen_above
        assign is_older[o] = !younger_i[o*(o-1)/2+l] || !candidates_i[o];
      end else begin : gen_below
        assign is_older[o] = younger_i[l*(l-1)/2+o] || !candidates_i[o];
      end
      if (o > l) begin : gen_pair
        assign younger_o[o*(o-1)/2+l] = used_i == LaneW'(l) ||
                                        (used_i != LaneW'(o) && younger_i[o*(o-1)/2+l]);
      end
    end
    assign oldest[l] = candidates_i[l] && (&is_older);
  end

  // Of two lanes one is the older, so at most one bit is set.
  always_comb begin : encode
    oldest_o = '0;
    for (int l = 0; l < Lanes; l++) begin
      if (oldest[l]) oldest_o = oldest_o | LaneW'(l);
    end
  end
endmodule
