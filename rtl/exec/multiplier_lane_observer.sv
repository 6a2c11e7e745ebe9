// SPDX-License-Identifier: Apache-2.0
// The registers of a multiplier_lane for the simulator only: they show what the SystemC block shows of the multiplier.
module multiplier_lane_observer (
  input logic [5:0][g80_pkg::MultiplierHeaderLaneWidth-1:0] header_i,
  input g80_pkg::multiplier_unpacked_lane_t                 unpacked_i,
  input g80_pkg::multiplier_half_lane_t                     half_i,
  input g80_pkg::multiplier_product_lane_t                  product_i,
  input g80_pkg::multiplier_sum_lane_t                      sum_i,
  input g80_pkg::multiplier_normalised_lane_t               normalised_i,
  input g80_pkg::multiplier_rounded_lane_t                  rounded_i
);
  // The adapter reads these.
  logic [5:0][g80_pkg::MultiplierHeaderLaneWidth-1:0] header     /*verilator public_flat_rd*/;
  g80_pkg::multiplier_unpacked_lane_t                 unpacked   /*verilator public_flat_rd*/;
  g80_pkg::multiplier_half_lane_t                     half       /*verilator public_flat_rd*/;
  g80_pkg::multiplier_product_lane_t                  product    /*verilator public_flat_rd*/;
  g80_pkg::multiplier_sum_lane_t                      sum        /*verilator public_flat_rd*/;
  g80_pkg::multiplier_normalised_lane_t               normalised /*verilator public_flat_rd*/;
  g80_pkg::multiplier_rounded_lane_t                  rounded    /*verilator public_flat_rd*/;

  assign header     = header_i;
  assign unpacked   = unpacked_i;
  assign half       = half_i;
  assign product    = product_i;
  assign sum        = sum_i;
  assign normalised = normalised_i;
  assign rounded    = rounded_i;
endmodule
