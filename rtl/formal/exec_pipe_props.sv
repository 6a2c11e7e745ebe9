// SPDX-License-Identifier: Apache-2.0
// The clock of an execution unit may stop when its pipe says that it is not busy: the edge would change none of the
// pipe's registers. StateAgrees says what holds between two edges, so that one edge proves it for all.
module exec_pipe_props #(
  parameter int unsigned MinGroups = 4,
  parameter int unsigned MaxGroups = 32,
  parameter int unsigned MaxStages = g80_pkg::MaxExecStages + 1,
  localparam int unsigned StageW = $clog2(MaxStages),
  localparam int unsigned GroupW = $clog2(MaxGroups),
  localparam int unsigned PipeW  = g80_pkg::PipeStageWidth,
  localparam int unsigned Ahead  = g80_pkg::ResultAheadCycles
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               issue_en_i,
  input g80_pkg::dispatch_t dispatch_i
);
  (* anyconst *) logic [StageW-1:0] stages;
  (* anyconst *) logic [2:0]        log2_groups;
  logic accept, enter, busy;

  exec_pipe #(
    .MinGroups(MinGroups),
    .MaxGroups(MaxGroups),
    .MaxStages(MaxStages)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .cfg_stages_i     (stages),
    .cfg_log2_groups_i(log2_groups),
    .issue_en_i,
    .dispatch_i,
    .loaded_i         (32'd0),
    .accept_o         (accept),
    .enter_o          (enter),
    .group_o          (),
    .vote_o           (),
    .granted_o        (),
    .valid_o          (),
    .stage_o          (),
    .last_o           (),
    .leaves_o         (),
    .busy_o           (busy),
    .ahead_o          (),
    .result_valid_o   (),
    .result_last_o    (),
    .result_first_o   (),
    .result_uid_o     ()
  );

  // Its registers, by their names in the whole; slots change only when it accepts
  logic changes;
  assign changes = accept || u_dut.stage_d != u_dut.stage_q || u_dut.entering_d != u_dut.entering_q ||
                   u_dut.entering_slot_d != u_dut.entering_slot_q || u_dut.next_slot_d != u_dut.next_slot_q ||
                   u_dut.occupied_d != u_dut.occupied_q || u_dut.ahead_slot_d != u_dut.ahead_slot_q ||
                   u_dut.ahead_left_d != u_dut.ahead_left_q || u_dut.result_slot_d != u_dut.result_slot_q ||
                   u_dut.result_group_d != u_dut.result_group_q || u_dut.result_left_d != u_dut.result_left_q;

  // The groups in the pipe are those that entered at the last edges: [s] of the last s, each of them one stage on. So
  // two counts beside each other differ by what one stage holds, and no sum of all stages is needed.
  // A result is announced while its last group is on its last stages.
  logic [MaxStages-1:0]    valid, clean, counted;
  logic [MaxStages:0][7:0] entered_q;
  logic                    announces_groups;

  for (genvar s = 0; s < MaxStages; s++) begin : gen_stage
    logic [PipeW-1:0] stage;
    assign stage      = u_dut.stage_q[s];
    assign valid[s]   = stage[PipeW-1];
    assign clean[s]   = valid[s] ? StageW'(s) < stages : stage == '0;
    assign counted[s] = StageW'(s) >= stages ||
                        (entered_q[s+1] == entered_q[s] + 8'(valid[s]) && entered_q[s+1] <= 8'(s + 1));

    always_ff @(posedge clk_i or negedge rst_ni) begin : count
      if (!rst_ni) entered_q[s+1] <= '0;
      else entered_q[s+1] <= entered_q[s] + 8'(enter);
    end
  end
  assign entered_q[0]     = '0;
  assign announces_groups = u_dut.ahead_left_q == 2'd0 ||
                            (u_dut.ahead_left_q == 2'd1 && valid[stages-StageW'(Ahead-1)]) ||
                            (u_dut.ahead_left_q == 2'd2 && valid[stages-StageW'(Ahead)]);

  always_comb begin : properties
    PipeIsLongEnough: assume (stages > StageW'(Ahead) && 32'(stages) < MaxStages);
    GroupsAreThere: assume (32'd1 << log2_groups >= MinGroups && 32'd1 << log2_groups <= MaxGroups);
    StateAgrees: assert (clean == '1 && counted == '1 && u_dut.occupied_q == entered_q[stages] && announces_groups);
    IdleEdgeChangesNothing: assert (busy || !changes);
    AnnouncedIsInThePipe: assert (u_dut.ahead_left_q == '0 || u_dut.occupied_q != '0);
    ShowsWhenEmpty: cover (busy && !enter && u_dut.occupied_q == '0);
    BecomesIdle: cover (!busy && u_dut.next_slot_q == 8'd2);
  end
endmodule
