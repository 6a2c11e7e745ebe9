// SPDX-License-Identifier: Apache-2.0
// All outputs of a crossbar with the ports of a G80's network of requests, and of a smaller one whose words and packets
// have more flits.
module crossbar_words (
  input  logic            clk_i,
  input  logic [8:0]      asking_i,
  input  logic [8:0][2:0] wanted_i,
  input  logic [8:0][2:0] flits_i,
  input  logic [6:0]      taken_i,
  input  logic [6:0][3:0] last_i,
  input  logic [6:0][2:0] flits_left_i,
  input  logic [6:0][5:0] credits_i,
  input  logic [6:0][2:0] returned_i,
  output logic [6:0][8:0] granted_o,
  output logic [6:0]      taken_o,
  output logic [6:0][3:0] last_o,
  output logic [6:0][2:0] flits_left_o,
  output logic [6:0][5:0] credits_o,

  input  logic [4:0]      wide_asking_i,
  input  logic [4:0][1:0] wide_wanted_i,
  input  logic [4:0][3:0] wide_flits_i,
  input  logic [3:0]      wide_taken_i,
  input  logic [3:0][2:0] wide_last_i,
  input  logic [3:0][3:0] wide_flits_left_i,
  input  logic [3:0][6:0] wide_credits_i,
  input  logic [3:0][3:0] wide_returned_i,
  output logic [3:0][4:0] wide_granted_o,
  output logic [3:0]      wide_taken_o,
  output logic [3:0][2:0] wide_last_o,
  output logic [3:0][3:0] wide_flits_left_o,
  output logic [3:0][6:0] wide_credits_o
);
  for (genvar o = 0; o < 7; o++) begin : gen_output
    crossbar_word #(
      .Output(o)
    ) u_word (
      .clk_i,
      .asking_i,
      .wanted_i,
      .flits_i,
      .taken_i,
      .last_i,
      .flits_left_i,
      .credits_i   (credits_i[o]),
      .returned_i  (returned_i[o]),
      .granted_o   (granted_o[o]),
      .taken_o     (taken_o[o]),
      .last_o      (last_o[o]),
      .flits_left_o(flits_left_o[o]),
      .credits_o   (credits_o[o])
    );
  end
  for (genvar o = 0; o < 4; o++) begin : gen_wide
    crossbar_word #(
      .Output       (o),
      .Inputs       (5),
      .Outputs      (4),
      .FlitsPerCycle(3),
      .Largest      (9),
      .CreditW      (7)
    ) u_word (
      .clk_i,
      .asking_i    (wide_asking_i),
      .wanted_i    (wide_wanted_i),
      .flits_i     (wide_flits_i),
      .taken_i     (wide_taken_i),
      .last_i      (wide_last_i),
      .flits_left_i(wide_flits_left_i),
      .credits_i   (wide_credits_i[o]),
      .returned_i  (wide_returned_i[o]),
      .granted_o   (wide_granted_o[o]),
      .taken_o     (wide_taken_o[o]),
      .last_o      (wide_last_o[o]),
      .flits_left_o(wide_flits_left_o[o]),
      .credits_o   (wide_credits_o[o])
    );
  end
endmodule
