// SPDX-License-Identifier: Apache-2.0
// The lanes of a result, as they leave an execution unit: 2, 4, 8 or 16 at a time.
module result_row #(
  parameter bit Exists = 1'b1,  // the chip has the unit
  parameter bit High   = 1'b0   // its results have two words
) (
  input  logic                    clk_i,

  input  logic [2:0]              cfg_log2_lanes_i,  // that arrive together

  input  g80_pkg::exec_result_t   result_i,

  // With those that arrive in this cycle
  output logic [g80_pkg::ResultRowWidth-2:0]   row_o,        // result_row_t without `whole`
  output logic                                 whole_o,
  output logic                                 completes_o,  // the last ones do

  // Without them
  output logic [g80_pkg::LaneWordsWidth-1:0]   low_o,
  output logic [g80_pkg::LaneWordsWidth-1:0]   high_o,
  output logic [g80_pkg::LaneFlagsWidth-1:0]   flags_o
);
  localparam int unsigned Lanes = g80_pkg::WarpSize;
  localparam int unsigned PortW = $clog2(g80_pkg::PortLanes);

  g80_pkg::result_row_t row_d, row_q;

  logic [PortW-1:0]                    place;  // bits of a lane's number: its place in a part
  logic [g80_pkg::PortLanes-1:0][31:0] part_low, part_high;  // of each lane of a half-warp
  logic [g80_pkg::PortLanes-1:0][3:0]  part_flags;
  logic [Lanes-1:0]                    arrives;
  logic [Lanes-1:0][31:0]              low, high, kept_low, kept_high;
  logic [Lanes-1:0][3:0]               flags, kept_flags;

  assign place      = PortW'((5'd1 << cfg_log2_lanes_i) - 5'd1);
  assign kept_low   = row_q.low;
  assign kept_high  = row_q.high;
  assign kept_flags = row_q.flags;

  arriving_lanes u_low (
    .port_i (result_i.low),
    .place_i(place),
    .lane_o (part_low)
  );
  arriving_lanes u_high (
    .port_i (result_i.high),
    .place_i(place),
    .lane_o (part_high)
  );
  arriving_lanes #(.Width(4)) u_flags (
    .port_i (result_i.flags),
    .place_i(place),
    .lane_o (part_flags)
  );

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign arrives[l] = Exists && result_i.valid && ((result_i.first ^ 5'(l)) & ~{1'b0, place}) == '0;

    always_comb begin : choose
      low[l]   = arrives[l] ? part_low[l%g80_pkg::PortLanes] : kept_low[l];
      high[l]  = arrives[l] ? part_high[l%g80_pkg::PortLanes] : kept_high[l];
      flags[l] = arrives[l] ? part_flags[l%g80_pkg::PortLanes] : kept_flags[l];
    end
  end

  assign row_d.whole = result_i.valid ? result_i.last : row_q.whole;
  assign row_d.low   = Exists ? low : '0;
  assign row_d.high  = Exists && High ? high : '0;
  assign row_d.flags = Exists ? flags : '0;

  assign row_o       = {row_d.low, row_d.high, row_d.flags};
  assign whole_o     = row_d.whole;
  assign low_o       = row_q.low;
  assign high_o      = row_q.high;
  assign flags_o     = row_q.flags;
  assign completes_o = result_i.valid && result_i.last;

  // Registers of a datapath have no reset.
  always_ff @(posedge clk_i) begin : registers
    row_q <= row_d;
  end
endmodule
