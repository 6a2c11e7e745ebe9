// SPDX-License-Identifier: Apache-2.0
// A port of the tags of the texture cache: the way that holds a line, or the one that it would get. That is the first
// empty one of its set, or else the oldest that is not in use.
module texture_port #(
  parameter int unsigned Sets = 8,
  parameter int unsigned Ways = 20,
  parameter int unsigned TagW = 24,
  localparam int unsigned WayW  = $clog2(Ways),
  localparam int unsigned Pairs = Ways * (Ways - 1) / 2
) (
  // All ways
  input  logic [Sets-1:0][Ways-1:0]           valid_i,
  input  logic [Sets-1:0][Ways-1:0][TagW-1:0] tag_i,
  input  logic [Sets-1:0][Ways-1:0]           free_i,     // the first empty one of a set, alone in a mask
  input  logic [Sets-1:0][Pairs-1:0]          younger_i,  // pair (a, b), a < b, is bit b * (b - 1) / 2 + a: a is
  // The line
  input  logic [Sets-1:0]                     set_i,      // alone in a mask; 0: none is looked up
  input  logic [TagW-1:0]                     line_i,
  input  logic [Ways-1:0]                     in_use_i,   // by ports before this one
  output logic                                full_o,     // the set
  // Masks of one way at most, and numbers of ways
  output logic [Ways-1:0]                     match_o,
  output logic [Ways-1:0]                     oldest_o,   // of those that are not in use
  output logic [Ways-1:0]                     gets_o,
  output logic [WayW-1:0]                     match_number_o,
  output logic [WayW-1:0]                     gets_number_o
);
  logic [Pairs-1:0] younger;
  logic [Ways-1:0]  free, stays;

  always_comb begin : read_set
    match_o = '0;
    free  = '0;
    younger = '0;
    for (int s = 0; s < Sets; s++) begin
      for (int w = 0; w < Ways; w++) begin
        if (set_i[s] && valid_i[s][w] && tag_i[s][w] == line_i) match_o[w] = 1'b1;
      end
      if (set_i[s]) free = free | free_i[s];
      if (set_i[s]) younger = younger | younger_i[s];
    end
  end

  // A way stays if it is in use, or if another one that is not is older.
  always_comb begin : find_oldest
    stays = in_use_i;
    for (int b = 1; b < Ways; b++) begin
      for (int a = 0; a < b; a++) begin
        if (younger[b*(b-1)/2+a]) stays[a] = stays[a] || !in_use_i[b];
        else                      stays[b] = stays[b] || !in_use_i[a];
      end
    end
  end
  assign full_o   = free == '0;
  assign oldest_o = ~stays;
  assign gets_o   = full_o ? oldest_o : free;

  always_comb begin : encode
    logic [WayW-1:0] free_number, oldest_number;
    match_number_o = '0;
    free_number    = '0;
    oldest_number  = '0;
    for (int w = 0; w < Ways; w++) begin
      if (match_o[w]) match_number_o = match_number_o | WayW'(w);
      if (free[w]) free_number = free_number | WayW'(w);
      if (oldest_o[w]) oldest_number = oldest_number | WayW'(w);
    end
    gets_number_o = full_o ? oldest_number : free_number;
  end
endmodule
