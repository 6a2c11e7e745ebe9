// SPDX-License-Identifier: Apache-2.0
// One of the SFUs' multipliers: seven stages with a register behind each; the register behind the last one belongs to
// `sfu_multipliers`. Twin of hw/exec/multiplier_datapath.h.
//
// Registers of a datapath have no reset: what they hold counts only while a stage is valid.
module multiplier_lane #(
  localparam int unsigned Registers = g80_pkg::MultiplierFunctionalStages - 1,
  localparam int unsigned ControlW  = g80_pkg::MultiplierControlWidth,
  localparam int unsigned HeaderW   = g80_pkg::MultiplierHeaderLaneWidth
) (
  input  logic                               clk_i,

  // The operands that enter
  input  logic                               enter_i,
  input  g80_pkg::multiplier_control_t       enter_control_i,
  input  logic [31:0]                        a_i,
  input  logic [31:0]                        b_i,

  // The stages behind the first
  input  logic [Registers-2:0]               enable_i,   // register i holds a group of lanes
  input  logic [Registers-1:0][ControlW-1:0] control_i,  // ... and its control bits, multiplier_control_t

  output g80_pkg::multiplier_result_lane_t   result_o
);
  localparam int unsigned LowDigits  = 6;  // of b in radix 4
  localparam int unsigned HighDigits = 7;

  // Registers
  logic [Registers-1:0][HeaderW-1:0]    header_d, header_q;  // multiplier_header_lane_t
  g80_pkg::multiplier_unpacked_lane_t   unpacked_d, unpacked_q;
  g80_pkg::multiplier_half_lane_t       half_d, half_q;
  g80_pkg::multiplier_product_lane_t    product_d, product_q;
  g80_pkg::multiplier_sum_lane_t        sum_d, sum_q;
  g80_pkg::multiplier_normalised_lane_t normalised_d, normalised_q;
  g80_pkg::multiplier_rounded_lane_t    rounded_d, rounded_q;

  multiplier_unpack u_unpack (
    .enable_i     (enter_i),
    .control_i    (enter_control_i),
    .a_i,
    .b_i,
    .header_held_i(header_q[0]),
    .held_i       (unpacked_q),
    .header_o     (header_d[0]),
    .next_o       (unpacked_d)
  );

  // The product, in carry-save form
  logic [47:0] low_sum, low_carry, high_sum, high_carry;

  booth_rows #(
    .First (0),
    .Digits(LowDigits)
  ) u_low_half (
    .multiplicand_i({2'd0, unpacked_q.a}),
    .multiplier_i  ({2'd0, unpacked_q.b}),
    .sum_i         ('0),
    .carry_i       ('0),
    .sum_o         (low_sum),
    .carry_o       (low_carry)
  );
  booth_rows #(
    .First (LowDigits),
    .Digits(HighDigits)
  ) u_high_half (
    .multiplicand_i({2'd0, half_q.a}),
    .multiplier_i  ({2'd0, half_q.b}),
    .sum_i         (half_q.sum),
    .carry_i       (half_q.carry),
    .sum_o         (high_sum),
    .carry_o       (high_carry)
  );

  always_comb begin : multiply
    half_d    = half_q;
    product_d = product_q;
    sum_d     = sum_q;
    if (enable_i[0]) begin
      half_d.a     = unpacked_q.a;
      half_d.b     = unpacked_q.b;
      half_d.sum   = low_sum;
      half_d.carry = low_carry;
    end
    if (enable_i[1]) begin
      product_d.sum   = high_sum;
      product_d.carry = high_carry;
    end
    if (enable_i[2]) sum_d.product = product_q.sum + product_q.carry;
  end

  multiplier_normalise u_normalise (
    .enable_i     (enable_i[3]),
    .header_i     (header_q[3]),
    .sum_i        (sum_q),
    .header_held_i(header_q[4]),
    .held_i       (normalised_q),
    .header_o     (header_d[4]),
    .next_o       (normalised_d)
  );

  // To nearest even, or what is cut off is lost
  g80_pkg::multiplier_control_t round_control;
  logic                         up;

  assign round_control = control_i[4];
  assign up            = !round_control.toward_zero && normalised_q.guard &&
                         (normalised_q.sticky || normalised_q.significand[0]);

  always_comb begin : round
    rounded_d = rounded_q;
    if (enable_i[4]) rounded_d.significand = {1'b0, normalised_q.significand} + 25'(up);
  end

  multiplier_pack u_pack (
    .control_i(control_i[5]),
    .header_i (header_q[5]),
    .rounded_i(rounded_q),
    .result_o
  );

  for (genvar i = 1; i < 4; i++) begin : gen_header
    assign header_d[i] = enable_i[i-1] ? header_q[i-1] : header_q[i];
  end
  assign header_d[5] = enable_i[4] ? header_q[4] : header_q[5];

  always_ff @(posedge clk_i) begin : registers
    header_q     <= header_d;
    unpacked_q   <= unpacked_d;
    half_q       <= half_d;
    product_q    <= product_d;
    sum_q        <= sum_d;
    normalised_q <= normalised_d;
    rounded_q    <= rounded_d;
  end
endmodule
