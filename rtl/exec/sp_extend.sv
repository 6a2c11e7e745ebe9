// SPDX-License-Identifier: Apache-2.0
// An operand word as its number format reads it: extended to 32 bits with zeros or with its sign.
// Twin of extend() of hw/exec/sp_unpack.cpp.
module sp_extend (
  input  logic [31:0]         word_i,
  input  g80_pkg::sp_format_t format_i,
  output logic [31:0]         word_o
);
  logic sign;  // what the upper bits become

  always_comb begin : extend
    case (format_i.width)
      g80_pkg::SpWidth8: begin
        sign   = format_i.is_signed && word_i[7];
        word_o = {{24{sign}}, word_i[7:0]};
      end
      g80_pkg::SpWidth16: begin
        sign   = format_i.is_signed && word_i[15];
        word_o = {{16{sign}}, word_i[15:0]};
      end
      g80_pkg::SpWidth24: begin
        sign   = format_i.is_signed && word_i[23];
        word_o = {{8{sign}}, word_i[23:0]};
      end
      default: begin
        sign   = 1'b0;
        word_o = word_i;
      end
    endcase
  end
endmodule
