// SPDX-License-Identifier: Apache-2.0
// One lane of the fp64 unit: ten stages with a register behind each; the register behind the last one belongs to `dp`.
// Twin of hw/exec/dp_datapath.h.
//
// Registers of a datapath have no reset: what they hold counts only while a stage is valid.
module dp_lane #(
  localparam int unsigned Registers = g80_pkg::DpFunctionalStages - 1,
  localparam int unsigned ControlW  = g80_pkg::DpControlWidth,
  localparam int unsigned HeaderW   = g80_pkg::DpHeaderLaneWidth,
  localparam int unsigned ProductW  = g80_pkg::DpProductBits
) (
  input  logic                               clk_i,

  // The operands that enter, and what is done with them
  input  logic                               enter_i,
  input  g80_pkg::dp_control_t               enter_control_i,
  input  logic [63:0]                        a_i,
  input  logic [63:0]                        b_i,
  input  logic [63:0]                        c_i,

  // The stages behind the first
  input  logic [Registers-2:0]               enable_i,   // register i holds a group of lanes
  input  logic [Registers-1:0][ControlW-1:0] control_i,  // ... and its control bits, dp_control_t

  output g80_pkg::dp_result_lane_t           result_o
);
  // Registers
  logic [Registers-1:0][HeaderW-1:0] header_d, header_q;  // dp_header_lane_t
  g80_pkg::dp_unpacked_lane_t        unpacked_d, unpacked_q;
  g80_pkg::dp_rows_lane_t            low_d, low_q, middle_d, middle_q;
  g80_pkg::dp_product_lane_t         high_d, high_q;
  g80_pkg::dp_aligned_lane_t         aligned_d, aligned_q;
  g80_pkg::dp_added_lane_t           added_d, added_q;
  g80_pkg::dp_counted_lane_t         counted_d, counted_q;
  g80_pkg::dp_shifted_lane_t         shifted_d, shifted_q;
  g80_pkg::dp_rounded_lane_t         rounded_d, rounded_q;

  dp_unpack u_unpack (
    .enable_i     (enter_i),
    .control_i    (enter_control_i),
    .a_i,
    .b_i,
    .c_i,
    .header_held_i(header_q[0]),
    .held_i       (unpacked_q),
    .header_o     (header_d[0]),
    .next_o       (unpacked_d)
  );

  // The product: its first, middle and last rows
  logic [ProductW-1:0] low_sum, low_carry, middle_sum, middle_carry, high_sum, high_carry;
  dp_multiply #(
    .First(0)
  ) u_low_rows (
    .multiplicand_i(unpacked_q.multiplicand),
    .multiplier_i  (unpacked_q.multiplier),
    .sum_i         ('0),
    .carry_i       ('0),
    .sum_o         (low_sum),
    .carry_o       (low_carry)
  );
  dp_multiply #(
    .First(9)
  ) u_middle_rows (
    .multiplicand_i(low_q.multiplicand),
    .multiplier_i  (low_q.multiplier),
    .sum_i         ({low_q.sum_high, low_q.sum_low}),
    .carry_i       ({low_q.carry_high, low_q.carry_low}),
    .sum_o         (middle_sum),
    .carry_o       (middle_carry)
  );
  dp_multiply #(
    .First(18)
  ) u_high_rows (
    .multiplicand_i(middle_q.multiplicand),
    .multiplier_i  (middle_q.multiplier),
    .sum_i         ({middle_q.sum_high, middle_q.sum_low}),
    .carry_i       ({middle_q.carry_high, middle_q.carry_low}),
    .sum_o         (high_sum),
    .carry_o       (high_carry)
  );

  always_comb begin : multiply
    low_d    = low_q;
    middle_d = middle_q;
    high_d   = high_q;
    if (enable_i[0]) begin
      low_d.multiplicand = unpacked_q.multiplicand;
      low_d.multiplier   = unpacked_q.multiplier;
      low_d.addend       = unpacked_q.addend;
      low_d.distance     = unpacked_q.distance;
      {low_d.sum_high, low_d.sum_low}     = low_sum;
      {low_d.carry_high, low_d.carry_low} = low_carry;
    end
    if (enable_i[1]) begin
      middle_d = low_q;
      {middle_d.sum_high, middle_d.sum_low}     = middle_sum;
      {middle_d.carry_high, middle_d.carry_low} = middle_carry;
    end
    if (enable_i[2]) begin
      high_d.addend   = middle_q.addend;
      high_d.distance = middle_q.distance;
      {high_d.sum_high, high_d.sum_low}     = high_sum;
      {high_d.carry_high, high_d.carry_low} = high_carry;
    end
  end

  dp_align u_align (
    .enable_i (enable_i[3]),
    .control_i(control_i[3]),
    .header_i (header_q[3]),
    .product_i(high_q),
    .held_i   (aligned_q),
    .next_o   (aligned_d)
  );
  dp_add u_add (
    .enable_i     (enable_i[4]),
    .control_i    (control_i[4]),
    .header_i     (header_q[4]),
    .aligned_i    (aligned_q),
    .header_held_i(header_q[5]),
    .held_i       (added_q),
    .header_o     (header_d[5]),
    .next_o       (added_d)
  );
  dp_count u_count (
    .enable_i (enable_i[5]),
    .control_i(control_i[5]),
    .header_i (header_q[5]),
    .added_i  (added_q),
    .held_i   (counted_q),
    .next_o   (counted_d)
  );
  dp_normalise u_normalise (
    .enable_i     (enable_i[6]),
    .header_i     (header_q[6]),
    .counted_i    (counted_q),
    .header_held_i(header_q[7]),
    .held_i       (shifted_q),
    .header_o     (header_d[7]),
    .next_o       (shifted_d)
  );
  dp_round u_round (
    .enable_i     (enable_i[7]),
    .control_i    (control_i[7]),
    .header_i     (header_q[7]),
    .shifted_i    (shifted_q),
    .header_held_i(header_q[8]),
    .held_i       (rounded_q),
    .header_o     (header_d[8]),
    .next_o       (rounded_d)
  );
  dp_pack u_pack (
    .control_i(control_i[8]),
    .header_i (header_q[8]),
    .rounded_i(rounded_q),
    .result_o
  );

  // Stages that leave the header as it is
  assign header_d[1] = enable_i[0] ? header_q[0] : header_q[1];
  assign header_d[2] = enable_i[1] ? header_q[1] : header_q[2];
  assign header_d[3] = enable_i[2] ? header_q[2] : header_q[3];
  assign header_d[4] = enable_i[3] ? header_q[3] : header_q[4];
  assign header_d[6] = enable_i[5] ? header_q[5] : header_q[6];

  always_ff @(posedge clk_i) begin : registers
    header_q   <= header_d;
    unpacked_q <= unpacked_d;
    low_q      <= low_d;
    middle_q   <= middle_d;
    high_q     <= high_d;
    aligned_q  <= aligned_d;
    added_q    <= added_d;
    counted_q  <= counted_d;
    shifted_q  <= shifted_d;
    rounded_q  <= rounded_d;
  end
endmodule
