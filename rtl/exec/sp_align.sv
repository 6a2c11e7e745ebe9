// SPDX-License-Identifier: Apache-2.0
// Stage 4 of a scalar processor: the alignment shift. One right shifter serves shifts, conversions and the smaller
// operand of a sum of floats.
// Twin of sp_align() of hw/exec/sp_align.cpp.
module sp_align (
  input  logic                      enable_i,
  input  g80_pkg::sp_control_t      control_i,
  input  g80_pkg::sp_product_lane_t product_i,
  input  g80_pkg::sp_aligned_lane_t held_i,
  output g80_pkg::sp_aligned_lane_t next_o
);
  logic [31:0] x, y;
  assign x = product_i.x;
  assign y = product_i.y;

  logic        is_float, is_signed_shift;
  logic [31:0] word, kept, shifted_out;
  assign is_float        = control_i.path == g80_pkg::SpPathFloat;
  assign is_signed_shift = control_i.path == g80_pkg::SpPathShiftRight && control_i.from.is_signed;
  assign word            = is_float ? y : x;
  right_shifter u_shifter (
    .word_i (word),
    .fill_i (is_signed_shift && word[31]),
    .count_i(product_i.count),
    .kept_o (kept),
    .out_o  (shifted_out)
  );
  logic guard, sticky;
  assign guard  = shifted_out[31];
  assign sticky = shifted_out[30:0] != '0;

  // The chip converts large integers to f16 wrongly: it drops the top bits. It drops two, and one more for each leading
  // zero of the low half word, up to seven; it counts them before the complement of a negative number gets its 1.
  logic [31:0] half_mask;
  always_comb begin : mask_for_half
    casez (x[15:11])
      5'b1????: half_mask = 32'hffffffff >> 2;
      5'b01???: half_mask = 32'hffffffff >> 3;
      5'b001??: half_mask = 32'hffffffff >> 4;
      5'b0001?: half_mask = 32'hffffffff >> 5;
      5'b00001: half_mask = 32'hffffffff >> 6;
      default:  half_mask = 32'hffffffff >> 7;
    endcase
  end

  logic [5:0] width;
  logic       rounds;   // a conversion that rounds in the next stage
  logic       to_half;
  assign width   = control_i.half ? 6'd16 : 6'd32;
  assign rounds  = control_i.path == g80_pkg::SpPathToInteger || control_i.integral;
  assign to_half = control_i.path == g80_pkg::SpPathToFloat && control_i.to.width == g80_pkg::SpWidth16;

  always_comb begin : align
    next_o = held_i;
    if (enable_i) begin
      case (control_i.path)
        g80_pkg::SpPathMove, g80_pkg::SpPathLogic, g80_pkg::SpPathMultiply: next_o.x = x;
        g80_pkg::SpPathAdd, g80_pkg::SpPathMultiplyAdd: begin
          next_o.x     = x;
          next_o.y     = y;
          next_o.carry = product_i.carry;
        end
        g80_pkg::SpPathCompare: begin  // the adder subtracts
          next_o.x       = x;
          next_o.y       = ~y;
          next_o.special = product_i.special;
        end
        g80_pkg::SpPathDistance: begin
          // A negative difference becomes positive: complement here, carry in the adder. The sign of the result is
          // wanted for the overflow of the sum.
          next_o.x     = x ^ {32{product_i.sign}};
          next_o.sign  = (x[31] ^ product_i.sign) || (product_i.sign && x[30:0] == '0);
          next_o.carry = product_i.sign;
          next_o.y     = y;
        end
        g80_pkg::SpPathShiftLeft: begin
          next_o.x     = x;
          next_o.count = product_i.count;
        end
        g80_pkg::SpPathShiftRight: begin
          next_o.x = kept;
          if (control_i.writes_flags) begin  // overflow: a shift by one changed the sign
            next_o.carry    = guard && product_i.count != width;
            next_o.overflow = product_i.count == 6'd1 && (control_i.half ? x[15] ^ kept[15] : x[31] ^ kept[31]);
          end
        end
        g80_pkg::SpPathFloat: begin
          next_o.x         = x;
          next_o.y         = {kept[31:1], kept[0] || guard || sticky} ^ {32{product_i.carry}};
          next_o.carry     = product_i.carry;
          next_o.exponent  = product_i.exponent;
          next_o.sign      = product_i.sign;
          next_o.zero_sign = product_i.zero_sign;
          next_o.limited   = product_i.limited;
          next_o.special   = product_i.special;
        end
        g80_pkg::SpPathToInteger, g80_pkg::SpPathToFloat: begin
          // What is below the binary point leaves the word. Where a rounding follows, its first bit and whether others
          // are set stay as two bits; a denormal f16 keeps all, sticky, for the last stage to round.
          if (control_i.from.is_float) begin
            next_o.x = {kept[31:1], kept[0] || (!rounds && (guard || sticky))};
            next_o.y = rounds ? {30'd0, guard, sticky} : '0;
          end else begin
            next_o.x = x;
            if (to_half) next_o.y = half_mask;
          end
          next_o.exponent = product_i.exponent;
          next_o.sign     = product_i.sign;
          next_o.special  = product_i.special;
          next_o.carry    = product_i.carry;
        end
        default: ;
      endcase
    end
  end
endmodule
