// SPDX-License-Identifier: Apache-2.0
// Scheduler cycles in which the addresses of a half-warp follow that of its first lane on the path to the coalescer.
//
// A half-warp in order needs one address: lane l accesses element l of a segment aligned to 16 elements. So the low
// bits of an address are those of its lane, and the other bits are the same in all lanes.
module address_wait #(
  localparam int unsigned Lanes   = g80_pkg::HalfWarp,
  localparam int unsigned LaneW   = $clog2(Lanes),
  localparam int unsigned CyclesW = $clog2(g80_pkg::MaxSmAddressCycles / 2 + 1)
) (
  input  logic [CyclesW-1:0]     cfg_cycles_i,  // for each further address
  input  logic [Lanes-1:0][31:0] address_i,
  input  logic [Lanes-1:0]       lanes_i,       // at least one
  input  logic [4:0]             bytes_i,       // of a lane
  output logic [5:0]             wait_o
);
  logic [Lanes-1:0]   in_place;
  logic [31:0]        some, all, own;  // of each address bit: a lane has it, all lanes have it; it tells lanes apart
  logic               in_order;

  always_comb begin : choose_bits
    case (bytes_i)
      5'd4:    own = 32'h3f;
      5'd8:    own = 32'h7f;
      default: own = 32'hff;
    endcase
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [31:0] offset;
    always_comb begin : place
      case (bytes_i)
        5'd4:    offset = {26'd0, LaneW'(l), 2'd0};
        5'd8:    offset = {25'd0, LaneW'(l), 3'd0};
        default: offset = {24'd0, LaneW'(l), 4'd0};
      endcase
    end
    assign in_place[l] = !lanes_i[l] || (address_i[l] & own) == offset;
  end

  always_comb begin : compare
    some = '0;
    all  = '1;
    for (int l = 0; l < Lanes; l++) begin
      if (lanes_i[l]) begin
        some |= address_i[l];
        all  &= address_i[l];
      end
    end
  end
  assign in_order = bytes_i >= 5'd4 && in_place == '1 && ((some ^ all) & ~own) == '0;

  logic [LaneW:0] number;

  popcount #(.Width(Lanes)) u_number (
    .mask_i (lanes_i),
    .count_o(number)
  );
  assign wait_o = in_order ? '0 : 6'(cfg_cycles_i) * (6'(number) - 6'd1);
endmodule
