// SPDX-License-Identifier: Apache-2.0
// The registers of an sfu_lane for the simulator only: they show what the SystemC block shows of the unit.
module sfu_lane_observer (
  input logic [4:0][g80_pkg::SfuHeaderLaneWidth-1:0] header_i,
  input g80_pkg::sfu_looked_up_lane_t                looked_up_i,
  input g80_pkg::sfu_squared_lane_t                  squared_i,
  input g80_pkg::sfu_products_lane_t                 products_i,
  input g80_pkg::sfu_sum_lane_t                      sum_i,
  input g80_pkg::sfu_counted_lane_t                  counted_i
);
  // The adapter reads these.
  logic [4:0][g80_pkg::SfuHeaderLaneWidth-1:0] header    /*verilator public_flat_rd*/;
  g80_pkg::sfu_looked_up_lane_t                looked_up /*verilator public_flat_rd*/;
  g80_pkg::sfu_squared_lane_t                  squared   /*verilator public_flat_rd*/;
  g80_pkg::sfu_products_lane_t                 products  /*verilator public_flat_rd*/;
  g80_pkg::sfu_sum_lane_t                      sum       /*verilator public_flat_rd*/;
  g80_pkg::sfu_counted_lane_t                  counted   /*verilator public_flat_rd*/;

  assign header    = header_i;
  assign looked_up = looked_up_i;
  assign squared   = squared_i;
  assign products  = products_i;
  assign sum       = sum_i;
  assign counted   = counted_i;
endmodule
