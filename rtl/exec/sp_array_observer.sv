// SPDX-License-Identifier: Apache-2.0
// Signals of sp_array for the simulator only: event counters, the registers as their C++ struct, what waves show of
// each processor, and whether the clock may stop. It is bound to the datapath, which does not refer to it.
module sp_array_observer #(
  localparam int unsigned Lanes      = g80_pkg::NumSpLanes,
  localparam int unsigned Controls   = g80_pkg::SpFunctionalStages - 1,
  localparam int unsigned Slots      = (g80_pkg::MaxExecStages + 3) / 4 + 3,
  localparam int unsigned Rows       = 2 * Slots,
  localparam int unsigned KeptW      = g80_pkg::IssuedInstructionWidth + 134  // of exec_pipe
) (
  input logic                                                       clk_i,
  input logic                                                       rst_ni,
  input logic                                                       accept_i,    // an instruction enters
  input logic [31:0]                                                lanes_i,     // ... for these lanes
  input logic                                                       pmevent_i,   // ... and counts an event
  input logic [3:0]                                                 event_i,
  input logic                                                       idle_i,      // nothing changes until an input does
  input g80_pkg::exec_pipe_regs_t                                   registers_i,
  input g80_pkg::sp_control_t                                       entering_i,
  input logic [Controls-1:0][g80_pkg::SpControlWidth-1:0]           control_i,
  input logic [Controls-1:0][Lanes-1:0]                             verdict_i,
  input logic [Lanes*g80_pkg::SpResultLaneWidth-1:0]                result_i,    // behind the last stage that computes
  input logic [1:0][Rows-1:0][Lanes*g80_pkg::SpResultLaneWidth-1:0] results_i,   // in the memory
  input logic [Slots-1:0][KeptW-1:0]                                slots_i
);
  g80_pkg::exec_pipe_counters_t counters_d;
  logic [15:0][63:0]            events_d;

  // The adapter reads these.
  g80_pkg::exec_pipe_counters_t counters_q /*verilator public_flat_rd*/;
  logic [15:0][63:0]            events_q   /*verilator public_flat_rd*/;  // warps that executed pmevent, by its number
  g80_pkg::exec_pipe_regs_t     registers  /*verilator public_flat_rd*/;
  logic                         sleep      /*verilator public_flat_rd*/;
  g80_pkg::sp_control_t         entering   /*verilator public_flat_rd*/;
  logic [Controls-1:0][g80_pkg::SpControlWidth-1:0]            control /*verilator public_flat_rd*/;
  logic [Controls-1:0][Lanes-1:0]                              verdict /*verilator public_flat_rd*/;
  logic [Lanes*g80_pkg::SpResultLaneWidth-1:0]                 result  /*verilator public_flat_rd*/;
  /* verilator tracing_off */
  logic [1:0][Rows-1:0][Lanes*g80_pkg::SpResultLaneWidth-1:0]  results /*verilator public_flat_rd*/;
  /* verilator tracing_on */
  logic [Slots-1:0][KeptW-1:0]                                 slots   /*verilator public_flat_rd*/;

  assign registers = registers_i;
  assign sleep     = idle_i;
  assign entering  = entering_i;
  assign control   = control_i;
  assign verdict   = verdict_i;
  assign result    = result_i;
  assign results   = results_i;
  assign slots     = slots_i;

  always_comb begin : count
    counters_d = counters_q;
    events_d   = events_q;
    if (accept_i) begin
      counters_d.instructions = counters_q.instructions + 64'd1;
      counters_d.lanes        = counters_q.lanes + 64'($countones(lanes_i));
      if (pmevent_i && lanes_i != '0) events_d[event_i] = events_q[event_i] + 64'd1;  // some lane passes the guard
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_of_counters
    if (!rst_ni) begin
      counters_q <= '0;
      events_q   <= '0;
    end else begin
      counters_q <= counters_d;
      events_q   <= events_d;
    end
  end
endmodule

bind sp_array sp_array_observer u_observer (
  .clk_i,
  .rst_ni,
  .accept_i   (accept),
  .lanes_i    (dispatch_i.lanes),
  .pmevent_i  (instruction.op == g80_pkg::OpPmevent),
  .event_i    (instruction.pm_event),
  .idle_i     (!enter && u_pipe.occupied_d == '0 && u_pipe.result_left_d == '0 && !(dispatch_i.valid && issue_en_i)),
  .registers_i('{stage: u_pipe.stage_q, entering: u_pipe.entering_q, entering_slot: u_pipe.entering_slot_q,
                 next_slot: u_pipe.next_slot_q, occupied: u_pipe.occupied_q, ahead_slot: u_pipe.ahead_slot_q,
                 ahead_left: u_pipe.ahead_left_q, result_slot: u_pipe.result_slot_q,
                 result_group: u_pipe.result_group_q, result_left: u_pipe.result_left_q}),
  .entering_i (entering_q),
  .control_i  (control_q),
  .verdict_i  (verdict_q),
  .result_i   (held_q),
  .results_i  ({gen_results[1].u_memory.word, gen_results[0].u_memory.word}),
  .slots_i    (u_pipe.slot_q)
);

bind sp_lane sp_lane_observer u_observer (
  .unpacked_i  (unpacked_q),
  .multiplied_i(multiplied_q),
  .product_i   (product_q),
  .aligned_i   (aligned_q),
  .sum_i       (sum_q),
  .counted_i   (counted_q),
  .normalised_i(normalised_q)
);
