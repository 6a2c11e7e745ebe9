// SPDX-License-Identifier: Apache-2.0
// The oldest candidate: if age_matrix finds it among some lanes, it finds it among these and one more. So it finds it
// among any lanes, in any order in which no three lanes are in a circle; age_matrix_props.sv proves that none are.
module oldest_props #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Pairs = Lanes * (Lanes - 1) / 2
) (
  input logic [Pairs-1:0] younger_i,
  input logic [Lanes-1:0] candidates_i,
  input logic [LaneW-1:0] one_more_i
);
  logic [Lanes-1:0][Lanes-1:0] after;  // [a][b]: a was used after b

  for (genvar a = 0; a < Lanes; a++) begin : gen_lane
    for (genvar b = 0; b < Lanes; b++) begin : gen_other
      if (a < b) assign after[a][b] = younger_i[b*(b-1)/2+a];
      else if (a > b) assign after[a][b] = !younger_i[a*(a-1)/2+b];
      else assign after[a][b] = 1'b0;
    end
  end

  // The candidates without the one more, and with it
  logic [1:0][Lanes-1:0] candidates;
  logic [1:0][LaneW-1:0] oldest;
  logic [1:0]            is_oldest;

  assign candidates = {candidates_i | Lanes'(1) << one_more_i, candidates_i};

  age_matrix #(.Lanes(Lanes)) u_without (
    .younger_i,
    .candidates_i(candidates[0]),
    .oldest_o    (oldest[0]),
    .used_i      (one_more_i),
    .younger_o   ()
  );
  age_matrix #(.Lanes(Lanes)) u_with (
    .younger_i,
    .candidates_i(candidates[1]),
    .oldest_o    (oldest[1]),
    .used_i      (one_more_i),
    .younger_o   ()
  );
  for (genvar n = 0; n < 2; n++) begin : gen_candidates
    logic [Lanes-1:0] older;  // than the oldest
    assign older        = candidates[n] & after[oldest[n]];
    assign is_oldest[n] = candidates[n][oldest[n]] && older == '0;
  end

  // Lanes in a circle with the one more and the oldest without it: older than the older of the two, but not than the
  // other
  logic [Lanes-1:0] before_one_more, before_oldest, in_circle;

  assign before_one_more = after[one_more_i];
  assign before_oldest   = after[oldest[0]];
  assign in_circle       = before_one_more[oldest[0]] ? before_oldest & ~before_one_more :
                           before_oldest[one_more_i]  ? before_one_more & ~before_oldest : '0;

  always_comb begin : properties
    IsAnOrder: assume (in_circle == '0);
    FindsTheOldestOfOneMore: assert (is_oldest[1] || !(is_oldest[0] || candidates_i == '0));
    OneMoreIsOlder: cover (oldest[1] == one_more_i && oldest[0] > one_more_i && (&candidates[1]));
  end
endmodule
