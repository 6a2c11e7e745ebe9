// SPDX-License-Identifier: Apache-2.0
// Signals of sfu_multipliers for the simulator only: event counters, the registers as their C++ struct, what waves show
// of the stages, and whether the clock may stop. It is bound to the datapath, which does not refer to it.
module sfu_multipliers_observer #(
  localparam int unsigned Lanes      = g80_pkg::NumSpLanes,
  localparam int unsigned Controls   = g80_pkg::MultiplierFunctionalStages - 1,
  localparam int unsigned ControlW   = g80_pkg::MultiplierControlWidth,
  localparam int unsigned ResultW    = g80_pkg::MultiplierResultLaneWidth,
  localparam int unsigned MaxResults = g80_pkg::MaxExecStages + 2 - g80_pkg::MultiplierFunctionalStages
) (
  input logic                                     clk_i,
  input logic                                     rst_ni,
  input logic                                     accept_i,  // an instruction enters
  input logic [31:0]                              lanes_i,   // ... for these lanes
  input logic                                     idle_i,    // nothing changes until an input does
  input g80_pkg::exec_pipe_regs_t                 registers_i,
  input logic [Controls-1:0][ControlW-1:0]        control_i,
  input logic [MaxResults-1:0][Lanes*ResultW-1:0] results_i
);
  g80_pkg::exec_pipe_counters_t counters_d;

  // The adapter reads these.
  g80_pkg::exec_pipe_counters_t counters_q /*verilator public_flat_rd*/;
  g80_pkg::exec_pipe_regs_t     registers  /*verilator public_flat_rd*/;
  logic                         sleep      /*verilator public_flat_rd*/;
  logic [Controls-1:0][ControlW-1:0]        control /*verilator public_flat_rd*/;
  logic [MaxResults-1:0][Lanes*ResultW-1:0] results /*verilator public_flat_rd*/;

  assign registers = registers_i;
  assign sleep     = idle_i;
  assign control   = control_i;
  assign results   = results_i;

  always_comb begin : count
    counters_d = counters_q;
    if (accept_i) begin
      counters_d.instructions = counters_q.instructions + 64'd1;
      counters_d.lanes        = counters_q.lanes + 64'($countones(lanes_i));
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_of_counters
    if (!rst_ni) counters_q <= '0;
    else counters_q <= counters_d;
  end
endmodule

bind sfu_multipliers sfu_multipliers_observer u_observer (
  .clk_i,
  .rst_ni,
  .accept_i   (accept),
  .lanes_i    (dispatch_i.lanes),
  .idle_i     (!enter && u_pipe.occupied_d == '0 && u_pipe.result_left_d == '0 && !(dispatch_i.valid && issue_en_i)),
  .registers_i('{stage: u_pipe.stage_q, entering: u_pipe.entering_q, entering_slot: u_pipe.entering_slot_q,
                 next_slot: u_pipe.next_slot_q, occupied: u_pipe.occupied_q, ahead_slot: u_pipe.ahead_slot_q,
                 ahead_left: u_pipe.ahead_left_q, result_slot: u_pipe.result_slot_q,
                 result_group: u_pipe.result_group_q, result_left: u_pipe.result_left_q}),
  .control_i  (control_q),
  .results_i  (u_results.u_line.data_q)
);

bind multiplier_lane multiplier_lane_observer u_observer (
  .header_i    (header_q),
  .unpacked_i  (unpacked_q),
  .half_i      (half_q),
  .product_i   (product_q),
  .sum_i       (sum_q),
  .normalised_i(normalised_q),
  .rounded_i   (rounded_q)
);
