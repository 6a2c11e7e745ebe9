// SPDX-License-Identifier: Apache-2.0
// The integer nearest to infinity of a sign. Twin of integer_limit() of hw/exec/dp_datapath.cpp.
module dp_limit (
  input  g80_pkg::dp_type_e type_i,
  input  logic              negative_i,
  output logic [63:0]       limit_o
);
  always_comb begin : choose
    case (type_i)
      g80_pkg::DpTypeU32: limit_o = {32'd0, {32{!negative_i}}};
      g80_pkg::DpTypeS32: limit_o = {32'd0, negative_i, {31{!negative_i}}};
      g80_pkg::DpTypeU64: limit_o = {64{!negative_i}};
      default:            limit_o = {negative_i, {63{!negative_i}}};
    endcase
  end
endmodule
