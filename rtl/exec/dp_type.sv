// SPDX-License-Identifier: Apache-2.0
// A number format as the fp64 unit knows it. Twin of type_of() of hw/exec/dp_datapath.cpp.
module dp_type (
  input  g80_pkg::num_type_e type_i,
  output g80_pkg::dp_type_e  type_o
);
  always_comb begin : choose
    case (type_i)
      g80_pkg::NumTypeF32: type_o = g80_pkg::DpTypeF32;
      g80_pkg::NumTypeU32: type_o = g80_pkg::DpTypeU32;
      g80_pkg::NumTypeS32: type_o = g80_pkg::DpTypeS32;
      g80_pkg::NumTypeU64: type_o = g80_pkg::DpTypeU64;
      g80_pkg::NumTypeS64: type_o = g80_pkg::DpTypeS64;
      default:             type_o = g80_pkg::DpTypeF64;
    endcase
  end
endmodule
