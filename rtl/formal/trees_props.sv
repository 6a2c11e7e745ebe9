// SPDX-License-Identifier: Apache-2.0
// The trees without registers compute what a loop over the bits does.
module trees_props #(
  parameter int unsigned Width = 32,
  localparam int unsigned IndexW = $clog2(Width),
  localparam int unsigned CountW = $clog2(Width + 1),
  localparam int unsigned Few    = 3,
  localparam int unsigned Terms  = 6,
  localparam int unsigned TermW  = 4,
  localparam int unsigned SumW   = $clog2(Terms * TermW + 1)
) (
  input logic [Width-1:0]            word_i,
  input logic [Terms-1:0][TermW-1:0] term_i
);
  logic                       found;
  logic [IndexW-1:0]          index;
  logic [Few-1:0]             few_found;
  logic [Few-1:0][IndexW-1:0] few_index;
  logic [CountW-1:0]          ones, zeros;
  logic [TermW-1:0]           sum;

  lowest_set #(.Width(Width)) u_lowest (
    .mask_i (word_i),
    .found_o(found),
    .index_o(index)
  );
  lowest_few #(
    .Width(Width),
    .Count(Few)
  ) u_few (
    .mask_i (word_i),
    .found_o(few_found),
    .index_o(few_index)
  );
  popcount #(.Width(Width)) u_ones (
    .mask_i (word_i),
    .count_o(ones)
  );
  leading_zeros #(.Width(Width)) u_zeros (
    .word_i,
    .count_o(zeros)
  );
  thermometer_sum #(
    .Terms(Terms),
    .Width(TermW)
  ) u_sum (
    .term_i,
    .sum_o(sum)
  );

  logic [IndexW-1:0]          lowest;
  logic [Few-1:0]             few_set;
  logic [Few-1:0][IndexW-1:0] few_lowest;
  logic [Width-1:0]           rest;
  logic [CountW-1:0]          ones_before, zeros_before;
  logic                       all_zero;
  logic [SumW-1:0]            total;
  logic                       thermometers;

  always_comb begin : loops
    lowest       = '0;
    ones_before  = '0;
    zeros_before = '0;
    all_zero     = 1'b1;
    for (int i = Width - 1; i >= 0; i--) begin
      if (word_i[i]) lowest = IndexW'(i);
      ones_before  = ones_before + CountW'(word_i[i]);
      all_zero     = all_zero && !word_i[i];
      zeros_before = zeros_before + CountW'(all_zero);
    end
    rest       = word_i;
    few_lowest = '0;
    for (int f = 0; f < Few; f++) begin
      few_set[f] = rest != '0;
      for (int i = Width - 1; i >= 0; i--) begin
        if (rest[i]) few_lowest[f] = IndexW'(i);
      end
      rest = rest & (rest - Width'(1));
    end
    total        = '0;
    thermometers = 1'b1;
    for (int t = 0; t < Terms; t++) begin
      for (int k = 0; k < TermW; k++) total = total + SumW'(term_i[t][k]);
      for (int k = 1; k < TermW; k++) thermometers = thermometers && (term_i[t][k-1] || !term_i[t][k]);
    end
  end

  always_comb begin : properties
    TermsAreThermometers: assume (thermometers);
    FindsAnyBit: assert (found == (word_i != '0));
    FindsTheLowestBit: assert (!found || index == lowest);
    FindsAFewBits: assert (few_found == few_set);
    FindsTheLowestFew: assert (few_index == few_lowest);
    CountsAllOnes: assert (ones == ones_before);
    CountsLeadingZeros: assert (zeros == zeros_before);
    AddsThermometers: assert (sum == (total >= SumW'(TermW) ? {TermW{1'b1}} : TermW'((1 << total) - 1)));
    NoBitIsSet: cover (!found && ones == '0 && zeros == CountW'(Width));
    SumIsFull: cover (sum == '1 && total > SumW'(TermW));
  end
endmodule
