// SPDX-License-Identifier: Apache-2.0
// The queue between two clocks: an asynchronous FIFO with Gray pointers.
//
// C. E. Cummings, Simulation and Synthesis Techniques for Asynchronous FIFO Design, SNUG San Jose 2002. An entry is
// visible to the reader at the Edges-th edge of its clock strictly after the write, a free place to the writer at the
// FreeEdges-th edge of its own: the flops that bring the pointers over are one less. A way in the reader's clock is Way
// registers more, behind the flops of the write pointer. Both sides leave reset together, while neither has an edge.
//
// The writer pushes only when can_push_o is high, and the reader pops only when available_o is.
module crossing_fifo #(
  parameter int unsigned Depth     = 8,
  parameter int unsigned Width     = 32,
  parameter int unsigned Edges     = 2,
  parameter int unsigned FreeEdges = 2,
  parameter int unsigned Way       = 0,
  localparam int unsigned IndexW   = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic             rst_ni,

  input  logic             write_clk_i,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  output logic             can_push_o,
  output logic             all_free_o,   // the reader has taken all that was written

  input  logic             read_clk_i,
  input  logic             pop_i,
  output logic             available_o,
  output logic [Width-1:0] front_o
);
  // Pointers: a bit more than the number of a place, so that full and empty differ
  logic [IndexW:0] write, write_gray, write_caught, write_seen;
  logic [IndexW:0] read_gray, read_seen;

  logic [IndexW-1:0] read;
  logic              unused_lap;

  gray_counter #(
    .Width(IndexW + 1)
  ) u_write (
    .clk_i   (write_clk_i),
    .rst_ni,
    .count_i (push_i),
    .binary_o(write),
    .gray_o  (write_gray)
  );

  gray_counter #(
    .Width(IndexW + 1)
  ) u_read (
    .clk_i   (read_clk_i),
    .rst_ni,
    .count_i (pop_i),
    .binary_o({unused_lap, read}),
    .gray_o  (read_gray)
  );

  synchroniser #(
    .Width(IndexW + 1),
    .Flops(Edges - 1)
  ) u_write_caught (
    .clk_i (read_clk_i),
    .rst_ni,
    .data_i(write_gray),
    .data_o(write_caught)
  );

  synchroniser #(
    .Width(IndexW + 1),
    .Flops(Way)
  ) u_way (
    .clk_i (read_clk_i),
    .rst_ni,
    .data_i(write_caught),
    .data_o(write_seen)
  );

  synchroniser #(
    .Width(IndexW + 1),
    .Flops(FreeEdges - 1)
  ) u_read_seen (
    .clk_i (write_clk_i),
    .rst_ni,
    .data_i(read_gray),
    .data_o(read_seen)
  );

  sram_1r1w #(
    .Words(1 << IndexW),
    .Width(Width)
  ) u_entries (
    .clk_i          (write_clk_i),
    .write_i        (push_i),
    .write_address_i(write[IndexW-1:0]),
    .write_data_i   (data_i),
    .read_address_i (read),
    .read_data_o    (front_o)
  );

  // The writer's side: the places that are not free
  logic [IndexW:0] read_binary, used;

  for (genvar b = 0; b <= IndexW; b++) begin : gen_binary
    assign read_binary[b] = ^read_seen[IndexW:b];
  end
  assign used       = write - read_binary;
  assign can_push_o = used < (IndexW + 1)'(Depth);
  assign all_free_o = used == '0;

  // The reader's side
  assign available_o = write_seen != read_gray;

  always @(posedge write_clk_i) begin : write_checks
    if (rst_ni) begin
      PushHasRoom: assert (!push_i || can_push_o);
    end
  end

  always @(posedge read_clk_i) begin : read_checks
    if (rst_ni) begin
      PopHasAnEntry: assert (!pop_i || available_o);
    end
  end
endmodule
