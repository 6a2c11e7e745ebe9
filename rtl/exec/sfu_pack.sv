// SPDX-License-Identifier: Apache-2.0
// Last stage of an SFU: normalises, or moves the point of a reduced range to bit 23; exponent, sign, overflow and
// underflow, saturation, flags. Twin of pack() of hw/exec/sfu_datapath.cpp.
module sfu_pack (
  input  g80_pkg::sfu_control_t      control_i,
  input  g80_pkg::sfu_header_lane_t  header_i,
  input  g80_pkg::sfu_counted_lane_t counted_i,
  output g80_pkg::sfu_result_lane_t  result_o
);
  localparam logic [31:0] Nan      = 32'h7fffffff;
  localparam logic [31:0] One      = 32'h3f800000;
  localparam logic [30:0] Infinity = 31'h7f800000;

  logic [63:0] normalised;
  logic [31:0] word, value, clamped;
  logic [15:0] biased;

  left_shifter #(
    .Width (64),
    .CountW(6)
  ) u_shifter (
    .word_i ({16'd0, counted_i.magnitude}),
    .count_i(counted_i.shift),
    .word_o (normalised)
  );
  assign word   = normalised[63:32];
  assign biased = header_i.exponent - {10'd0, counted_i.shift};

  always_comb begin : compose
    if (header_i.special) value = header_i.special_value;
    else if (control_i.function_ == g80_pkg::SfuFunctionPresin)
      value = {header_i.sign, 6'd0, word[24:0]};  // modulo four quadrants
    else if (control_i.function_ == g80_pkg::SfuFunctionPreex2) value = {header_i.sign || word[31], word[30:0]};
    else if (word == '0 || biased[15] || biased == '0) value = {header_i.sign, 31'd0};
    else value = {header_i.sign, biased[7:0], word[30:8]};
  end

  // Only ex2 saturates, and it is positive. No number becomes too large: 2^x of the largest x is the largest number.
  logic nan, zero;

  always_comb begin : saturate
    clamped = value;
    if (control_i.saturate) begin
      if (value[30:0] > Infinity) clamped = Nan;
      else if (value > One) clamped = One;
    end
  end
  assign nan  = clamped[30:0] > Infinity;
  assign zero = clamped[30:0] == '0;

  assign result_o.value = clamped;
  assign result_o.flags = {2'd0, (clamped[31] && !zero) || nan, zero || nan};
endmodule
