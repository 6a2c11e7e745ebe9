// SPDX-License-Identifier: Apache-2.0
// How many warps of each block live, and how many wait at each of its barriers, by looking at all warps.
module warp_counts #(
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
  always_comb begin : count
    alive_o   = unstarted_i;
    waiters_o = '0;
    for (int c = 0; c < Blocks; c++) begin
      for (int w = 0; w < Warps; w++) begin
        if (live_i[w] && block_i[w] == BlockW'(c)) alive_o[c] = alive_o[c] + SizeW'(1);
      end
      for (int b = 0; b < Barriers; b++) begin
        for (int w = 0; w < Warps; w++) begin
          if (waits_i[w] && block_i[w] == BlockW'(c) && at_i[w] == IdW'(b))
            waiters_o[c][b] = waiters_o[c][b] + SizeW'(1);
        end
      end
    end
  end
endmodule
