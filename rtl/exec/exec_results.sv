// SPDX-License-Identifier: Apache-2.0
// The end of an execution unit of 1, 2, 4 .. lanes a cycle: registers that only delay, until the latency is over, and
// the results of two groups for the result wire.
module exec_results #(
  parameter int unsigned Lanes     = 4,   // at most; a power of two
  parameter int unsigned Width     = 36,  // of a lane's result
  parameter int unsigned Stages    = 6,   // that compute
  parameter int unsigned MaxStages = g80_pkg::MaxExecStages + 1,
  localparam int unsigned StageW = $clog2(MaxStages)
) (
  input  logic                          clk_i,

  // Straps
  input  logic [StageW-1:0]             cfg_stages_i,      // in front of the result register
  input  logic [1:0]                    cfg_log2_lanes_i,

  input  logic [MaxStages-2:0]          valid_i,           // stages with a group
  input  logic                          leaves_i,          // the second of two groups leaves
  input  logic [Lanes-1:0][Width-1:0]   computed_i,        // by the last stage that computes
  output logic [2*Lanes-1:0][Width-1:0] result_o           // of both groups; lane 0 of the first one is entry 0
);
  localparam int unsigned Depth     = MaxStages - Stages + 1;  // registers that hold a result
  localparam int unsigned DepthW    = $clog2(Depth);
  localparam int unsigned Log2Lanes = $clog2(Lanes);

  logic [Lanes-1:0][Width-1:0] last, last_next;

  delay_line #(
    .Width(Lanes * Width),
    .Depth(Depth)
  ) u_line (
    .clk_i,
    .cfg_last_i (DepthW'(cfg_stages_i - StageW'(Stages - 1))),
    .enable_i   (valid_i[MaxStages-2:Stages-2]),
    .data_i     (computed_i),
    .first_o    (),
    .last_o     (last),
    .last_next_o(last_next)
  );

  // Two groups leave together: the first one waits in the last register until the second one follows.
  logic [2*Lanes-1:0][Width-1:0]              pair, result_d, result_q;
  logic [Log2Lanes:0][2*Lanes-1:0][Width-1:0] joined;  // of groups of 1, 2, 4 .. lanes

  for (genvar n = 0; n <= Log2Lanes; n++) begin : gen_joined
    localparam int unsigned Group = 1 << n;
    assign joined[n] = (2 * Lanes * Width)'({last_next[Group-1:0], last[Group-1:0]});
  end

  always_comb begin : choose
    pair = joined[Log2Lanes];
    for (int n = 0; n < Log2Lanes; n++) begin
      if (cfg_log2_lanes_i == 2'(n)) pair = joined[n];
    end
  end
  assign result_d = leaves_i ? pair : result_q;
  assign result_o = result_q;

  // Registers of a datapath have no reset.
  always_ff @(posedge clk_i) begin : registers
    result_q <= result_d;
  end
endmodule
