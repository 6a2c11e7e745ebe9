// SPDX-License-Identifier: Apache-2.0
// The write data of a transaction: the words of its lanes at their bytes. If lanes store to the same byte, the highest
// lane wins. Twin of make_request() of hw/mem/coalesce.cpp.
//
// A byte of the transaction is the same byte of a lane's word, whichever lane it comes from. So it is a choice among 16
// lanes alone.
module store_data #(
  localparam int unsigned Lanes  = g80_pkg::HalfWarp,
  localparam int unsigned Bytes  = g80_pkg::MaxTransactionBytes,
  localparam int unsigned ByteW  = $clog2(Bytes),
  localparam int unsigned Pieces = Bytes / 16
) (
  input  logic                        enable_i,          // else all outputs are 0
  input  logic [4:0]                  bytes_i,           // of a lane: 1, 2, 4, 8 or 16
  input  logic [Lanes-1:0]            lanes_i,           // that the transaction serves
  input  logic [Lanes-1:0][31:0]      address_i,
  input  logic [Lanes-1:0][3:0][31:0] data_i,
  input  logic [7:0]                  size_i,            // of the transaction: 32, 64 or 128 bytes
  output logic [Bytes-1:0]            byte_enable_o,
  output logic [Bytes-1:0][7:0]       data_o
);
  logic [Lanes-1:0][Pieces-1:0] piece;   // the 16 bytes in which the lane's word is
  logic [Lanes-1:0][15:0]          own;     // its bytes there
  logic [Lanes-1:0][15:0][7:0]  spread;  // the word at each place where it can be there

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [ByteW-1:0] offset;

    assign offset = address_i[l][ByteW-1:0] & (size_i[ByteW-1:0] - ByteW'(1));

    always_comb begin : place
      piece[l]  = '0;
      own[l] = '0;
      spread[l] = '0;
      if (enable_i) begin
        piece[l] = lanes_i[l] ? Pieces'(1) << offset[ByteW-1:4] : '0;
        case (bytes_i)
          5'd1: begin
            own[l] = 16'h0001 << offset[3:0];
            spread[l] = {16{data_i[l][0][7:0]}};
          end
          5'd2: begin
            own[l] = 16'h0003 << {offset[3:1], 1'd0};
            spread[l] = {8{data_i[l][0][15:0]}};
          end
          5'd4: begin
            own[l] = 16'h000f << {offset[3:2], 2'd0};
            spread[l] = {4{data_i[l][0]}};
          end
          5'd8: begin
            own[l] = 16'h00ff << {offset[3], 3'd0};
            spread[l] = {2{data_i[l][1:0]}};
          end
          default: begin
            own[l] = 16'hffff;
            spread[l] = data_i[l];
          end
        endcase
      end
    end
  end

  // For each byte the highest lane that stores there
  logic [Lanes-1:0] stores, above, winner;
  logic [7:0]       chosen;

  always_comb begin : choose
    byte_enable_o = '0;
    data_o        = '0;
    stores        = '0;
    above         = '0;
    winner        = '0;
    chosen        = '0;
    if (enable_i) begin
      for (int p = 0; p < Pieces; p++) begin
        for (int b = 0; b < 16; b++) begin
          for (int l = 0; l < Lanes; l++) stores[l] = piece[l][p] && own[l][b];
          above = stores >> 1;
          for (int s = 1; s < Lanes; s = 2 * s) above = above | (above >> s);
          winner = stores & ~above;
          chosen = '0;
          for (int l = 0; l < Lanes; l++) chosen = chosen | (winner[l] ? spread[l][b] : 8'd0);
          byte_enable_o[16*p+b] = |stores;
          data_o[16*p+b]        = chosen;
        end
      end
    end
  end
endmodule
