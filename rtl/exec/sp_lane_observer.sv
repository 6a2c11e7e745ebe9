// SPDX-License-Identifier: Apache-2.0
// The registers of an sp_lane for the simulator only: they show what the SystemC block shows of the processor.
module sp_lane_observer (
  input g80_pkg::sp_unpacked_lane_t   unpacked_i,
  input g80_pkg::sp_multiplied_lane_t multiplied_i,
  input g80_pkg::sp_product_lane_t    product_i,
  input g80_pkg::sp_aligned_lane_t    aligned_i,
  input g80_pkg::sp_sum_lane_t        sum_i,
  input g80_pkg::sp_counted_lane_t    counted_i,
  input g80_pkg::sp_normalised_lane_t normalised_i
);
  // The adapter reads these.
  g80_pkg::sp_unpacked_lane_t   unpacked   /*verilator public_flat_rd*/;
  g80_pkg::sp_multiplied_lane_t multiplied /*verilator public_flat_rd*/;
  g80_pkg::sp_product_lane_t    product    /*verilator public_flat_rd*/;
  g80_pkg::sp_aligned_lane_t    aligned    /*verilator public_flat_rd*/;
  g80_pkg::sp_sum_lane_t        sum        /*verilator public_flat_rd*/;
  g80_pkg::sp_counted_lane_t    counted    /*verilator public_flat_rd*/;
  g80_pkg::sp_normalised_lane_t normalised /*verilator public_flat_rd*/;

  assign unpacked   = unpacked_i;
  assign multiplied = multiplied_i;
  assign product    = product_i;
  assign aligned    = aligned_i;
  assign sum        = sum_i;
  assign counted    = counted_i;
  assign normalised = normalised_i;
endmodule
