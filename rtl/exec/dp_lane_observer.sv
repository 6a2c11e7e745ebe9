// SPDX-License-Identifier: Apache-2.0
// The registers of a dp_lane for the simulator only: they show what the SystemC block shows of the lane.
module dp_lane_observer #(
  localparam int unsigned Registers = g80_pkg::DpFunctionalStages - 1
) (
  input logic [Registers-1:0][g80_pkg::DpHeaderLaneWidth-1:0] header_i,
  input g80_pkg::dp_unpacked_lane_t                           unpacked_i,
  input g80_pkg::dp_rows_lane_t                               low_i,
  input g80_pkg::dp_rows_lane_t                               middle_i,
  input g80_pkg::dp_product_lane_t                            high_i,
  input g80_pkg::dp_aligned_lane_t                            aligned_i,
  input g80_pkg::dp_added_lane_t                              added_i,
  input g80_pkg::dp_counted_lane_t                            counted_i,
  input g80_pkg::dp_shifted_lane_t                            shifted_i,
  input g80_pkg::dp_rounded_lane_t                            rounded_i
);
  // The adapter reads these.
  logic [Registers-1:0][g80_pkg::DpHeaderLaneWidth-1:0] header /*verilator public_flat_rd*/;
  g80_pkg::dp_unpacked_lane_t                           unpacked /*verilator public_flat_rd*/;
  g80_pkg::dp_rows_lane_t                               low    /*verilator public_flat_rd*/;
  g80_pkg::dp_rows_lane_t                               middle /*verilator public_flat_rd*/;
  g80_pkg::dp_product_lane_t                            high   /*verilator public_flat_rd*/;
  g80_pkg::dp_aligned_lane_t                            aligned  /*verilator public_flat_rd*/;
  g80_pkg::dp_added_lane_t                              added  /*verilator public_flat_rd*/;
  g80_pkg::dp_counted_lane_t                            counted  /*verilator public_flat_rd*/;
  g80_pkg::dp_shifted_lane_t                            shifted  /*verilator public_flat_rd*/;
  g80_pkg::dp_rounded_lane_t                            rounded  /*verilator public_flat_rd*/;

  assign header   = header_i;
  assign unpacked = unpacked_i;
  assign low      = low_i;
  assign middle   = middle_i;
  assign high     = high_i;
  assign aligned  = aligned_i;
  assign added    = added_i;
  assign counted  = counted_i;
  assign shifted  = shifted_i;
  assign rounded  = rounded_i;
endmodule
