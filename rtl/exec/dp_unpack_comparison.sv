// SPDX-License-Identifier: Apache-2.0
// A comparison, minimum or maximum enters the fp64 unit as |a| - |b|: the product is |a| * 1, and |b| moves down to it.
// With a NaN the result is known. Twin of unpack_comparison() of hw/exec/dp_datapath.cpp.
module dp_unpack_comparison (
  input  g80_pkg::dp_control_t       control_i,
  input  logic [63:0]                a_i,
  input  logic [63:0]                b_i,
  output g80_pkg::dp_header_lane_t   header_o,
  output g80_pkg::dp_unpacked_lane_t unpacked_o
);
  localparam logic [62:0] Infinity  = {11'h7ff, 52'd0};
  localparam logic [63:0] QuietBit  = 64'd1 << 51;
  localparam logic [7:0]  ToProduct = 8'(g80_pkg::DpWindowTop - 63 - 2);

  // Modifiers leave a NaN as it is.
  logic        a_nan, b_nan;
  logic [63:0] a, b;
  assign a_nan = a_i[62:0] > Infinity;
  assign b_nan = b_i[62:0] > Infinity;
  assign a     = {a_nan ? a_i[63] : (a_i[63] && !control_i.absolute[0]) != control_i.negate[0], a_i[62:0]};
  assign b     = {b_nan ? b_i[63] : (b_i[63] && !control_i.absolute[1]) != control_i.negate[1], b_i[62:0]};

  always_comb begin : find_header
    header_o          = '0;
    header_o.value    = a;
    header_o.other    = b;
    header_o.subtract = 1'b1;
    header_o.special  = a_nan || b_nan;
    if (a_nan || b_nan) begin
      if (control_i.operation == g80_pkg::DpOperationSet) header_o.value = {32'd0, {32{control_i.compare[3]}}};
      else if (a_nan) header_o.value = b_nan ? b | QuietBit : b;
    end
  end

  assign unpacked_o.multiplicand = a[62:0];
  assign unpacked_o.multiplier   = 53'd1;
  assign unpacked_o.addend       = {1'b0, b[62:0]};
  assign unpacked_o.distance     = ToProduct;
endmodule
