// SPDX-License-Identifier: Apache-2.0
// Signals of bank_conflict for the simulator only: event counters, the registers as their C++ struct, the queue for
// waves, and whether the clock may stop. It is bound to the datapath, which does not refer to it.
module bank_conflict_observer #(
  localparam int unsigned CountW = $clog2(g80_pkg::SmemQueue + 1)
) (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic                         accept_i,    // an instruction's request enters the queue at the coming edge
  input logic                         send_i,      // a pass of one leaves
  input logic                         conflict_i,  // ... and it is not the first of its request
  input logic                         idle_i,      // after the coming edge, nothing changes until an input does
  input g80_pkg::bank_conflict_regs_t registers_i,
  input logic [CountW-1:0]            count_i,     // entries in the queue
  input g80_pkg::smem_request_t       front_i      // the oldest of them
);
  g80_pkg::bank_conflict_counters_t counters_d;

  // The adapter reads these.
  g80_pkg::bank_conflict_counters_t counters_q /*verilator public_flat_rd*/;
  g80_pkg::bank_conflict_regs_t     registers  /*verilator public_flat_rd*/;
  logic                             sleep      /*verilator public_flat_rd*/;
  logic [CountW+g80_pkg::SmemRequestWidth-1:0] queue /*verilator public_flat_rd*/;

  assign registers = registers_i;
  assign sleep     = idle_i;
  assign queue     = {count_i, count_i == '0 ? g80_pkg::SmemRequestDefault : front_i};

  always_comb begin : count
    counters_d = counters_q;
    if (accept_i) counters_d.requests = counters_q.requests + 64'd1;
    if (send_i) counters_d.passes = counters_q.passes + 64'd1;
    if (send_i && conflict_i) counters_d.conflicts = counters_q.conflicts + 64'd1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_of_counters
    if (!rst_ni) counters_q <= '0;
    else counters_q <= counters_d;
  end
endmodule

bind bank_conflict bank_conflict_observer u_observer (
  .clk_i,
  .rst_ni,
  .accept_i   (accept && !request_i.header),
  .send_i     (send && !head.header),
  .conflict_i (pending != head.lanes),
  .idle_i     (count_next == '0 && !pass_d.valid && wait_d == '0),
  .registers_i('{pending: pending_q, pass: pass_q, ready: ready_q, wait_: wait_q}),
  .count_i    (u_queue.count_q),
  .front_i    (u_queue.entry_q[u_queue.head_q])
);
