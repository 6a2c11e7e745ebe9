// SPDX-License-Identifier: Apache-2.0
// Sixth stage of an fp64 lane: product and addend, the sum of a comparison, the magnitude of an integer, an integer
// rounded. Twin of add() of hw/exec/dp_datapath.cpp.
module dp_add #(
  localparam int unsigned WindowW  = g80_pkg::DpWindowTop + 1,
  localparam int unsigned ProductW = g80_pkg::DpProductBits
) (
  input  logic                      enable_i,
  input  g80_pkg::dp_control_t      control_i,
  input  g80_pkg::dp_header_lane_t  header_i,
  input  g80_pkg::dp_aligned_lane_t aligned_i,
  input  g80_pkg::dp_header_lane_t  header_held_i,
  input  g80_pkg::dp_added_lane_t   held_i,
  output g80_pkg::dp_header_lane_t  header_o,
  output g80_pkg::dp_added_lane_t   next_o
);
  localparam int unsigned SumW          = WindowW + 1;   // with a sign
  localparam int unsigned ProductLow    = 2;             // bit of the window where the product ends
  localparam int unsigned AboveProduct  = SumW - ProductW - ProductLow;
  localparam int unsigned IntegerPoint  = WindowW - 64;
  localparam int unsigned IntegralPoint = WindowW - 53;

  logic converts;
  assign converts = control_i.operation == g80_pkg::DpOperationFromInteger ||
                    control_i.operation == g80_pkg::DpOperationToInteger ||
                    control_i.operation == g80_pkg::DpOperationToFloat;

  // The words of the product stand for its value modulo 2^108. As it is less than 2^106, one of them has its top bit
  // set exactly if their sum wraps around.
  logic            wraps;
  logic [SumW-1:0] product_sum, product_carry, addend;
  assign wraps         = aligned_i.sum_high[ProductW-65] || aligned_i.carry_high[ProductW-65];
  assign product_sum   = {{AboveProduct{1'b0}}, aligned_i.sum_high, aligned_i.sum_low, {ProductLow{1'b0}}};
  assign product_carry = {{AboveProduct{wraps}}, aligned_i.carry_high, aligned_i.carry_low, {ProductLow{1'b0}}};
  assign addend        = {1'b0, aligned_i.addend_high, aligned_i.addend_middle, aligned_i.addend_low};

  logic [SumW-1:0] sum, carry;
  carry_save_adder #(
    .Width(SumW)
  ) u_addend (
    .sum_i  (product_sum),
    .carry_i(product_carry),
    .row_i  (addend ^ {SumW{header_i.subtract}}),
    .sum_o  (sum),
    .carry_o(carry)
  );

  // Conversions add one at the point.
  logic [SumW-1:0] one, x, y;
  always_comb begin : place_one
    one = '0;
    if (control_i.integral) one[IntegralPoint] = aligned_i.increment;
    else one[IntegerPoint] = aligned_i.increment;
  end
  assign x = converts ? addend : sum;
  assign y = converts ? one : carry;

  // product - addend = product + ~addend + 1. Without the one a negative difference is the complement of its magnitude.
  // A positive one takes it, except where the addend goes on below the window.
  logic [SumW-1:0] plain, plus_one, total;
  logic            subtracts, negative;
  adder #(
    .Width(SumW)
  ) u_plain (
    .a_i    (x),
    .b_i    (y),
    .carry_i(1'b0),
    .sum_o  (plain),
    .carry_o()
  );
  adder #(
    .Width(SumW)
  ) u_plus_one (
    .a_i    (x),
    .b_i    (y),
    .carry_i(1'b1),
    .sum_o  (plus_one),
    .carry_o()
  );
  assign subtracts = header_i.subtract && !converts;
  assign negative  = plain[SumW-1];
  assign total     = subtracts && !negative && !aligned_i.sticky ? plus_one : plain;

  always_comb begin : add
    header_o = header_held_i;
    next_o   = held_i;
    if (enable_i) begin
      header_o      = header_i;
      header_o.sign = header_i.sign != (subtracts && negative);
      {next_o.sum_high, next_o.sum_middle, next_o.sum_low} = total;
      next_o.sticky = aligned_i.sticky;
    end
  end
endmodule
