// SPDX-License-Identifier: Apache-2.0
// One component of one tap in the texture filter: stages 3 to 6 of hw/tex/filter_pipe.h, which are product_of(),
// weighted(), align() and add() of hw/tex/texture_float.h. Denormals count as zeros, and there is one NaN.
module filter_component (
  input  logic        clk_i,
  // The tap
  input  logic [24:0] weight_i,  // times 2^(8 axes), above 0
  input  logic [1:0]  axes_i,
  input  logic [31:0] value_i,
  // Two edges later
  output logic [31:0] tap_o,     // weighted
  input  logic [31:0] sum_i,     // of the taps before
  // Four edges later
  output logic [31:0] sum_o
);
  localparam logic [31:0] NotANumber = 32'h7fffffff;
  localparam logic [30:0] Infinity   = 31'h7f800000;

  // A magnitude, rounded to nearest even: 1.below * 2^(exponent - 127).
  function automatic logic [30:0] rounded(input logic signed [10:0] exponent, input logic [30:0] below);
    logic [23:0]        fraction;
    logic signed [10:0] carried;
    fraction = {1'b0, below[30:8]} + 24'(below[7] && (below[8] || below[6:0] != '0));
    carried  = exponent + 11'(fraction[23]);
    if (carried <= 0) return '0;
    if (carried >= 255) return Infinity;
    return {carried[7:0], fraction[22:0]};
  endfunction

  // Product
  logic [48:0] product_q;
  logic [31:0] value_q;
  logic [1:0]  axes_q;

  // Rounded
  logic [6:0]         product_zeros;
  logic [47:0]        leading;  // behind the leading one
  logic signed [10:0] product_exponent;
  logic [31:0]        tap;

  leading_zeros #(
    .Width(64)
  ) u_product_zeros (
    .word_i ({product_q, 15'b0}),
    .count_o(product_zeros)
  );
  always_comb begin : round_product
    leading          = 48'(product_q << product_zeros[4:0]);
    product_exponent = 11'(value_q[30:23]) + 11'sd25 - 11'(product_zeros) - 11'({axes_q, 3'b0});
    tap              = {value_q[31], rounded(product_exponent, {leading[47:18], leading[17:0] != '0})};
    if (value_q[30:0] == Infinity) tap = value_q;
    if (value_q[30:0] > Infinity) tap = NotANumber;
  end

  // Aligned: `sum` is known, or `larger` plus or minus `smaller`.
  logic [31:0] a, b, of_sum, of_tap, known;
  logic        swap, is_known, differ, known_q, negative_q, subtract_q;
  logic [7:0]  distance, exponent_q;
  logic [26:0] smaller, dropped, smaller_q;
  logic [31:0] larger_q;

  always_comb begin : align
    of_sum   = sum_i[30:23] == '0 ? {sum_i[31], 31'b0} : sum_i;
    of_tap   = tap_o[30:23] == '0 ? {tap_o[31], 31'b0} : tap_o;
    swap     = of_sum[30:0] < of_tap[30:0];
    a        = swap ? of_tap : of_sum;
    b        = swap ? of_sum : of_tap;
    differ   = of_sum[31] != of_tap[31];
    distance = a[30:23] - b[30:23];
    smaller  = distance > 8'd31 ? '0 : {1'b1, b[22:0], 3'b0} >> distance[4:0];
    dropped  = distance > 8'd26 ? '1 : ~(27'h7ffffff << distance[4:0]);
    smaller  = smaller | 27'(({1'b1, b[22:0], 3'b0} & dropped) != '0);
    is_known = 1'b1;
    known    = a;
    if (a[30:0] > Infinity) known = NotANumber;
    else if (a[30:0] == Infinity) known = differ && b[30:0] == Infinity ? NotANumber : a;
    else if (a[30:0] == '0) known = a & b;
    else is_known = b[30:0] == '0;
  end

  // Added
  logic [27:0]        total;
  logic [5:0]         total_zeros;
  logic [30:0]        below;  // the leading one
  logic signed [10:0] sum_exponent;

  assign total = subtract_q ? 28'(larger_q[26:0]) - 28'(smaller_q) : 28'(larger_q[26:0]) + 28'(smaller_q);
  leading_zeros #(
    .Width(32)
  ) u_total_zeros (
    .word_i ({total, 4'b0}),
    .count_o(total_zeros)
  );
  assign below        = 31'({total, 4'b0} << total_zeros[4:0]);
  assign sum_exponent = 11'(exponent_q) + 11'sd1 - 11'(total_zeros);

  always_ff @(posedge clk_i) begin : registers
    product_q  <= weight_i * {1'b1, value_i[22:0]};
    value_q    <= value_i;
    axes_q     <= axes_i;
    tap_o      <= tap;
    known_q    <= is_known;
    negative_q <= a[31];
    subtract_q <= differ;
    exponent_q <= a[30:23];
    larger_q   <= is_known ? known : {5'b0, 1'b1, a[22:0], 3'b0};
    smaller_q  <= smaller;
    sum_o      <= known_q ? larger_q : total == '0 ? '0 : {negative_q, rounded(sum_exponent, below)};
  end
endmodule
