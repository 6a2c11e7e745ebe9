// SPDX-License-Identifier: Apache-2.0
// One special function unit: six stages with a register behind each; the register behind the last one belongs to `sfu`.
// Twin of hw/exec/sfu_datapath.h.
//
// Registers of a datapath have no reset: what they hold counts only while a stage is valid.
module sfu_lane #(
  localparam int unsigned Registers = g80_pkg::SfuFunctionalStages - 1,
  localparam int unsigned ControlW  = g80_pkg::SfuControlWidth,
  localparam int unsigned HeaderW   = g80_pkg::SfuHeaderLaneWidth
) (
  input  logic                               clk_i,

  // The argument that enters, and the function
  input  logic                               enter_i,
  input  g80_pkg::sfu_control_t              enter_control_i,
  input  logic [31:0]                        value_i,

  // The stages behind the first
  input  logic [Registers-2:0]               enable_i,   // register i holds a group of lanes
  input  logic [Registers-1:0][ControlW-1:0] control_i,  // ... and its control bits, sfu_control_t

  output g80_pkg::sfu_result_lane_t          result_o
);
  // Registers
  logic [Registers-1:0][HeaderW-1:0] header_d, header_q;  // sfu_header_lane_t
  g80_pkg::sfu_looked_up_lane_t      looked_up_d, looked_up_q;
  g80_pkg::sfu_squared_lane_t        squared_d, squared_q;
  g80_pkg::sfu_products_lane_t       products_d, products_q;
  g80_pkg::sfu_sum_lane_t            sum_d, sum_q;
  g80_pkg::sfu_counted_lane_t        counted_d, counted_q;

  sfu_look_up u_look_up (
    .enable_i     (enter_i),
    .control_i    (enter_control_i),
    .value_i,
    .header_held_i(header_q[0]),
    .held_i       (looked_up_q),
    .header_o     (header_d[0]),
    .next_o       (looked_up_d)
  );
  sfu_square u_square (
    .enable_i   (enable_i[0]),
    .control_i  (control_i[0]),
    .looked_up_i(looked_up_q),
    .held_i     (squared_q),
    .next_o     (squared_d)
  );
  sfu_multiply u_multiply (
    .enable_i  (enable_i[1]),
    .control_i (control_i[1]),
    .squared_i (squared_q),
    .held_i    (products_q),
    .next_o    (products_d)
  );
  assign sum_d.value = enable_i[2] ? products_q.sum + products_q.carry : sum_q.value;
  sfu_count u_count (
    .enable_i     (enable_i[3]),
    .control_i    (control_i[3]),
    .header_i     (header_q[3]),
    .sum_i        (sum_q),
    .header_held_i(header_q[4]),
    .held_i       (counted_q),
    .header_o     (header_d[4]),
    .next_o       (counted_d)
  );
  sfu_pack u_pack (
    .control_i(control_i[4]),
    .header_i (header_q[4]),
    .counted_i(counted_q),
    .result_o
  );

  for (genvar i = 1; i < Registers - 1; i++) begin : gen_header
    assign header_d[i] = enable_i[i-1] ? header_q[i-1] : header_q[i];
  end

  always_ff @(posedge clk_i) begin : registers
    header_q    <= header_d;
    looked_up_q <= looked_up_d;
    squared_q   <= squared_d;
    products_q  <= products_d;
    sum_q       <= sum_d;
    counted_q   <= counted_d;
  end
endmodule
