// SPDX-License-Identifier: Apache-2.0
// An integer enters the fp64 unit; a negative one as its complement, to which a later stage adds one.
// Twin of unpack_integer() of hw/exec/dp_datapath.cpp.
module dp_unpack_integer (
  input  g80_pkg::dp_control_t       control_i,
  input  logic [63:0]                integer_i,
  output g80_pkg::dp_header_lane_t   header_o,
  output g80_pkg::dp_unpacked_lane_t unpacked_o
);
  logic        is_wide, is_signed, negative;
  logic [63:0] extended;

  assign is_wide   = control_i.source == g80_pkg::DpTypeU64 || control_i.source == g80_pkg::DpTypeS64;
  assign is_signed = control_i.source == g80_pkg::DpTypeS32 || control_i.source == g80_pkg::DpTypeS64;
  assign extended  = {is_wide ? integer_i[63:32] : {32{is_signed && integer_i[31]}}, integer_i[31:0]};
  assign negative  = is_signed && extended[63];

  always_comb begin : find_header
    header_o          = '0;
    header_o.sign     = (negative && !control_i.absolute[0]) != control_i.negate[0];
    header_o.subtract = negative;
    header_o.exponent = 16'd63;
  end

  always_comb begin : place
    unpacked_o        = '0;
    unpacked_o.addend = extended ^ {64{negative}};
  end
endmodule
