// SPDX-License-Identifier: Apache-2.0
// Stands in for warp_counts.sv in proofs of many warps: the numbers as counters have them. CountsAreTrue of
// barrier_props.sv proves for few warps that they are the same.
module counted_warps #(
  localparam int unsigned Warps    = g80_pkg::MaxWarps,
  localparam int unsigned Blocks   = g80_pkg::MaxCtasPerSm,
  localparam int unsigned BlockW   = $clog2(Blocks),
  localparam int unsigned SizeW    = $clog2(g80_pkg::MaxWarpsPerCta + 1),
  localparam int unsigned Barriers = g80_pkg::MaxBarriers,
  localparam int unsigned IdW      = $clog2(Barriers)
) (
  input  logic [Blocks-1:0][SizeW-1:0]               unstarted_i,  // warps that have not begun
  input  logic [Warps-1:0]                           live_i,
  input  logic [Warps-1:0]                           waits_i,
  input  logic [Warps-1:0][BlockW-1:0]               block_i,
  input  logic [Warps-1:0][IdW-1:0]                  at_i,
  input  logic [Blocks-1:0][SizeW-1:0]               alive_i,      // as counters have them
  input  logic [Blocks-1:0][Barriers-1:0][SizeW-1:0] waiters_i,
  output logic [Blocks-1:0][SizeW-1:0]               alive_o,
  output logic [Blocks-1:0][Barriers-1:0][SizeW-1:0] waiters_o
);
  assign alive_o   = alive_i;
  assign waiters_o = waiters_i;
endmodule
