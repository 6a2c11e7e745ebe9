// SPDX-License-Identifier: Apache-2.0
// The next piece of an order of the copy engine, and what is left of the order: cut_piece() of hw/host/copy_engine.h.
// Side 0 is what the order writes, or its one side on the device; side 1 is what a copy on the device reads.
//
// A piece has as many bytes as the line, or as the shortest way to the end of a block, a page or a line of a GOB. While
// the shortest way is found, all ways are compared with the line: so each sum is made for both cases before the choice.
module cut_piece (
  input  logic             clk_i,
  // Registers: the order
  input  logic             on_device_i,  // both sides are there
  input  logic             on_link_i,    // one side is the host
  input  logic [31:0]      line_bytes_i,
  input  logic [31:0]      bytes_i,
  input  logic [31:0]      lines_i,
  input  logic [63:0]      host_address_i,
  input  logic [31:0]      host_pitch_i,  // the pitches count from the end of a line on
  input  logic [1:0][31:0] address_i,
  input  logic [1:0][31:0] pitch_i,
  input  logic [1:0]       block_linear_i,
  input  logic [1:0][2:0]  height_i,
  input  logic [1:0][2:0]  depth_i,
  input  logic [1:0][31:0] x_i,
  input  logic [1:0][15:0] y_i,
  input  logic [1:0][11:0] z_i,
  // Registers behind the edge: the piece,
  output logic [31:0]      piece_address_o,
  output logic [7:0]       piece_bytes_o,
  output logic [6:0]       piece_first_o,
  output logic [7:0]       piece_count_o,
  output logic [127:0]     byte_enable_o,  // of the block of piece_bytes_o
  output logic [31:0]      target_o,
  // and the order
  output logic [31:0]      bytes_o,
  output logic [31:0]      lines_o,
  output logic [63:0]      host_address_o,
  output logic [1:0][31:0] address_o,
  output logic [1:0][31:0] x_o,
  output logic [1:0][15:0] y_o
);
  localparam int unsigned Ends = 5;  // of a block on each side, of a GOB's line on each side, of the host's page

  logic [1:0][31:0]     place;
  logic [1:0]           next_row;  // the line below is in the next row of blocks
  logic [Ends-1:0][6:0] passed;    // bytes of 128 behind which an end comes
  logic [Ends-1:0]      nearest, reached;
  logic [6:0]           most;
  logic [7:0]           room, count;
  logic                 ends;

  for (genvar s = 0; s < 2; s++) begin : gen_side
    logic [3:0]  line_bits;
    logic [4:0]  bits;
    logic [15:0] in_block, line;
    logic [11:0] in_depth, slice;
    logic [31:0] offset;

    assign line_bits   = 4'd2 + 4'(height_i[s]);
    assign bits        = 5'd8 + 5'(height_i[s]) + 5'(depth_i[s]);
    assign in_block    = ~(16'hffff << line_bits);
    assign line        = y_i[s] & in_block;
    assign in_depth    = ~(12'hfff << depth_i[s]);
    assign slice       = z_i[s] & in_depth;
    assign offset      = (x_i[s] >> 6) << bits | 32'(slice) << (5'd6 + 5'(line_bits)) | 32'(line) << 6 |
                         32'(x_i[s][5:0]);
    assign place[s]    = address_i[s] + (block_linear_i[s] ? offset : '0);
    assign next_row[s] = (~y_i[s] & in_block) == '0;
    assign passed[s]   = s == 0 || on_device_i ? place[s][6:0] : '0;
    assign passed[2+s] = block_linear_i[s] && (s == 0 || on_device_i) ? {1'b1, x_i[s][5:0]} : '0;
  end
  assign passed[4] = on_link_i && &host_address_i[11:7] ? host_address_i[6:0] : '0;

  always_comb begin : find_count
    most = '0;
    for (int a = 0; a < Ends; a++) begin
      reached[a] = bytes_i <= 32'd128 - 32'(passed[a]);
      nearest[a] = 1'b1;
      for (int b = 0; b < Ends; b++) if (b != a && passed[b] > passed[a]) nearest[a] = 1'b0;
      most |= nearest[a] ? passed[a] : '0;
    end
    ends  = &reached;
    room  = 8'd128 - 8'(most);
    count = ends ? bytes_i[7:0] : room;
  end

  // The piece
  logic [31:0]  at;
  logic [7:0]   piece_end;
  logic [1:0]   last;  // its bits above 31
  logic [127:0] enable;
  logic [1:0]   half;  // the piece lies in a half, in a quarter

  assign at        = place[on_device_i];
  assign last      = 2'((8'(at[6:0]) + count - 8'd1) >> 5);
  assign piece_end = 8'(at[6:0]) + count;
  assign half      = {at[6:5] == last, at[6] == last[1]};

  always_comb begin : mask
    enable = ~('1 << piece_end) & ('1 << at[6:0]);
    if (half[0]) enable = at[6] ? enable >> 64 : enable & 128'hffffffff_ffffffff;
    if (half[1]) enable = at[5] ? enable >> 32 : enable & 128'hffffffff;
  end

  always_ff @(posedge clk_i) begin : registers
    piece_count_o   <= count;
    piece_bytes_o   <= half[1] ? 8'd32 : half[0] ? 8'd64 : 8'd128;
    piece_address_o <= {at[31:7], at[6] && half[0], at[5] && half[1], 5'd0};
    piece_first_o   <= {at[6] && !half[0], at[5] && !half[1], at[4:0]};
    byte_enable_o   <= enable;
    target_o        <= place[0];
    lines_o         <= lines_i - 32'(ends);
    bytes_o         <= !ends ? bytes_i - 32'(room) : lines_i == 32'd1 ? '0 : line_bytes_i;
    host_address_o  <= ends ? host_address_i + 64'(bytes_i[7:0]) + 64'(host_pitch_i) : host_address_i + 64'(room);
    for (int s = 0; s < 2; s++) begin
      if (block_linear_i[s]) begin
        address_o[s] <= ends && next_row[s] ? address_i[s] + pitch_i[s] : address_i[s];
        x_o[s]       <= ends ? x_i[s] + 32'(bytes_i[7:0]) - line_bytes_i : x_i[s] + 32'(room);
        y_o[s]       <= y_i[s] + 16'(ends);
      end else begin
        address_o[s] <= ends ? address_i[s] + 32'(bytes_i[7:0]) + pitch_i[s] : address_i[s] + 32'(room);
        x_o[s]       <= x_i[s];
        y_o[s]       <= y_i[s];
      end
    end
  end
endmodule
