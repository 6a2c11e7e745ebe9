// SPDX-License-Identifier: Apache-2.0
// Which texels of an edge share a port of the tags of the texture cache: those of one line. Lines get ports in the
// order of their first texels; those behind the last port get none.
module texel_ports #(
  parameter int unsigned Texels = 16,
  parameter int unsigned Ports  = 4,
  parameter int unsigned LineW  = 27,
  parameter int unsigned Sets   = 8
) (
  input  logic [Texels-1:0]            wanted_i,
  input  logic [Texels-1:0][LineW-1:0] line_i,
  output logic [Ports-1:0]             taken_o,
  output logic [Ports-1:0][LineW-1:0]  line_o,  // that a port looks up
  output logic [Ports-1:0][Sets-1:0]   set_o,   // of the line, alone in a mask
  output logic [Texels-1:0][Ports-1:0] port_o,  // of a texel, alone in a mask
  output logic [Texels-1:0][Ports:0]   begun_o  // lines that begin at a texel or before it: bit n: more than n
);
  logic [Texels-1:0][Texels-1:0] same;   // [t][e]: e comes before t, and they want one line
  logic [Texels-1:0]             first;  // of its line
  logic [Texels-1:0][Ports:0]    below;  // lines that begin before a texel, in the same code
  logic [Texels-1:0][Sets-1:0]   set;
  logic [Texels-1:0][Ports-1:0]  gets;   // port of a texel that is the first of its line

  for (genvar t = 0; t < Texels; t++) begin : gen_texel
    for (genvar e = 0; e < Texels; e++) begin : gen_earlier
      assign same[t][e] = e < t && wanted_i[e] && wanted_i[t] && line_i[e] == line_i[t];
    end
    assign set[t]     = Sets'(1) << line_i[t][$clog2(Sets)-1:0];
    assign first[t]   = wanted_i[t] && same[t] == '0;
    assign begun_o[t] = first[t] ? {below[t][Ports-1:0], 1'b1} : below[t];
    assign gets[t]    = first[t] ? {below[t][Ports-2:0], 1'b1} & ~below[t][Ports-1:0] : '0;
  end
  counts_below #(
    .Width(Texels),
    .Most (Ports + 1)
  ) u_below (
    .mask_i (first),
    .below_o(below),
    .all_o  ()
  );
  assign taken_o = begun_o[Texels-1][Ports-1:0];

  always_comb begin : share
    line_o = '0;
    set_o  = '0;
    for (int t = 0; t < Texels; t++) begin
      port_o[t] = gets[t];
      for (int e = 0; e < t; e++) begin
        if (same[t][e]) port_o[t] = port_o[t] | gets[e];
      end
      for (int p = 0; p < Ports; p++) begin
        if (gets[t][p]) line_o[p] = line_o[p] | line_i[t];
        if (gets[t][p]) set_o[p] = set_o[p] | set[t];
      end
    end
  end
endmodule
