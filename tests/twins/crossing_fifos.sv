// SPDX-License-Identifier: Apache-2.0
// Asynchronous FIFOs of some shapes between the same two clocks.
module crossing_fifos #(
  localparam int unsigned Fifos = 5,
  localparam int unsigned Width = 32
) (
  input  logic                        rst_ni,

  input  logic                        write_clk_i,
  input  logic [Fifos-1:0]            push_i,
  input  logic [Fifos-1:0][Width-1:0] data_i,
  output logic [Fifos-1:0]            can_push_o,
  output logic [Fifos-1:0]            all_free_o,

  input  logic                        read_clk_i,
  input  logic [Fifos-1:0]            pop_i,
  output logic [Fifos-1:0]            available_o,
  output logic [Fifos-1:0][Width-1:0] front_o
);
  localparam logic [Fifos-1:0][7:0] Depth     = {8'd16, 8'd8, 8'd5, 8'd2, 8'd1};
  localparam logic [Fifos-1:0][7:0] Edges     = {8'd4, 8'd2, 8'd3, 8'd1, 8'd2};
  localparam logic [Fifos-1:0][7:0] FreeEdges = {8'd8, 8'd2, 8'd1, 8'd4, 8'd1};
  localparam logic [Fifos-1:0][7:0] Way       = {8'd0, 8'd5, 8'd0, 8'd0, 8'd1};

  for (genvar i = 0; i < Fifos; i++) begin : gen_fifo
    crossing_fifo #(
      .Depth    (32'(Depth[i])),
      .Width    (Width),
      .Edges    (32'(Edges[i])),
      .FreeEdges(32'(FreeEdges[i])),
      .Way      (32'(Way[i]))
    ) u_fifo (
      .rst_ni,
      .write_clk_i,
      .push_i     (push_i[i]),
      .data_i     (data_i[i]),
      .can_push_o (can_push_o[i]),
      .all_free_o (all_free_o[i]),
      .read_clk_i,
      .pop_i      (pop_i[i]),
      .available_o(available_o[i]),
      .front_o    (front_o[i])
    );
  end
endmodule
