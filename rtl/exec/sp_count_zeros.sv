// SPDX-License-Identifier: Apache-2.0
// Stage 6 of a scalar processor: the leading-zero count. Sums are saturated, comparisons choose their result, and what
// becomes an integer is clamped.
// Twin of sp_count_zeros() of hw/exec/sp_normalise.cpp.
module sp_count_zeros (
  input  logic                      enable_i,
  input  g80_pkg::sp_control_t      control_i,
  input  g80_pkg::sp_sum_lane_t     sum_i,
  input  g80_pkg::sp_counted_lane_t held_i,
  output g80_pkg::sp_counted_lane_t next_o
);
  localparam logic [10:0] Offset = 11'(g80_pkg::SpExponentOffset);
  localparam logic [10:0] Base   = 11'd31 - 11'd26;  // the leading one of the larger operand is in bit 26

  logic [31:0] word;
  assign word = sum_i.word;

  // Saturation of a signed sum; a 16-bit one leaves the upper half of the adder.
  logic [31:0] limited_sum;
  assign limited_sum = control_i.saturate && sum_i.overflow ? {sum_i.sign, {31{!sum_i.sign}}} : word;

  logic [31:0] chosen, clamped;
  sp_choose u_choose (
    .control_i,
    .x_i        (sum_i.x),
    .y_i        (sum_i.y),
    .not_less_i (sum_i.carry),
    .equal_i    (word == '0),
    .unordered_i(sum_i.special != '0),
    .word_o     (chosen)
  );
  sp_clamp u_clamp (
    .to_i      (control_i.to),
    .word_i    (word),
    .sign_i    (sum_i.sign),
    .infinite_i(sum_i.special[0] && !sum_i.special[1]),
    .word_o    (clamped)
  );

  // An integer that becomes f16: see sp_align. A run of ones that rounding can carry through is lost altogether.
  logic        to_half, masks, run, carries_through;
  logic [31:0] number;
  assign to_half         = control_i.to.width == g80_pkg::SpWidth16;
  assign masks           = !control_i.from.is_float && to_half;
  assign run             = word[29:5] == '1;
  assign carries_through = control_i.round == g80_pkg::RoundRn ||
                           control_i.round == (sum_i.sign ? g80_pkg::RoundRm : g80_pkg::RoundRp);
  assign number          = !masks ? word : run && carries_through ? '0 : word & sum_i.y;

  logic        is_float;
  logic [31:0] counted;
  logic [5:0]  zeros;
  assign is_float = control_i.path == g80_pkg::SpPathFloat;
  assign counted  = is_float ? {word[31:1], 1'b1} : number;
  leading_zeros u_count (
    .word_i (counted),
    .count_o(zeros)
  );

  // Floats. Bit 31 has the exponent of bit 26 plus Base, less the zeros before the leading one. Exponent 0 is just
  // below the smallest normal: rounding decides. A sum is rounded at the place of the smallest normal, so it is shifted
  // by one less. Below that all is zero.
  logic [10:0] exponent;
  logic        just_below, lost;
  assign exponent   = {1'b0, sum_i.exponent} + (Base - Offset) - 11'(zeros);
  assign just_below = exponent == '0 && sum_i.limited;
  assign lost       = exponent[10];

  // An f16 that did not become an integer stands where it must be rounded.
  logic [4:0] shift;
  assign shift = !control_i.from.is_float || control_i.integral || !to_half ? zeros[4:0] : '0;

  always_comb begin : count
    next_o = held_i;
    if (enable_i) begin
      case (control_i.path)
        g80_pkg::SpPathMove, g80_pkg::SpPathLogic, g80_pkg::SpPathMultiply: next_o.word = word;
        g80_pkg::SpPathShiftLeft: begin
          next_o.word  = word;
          next_o.count = sum_i.count;
        end
        g80_pkg::SpPathShiftRight, g80_pkg::SpPathAdd, g80_pkg::SpPathMultiplyAdd, g80_pkg::SpPathDistance: begin
          if (control_i.path == g80_pkg::SpPathShiftRight) next_o.word = word;
          else next_o.word = control_i.half ? {16'd0, limited_sum[31:16]} : limited_sum;
          if (control_i.writes_flags) begin
            next_o.carry    = sum_i.carry;
            next_o.overflow = sum_i.overflow;
          end
        end
        g80_pkg::SpPathCompare: next_o.word = chosen;
        g80_pkg::SpPathFloat: begin
          next_o.word      = lost ? '0 : word;
          next_o.count     = zeros - 6'(just_below);
          next_o.exponent  = lost ? '0 : exponent[9:0] + 10'(just_below);
          next_o.zero_sign = sum_i.limited && word != '0 ? sum_i.sign : sum_i.zero_sign;
          next_o.sign      = sum_i.sign;
          next_o.special   = sum_i.special;
        end
        g80_pkg::SpPathToInteger: begin
          next_o.word = clamped;
          next_o.sign = sum_i.sign;
        end
        g80_pkg::SpPathToFloat: begin
          next_o.word     = number;
          next_o.count    = {1'b0, shift};
          next_o.exponent = sum_i.exponent - Offset[9:0] - 10'(shift);
          next_o.sign     = sum_i.sign;
          next_o.special  = sum_i.special;
        end
        default: ;
      endcase
    end
  end
endmodule
