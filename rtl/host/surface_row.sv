// SPDX-License-Identifier: Apache-2.0
// Where the row of blocks begins that a copy of a block-linear surface begins in: CopyEngine::place_surfaces() of
// hw/host/copy_engine.h, for one side of the order, with the sums and products of hw/common/block_linear.h. The row and
// the pitch of rows at one edge, the address at the next one.
module surface_row (
  input  logic        clk_i,
  // Registers: the order
  input  logic [2:0]  height_i,   // of a block: log2 of its GOBs
  input  logic [2:0]  depth_i,    // log2 of its slices
  input  logic [31:0] width_i,    // bytes
  input  logic [15:0] lines_i,
  input  logic [15:0] y_i,
  input  logic [11:0] z_i,
  input  logic [31:0] address_i,  // of the surface, at the second edge
  output logic [31:0] pitch_o,
  output logic [31:0] address_o
);
  logic [3:0]  line_bits;
  logic [15:0] last_line;
  logic [16:0] lines;
  logic [11:0] layer;
  logic [27:0] row_d, row_q;
  logic [31:0] pitch_d, pitch_q;

  always_comb begin : place
    line_bits = 4'(height_i) + 4'd2;
    last_line = 16'((32'd1 << line_bits) - 32'd1);
    lines     = 17'(lines_i) + 17'(last_line);
    layer     = z_i >> depth_i;
    row_d     = 28'(layer) * (28'(lines) >> line_bits) + (28'(y_i) >> line_bits);
    pitch_d   = ((width_i + 32'd63) >> 6) << (5'd6 + 5'(line_bits) + 5'(depth_i));
  end

  always_ff @(posedge clk_i) begin : registers
    row_q     <= row_d;
    pitch_q   <= pitch_d;
    address_o <= address_i + 32'(row_q) * pitch_q;
  end
  assign pitch_o = pitch_q;
endmodule
