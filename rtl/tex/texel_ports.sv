// SPDX-License-Identifier: Apache-2.0
// The stage in front of the tags of the texture cache: TexelPorts::give() of hw/tex/texel_ports.h. Texels of one line
// share a port. Lines get ports in the order of their first texels; those behind the last port get none, and their
// texels come again.
module texel_ports #(
  parameter int unsigned Texels = 32,
  parameter int unsigned Ports  = 4,
  parameter int unsigned LineW  = 27,
  parameter int unsigned Sets   = 8
) (
  input  logic                         clk_i,
  // From the address stages: the texels that have had no port
  input  logic [Texels-1:0]            wanted_i,
  input  logic [Texels-1:0][LineW-1:0] line_i,
  // To the tags
  output logic [Ports-1:0]             taken_o,
  output logic [Ports-1:0][LineW-1:0]  line_o,  // that a port looks up
  output logic [Ports-1:0][Sets-1:0]   set_o,   // of the line, alone in a mask
  // To the queue in front of the data
  output logic [Texels-1:0][Ports-1:0] port_o,  // of a texel, alone in a mask
  output logic                         end_o    // all that are wanted have one
);
  logic [Texels-1:0][Texels-1:0] same;   // [t][e]: e comes before t, and they want one line
  logic [Texels-1:0]             first;  // of its line
  logic [Texels-1:0][Ports:0]    below;  // lines that begin before a texel: bit n: more than n
  logic [Ports:0]                lines;  // of all, in the same code
  logic [Texels-1:0][Sets-1:0]   set;
  logic [Texels-1:0][Ports-1:0]  gets, port;  // gets: of a texel that is the first of its line
  logic [Ports-1:0][LineW-1:0]   line;
  logic [Ports-1:0][Sets-1:0]    set_of_port;

  for (genvar t = 0; t < Texels; t++) begin : gen_texel
    for (genvar e = 0; e < Texels; e++) begin : gen_earlier
      assign same[t][e] = e < t && wanted_i[e] && wanted_i[t] && line_i[e] == line_i[t];
    end
    assign set[t]   = Sets'(1) << line_i[t][$clog2(Sets)-1:0];
    assign first[t] = wanted_i[t] && same[t] == '0;
    assign gets[t]  = first[t] ? {below[t][Ports-2:0], 1'b1} & ~below[t][Ports-1:0] : '0;
  end
  counts_below #(
    .Width(Texels),
    .Most (Ports + 1)
  ) u_below (
    .mask_i (first),
    .below_o(below),
    .all_o  (lines)
  );

  always_comb begin : share
    line        = '0;
    set_of_port = '0;
    for (int t = 0; t < Texels; t++) begin
      port[t] = gets[t];
      for (int e = 0; e < t; e++) begin
        if (same[t][e]) port[t] = port[t] | gets[e];
      end
      for (int p = 0; p < Ports; p++) begin
        if (gets[t][p]) line[p] = line[p] | line_i[t];
        if (gets[t][p]) set_of_port[p] = set_of_port[p] | set[t];
      end
    end
  end

  always_ff @(posedge clk_i) begin : registers
    taken_o <= lines[Ports-1:0];
    line_o  <= line;
    set_o   <= set_of_port;
    port_o  <= port;
    end_o   <= !lines[Ports];
  end
endmodule
