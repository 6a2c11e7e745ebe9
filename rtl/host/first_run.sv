// SPDX-License-Identifier: Apache-2.0
// How a write to the host is cut into packets: first_run() of hw/host/host_port.h, and what post_run() leaves of the
// write when the run of the edge before goes.
module first_run #(
  parameter int unsigned Bytes = 128,
  localparam int unsigned PlaceW = $clog2(Bytes)
) (
  input  logic              clk_i,
  // Registers: the bytes that are left; a run of them
  input  logic [Bytes-1:0]  byte_enable_i,
  input  logic [PlaceW-1:0] first_i,
  input  logic [PlaceW:0]   count_i,
  // Behind the edge: the first run
  output logic [PlaceW-1:0] first_o,
  output logic [PlaceW:0]   count_o,  // 0: no byte is left
  // The bytes without the run
  output logic [Bytes-1:0]  rest_o,
  output logic              any_o
);
  logic [Bytes-1:0]  up_to, runs;  // such a byte, or one below, is enabled; or none is: ones up to the run's end
  logic [Bytes-1:0]  rest;
  logic              any, ends;
  logic [PlaceW-1:0] first, behind;
  logic [PlaceW:0]   run_end;

  always_comb begin : find_first
    up_to = byte_enable_i;
    for (int s = 1; s < Bytes; s = 2 * s) up_to = up_to | (up_to << s);
  end
  assign runs   = byte_enable_i | ~up_to;

  lowest_set #(.Width(Bytes)) u_first (
    .mask_i (byte_enable_i),
    .found_o(any),
    .index_o(first)
  );
  lowest_set #(.Width(Bytes)) u_end (
    .mask_i (~runs),
    .found_o(ends),
    .index_o(behind)
  );

  assign run_end = (PlaceW + 1)'(first_i) + count_i;
  assign rest    = byte_enable_i & (~('1 << first_i) | ('1 << run_end));

  always_ff @(posedge clk_i) begin : registers
    first_o <= first;
    count_o <= !any ? '0 : (ends ? {1'b0, behind} : (PlaceW + 1)'(Bytes)) - (PlaceW + 1)'(first);
    rest_o  <= rest;
    any_o   <= |rest;
  end
endmodule
