// SPDX-License-Identifier: Apache-2.0
// From the texel numbers of a lane to the addresses of its taps in one slice: stages 5 and 6 of hw/tex/address_pipe.h,
// which are texel_row() and texel_address() of hw/tex/texture_header.h. A lane between two slices has two of these.
module texel_address (
  input  logic                  clk_i,
  // Of the header
  input  logic [31:0]           base_i,
  input  logic [31:0]           pitch_i,
  input  logic [15:0]           rows_i,
  input  logic                  block_linear_i,
  input  logic [2:0]            height_i,  // of a block: log2 of GOBs, 5 at most
  input  logic [2:0]            depth_i,   // log2 of slices, 5 at most
  input  logic [2:0]            bytes_i,   // log2 of a texel's, 4 at most
  // Of the lane: the lower and the upper texel of an axis
  input  logic [1:0][26:0]      x_i,
  input  logic [1:0][15:0]      y_i,
  input  logic [11:0]           z_i,
  // Two clocks later: [y][x]
  output logic [1:0][1:0][31:0] address_o
);
  localparam int unsigned RowW = 28;  // a slice has up to 2^16 rows, and there are 2^12 slices

  // 5. Rows, or rows of blocks. What is left of y and z of a block lies between the bits of x.
  logic [2:0]           line_bits;
  logic [4:0]           slice_bits, block_bits;
  logic [11:0]          slice;
  logic [RowW-1:0]      first_row;
  logic [1:0][RowW-1:0] row, row_q;
  logic [1:0][15:0]     line;
  logic [1:0][31:0]     x_bytes, of_x, of_x_q;  // in their row
  logic [1:0][17:0]     of_y, of_y_q;
  always_comb begin : rows
    line_bits  = 3'd2 + height_i;
    slice_bits = 5'd6 + 5'(line_bits);
    block_bits = slice_bits + 5'(depth_i);
    slice      = block_linear_i ? z_i >> depth_i : z_i;
    first_row  = RowW'(slice) * RowW'(rows_i);
    for (int unsigned upper = 0; upper < 2; upper++) begin
      line[upper]    = block_linear_i ? y_i[upper] >> line_bits : y_i[upper];
      row[upper]     = first_row + RowW'(line[upper]);
      x_bytes[upper] = 32'(x_i[upper]) << bytes_i;
      of_x[upper]    = block_linear_i ? x_bytes[upper] >> 6 << block_bits | 32'(x_bytes[upper][5:0]) : x_bytes[upper];
      of_y[upper]    = !block_linear_i ? '0
                     : (18'(z_i) & ~(18'h3ffff << depth_i)) << slice_bits |
                       (18'(y_i[upper]) & ~(18'h3ffff << line_bits)) << 6;
    end
  end

  // 6. Times pitch, plus base and the place in the row
  logic [31:0]           base_q, pitch_q;
  logic [3:0]            in_texel, in_texel_q;  // bits of a byte's number in its texel
  logic [1:0][31:0]      row_start;
  logic [1:0][1:0][31:0] address;
  always_comb begin : addresses
    in_texel = ~(4'hf << bytes_i);
    for (int unsigned upper = 0; upper < 2; upper++) begin
      row_start[upper] = 32'(row_q[upper]) * pitch_q + base_q;
      for (int unsigned right = 0; right < 2; right++) begin
        address[upper][right] = (row_start[upper] + (of_x_q[right] | 32'(of_y_q[upper]))) & ~32'(in_texel_q);
      end
    end
  end

  always_ff @(posedge clk_i) begin : registers
    base_q     <= base_i;
    pitch_q    <= pitch_i;
    row_q      <= row;
    of_x_q     <= of_x;
    of_y_q     <= of_y;
    in_texel_q <= in_texel;
    address_o  <= address;
  end
endmodule
