// SPDX-License-Identifier: Apache-2.0
// What a comparison gives: a mask that says whether the relation holds, or one of the operands.
// Twin of choose() of hw/exec/sp_normalise.cpp.
module sp_choose (
  input  g80_pkg::sp_control_t control_i,
  input  logic [31:0]          x_i,          // the operands, as words whose unsigned order is that of the numbers
  input  logic [31:0]          y_i,
  input  logic                 not_less_i,   // x >= y
  input  logic                 equal_i,
  input  logic                 unordered_i,  // one of them is a NaN
  output logic [31:0]          word_o
);
  logic        holds, second;
  logic [31:0] chosen;

  always_comb begin : relation
    if (control_i.from.is_float && unordered_i) holds = control_i.relations[3];
    else if (!not_less_i) holds = control_i.relations[0];
    else if (equal_i) holds = control_i.relations[1];
    else holds = control_i.relations[2];
  end

  assign second = not_less_i ^ (control_i.choice == g80_pkg::SpChoiceLarger);
  assign chosen = second ? y_i : x_i;

  // Back to the number's own format: see sp_order
  always_comb begin : result
    if (control_i.choice == g80_pkg::SpChoiceRelation) word_o = {32{holds}};
    else if (control_i.from.is_float) word_o = {!chosen[31], chosen[30:0] ^ {31{!chosen[31]}}};
    else word_o = {chosen[31] ^ control_i.from.is_signed, chosen[30:0]};
  end
endmodule
