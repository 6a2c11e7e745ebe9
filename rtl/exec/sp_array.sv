// SPDX-License-Identifier: Apache-2.0
// The eight scalar processors of a multiprocessor: integer, logic, compare, conversion, and fp32 add, multiply,
// multiply-add. A warp enters as four groups of eight lanes on four consecutive cycles. Behind the stages that compute
// a result rests in a memory until the latency is over. Twin of hw/exec/sp_array.h, equal to it at every clock edge.
module sp_array #(
  parameter int unsigned MaxStages = g80_pkg::MaxExecStages + 1,
  localparam int unsigned StageW = $clog2(MaxStages)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  // Straps
  input  logic [StageW-1:0]        cfg_stages_i,  // in front of the result register: sm.alu_latency

  input  logic                     issue_en_i,    // the half-rate scheduler runs at this edge, too
  output logic                     busy_o,        // this edge changes something; without it the clock may stop

  // From operand_collector
  input  g80_pkg::dispatch_t       dispatch_i,
  input  g80_pkg::sp_lanes_t       operands_i,    // of the lanes that enter in two cycles

  // To writeback
  output g80_pkg::result_ahead_t   ahead_o,
  output g80_pkg::exec_result_t    result_o
);
  localparam int unsigned Lanes      = g80_pkg::NumSpLanes;
  localparam int unsigned Stages     = g80_pkg::SpFunctionalStages;
  localparam int unsigned Slots      = (MaxStages + 2) / 4 + 3;  // of exec_pipe
  localparam int unsigned RowW       = $clog2(Slots) + 1;        // a slot and one of its two pairs of groups
  localparam int unsigned ControlW   = g80_pkg::SpControlWidth;
  localparam int unsigned ResultW    = g80_pkg::SpResultLaneWidth;

  // The way of the groups
  logic                   accept, enter, leaves, result_valid, result_last;
  logic [1:0]             group;
  logic                   vote;
  logic [3:0][Lanes-1:0]  granted;  // by group
  logic [MaxStages-2:0]   valid;
  logic [MaxStages-2:0][g80_pkg::PipeStageWidth-1:0] stage;  // pipe_stage_t
  g80_pkg::pipe_stage_t   leaving;
  logic [4:0]             result_first;
  logic [31:0]            result_uid, loaded;

  // The dispatched instruction
  g80_pkg::decoded_instruction_t decoded;
  g80_pkg::sp_instruction_t      instruction;

  micro_op_fields u_fields (
    .insn_i   (dispatch_i.insn),
    .decoded_o(decoded)
  );
  sp_instruction u_instruction (
    .insn_i       (decoded.insn),
    .instruction_o(instruction)
  );

  assign loaded = instruction.op == g80_pkg::OpLdSharedLock ? dispatch_i.lanes & dispatch_i.granted : dispatch_i.lanes;

  exec_pipe #(
    .MinGroups(g80_pkg::WarpSize / Lanes),
    .MaxGroups(g80_pkg::WarpSize / Lanes),
    .MaxStages(MaxStages)
  ) u_pipe (
    .clk_i,
    .rst_ni,
    .cfg_stages_i,
    .cfg_log2_groups_i(3'($clog2(g80_pkg::WarpSize / Lanes))),
    .issue_en_i,
    .dispatch_i,
    .loaded_i         (loaded),
    .accept_o         (accept),
    .enter_o          (enter),
    .group_o          (group),
    .vote_o           (vote),
    .granted_o        (granted),
    .valid_o          (valid),
    .stage_o          (stage),
    .last_o           (leaving),
    .leaves_o         (),
    .busy_o,
    .ahead_o,
    .result_valid_o   (result_valid),
    .result_last_o    (result_last),
    .result_first_o   (result_first),
    .result_uid_o     (result_uid)
  );

  // Control bits. Those of the instruction that enters stay for its other groups; from there on they travel with the
  // lanes.
  g80_pkg::sp_control_t              new_control, control_in;
  g80_pkg::sp_control_t              entering_d, entering_q;
  logic                              votes_d, votes_q;  // the verdict is that of a vote
  logic [Stages-2:0][ControlW-1:0]   control_d, control_q;  // sp_control_t
  logic [Stages-2:0][Lanes-1:0]      verdict_d, verdict_q;
  logic [Lanes-1:0]                  verdict_in;
  logic                              has_path;

  sp_control u_control (
    .instruction_i(instruction),
    .control_o    (new_control),
    .has_path_o   (has_path)
  );

  assign control_in = accept ? new_control : entering_q;
  assign entering_d = control_in;
  assign votes_d    = accept ? instruction.op == g80_pkg::OpVote : votes_q;
  assign verdict_in = votes_d ? {Lanes{vote}} : granted[group];

  always_comb begin : travel
    control_d = control_q;
    verdict_d = verdict_q;
    if (enter) begin
      control_d[0] = control_in;
      verdict_d[0] = verdict_in;
    end
    for (int i = 1; i < Stages - 1; i++) begin
      if (valid[i-1]) begin
        control_d[i] = control_q[i-1];
        verdict_d[i] = verdict_q[i-1];
      end
    end
  end

  // The operands of the group: the port shows two groups for two cycles
  logic [Lanes-1:0][31:0] a, b, c;
  logic [Lanes-1:0][3:0]  flags;

  assign a     = group[0] ? operands_i.a[2*Lanes-1:Lanes] : operands_i.a[Lanes-1:0];
  assign b     = group[0] ? operands_i.b[2*Lanes-1:Lanes] : operands_i.b[Lanes-1:0];
  assign c     = group[0] ? operands_i.c[2*Lanes-1:Lanes] : operands_i.c[Lanes-1:0];
  assign flags = group[0] ? operands_i.flags[2*Lanes-1:Lanes] : operands_i.flags[Lanes-1:0];

  // The processors
  logic [Lanes-1:0][ResultW-1:0] computed, held_d, held_q;  // sp_result_lane_t

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int unsigned Quad = l / 4 * 4;  // quadop: the first lane of the four
    logic [31:0]                quad_first;
    g80_pkg::sp_operands_lane_t operands;
    always_comb begin : route
      case (control_in.quad.lane)
        2'd0:    quad_first = a[Quad];
        2'd1:    quad_first = a[Quad+1];
        2'd2:    quad_first = a[Quad+2];
        default: quad_first = a[Quad+3];
      endcase
    end
    assign operands = {a[l], b[l], c[l], flags[l]};
    sp_lane u_lane (
      .clk_i,
      .enter_i        (enter),
      .enter_control_i(control_in),
      .quad_op_i      (control_in.quad.op[l-Quad]),
      .quad_first_i   (quad_first),
      .operands_i     (operands),
      .enable_i       (valid[Stages-2:0]),
      .control_i      (control_q),
      .verdict_i      (verdict_q[Stages-2][l]),
      .held_i         (held_q[l]),
      .result_o       (computed[l])
    );
  end

  assign held_d = valid[Stages-2] ? computed : held_q;

  // The memory of results. Two groups leave together: it has a bank for the first ones and one for the second ones.
  g80_pkg::pipe_stage_t               kept;
  logic [RowW-1:0]                    kept_row, leaving_row;
  logic [1:0][Lanes-1:0][ResultW-1:0] rested;

  assign kept        = stage[Stages-1];
  assign leaves      = leaving.valid && leaving.group[0];
  assign kept_row    = {kept.slot[RowW-2:0], kept.group[1]};
  assign leaving_row = {leaving.slot[RowW-2:0], leaving.group[1]};

  for (genvar p = 0; p < 2; p++) begin : gen_results
    sram_1r1w #(
      .Words(2 * Slots),
      .Width(Lanes * ResultW)
    ) u_memory (
      .clk_i,
      .write_i        (kept.valid && kept.group[0] == 1'(p)),
      .write_address_i(kept_row),
      .write_data_i   (held_q),
      .read_address_i (leaving_row),
      .read_data_o    (rested[p])
    );
  end

  // Where the latency leaves no cycle for it, they leave on their way to the memory.
  logic [2*Lanes-1:0][ResultW-1:0] result_d, result_q;

  always_comb begin : leave
    result_d = result_q;
    if (leaves) begin
      result_d = rested;
      if (cfg_stages_i == StageW'(Stages)) result_d = {held_q, rested[0]};
      if (cfg_stages_i == StageW'(Stages - 1)) result_d = {computed, held_q};
    end
  end

  logic [2*Lanes-1:0][31:0] result_word;
  logic [2*Lanes-1:0][3:0]  result_flags;
  for (genvar l = 0; l < 2 * Lanes; l++) begin : gen_result
    g80_pkg::sp_result_lane_t lane;
    assign lane            = result_q[l];
    assign result_word[l]  = lane.word;
    assign result_flags[l] = lane.flags;
  end

  always_comb begin : result
    result_o = g80_pkg::ExecResultDefault;
    if (result_valid) begin
      result_o.valid    = 1'b1;
      result_o.last     = result_last;
      result_o.first    = result_first;
      result_o.uid      = result_uid;
      result_o.low      = result_word;
      result_o.flags    = result_flags;
    end
  end

  // Registers of a datapath have no reset.
  always_ff @(posedge clk_i) begin : registers
    entering_q <= entering_d;
    votes_q    <= votes_d;
    control_q  <= control_d;
    verdict_q  <= verdict_d;
    held_q     <= held_d;
    result_q   <= result_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      ExecutesItsInstructions: assert (!accept || has_path);
      NoFaultComes: assert (!accept || dispatch_i.insn.error == g80_pkg::DecodeErrorNone);
    end
  end
endmodule
