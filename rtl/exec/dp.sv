// SPDX-License-Identifier: Apache-2.0
// The fp64 unit: fused multiply-adds, comparisons and conversions of 1, 2, 4 or 8 lanes a cycle. Registers behind the
// stages that compute hold the result until the latency is over. Twin of hw/exec/dp.h, equal to it at every clock edge.
module dp #(
  parameter int unsigned MaxStages = g80_pkg::MaxExecStages + 1,
  localparam int unsigned StageW = $clog2(MaxStages)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // Straps
  input  logic [StageW-1:0]      cfg_stages_i,      // in front of the result register: sm.dp_latency
  input  logic [1:0]             cfg_log2_lanes_i,  // that enter in a cycle: sm.num_dps

  input  logic                   issue_en_i,        // the half-rate scheduler runs at this edge, too
  output logic                   busy_o,            // this edge changes something; without it the clock may stop

  // From operand_collector
  input  g80_pkg::dispatch_t     dispatch_i,
  input  g80_pkg::dp_lanes_t     operands_i,        // of the lanes that enter in two cycles

  // To writeback
  output g80_pkg::result_ahead_t ahead_o,
  output g80_pkg::exec_result_t  result_o
);
  localparam int unsigned Lanes    = g80_pkg::MaxSmNumDps;
  localparam int unsigned Stages   = g80_pkg::DpFunctionalStages;
  localparam int unsigned ControlW = g80_pkg::DpControlWidth;
  localparam int unsigned ResultW  = g80_pkg::DpResultLaneWidth;

  // The way of the groups
  logic                 accept, enter, leaves, result_valid, result_last;
  logic [4:0]           group;
  logic [MaxStages-2:0] valid;
  logic [4:0]           result_first;
  logic [31:0]          result_uid;

  exec_pipe #(
    .MinGroups(g80_pkg::WarpSize / Lanes),
    .MaxGroups(g80_pkg::WarpSize),
    .MaxStages(MaxStages)
  ) u_pipe (
    .clk_i,
    .rst_ni,
    .cfg_stages_i,
    .cfg_log2_groups_i(3'd5 - {1'b0, cfg_log2_lanes_i}),
    .issue_en_i,
    .dispatch_i,
    .loaded_i         (dispatch_i.lanes),
    .accept_o         (accept),
    .enter_o          (enter),
    .group_o          (group),
    .vote_o           (),
    .granted_o        (),
    .valid_o          (valid),
    .stage_o          (),
    .last_o           (),
    .leaves_o         (leaves),
    .busy_o,
    .ahead_o,
    .result_valid_o   (result_valid),
    .result_last_o    (result_last),
    .result_first_o   (result_first),
    .result_uid_o     (result_uid)
  );

  // Control bits. Those of the instruction that enters stay for its other groups; from there on they travel with the
  // lanes.
  g80_pkg::decoded_instruction_t   decoded;
  g80_pkg::dp_control_t            new_control, control_in;
  g80_pkg::dp_control_t            entering_d, entering_q;
  logic                            new_third, third_in, third_d, third_q;
  logic [Stages-2:0][ControlW-1:0] control_d, control_q;  // dp_control_t
  logic                            known;

  micro_op_fields u_fields (
    .insn_i   (dispatch_i.insn),
    .decoded_o(decoded)
  );
  dp_control u_control (
    .insn_i   (decoded.insn),
    .control_o(new_control),
    .third_o  (new_third),
    .known_o  (known)
  );
  assign control_in = accept ? new_control : entering_q;
  assign third_in   = accept ? new_third : third_q;
  assign entering_d = control_in;
  assign third_d    = third_in;

  always_comb begin : travel
    control_d = control_q;
    if (enter) control_d[0] = control_in;
    for (int i = 1; i < Stages - 1; i++) begin
      if (valid[i-1]) control_d[i] = control_q[i-1];
    end
  end

  // The lanes. Those that the chip lacks keep their registers.
  logic [3:0]                          lanes;  // that enter in a cycle
  logic [Lanes-1:0]                    present;
  logic [g80_pkg::PortLanes-1:0][31:0] a, a_high, b, b_high, c, c_high;

  assign lanes  = 4'd1 << cfg_log2_lanes_i;
  assign a      = operands_i.a;
  assign a_high = operands_i.a_high;
  assign b      = operands_i.b;
  assign b_high = operands_i.b_high;
  assign c      = operands_i.c;
  assign c_high = operands_i.c_high;

  logic [Lanes-1:0][ResultW-1:0] computed;  // dp_result_lane_t

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    g80_pkg::dp_result_lane_t result;
    logic [3:0]               place;  // of the operands among the words of the port
    logic [63:0]              second, third;

    assign place      = (group[0] ? lanes : 4'd0) + 4'(l);
    assign present[l] = 4'(l) < lanes;
    assign third      = {c_high[place], c[place]};
    assign second     = third_in ? third : {b_high[place], b[place]};

    // Of an addition the second operand is the addend.
    dp_lane u_lane (
      .clk_i,
      .enter_i        (enter && present[l]),
      .enter_control_i(control_in),
      .a_i            ({a_high[place], a[place]}),
      .b_i            (second),
      .c_i            (control_in.multiplies ? third : second),
      .enable_i       (present[l] ? valid[Stages-3:0] : '0),
      .control_i      (control_q),
      .result_o       (result)
    );
    assign computed[l] = present[l] ? result : '0;
  end

  logic [2*Lanes-1:0][ResultW-1:0] results;  // of two groups

  exec_results #(
    .Lanes    (Lanes),
    .Width    (ResultW),
    .Stages   (Stages),
    .MaxStages(MaxStages)
  ) u_results (
    .clk_i,
    .cfg_stages_i,
    .cfg_log2_lanes_i,
    .valid_i         (valid),
    .leaves_i        (leaves),
    .computed_i      (computed),
    .result_o        (results)
  );

  logic [g80_pkg::PortLanes-1:0][31:0] result_low, result_high;
  logic [g80_pkg::PortLanes-1:0][3:0]  result_flags;

  for (genvar l = 0; l < g80_pkg::PortLanes; l++) begin : gen_result
    if (l < 2 * Lanes) begin : gen_lane
      g80_pkg::dp_result_lane_t lane;
      assign lane            = results[l];
      assign result_low[l]   = lane.value[31:0];
      assign result_high[l]  = lane.value[63:32];
      assign result_flags[l] = lane.flags;
    end else begin : gen_none
      assign result_low[l]   = '0;
      assign result_high[l]  = '0;
      assign result_flags[l] = '0;
    end
  end

  always_comb begin : result
    result_o = g80_pkg::ExecResultDefault;
    if (result_valid) begin
      result_o.valid = 1'b1;
      result_o.last  = result_last;
      result_o.first = result_first;
      result_o.uid   = result_uid;
      result_o.low   = result_low;
      result_o.high  = result_high;
      result_o.flags = result_flags;
    end
  end

  // Registers of a datapath have no reset.
  always_ff @(posedge clk_i) begin : registers
    entering_q <= entering_d;
    third_q    <= third_d;
    control_q  <= control_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      ExecutesItsInstructions: assert (!accept || known);
      NoFaultComes: assert (!accept || dispatch_i.insn.error == g80_pkg::DecodeErrorNone);
    end
  end
endmodule
