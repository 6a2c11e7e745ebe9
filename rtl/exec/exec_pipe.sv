// SPDX-License-Identifier: Apache-2.0
// What all execution pipes share: instructions enter, their groups of lanes move one stage a cycle, and results are
// announced and shown. The arithmetic is beside it. Twin of hw/exec/exec_pipe.h.
//
// A pipe takes a dispatch at an edge at which the scheduler does not run, and with it the first group of lanes. Two
// groups leave together: their result is shown for two cycles, so that writeback, at half rate, samples it once.
module exec_pipe #(
  parameter int unsigned MinGroups = 4,  // that the lanes of a warp enter in; powers of two
  parameter int unsigned MaxGroups = 4,
  parameter int unsigned MaxStages = g80_pkg::MaxExecStages + 1,
  localparam int unsigned StageW = $clog2(MaxStages),
  localparam int unsigned GroupW = $clog2(MaxGroups),
  localparam int unsigned Slots  = (MaxStages + 2) / MinGroups + 3
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  // Straps
  input  logic [StageW-1:0]        cfg_stages_i,   // stages in front of the result register
  input  logic [2:0]               cfg_log2_groups_i,

  input  logic                     issue_en_i,     // the scheduler runs at this edge, too

  // From the operand collector
  input  g80_pkg::dispatch_t       dispatch_i,
  input  logic [31:0]              loaded_i,       // lanes whose destination register the dispatched one writes

  // To the stages
  output logic                     accept_o,       // the dispatched instruction enters with its first group
  output logic                     enter_o,        // a group enters
  output logic [GroupW-1:0]        group_o,
  output logic                     vote_o,         // of its instruction
  output logic [31:0]              granted_o,
  output logic [MaxStages-2:0]     valid_o,        // stages with a group
  output logic [MaxStages-2:0][g80_pkg::PipeStageWidth-1:0] stage_o,  // pipe_stage_t
  output g80_pkg::pipe_stage_t     last_o,         // the last one
  output logic                     leaves_o,       // the second of two groups enters the result register
  output logic                     busy_o,         // this edge changes something

  // To writeback
  output g80_pkg::result_ahead_t   ahead_o,
  output logic                     result_valid_o,
  output logic                     result_last_o,
  output logic [4:0]               result_first_o,
  output logic [31:0]              result_uid_o
);
  localparam int unsigned SlotW      = $clog2(Slots);
  localparam int unsigned IssuedW    = g80_pkg::IssuedInstructionWidth;
  localparam int unsigned KeptW      = IssuedW + 134;
  localparam logic [1:0]  Shown      = 2'd2;  // cycles for which a result is shown

  typedef struct packed {
    logic [4:0]                   warp;
    logic [31:0]                  uid;
    g80_pkg::issued_instruction_t insn;
    logic [31:0]                  lanes;
    logic [31:0]                  loaded;
    logic                         vote;
    logic [31:0]                  granted;
  } kept_t;

  // Registers. A slot keeps what writeback needs of an instruction until its last lanes have left.
  logic [MaxStages-1:0][g80_pkg::PipeStageWidth-1:0] stage_d, stage_q;   // pipe_stage_t
  logic [5:0]                                        entering_d, entering_q;            // groups still to enter
  logic [7:0]                                        entering_slot_d, entering_slot_q;
  logic [7:0]                                        next_slot_d, next_slot_q;
  logic [7:0]                                        occupied_d, occupied_q;            // groups in the pipe
  logic [7:0]                                        ahead_slot_d, ahead_slot_q;        // the announced instruction
  logic [1:0]                                        ahead_left_d, ahead_left_q;        // cycles for which it still is
  logic [7:0]                                        result_slot_d, result_slot_q;      // the result on the wire
  logic [5:0]                                        result_group_d, result_group_q;
  logic [1:0]                                        result_left_d, result_left_q;
  logic [Slots-1:0][KeptW-1:0]                       slot_d, slot_q;  // kept_t

  // The instruction that enters
  logic       accept, enter;
  logic [5:0] groups;
  logic [5:0] left;  // groups to enter, with those of a new instruction
  logic [7:0] slots, entering_slot;
  logic [5:0] group;

  assign groups        = 6'd1 << cfg_log2_groups_i;
  assign accept        = dispatch_i.valid && !issue_en_i;
  assign left          = accept ? groups : entering_q;
  assign enter         = left != '0;
  assign group         = groups - left;
  assign slots         = ((8'(cfg_stages_i) + 8'd2) >> cfg_log2_groups_i) + 8'd3;
  assign entering_slot = accept ? next_slot_q : entering_slot_q;

  assign entering_d      = enter ? left - 6'd1 : '0;
  assign entering_slot_d = entering_slot;
  assign next_slot_d     = !accept ? next_slot_q : next_slot_q + 8'd1 == slots ? '0 : next_slot_q + 8'd1;

  kept_t dispatched, entering, announced, shown;

  always_comb begin : keep
    dispatched.warp    = dispatch_i.warp;
    dispatched.uid     = dispatch_i.uid;
    dispatched.insn    = IssuedW'(dispatch_i.insn >> (g80_pkg::MicroOpWidth - g80_pkg::IssuedOpWidth));
    dispatched.lanes   = dispatch_i.lanes;
    dispatched.loaded  = loaded_i;
    dispatched.vote    = dispatch_i.vote;
    dispatched.granted = dispatch_i.granted;
  end

  always_comb begin : next_slots
    slot_d = slot_q;
    if (accept) slot_d[next_slot_q[SlotW-1:0]] = dispatched;
  end

  assign accept_o   = accept;
  assign enter_o    = enter;
  assign group_o    = group[GroupW-1:0];
  assign entering   = accept ? dispatched : slot_q[entering_slot_q[SlotW-1:0]];
  assign vote_o     = entering.vote;
  assign granted_o  = entering.granted;

  // The stages
  g80_pkg::pipe_stage_t first, near, last;

  always_comb begin : enter_stage
    first = g80_pkg::PipeStageDefault;
    if (enter) begin
      first.valid = 1'b1;
      first.slot  = entering_slot;
      first.group = group;
    end
  end

  always_comb begin : move
    stage_d               = {stage_q[MaxStages-2:0], first};
    stage_d[cfg_stages_i] = g80_pkg::PipeStageDefault;  // behind the last one
  end

  assign last       = stage_q[cfg_stages_i-StageW'(1)];
  assign near       = stage_q[cfg_stages_i-StageW'(1+g80_pkg::ResultAheadCycles)];
  assign stage_o    = stage_q[MaxStages-2:0];
  assign last_o     = last;
  assign leaves_o   = last.valid && last.group[0];
  assign occupied_d = occupied_q + 8'(enter) - 8'(last.valid);
  assign busy_o     = enter || occupied_q != '0 || result_left_q != '0;

  for (genvar i = 0; i < MaxStages - 1; i++) begin : gen_valid
    assign valid_o[i] = stage_q[i][g80_pkg::PipeStageWidth-1];  // the first field
  end

  // The announcement, and the result
  always_comb begin : announce
    ahead_slot_d = ahead_slot_q;
    ahead_left_d = ahead_left_q == '0 ? '0 : ahead_left_q - 2'd1;
    if (near.valid && near.group == groups - 6'd1) begin
      ahead_slot_d = near.slot;
      ahead_left_d = Shown;
    end
  end

  always_comb begin : show
    result_slot_d  = result_slot_q;
    result_group_d = result_group_q;
    result_left_d  = result_left_q == '0 ? '0 : result_left_q - 2'd1;
    if (leaves_o) begin
      result_slot_d  = last.slot;
      result_group_d = last.group;
      result_left_d  = Shown;
    end
  end

  assign announced = slot_q[ahead_slot_q[SlotW-1:0]];
  assign shown     = slot_q[result_slot_q[SlotW-1:0]];

  always_comb begin : ahead
    ahead_o = g80_pkg::ResultAheadDefault;
    if (ahead_left_q != '0) begin
      ahead_o.valid  = 1'b1;
      ahead_o.warp   = announced.warp;
      ahead_o.uid    = announced.uid;
      ahead_o.insn   = announced.insn;
      ahead_o.lanes  = announced.lanes;
      ahead_o.loaded = announced.loaded;
    end
  end

  assign result_valid_o = result_left_q != '0;
  assign result_last_o  = result_group_q == groups - 6'd1;
  assign result_first_o = 5'((result_group_q - 6'd1) << (3'd5 - cfg_log2_groups_i));
  assign result_uid_o   = shown.uid;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      stage_q         <= '0;
      entering_q      <= '0;
      entering_slot_q <= '0;
      next_slot_q     <= '0;
      occupied_q      <= '0;
      ahead_slot_q    <= '0;
      ahead_left_q    <= '0;
      result_slot_q   <= '0;
      result_group_q  <= '0;
      result_left_q   <= '0;
    end else begin
      stage_q         <= stage_d;
      entering_q      <= entering_d;
      entering_slot_q <= entering_slot_d;
      next_slot_q     <= next_slot_d;
      occupied_q      <= occupied_d;
      ahead_slot_q    <= ahead_slot_d;
      ahead_left_q    <= ahead_left_d;
      result_slot_q   <= result_slot_d;
      result_group_q  <= result_group_d;
      result_left_q   <= result_left_d;
    end
  end

  // What a slot holds counts only while a stage names it.
  always_ff @(posedge clk_i) begin : slot_registers
    slot_q <= slot_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      EntersAfterThePrevious: assert (!(accept && entering_q != '0));
      GroupsAreThere: assert (groups >= 6'(MinGroups) && groups <= 6'(MaxGroups));
      SlotsAreThere: assert (next_slot_q < slots && 32'(slots) <= Slots);
      TwoGroupsFollowEachOther: assert (!leaves_o || result_left_q != Shown);
    end
  end
endmodule
