// SPDX-License-Identifier: Apache-2.0
// The data of a cache: rows of 128 bytes in four memories of 32. A slot is a line of 32, 64 or 128 bytes, so a row has
// four, two or one. A line is written as a whole; a row is read as a whole.
module line_data #(
  parameter int unsigned Bytes = 65536,
  parameter int unsigned SlotW = 11,
  localparam int unsigned Banks     = 4,
  localparam int unsigned BankBits  = 256,
  localparam int unsigned RowBytes  = Banks * BankBits / 8,
  localparam int unsigned Rows      = Bytes / RowBytes,
  localparam int unsigned RowW      = $clog2(Rows),
  localparam int unsigned AddressW  = $clog2(Bytes / 32)
) (
  input  logic                            clk_i,

  // Strap
  input  logic [2:0]                      cfg_line_bits_i,  // 5, 6 or 7: of the address of a byte in its line

  input  logic [SlotW-1:0]                slot_i,           // to write or to read
  input  logic [SlotW-1:0]                read_slot_i,      // the same in a read
  input  logic                            write_i,
  input  logic [Banks-1:0][BankBits-1:0]  line_i,
  output logic [Banks-1:0][BankBits-1:0]  row_o,
  output logic [1:0]                      first_o           // bank in which the line that is read begins
);
  logic [AddressW-1:0]            address;  // of 32 bytes
  logic [RowW-1:0]                row;
  logic [1:0]                     first;
  logic [Banks-1:0]               written;
  logic [Banks-1:0][BankBits-1:0] data;

  assign address = AddressW'(slot_i) << (cfg_line_bits_i - 3'd5);
  assign row     = address[AddressW-1:2];
  assign first   = address[1:0];
  assign first_o = 2'(read_slot_i << (cfg_line_bits_i - 3'd5));

  always_comb begin : place_line
    case (cfg_line_bits_i)
      3'd5: begin
        for (int b = 0; b < Banks; b++) written[b] = first == 2'(b);
        data = {4{line_i[0]}};
      end
      3'd6: begin
        for (int b = 0; b < Banks; b++) written[b] = first[1] == (b >= 2);
        data = {2{line_i[1:0]}};
      end
      default: begin
        written = '1;
        data    = line_i;
      end
    endcase
  end

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    sram_1rw #(
      .Words(Rows),
      .Width(BankBits)
    ) u_bank (
      .clk_i,
      .address_i(row),
      .write_i  (write_i && written[b]),
      .data_i   (data[b]),
      .data_o   (row_o[b])
    );
  end
endmodule
