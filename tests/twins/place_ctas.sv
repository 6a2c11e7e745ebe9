// SPDX-License-Identifier: Apache-2.0
// The choice of the CTA scheduler of a G80, with 8 TPCs of 2 SMs, and that of a GTX 280, with 10 TPCs of 3.
module place_ctas (
  input  logic             clk_i,
  input  logic             place_i,
  input  logic [3:0]       ctas_per_sm_i,
  input  logic [29:0]      ended_i,
  input  logic [29:0]      candidates_i,
  input  logic [29:0][3:0] resident_i,
  input  logic [1:0][3:0]  turn_tpc_i,
  input  logic [7:0]       turn_sm_i,
  input  logic [9:0][1:0]  large_turn_sm_i,
  output logic             placed_o,
  output logic [15:0]      sm_o,
  output logic [15:0]      candidates_o,
  output logic [15:0][3:0] resident_o,
  output logic [2:0]       turn_tpc_o,
  output logic [7:0]       turn_sm_o,
  output logic             large_placed_o,
  output logic [29:0]      large_sm_o,
  output logic [29:0]      large_candidates_o,
  output logic [29:0][3:0] large_resident_o,
  output logic [3:0]       large_turn_tpc_o,
  output logic [9:0][1:0]  large_turn_sm_o
);
  place_cta #(
    .NumTpcs  (8),
    .SmsPerTpc(2)
  ) u_small (
    .clk_i,
    .ended_i     (ended_i[15:0]),
    .place_i,
    .ctas_per_sm_i,
    .candidates_i(candidates_i[15:0]),
    .resident_i  (resident_i[15:0]),
    .turn_tpc_i  (turn_tpc_i[0][2:0]),
    .turn_sm_i,
    .placed_o,
    .sm_o,
    .candidates_o,
    .resident_o,
    .turn_tpc_o,
    .turn_sm_o
  );
  place_cta #(
    .NumTpcs  (10),
    .SmsPerTpc(3)
  ) u_large (
    .clk_i,
    .ended_i,
    .place_i,
    .ctas_per_sm_i,
    .candidates_i,
    .resident_i,
    .turn_tpc_i  (turn_tpc_i[1]),
    .turn_sm_i   (large_turn_sm_i),
    .placed_o    (large_placed_o),
    .sm_o        (large_sm_o),
    .candidates_o(large_candidates_o),
    .resident_o  (large_resident_o),
    .turn_tpc_o  (large_turn_tpc_o),
    .turn_sm_o   (large_turn_sm_o)
  );
  logic unused;
  assign unused = turn_tpc_i[0][3];
endmodule
