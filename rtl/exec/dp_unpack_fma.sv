// SPDX-License-Identifier: Apache-2.0
// A fused multiply-add enters the fp64 unit: the sign of product and addend, how far the addend moves down to the
// product, and the result if one of the operands is infinite or no number. Additions multiply by one, multiplies add a
// zero. Twin of unpack_fma() of hw/exec/dp_datapath.cpp.
module dp_unpack_fma (
  input  g80_pkg::dp_control_t       control_i,

  input  logic [63:0]                a_i,
  input  logic                       a_sign_i,         // fields of a
  input  logic                       a_zero_i,
  input  logic                       a_infinite_i,
  input  logic                       a_nan_i,
  input  logic [10:0]                a_exponent_i,
  input  logic [52:0]                a_significand_i,
  input  logic [63:0]                b_i,
  input  logic [63:0]                c_i,

  output g80_pkg::dp_header_lane_t   header_o,
  output g80_pkg::dp_unpacked_lane_t unpacked_o
);
  localparam logic [62:0] Infinity = {11'h7ff, 52'd0};
  localparam logic [63:0] QuietBit = 64'd1 << 51;
  localparam logic [63:0] One      = {12'h3ff, 52'd0};
  localparam logic [63:0] Invalid  = {13'h1fff, 51'd0};
  localparam logic [15:0] Bias     = 16'd1023;
  // What the exponents of a product and an addend differ by if both lie where they enter the window; the weight of the
  // window's top bit if the product lies there.
  localparam logic [15:0] InPlace  = 16'd967;
  localparam logic [15:0] Product  = 16'd1990;

  logic [63:0] b, c;
  assign b = control_i.multiplies ? b_i : One;
  assign c = control_i.adds ? c_i : '0;

  logic        b_sign, b_zero, b_infinite, b_nan, c_sign, c_infinite, c_nan;
  logic [10:0] b_exponent, c_exponent;
  logic [52:0] b_significand, c_significand;
  dp_float u_b (
    .narrow_i     (1'b0),
    .bits_i       (b),
    .sign_o       (b_sign),
    .zero_o       (b_zero),
    .infinite_o   (b_infinite),
    .nan_o        (b_nan),
    .exponent_o   (b_exponent),
    .significand_o(b_significand)
  );
  dp_float u_c (
    .narrow_i     (1'b0),
    .bits_i       (c),
    .sign_o       (c_sign),
    .zero_o       (),
    .infinite_o   (c_infinite),
    .nan_o        (c_nan),
    .exponent_o   (c_exponent),
    .significand_o(c_significand)
  );

  logic product_sign, addend_sign, subtract, product_zero, product_infinite;
  assign product_sign     = a_sign_i ^ b_sign ^ control_i.negate[0] ^ control_i.negate[1];
  assign addend_sign      = control_i.adds ? c_sign ^ control_i.negate[2] : product_sign;
  assign subtract         = product_sign != addend_sign;
  assign product_zero     = a_zero_i || b_zero;
  assign product_infinite = a_infinite_i || b_infinite;

  // An addend that would have to move left stays; then the product counts as a sticky bit alone, so its place does not
  // matter.
  logic [15:0] exponents, distance;
  logic        addend_far_above;
  logic [7:0]  clamped;
  assign exponents        = {5'd0, a_exponent_i} + {5'd0, b_exponent};
  assign distance         = exponents - {5'd0, c_exponent} - InPlace;
  assign addend_far_above = product_zero || distance[15];
  dp_distance u_distance (
    .distance_i(addend_far_above ? '0 : distance),
    .distance_o(clamped)
  );

  always_comb begin : find_header
    header_o          = '0;
    header_o.sign     = product_sign;
    header_o.subtract = subtract;
    header_o.exponent = addend_far_above ? {5'd0, c_exponent} - Bias : exponents - Product;
    header_o.special  = a_nan_i || b_nan || c_nan || product_infinite || c_infinite;
    if (b_nan) header_o.value = b | QuietBit;
    else if (c_nan) header_o.value = c | QuietBit;
    else if (a_nan_i) header_o.value = a_i | QuietBit;
    else if (product_infinite && (product_zero || (c_infinite && subtract))) header_o.value = Invalid;
    else if (product_infinite) header_o.value = {product_sign, Infinity};
    else if (c_infinite) header_o.value = {addend_sign, Infinity};
  end

  assign unpacked_o.multiplicand = {10'd0, a_significand_i};
  assign unpacked_o.multiplier   = b_significand;
  assign unpacked_o.addend       = {c_significand, 11'd0};
  assign unpacked_o.distance     = clamped;
endmodule
