// SPDX-License-Identifier: Apache-2.0
// Sums of fp32 in a scalar processor, from the alignment to the result. The multiplier is cut off: the product is any
// word of 48 bits that a product of two significands may be. An addend that follows makes the chip truncate it to 24
// bits first.
//
// Specification: both operands as integers on one scale, their exact sum, and its rounding to 24 bits, which is once.
// What is below the smallest normal number after it is zero.
module fp32_add_props #(
  parameter int unsigned Below = 34,  // bits below the last one of 24; farther down an operand only has a last bit
  localparam int unsigned WideW = 1 + 24 + Below
) (
  input logic [47:0] product_i,
  input logic [23:0] addend_i,
  input logic [9:0]  exponent_i,    // of the product, if it has 47 bits, and the offset
  input logic [9:0]  exponent_z_i,  // of the addend
  input logic        sign_i,
  input logic        sign_z_i,
  input logic [1:0]  round_i
);
  localparam logic [9:0] Offset = 10'(g80_pkg::SpExponentOffset);

  g80_pkg::sp_control_t         control;
  g80_pkg::sp_unpacked_lane_t   unpacked;
  g80_pkg::sp_multiplied_lane_t multiplied, multiplied_none;
  g80_pkg::sp_product_lane_t    product, product_none;
  g80_pkg::sp_aligned_lane_t    aligned, aligned_none;
  g80_pkg::sp_sum_lane_t        sum, sum_none;
  g80_pkg::sp_counted_lane_t    counted, counted_none;
  g80_pkg::sp_normalised_lane_t normalised, normalised_none;
  g80_pkg::sp_result_lane_t     result, result_none;
  logic                         on, off;

  assign on              = 1'b1;
  assign off             = 1'b0;
  assign multiplied_none = '0;
  assign product_none    = '0;
  assign aligned_none    = '0;
  assign sum_none        = '0;
  assign counted_none    = '0;
  assign normalised_none = '0;
  assign result_none     = '0;

  // The rows of the multiplier are zero: its half of the product goes through.
  always_comb begin : drive
    control             = '0;
    control.path        = g80_pkg::SpPathFloat;
    control.round       = round_i;
    unpacked            = '0;
    unpacked.sum        = product_i;
    unpacked.z          = {8'd0, addend_i};
    unpacked.exponent   = exponent_i;
    unpacked.exponent_z = exponent_z_i;
    unpacked.sign       = sign_i;
    unpacked.sign_z     = sign_z_i;
  end

  sp_multiply u_multiply (
    .enable_i  (on),
    .control_i (control),
    .unpacked_i(unpacked),
    .held_i    (multiplied_none),
    .next_o    (multiplied)
  );
  sp_add_product u_add_product (
    .enable_i    (on),
    .control_i   (control),
    .multiplied_i(multiplied),
    .held_i      (product_none),
    .next_o      (product)
  );
  sp_align u_align (
    .enable_i (on),
    .control_i(control),
    .product_i(product),
    .held_i   (aligned_none),
    .next_o   (aligned)
  );
  sp_add u_add (
    .enable_i (on),
    .control_i(control),
    .aligned_i(aligned),
    .held_i   (sum_none),
    .next_o   (sum)
  );
  sp_count_zeros u_count_zeros (
    .enable_i (on),
    .control_i(control),
    .sum_i    (sum),
    .held_i   (counted_none),
    .next_o   (counted)
  );
  sp_normalise u_normalise (
    .enable_i (on),
    .control_i(control),
    .counted_i(counted),
    .held_i   (normalised_none),
    .next_o   (normalised)
  );
  sp_round u_round (
    .enable_i    (on),
    .control_i   (control),
    .normalised_i(normalised),
    .verdict_i   (off),
    .held_i      (result_none),
    .next_o      (result)
  );

  // The operands, the one with the larger exponent first. Of one that is shifted out altogether its last bit stays: the
  // sum is rounded the same whatever is there.
  logic             wide, alone, ahead, far;
  logic [47:0]      top;
  logic [10:0]      distance, first_exponent;  // the exponent: of 1.0 it is 127
  logic [WideW-1:0] number, addend, first, second, shifted;
  logic             first_sign, second_sign;

  assign wide           = product_i[47];
  assign alone          = addend_i == '0;
  assign ahead          = exponent_i >= exponent_z_i;
  assign top            = wide ? product_i : product_i << 1;
  assign number         = {1'b0, top[47:24], alone ? top[23:0] : 24'd0, {Below-24{1'b0}}};
  assign addend         = {1'b0, addend_i, {Below{1'b0}}};
  assign first          = ahead ? number : addend;
  assign second         = ahead ? addend : number;
  assign first_sign     = ahead ? sign_i : sign_z_i;
  assign second_sign    = ahead ? sign_z_i : sign_i;
  assign first_exponent = {1'b0, ahead ? exponent_i : exponent_z_i} - {1'b0, Offset} + 11'(ahead && wide);
  assign distance       = ahead ? {1'b0, exponent_i} - {1'b0, exponent_z_i} + 11'(wide)
                                : {1'b0, exponent_z_i} - {1'b0, exponent_i} - 11'(wide);
  assign far            = distance > 11'(Below);
  assign shifted        = far ? WideW'(second != '0) : second >> distance[5:0];

  // The exact sum
  logic             same, less, negative;
  logic [WideW-1:0] magnitude;

  assign same      = first_sign == second_sign;
  assign less      = first < shifted;
  assign magnitude = same ? first + shifted : less ? shifted - first : first - shifted;
  assign negative  = first_sign ^ (!same && less);

  // Its leading one moves to the top; 24 bits stay. A sum with an exponent of 0 stays one place lower, so that its last
  // bit is that of the smallest normal number. A smaller one is less than half of that number.
  logic [5:0]       zeros;
  logic [10:0]      exponent;
  logic             tiny;
  logic [WideW-1:0] leading;

  always_comb begin : count
    zeros = 6'd0;
    for (int i = 0; i < WideW; i++) begin
      if (magnitude[i]) zeros = 6'(WideW - 1 - i);
    end
  end
  assign exponent = first_exponent + 11'd1 - 11'(zeros);
  assign tiny     = !alone && exponent == '0;
  assign leading  = magnitude << (zeros - 6'(tiny));

  logic        guard, rest, up;
  logic [10:0] biased;
  logic [34:0] rounded;

  assign guard = leading[WideW-25];
  assign rest  = |leading[WideW-26:0];

  always_comb begin : round
    case (round_i)
      g80_pkg::RoundRn: up = guard && (rest || leading[WideW-24]);
      g80_pkg::RoundRm: up = negative && (guard || rest);
      g80_pkg::RoundRp: up = !negative && (guard || rest);
      default:          up = 1'b0;
    endcase
  end
  assign biased  = tiny ? '0 : exponent;
  assign rounded = {1'b0, biased, leading[WideW-2:WideW-24]} + 35'(up);

  // Too large: infinity, or the largest number if the mode rounds towards zero.
  logic        zero, over, to_infinity;
  logic [31:0] expected;

  assign zero        = magnitude == '0 || exponent[10] || rounded[33:23] == '0;
  assign over        = rounded[33:23] >= 11'd255;
  assign to_infinity = round_i == g80_pkg::RoundRn || round_i == (negative ? g80_pkg::RoundRm : g80_pkg::RoundRp);
  always_comb begin : pack
    if (zero) expected = {alone || magnitude == '0 ? sign_i && sign_z_i : negative, 31'd0};
    else if (over) expected = {negative, to_infinity ? 31'h7f800000 : 31'h7f7fffff};
    else expected = {negative, rounded[30:0]};
  end

  always_comb begin : properties
    ProductIsOfNumbers: assume (product_i[47:46] != '0 ? exponent_i >= 10'd131 && exponent_i <= 10'd637
                                                       : product_i == '0 && exponent_i == '0);
    AddendIsANumber: assume (addend_i[23] ? exponent_z_i > Offset && exponent_z_i < Offset + 10'd255
                                          : addend_i == '0 && exponent_z_i == '0);
    IsTheRoundedSum: assert (result.word == expected);
    RoundsATie: cover (up && round_i == g80_pkg::RoundRn && !rest && !alone);
    LosesManyBits: cover (!same && less && zeros > 6'd20 && !zero);
    RoundsToTheSmallest: cover (tiny && !zero);
  end
endmodule
