// SPDX-License-Identifier: Apache-2.0
// One scalar processor: eight stages with a register behind each; the register behind the last one belongs to the
// array. Control bits travel beside the lanes, once for all eight of them. Twin of hw/exec/sp_datapath.h.
//
// Registers of a datapath have no reset: what they hold counts only while a stage is valid.
module sp_lane #(
  localparam int unsigned ControlW = g80_pkg::SpControlWidth
) (
  input  logic                            clk_i,

  // The operands that enter, and what is done with them: see sp_unpack
  input  logic                            enter_i,
  input  g80_pkg::sp_control_t            enter_control_i,
  input  g80_pkg::sp_quad_op_e            quad_op_i,
  input  logic [31:0]                     quad_first_i,
  input  g80_pkg::sp_operands_lane_t      operands_i,

  // The stages behind the first
  input  logic [6:0]                      enable_i,      // register i holds a group of lanes
  input  logic [6:0][ControlW-1:0]        control_i,     // ... and its control bits, sp_control_t
  input  logic                            verdict_i,     // for the last stage
  input  g80_pkg::sp_result_lane_t        held_i,        // the register behind it
  output g80_pkg::sp_result_lane_t        result_o
);
  g80_pkg::sp_unpacked_lane_t   unpacked_d, unpacked_q;
  g80_pkg::sp_multiplied_lane_t multiplied_d, multiplied_q;
  g80_pkg::sp_product_lane_t    product_d, product_q;
  g80_pkg::sp_aligned_lane_t    aligned_d, aligned_q;
  g80_pkg::sp_sum_lane_t        sum_d, sum_q;
  g80_pkg::sp_counted_lane_t    counted_d, counted_q;
  g80_pkg::sp_normalised_lane_t normalised_d, normalised_q;

  sp_unpack u_unpack (
    .enable_i  (enter_i),
    .control_i (enter_control_i),
    .operands_i,
    .quad_op_i,
    .quad_first_i,
    .held_i    (unpacked_q),
    .next_o    (unpacked_d)
  );
  sp_multiply u_multiply (
    .enable_i  (enable_i[0]),
    .control_i (control_i[0]),
    .unpacked_i(unpacked_q),
    .held_i    (multiplied_q),
    .next_o    (multiplied_d)
  );
  sp_add_product u_add_product (
    .enable_i    (enable_i[1]),
    .control_i   (control_i[1]),
    .multiplied_i(multiplied_q),
    .held_i      (product_q),
    .next_o      (product_d)
  );
  sp_align u_align (
    .enable_i (enable_i[2]),
    .control_i(control_i[2]),
    .product_i(product_q),
    .held_i   (aligned_q),
    .next_o   (aligned_d)
  );
  sp_add u_add (
    .enable_i (enable_i[3]),
    .control_i(control_i[3]),
    .aligned_i(aligned_q),
    .held_i   (sum_q),
    .next_o   (sum_d)
  );
  sp_count_zeros u_count_zeros (
    .enable_i (enable_i[4]),
    .control_i(control_i[4]),
    .sum_i    (sum_q),
    .held_i   (counted_q),
    .next_o   (counted_d)
  );
  sp_normalise u_normalise (
    .enable_i (enable_i[5]),
    .control_i(control_i[5]),
    .counted_i(counted_q),
    .held_i   (normalised_q),
    .next_o   (normalised_d)
  );
  sp_round u_round (
    .enable_i    (enable_i[6]),
    .control_i   (control_i[6]),
    .normalised_i(normalised_q),
    .verdict_i,
    .held_i,
    .next_o      (result_o)
  );

  always_ff @(posedge clk_i) begin : registers
    unpacked_q   <= unpacked_d;
    multiplied_q <= multiplied_d;
    product_q    <= product_d;
    aligned_q    <= aligned_d;
    sum_q        <= sum_d;
    counted_q    <= counted_d;
    normalised_q <= normalised_d;
  end
endmodule
