// SPDX-License-Identifier: Apache-2.0
// The address of a lane: formed, checked against the space that it may go to, and placed in memory.
module address_lane #(
  localparam int unsigned LaneW = $clog2(g80_pkg::WarpSize)
) (
  // What the instruction says
  input  logic             register_i,    // the register is the address: g[]
  input  logic             indexed_i,     // $a is added
  input  logic             local_i,       // a word of l[] lies a warp behind the one before it
  input  logic [15:0]      offset_i,
  input  logic [4:0]       bytes_i,

  // Where the lanes may go
  input  logic             open_i,
  input  logic [31:0]      base_i,
  input  logic [32:0]      size_i,        // bytes

  // The lane
  input  logic [LaneW-1:0] lane_i,
  input  logic [31:0]      register_value_i,
  input  logic [15:0]      addr_i,

  output logic [31:0]      address_o,     // in the operand's space
  output logic [31:0]      placed_o,
  output logic             misaligned_o,
  output logic             outside_o
);
  logic [15:0] short_address;
  logic [31:0] in_space;

  assign short_address = offset_i + (indexed_i ? addr_i : 16'd0);
  assign address_o     = register_i ? register_value_i : {16'd0, short_address};
  assign misaligned_o  = (address_o[3:0] & 4'(bytes_i - 5'd1)) != '0;
  assign outside_o     = !open_i || {1'b0, address_o} + 33'(bytes_i) > size_i;
  assign in_space      = local_i ? 32'({short_address[15:2], lane_i, short_address[1:0]}) : address_o;
  assign placed_o      = base_i + in_space;
endmodule
