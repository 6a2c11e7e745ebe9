// SPDX-License-Identifier: Apache-2.0
// A magnitude that becomes an integer: the largest that the type and the sign allow, where the number lies beyond it.
// Twin of clamp() of hw/exec/sp_normalise.cpp.
module sp_clamp (
  input  g80_pkg::sp_format_t to_i,
  input  logic [31:0]         word_i,
  input  logic                sign_i,
  input  logic                infinite_i,
  output logic [31:0]         word_o
);
  logic [31:0] unsigned_limit, positive, limit;
  logic        beyond;

  always_comb begin : width
    case (to_i.width)
      g80_pkg::SpWidth8:  unsigned_limit = 32'h000000ff;
      g80_pkg::SpWidth16: unsigned_limit = 32'h0000ffff;
      default:            unsigned_limit = 32'hffffffff;
    endcase
  end
  assign positive = to_i.is_signed ? {1'b0, unsigned_limit[31:1]} : unsigned_limit;
  assign beyond   = (word_i & ~positive) != '0 || infinite_i || (sign_i && !to_i.is_signed);
  assign limit    = !sign_i ? positive : to_i.is_signed ? unsigned_limit ^ positive : '0;
  assign word_o   = beyond ? limit : word_i;
endmodule
