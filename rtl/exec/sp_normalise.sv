// SPDX-License-Identifier: Apache-2.0
// Stage 7 of a scalar processor: the normalising shift, which also executes shifts to the left.
// Twin of sp_normalise() of hw/exec/sp_normalise.cpp.
module sp_normalise (
  input  logic                         enable_i,
  input  g80_pkg::sp_control_t         control_i,
  input  g80_pkg::sp_counted_lane_t    counted_i,
  input  g80_pkg::sp_normalised_lane_t held_i,
  output g80_pkg::sp_normalised_lane_t next_o
);
  localparam logic [9:0] Infinity = 10'd255;  // exponents above all formats count as one

  logic [31:0] word;
  assign word = counted_i.word;

  logic [32:0] shifted;  // with the last bit that left
  left_shifter #(
    .Width (33),
    .CountW(6)
  ) u_shifter (
    .word_i ({1'b0, word}),
    .count_i(counted_i.count),
    .word_o (shifted)
  );

  logic [5:0] width;
  assign width = control_i.half ? 6'd16 : 6'd32;

  always_comb begin : normalise
    next_o = held_i;
    if (enable_i) begin
      case (control_i.path)
        g80_pkg::SpPathMove, g80_pkg::SpPathLogic, g80_pkg::SpPathMultiply, g80_pkg::SpPathCompare: next_o.word = word;
        g80_pkg::SpPathShiftRight, g80_pkg::SpPathAdd, g80_pkg::SpPathMultiplyAdd, g80_pkg::SpPathDistance: begin
          next_o.word = word;
          if (control_i.writes_flags) begin
            next_o.carry    = counted_i.carry;
            next_o.overflow = counted_i.overflow;
          end
        end
        g80_pkg::SpPathShiftLeft: begin
          next_o.word = control_i.half ? {16'd0, shifted[31:16]} : shifted[31:0];
          if (control_i.writes_flags) begin
            next_o.carry    = shifted[32] && counted_i.count != width;
            next_o.overflow = (word[31] ^ shifted[31]) && counted_i.count == 6'd1;
          end
        end
        g80_pkg::SpPathToInteger: begin
          next_o.word = word ^ {32{counted_i.sign}};
          next_o.sign = counted_i.sign;
        end
        g80_pkg::SpPathFloat, g80_pkg::SpPathToFloat: begin
          next_o.word      = shifted[31:0];
          next_o.exponent  = counted_i.exponent >= Infinity ? Infinity : counted_i.exponent;
          next_o.sign      = counted_i.sign;
          next_o.zero_sign = counted_i.zero_sign;
          next_o.special   = counted_i.special;
        end
        default: ;
      endcase
    end
  end
endmodule
