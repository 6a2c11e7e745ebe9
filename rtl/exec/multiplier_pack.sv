// SPDX-License-Identifier: Apache-2.0
// Last stage of a multiplier: exponent, sign, overflow and underflow, saturation, flags. Twin of pack() of
// hw/exec/multiplier_datapath.cpp.
module multiplier_pack (
  input  g80_pkg::multiplier_control_t      control_i,
  input  g80_pkg::multiplier_header_lane_t  header_i,
  input  g80_pkg::multiplier_rounded_lane_t rounded_i,
  output g80_pkg::multiplier_result_lane_t  result_o
);
  localparam logic [31:0] Nan      = 32'h7fffffff;
  localparam logic [31:0] One      = 32'h3f800000;
  localparam logic [30:0] Infinity = 31'h7f800000;
  localparam logic [30:0] Largest  = 31'h7f7fffff;

  logic [15:0] exponent;  // signed
  logic [31:0] value, clamped;

  assign exponent = header_i.exponent + 16'(rounded_i.significand[24]);

  always_comb begin : compose
    if (header_i.special) value = header_i.special_value;
    else if (exponent[15] || exponent == '0) value = {header_i.sign, 31'd0};
    else if (exponent >= 16'd255) value = {header_i.sign, control_i.toward_zero ? Largest : Infinity};
    else value = {header_i.sign, exponent[7:0], rounded_i.significand[22:0]};
  end

  // Saturation: 0 to 1
  logic nan, zero;

  always_comb begin : saturate
    clamped = value;
    if (control_i.saturate) begin
      if (value[30:0] > Infinity) clamped = Nan;
      else if (value[31]) clamped = '0;
      else if (value > One) clamped = One;
    end
  end
  assign nan  = clamped[30:0] > Infinity;
  assign zero = clamped[30:0] == '0;

  assign result_o.value = clamped;
  assign result_o.flags = {2'd0, (clamped[31] && !zero) || nan, zero || nan};
endmodule
