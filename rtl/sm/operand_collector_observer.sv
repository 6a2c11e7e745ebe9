// SPDX-License-Identifier: Apache-2.0
// Signals of operand_collector for the simulator only: the registers as their C++ struct, the queues for waves, what
// the units hold for the retirement port, and whether the clock may stop.
module operand_collector_observer #(
  localparam int unsigned Lanes   = g80_pkg::WarpSize,
  localparam int unsigned Units   = g80_pkg::MaxCollectorUnits,
  localparam int unsigned UnitW   = $clog2(Units),
  localparam int unsigned Words   = g80_pkg::HighWords,
  localparam int unsigned Wide    = g80_pkg::OperandWords - Words,
  localparam int unsigned Stages  = g80_pkg::MaxConstStages,
  localparam int unsigned JobsW   = $clog2(2 * Units + 1)
) (
  input logic                                    idle_i,
  input g80_pkg::operand_collector_regs_t        registers_i,
  input logic [JobsW-1:0]                        num_jobs_i,
  input logic [UnitW:0]                          job_i,
  /* verilator tracing_off */
  input logic [Stages-1:0]                       const_way_i,
  /* verilator tracing_on */

  // The units
  input logic [Units-1:0][g80_pkg::FetchedInstructionWidth-1:0] insn_i,
  input logic [Units-1:0][4:0]                   warp_i,
  input logic [Units-1:0][31:0]                  uid_i,
  input logic [Units-1:0][Lanes-1:0]             active_i,
  input logic [Units-1:0][Lanes-1:0]             lanes_i,
  input logic [Units-1:0][2:0]                   uniform_i,
  input logic [Units-1:0][31:0]                  scalar_i,
  input logic [Units-1:0]                        numbered_i,
  /* verilator tracing_off */
  input logic [Units-1:0][Words-1:0][Lanes-1:0][31:0] word_i,
  input logic [Wide-1:0][Lanes-1:0][31:0]        wide_word_i
  /* verilator tracing_on */
);
  // The adapter reads these.
  g80_pkg::operand_collector_regs_t registers /*verilator public_flat_rd*/;
  logic                             sleep     /*verilator public_flat_rd*/;
  /* verilator tracing_off */
  struct packed {
    logic [Stages-1:0]              const_way;
    logic [JobsW-1:0]               jobs;
    logic [UnitW:0]                 job;
  } drawn /*verilator public_flat_rd*/;
  /* verilator tracing_on */
  logic [Units-1:0][g80_pkg::FetchedInstructionWidth-1:0] insn /*verilator public_flat_rd*/;
  logic [Units-1:0][4:0]            warp      /*verilator public_flat_rd*/;
  logic [Units-1:0][31:0]           uid       /*verilator public_flat_rd*/;
  logic [Units-1:0][Lanes-1:0]      active    /*verilator public_flat_rd*/;
  logic [Units-1:0][Lanes-1:0]      lanes     /*verilator public_flat_rd*/;
  logic [Units-1:0][2:0]            uniform   /*verilator public_flat_rd*/;
  logic [Units-1:0][31:0]           scalar    /*verilator public_flat_rd*/;
  logic [Units-1:0]                 numbered  /*verilator public_flat_rd*/;
  /* verilator tracing_off */
  logic [Units-1:0][Words-1:0][Lanes-1:0][31:0] word /*verilator public_flat_rd*/;
  logic [Wide-1:0][Lanes-1:0][31:0] wide_word        /*verilator public_flat_rd*/;
  /* verilator tracing_on */

  assign registers       = registers_i;
  assign sleep           = idle_i;
  assign drawn.jobs      = num_jobs_i;
  assign drawn.job       = num_jobs_i == '0 ? '0 : job_i;
  assign drawn.const_way = const_way_i;
  assign insn            = insn_i;
  assign warp            = warp_i;
  assign uid             = uid_i;
  assign active          = active_i;
  assign lanes           = lanes_i;
  assign uniform         = uniform_i;
  assign scalar          = scalar_i;
  assign numbered        = numbered_i;
  assign word            = word_i;
  assign wide_word       = wide_word_i;
endmodule

bind operand_collector operand_collector_observer u_observer (
  .idle_i     ((occupied_d == '0 || (!issued_q && !issue_i.valid && read_banks_i == '0 && !smem_i.valid &&
                                     !const_i.valid && answered_i == '0 && freed_i == '0)) &&
               u_const_way.empty_o && !sp_goes && !sfus_go && !dp_goes && !job_goes && !control_goes && !sp_busy &&
               !sfu_busy && !multiply_busy && !dp_busy && !shared_busy && !address_busy),
  .registers_i('{occupied: occupied_q, issued: issued_q, newest: newest_q, sfu_dp_sent: sfu_dp_sent_q,
                 address: address_q, access: access_q, access_operands: access_operands_q, control: control_q,
                 control_unit: control_unit_q, address_port: u_address_port.state_q,
                 sp_port: u_sp_port.state_q, sfu_port: u_sfu_port.state_q,
                 multiply_port: gen_multiply_port.u_multiply_port.state_q,
                 dp_port: gen_dp_port.u_dp_port.state_q, shared_port: {shared_q, shared_part_q, 4'd0}, fault: fault_q,
                 credit: {credit_q, 16'd0, wide_credit_q}}),
  .num_jobs_i (u_jobs.count_q),
  .job_i      (u_jobs.job_q[0]),
  .const_way_i(u_const_way.valid_q),
  .insn_i     (insn),
  .warp_i     (warp),
  .uid_i      (uid),
  .active_i   (active),
  .lanes_i    (unit_lanes),
  .uniform_i  (unit_uniform),
  .scalar_i   (unit_scalar),
  .numbered_i (unit_numbered),
  .word_i     (word),
  .wide_word_i(wide_word_q)
);
