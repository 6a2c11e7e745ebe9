// SPDX-License-Identifier: Apache-2.0
// The write data of a transaction: the words of its lanes at their bytes.
// Twin of make_request() of hw/mem/coalesce.cpp.
//
// A byte of the transaction is the same byte of a lane's word, whichever lane it comes from. So it is a choice among 16
// lanes alone. The lanes and the first byte of the transaction come late: words are placed in the 128 bytes around it
// before.
module store_data #(
  localparam int unsigned Lanes  = g80_pkg::HalfWarp,
  localparam int unsigned Bytes  = g80_pkg::MaxTransactionBytes,
  localparam int unsigned ByteW  = $clog2(Bytes),
  localparam int unsigned Pieces = Bytes / 16
) (
  input  logic                        enable_i,   // else byte_enable_o is 0, and data_o too
  input  logic                        words_i,    // else data_o is 0
  input  logic [4:0]                  bytes_i,    // of a lane: 1, 2, 4, 8 or 16
  input  logic [Lanes-1:0][31:0]      address_i,
  input  logic [Lanes-1:0][3:0][31:0] data_i,
  input  logic [Lanes-1:0]            lanes_i,    // whose words are stored, each at bytes of its own
  input  logic [1:0]                  sector_i,   // of the 128 bytes, with which the transaction begins
  output logic [Bytes-1:0]            byte_enable_o,
  output logic [Bytes-1:0][7:0]       data_o
);
  logic [15:0][Lanes-1:0]       own;     // the bytes of the lane's word, in 16 bytes
  logic [15:0][7:0][Lanes-1:0]  word;    // its bits there, else 0
  logic [Pieces-1:0][Lanes-1:0] stores;  // in which 16 bytes it is

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [15:0]      placed;
    logic [15:0][7:0] spread;  // the word at each place where it can be

    always_comb begin : place
      case (bytes_i)
        5'd1: begin
          placed = 16'h0001 << address_i[l][3:0];
          spread = {16{data_i[l][0][7:0]}};
        end
        5'd2: begin
          placed = 16'h0003 << {address_i[l][3:1], 1'd0};
          spread = {8{data_i[l][0][15:0]}};
        end
        5'd4: begin
          placed = 16'h000f << {address_i[l][3:2], 2'd0};
          spread = {4{data_i[l][0]}};
        end
        5'd8: begin
          placed = 16'h00ff << {address_i[l][3], 3'd0};
          spread = {2{data_i[l][1:0]}};
        end
        default: begin
          placed = 16'hffff;
          spread = data_i[l];
        end
      endcase
    end

    for (genvar b = 0; b < 16; b++) begin : gen_byte
      assign own[b][l] = placed[b];
      for (genvar i = 0; i < 8; i++) begin : gen_bit
        assign word[b][i][l] = words_i && placed[b] && spread[b][i];
      end
    end
    for (genvar p = 0; p < Pieces; p++) begin : gen_piece
      assign stores[p][l] = lanes_i[l] && enable_i && address_i[l][ByteW-1:4] == (ByteW-4)'(p);
    end
  end

  // The 128 bytes around the transaction
  logic [3:0][Bytes/4-1:0]      enable;
  logic [3:0][Bytes/4-1:0][7:0] data;
  logic [15:0][Pieces-1:0]      enables;
  logic [15:0][Pieces-1:0][7:0] columns;

  for (genvar b = 0; b < 16; b++) begin : gen_column
    for (genvar p = 0; p < Pieces; p++) begin : gen_place
      assign enable[p/2][16*(p%2)+b] = enables[b][p];
      assign data[p/2][16*(p%2)+b]   = columns[b][p];
    end

    store_column u_column (
      .stores_i(stores),
      .own_i   (own[b]),
      .word_i  (word[b]),
      .enable_o(enables[b]),
      .data_o  (columns[b])
    );
  end

  // From its first byte on
  always_comb begin : begin_with_sector
    byte_enable_o = enable;
    data_o        = data;
    if (sector_i != 2'd0) begin
      byte_enable_o = {96'd0, enable[sector_i]};
      data_o        = {768'd0, data[sector_i]};
    end
    if (sector_i == 2'd2) begin
      byte_enable_o[63:32] = enable[3];
      data_o[63:32]        = data[3];
    end
  end
endmodule
