// SPDX-License-Identifier: Apache-2.0
// The lanes of a request that enter the address stages together, with their coordinates: lanes_of_group() of
// hw/tex/address_pipe.h. The coordinates are read from a memory in front, whose row stays for all lanes of the request;
// of a filtered 3D sample each lane takes two places.
module texture_lanes #(
  parameter int unsigned Lanes  = 16,
  parameter int unsigned Places = 8,   // tex.address_lanes
  parameter int unsigned CoordW = 96,  // three axes
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // From setup
  input  logic                          begin_i,   // the lanes of a request come
  input  logic [Lanes-1:0]              lanes_i,
  input  logic                          slices_i,  // of all its lanes
  // From the memory of the coordinates
  input  logic [Lanes-1:0][CoordW-1:0]  coord_i,
  // To the address stages: place by place
  output logic [Places-1:0]             valid_o,
  output logic [Places-1:0][LaneW-1:0]  lane_o,
  output logic [Places-1:0][CoordW-1:0] coord_o,
  output logic                          last_o
);
  logic [Lanes-1:0]              left_d, left_q;   // have not entered
  logic [Lanes-1:0][LaneW:0]     rank;             // lanes below that have not
  logic [Places-1:0][Lanes-1:0]  enters;
  logic [Places-1:0]             valid;
  logic [Places-1:0][LaneW-1:0]  lane;
  logic [Places-1:0][CoordW-1:0] coord;
  logic [Lanes-1:0]              stays;

  always_comb begin : pick
    for (int unsigned l = 0; l < Lanes; l++) begin
      rank[l] = '0;
      for (int unsigned below = 0; below < l; below++) rank[l] += (LaneW+1)'(left_q[below]);
      stays[l] = left_q[l] && rank[l] >= (slices_i ? (LaneW+1)'(Places / 2) : (LaneW+1)'(Places));
    end
    lane  = '0;
    coord = '0;
    for (int unsigned place = 0; place < Places; place++) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        enters[place][l] = left_q[l] && rank[l] == (LaneW+1)'(place);
        if (enters[place][l]) lane[place] |= LaneW'(l);
        if (enters[place][l]) coord[place] |= coord_i[l];
      end
      valid[place] = |enters[place] && !(slices_i && place >= Places / 2);
    end
  end
  assign left_d = begin_i ? lanes_i : stays;

  always_ff @(posedge clk_i or negedge rst_ni) begin : left
    if (!rst_ni) left_q <= '0;
    else left_q <= left_d;
  end
  always_ff @(posedge clk_i) begin : registers
    valid_o <= valid;
    lane_o  <= lane;
    coord_o <= coord;
    last_o  <= stays == '0;
  end
endmodule
