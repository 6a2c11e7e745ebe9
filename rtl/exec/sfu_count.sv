// SPDX-License-Identifier: Apache-2.0
// Fifth stage of an SFU: the magnitude of the sum, and its leading zeros. The sum of lg2 is the fraction of the result,
// behind the exponent of the argument. Twin of count() of hw/exec/sfu_datapath.cpp.
module sfu_count #(
  localparam int unsigned SumW = 48
) (
  input  logic                       enable_i,
  input  g80_pkg::sfu_control_t      control_i,
  input  g80_pkg::sfu_header_lane_t  header_i,
  input  g80_pkg::sfu_sum_lane_t     sum_i,
  input  g80_pkg::sfu_header_lane_t  header_held_i,
  input  g80_pkg::sfu_counted_lane_t held_i,
  output g80_pkg::sfu_header_lane_t  header_o,
  output g80_pkg::sfu_counted_lane_t next_o
);
  logic            lg2, reduces_range;
  logic [SumW-1:0] logarithm, magnitude;
  logic [6:0]      zeros;

  assign lg2           = control_i.function_ == g80_pkg::SfuFunctionLg2;
  assign reduces_range = control_i.function_ == g80_pkg::SfuFunctionPresin ||
                         control_i.function_ == g80_pkg::SfuFunctionPreex2;
  assign logarithm     = {header_i.exponent[11:0], 36'd0} | {2'd0, sum_i.value[SumW-1:2]};

  always_comb begin : find_magnitude
    magnitude = sum_i.value;
    if (control_i.function_ == g80_pkg::SfuFunctionPresin) magnitude = {16'd0, sum_i.value[SumW-1:16]};
    if (lg2) magnitude = header_i.sign ? ~logarithm : logarithm;  // of a negative number its complement
  end

  leading_zeros #(
    .Width(64)
  ) u_zeros (
    .word_i ({16'd0, magnitude}),
    .count_o(zeros)
  );

  always_comb begin : choose
    header_o = header_held_i;
    next_o   = held_i;
    if (enable_i) begin
      header_o         = header_i;
      next_o.magnitude = magnitude;
      next_o.shift     = reduces_range ? header_i.exponent[5:0] : zeros[6] ? '0 : zeros[5:0];
      if (lg2) header_o.exponent = 16'd154;
    end
  end
endmodule
