// SPDX-License-Identifier: Apache-2.0
// Stage 5 of a scalar processor: the wide adder, for sums, comparisons, the increment of a conversion.
// Twin of sp_add() of hw/exec/sp_align.cpp.
module sp_add (
  input  logic                      enable_i,
  input  g80_pkg::sp_control_t      control_i,
  input  g80_pkg::sp_aligned_lane_t aligned_i,
  input  g80_pkg::sp_sum_lane_t     held_i,
  output g80_pkg::sp_sum_lane_t     next_o
);
  logic [31:0] x, y;
  assign x = aligned_i.x;
  assign y = aligned_i.y;

  logic converts, rounds, rounds_up;
  assign converts = control_i.path == g80_pkg::SpPathToInteger || control_i.path == g80_pkg::SpPathToFloat;
  assign rounds   = control_i.from.is_float && (control_i.path == g80_pkg::SpPathToInteger || control_i.integral);
  rounding u_rounding (
    .round_i  (control_i.round),
    .sign_i   (aligned_i.sign),
    .odd_i    (x[0]),
    .guard_i  (y[1]),
    .sticky_i (y[0]),
    .up_o     (rounds_up),
    .away_o   (),
    .nearest_o()
  );

  // A compound adder: x + y and x + y + 1. The carry into it chooses; floats choose by the sign, too, because the
  // complement of x + y is the negative of x + y + 1: an end-around carry, so that no second operation negates it.
  logic        carry_in, carry_plain, carry_plus_one, carry_out, negative;
  logic [31:0] addend, plain, plus_one, sum;
  assign addend   = converts ? '0 : y;
  assign carry_in = control_i.path == g80_pkg::SpPathCompare || (converts && rounds ? rounds_up : aligned_i.carry);
  adder u_plain (
    .a_i    (x),
    .b_i    (addend),
    .carry_i(1'b0),
    .sum_o  (plain),
    .carry_o(carry_plain)
  );
  adder u_plus_one (
    .a_i    (x),
    .b_i    (addend),
    .carry_i(1'b1),
    .sum_o  (plus_one),
    .carry_o(carry_plus_one)
  );
  assign sum       = carry_in ? plus_one : plain;
  assign carry_out = carry_in ? carry_plus_one : carry_plain;
  assign negative  = sum[31];

  logic top;  // sign of the first operand
  assign top = control_i.path == g80_pkg::SpPathDistance ? aligned_i.sign : x[31];

  always_comb begin : add
    next_o = held_i;
    if (enable_i) begin
      case (control_i.path)
        g80_pkg::SpPathMove, g80_pkg::SpPathLogic, g80_pkg::SpPathMultiply: next_o.word = x;
        g80_pkg::SpPathShiftRight: begin
          next_o.word = x;
          if (control_i.writes_flags) begin
            next_o.carry    = aligned_i.carry;
            next_o.overflow = aligned_i.overflow;
          end
        end
        g80_pkg::SpPathShiftLeft: begin
          next_o.word  = x;
          next_o.count = aligned_i.count;
        end
        g80_pkg::SpPathAdd, g80_pkg::SpPathMultiplyAdd, g80_pkg::SpPathDistance: begin
          next_o.word = sum;
          if (control_i.writes_flags || control_i.saturate) begin
            next_o.carry    = carry_out;
            next_o.overflow = (top ^ sum[31]) && top == y[31];
            next_o.sign     = top;
          end
        end
        g80_pkg::SpPathCompare: begin
          next_o.word    = sum;
          next_o.carry   = carry_out;
          next_o.x       = x;
          next_o.y       = ~y;
          next_o.special = aligned_i.special;
        end
        g80_pkg::SpPathFloat: begin
          next_o.word      = negative ? ~plain : sum;
          next_o.sign      = aligned_i.sign ^ negative;
          next_o.exponent  = aligned_i.exponent;
          next_o.zero_sign = aligned_i.zero_sign;
          next_o.limited   = aligned_i.limited;
          next_o.special   = aligned_i.special;
        end
        g80_pkg::SpPathToInteger, g80_pkg::SpPathToFloat: begin
          next_o.word = sum;
          if (!rounds && control_i.path == g80_pkg::SpPathToFloat && control_i.to.width == g80_pkg::SpWidth16)
            next_o.y = y;
          next_o.exponent = aligned_i.exponent;
          next_o.sign     = aligned_i.sign;
          next_o.special  = aligned_i.special;
        end
        default: ;
      endcase
    end
  end
endmodule
