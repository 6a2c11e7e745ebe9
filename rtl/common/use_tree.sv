// SPDX-License-Identifier: Apache-2.0
// Tree pseudo-LRU: each node of a binary tree over the lanes says which half was used last. From the root of the tree
// over the candidates, the walk goes to the half that was not, unless no candidate is there.
module use_tree #(
  parameter int unsigned Lanes = 16,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic [Lanes-1:1] upper_i,       // node n has the children 2n and 2n + 1: 2n + 1 was used last
  input  logic [Lanes-1:0] candidates_i,
  output logic [LaneW-1:0] victim_o,      // of the candidates

  input  logic [LaneW-1:0] used_i,
  output logic [Lanes-1:1] upper_o        // with this use
);
  logic [Lanes-1:0] victim;

  for (genvar n = 1; n < Lanes; n++) begin : gen_node
    localparam int unsigned Depth = $clog2(n + 1) - 1;  // of the node; its leaves have its number in their upper bits

    assign upper_o[n] = {1'b1, used_i} >> (LaneW - Depth) == (LaneW+1)'(n) ? used_i[LaneW-1-Depth] : upper_i[n];
  end

  // A lane is the victim if at each node above it the walk takes its half: because that was not used last, or because
  // the other half has no candidate.
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [LaneW-1:0] takes;

    for (genvar d = 0; d < LaneW; d++) begin : gen_level
      localparam int unsigned Node  = (Lanes + l) >> (LaneW - d);
      localparam int unsigned Width = Lanes >> (d + 1);                 // of each half
      localparam int unsigned Other = (l / Width) % 2 == 0 ? l / Width * Width + Width : l / Width * Width - Width;

      assign takes[d] = upper_i[Node] == ((l / Width) % 2 == 0) || candidates_i[Other+:Width] == '0;
    end
    assign victim[l] = candidates_i[l] && (&takes);
  end

  lowest_set #(.Width(Lanes)) u_index (
    .mask_i (victim),
    .found_o(),
    .index_o(victim_o)
  );
endmodule
