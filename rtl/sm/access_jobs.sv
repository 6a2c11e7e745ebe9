// SPDX-License-Identifier: Apache-2.0
// Part of operand_collector: accesses and operand fetches on their way to the address unit, in the order of issue.
// Those of the newest instruction are in the queue as soon as its lanes are known. A fetch goes before the operands of
// its instruction are complete.
module access_jobs #(
  localparam int unsigned Units = g80_pkg::MaxCollectorUnits,
  localparam int unsigned UnitW = $clog2(Units),
  localparam int unsigned Jobs  = 2 * Units,
  localparam int unsigned JobW  = UnitW + 1,
  localparam int unsigned JobsW = $clog2(Jobs + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // What the newest instruction sends: its access or its s[] operand, and its c[] operand
  input  logic [UnitW-1:0] newest_i,
  input  logic             access_i,
  input  logic             const_i,

  // The units
  input  logic [Units-1:0] on_address_i,       // an access, for which all operands have to be there
  input  logic [Units-1:0] addressed_i,        // its lanes have operands for the address unit
  input  logic [Units-1:0] const_addressed_i,  // ... for its c[] operand
  input  logic [Units-1:0] waits_i,            // for registers, or for an older instruction of its warp
  input  logic             port_busy_i,

  // The oldest one
  output logic             goes_o,
  output logic [UnitW-1:0] unit_o,
  output logic             constant_o,
  output logic             fetches_o,
  output logic             addressed_o
);
  // Registers
  logic [Jobs-1:0][JobW-1:0] job_d, job_q;
  logic [JobsW-1:0]          count_d, count_q;

  logic [1:0][JobW-1:0] arriving;
  logic [1:0]           num_arriving;

  assign arriving[0]  = {newest_i, !access_i};
  assign arriving[1]  = {newest_i, 1'b1};
  assign num_arriving = 2'(access_i) + 2'(const_i);

  assign {unit_o, constant_o} = count_q != '0 ? job_q[0] : arriving[0];
  assign fetches_o            = !on_address_i[unit_o];
  assign addressed_o          = constant_o ? const_addressed_i[unit_o] : addressed_i[unit_o];
  assign goes_o               = (count_q != '0 || num_arriving != 2'd0) && !(addressed_o && port_busy_i) &&
                                (fetches_o || !waits_i[unit_o]);

  always_comb begin : move
    job_d   = job_q;
    count_d = count_q;
    for (int a = 0; a < 2; a++) begin
      if (num_arriving > 2'(a)) begin
        job_d[count_d[JobsW-2:0]] = arriving[a];
        count_d                   = count_d + JobsW'(1);
      end
    end
    if (goes_o) begin
      job_d   = job_d >> JobW;
      count_d = count_d - JobsW'(1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) count_q <= '0;
    else         count_q <= count_d;
  end
  always_ff @(posedge clk_i) begin : data
    job_q <= job_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) JobsHaveRoom: assert (count_q + JobsW'(num_arriving) <= JobsW'(Jobs));
  end
endmodule
