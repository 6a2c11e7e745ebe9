// SPDX-License-Identifier: Apache-2.0
// What neighbouring places of a memory hold before a program writes them: sm.init. One word, or one that each bit of
// the place's number changes in several of its bits. Without a clock; same function as hw/config/initial_word.h.
module initial_words #(
  parameter int unsigned Places = 1,  // power of two
  localparam int unsigned PlaceW = 15  // registers, and behind them the words of shared memory
) (
  input  logic [31:0]             cfg_word_i,
  input  logic                    cfg_differ_i,
  input  logic                    enable_i,  // else 0
  input  logic [PlaceW-1:0]       place_i,   // the first one, a multiple of Places
  output logic [Places-1:0][31:0] word_o
);
  logic [31:0] first;
  logic        differ;

  // What a place's number changes
  function automatic logic [31:0] spread(input logic [31:0] place);
    return place ^ (place << 7) ^ (place << 14) ^ (place << 21) ^ (place << 28);
  endfunction

  assign differ = enable_i && cfg_differ_i;
  assign first  = enable_i ? cfg_word_i ^ (cfg_differ_i ? spread(32'(place_i)) : '0) : '0;

  always_comb begin : words
    for (int p = 0; p < Places; p++) word_o[p] = first ^ (differ ? spread(32'(p)) : '0);
  end
endmodule
