// SPDX-License-Identifier: Apache-2.0
// First stage of a multiplier: sign, exponents and significands; results that need no product. Denormals are zeros.
// Twin of unpack() of hw/exec/multiplier_datapath.cpp.
module multiplier_unpack (
  input  logic                               enable_i,
  input  g80_pkg::multiplier_control_t       control_i,
  input  logic [31:0]                        a_i,
  input  logic [31:0]                        b_i,
  input  g80_pkg::multiplier_header_lane_t   header_held_i,
  input  g80_pkg::multiplier_unpacked_lane_t held_i,
  output g80_pkg::multiplier_header_lane_t   header_o,
  output g80_pkg::multiplier_unpacked_lane_t next_o
);
  localparam logic [30:0] Infinity     = 31'h7f800000;
  localparam logic [30:0] Nan          = 31'h7fffffff;
  localparam logic [15:0] ExponentBias = 16'd127;

  logic zero, infinite, nan, sign;

  assign zero     = a_i[30:23] == '0 || b_i[30:23] == '0;
  assign infinite = (&a_i[30:23]) || (&b_i[30:23]);
  assign nan      = a_i[30:0] > Infinity || b_i[30:0] > Infinity || (infinite && zero);
  assign sign     = a_i[31] ^ b_i[31] ^ control_i.negate;

  always_comb begin : unpack
    header_o = header_held_i;
    next_o   = held_i;
    if (enable_i) begin
      header_o.special       = zero || infinite;
      header_o.special_value = nan ? {1'b0, Nan} : {sign, infinite ? Infinity : 31'd0};
      header_o.sign          = sign;
      header_o.exponent      = {8'd0, a_i[30:23]} + {8'd0, b_i[30:23]} - ExponentBias;
      next_o.a               = {1'b1, a_i[22:0]};
      next_o.b               = {1'b1, b_i[22:0]};
    end
  end
endmodule
