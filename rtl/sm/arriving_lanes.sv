// SPDX-License-Identifier: Apache-2.0
// The port that each lane of a half-warp arrives at: lane l at the port with the bits of l that are 1 in `place_i`.
// Without a clock.
module arriving_lanes #(
  parameter int unsigned Width = 32,
  localparam int unsigned Ports = g80_pkg::PortLanes,
  localparam int unsigned PortW = $clog2(Ports)
) (
  input  logic [Ports-1:0][Width-1:0] port_i,
  input  logic [PortW-1:0]            place_i,
  output logic [Ports-1:0][Width-1:0] lane_o
);
  // Bit after bit, not a choice of 16 for each lane
  always_comb begin : choose
    lane_o = port_i;
    for (int b = 0; b < PortW; b++) begin
      for (int l = 0; l < Ports; l++) begin
        if (((l >> b) & 1) == 1 && !place_i[b]) lane_o[l] = lane_o[l-(1<<b)];
      end
    end
  end
endmodule
