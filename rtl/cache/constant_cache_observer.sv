// SPDX-License-Identifier: Apache-2.0
// Signals of constant_cache for the simulator only: its registers as a C++ struct, the queues for waves, event
// counters, whether it is empty, and whether the clock may stop. It is bound to the datapath, which does not refer to
// it.
module constant_cache_observer #(
  localparam int unsigned UnsentW = $clog2(g80_pkg::MaxCcacheMshrs + 1),
  localparam int unsigned MshrW   = $clog2(g80_pkg::MaxCcacheMshrs),
  localparam int unsigned OrderW  = $clog2(g80_pkg::MaxWarps + 1),
  localparam int unsigned EntryW  = $clog2(g80_pkg::MaxWarps)
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic                          sleep_i,         // after the coming edge, nothing changes until an input does
  input logic                          idle_i,          // no request and no line inside
  input g80_pkg::constant_cache_regs_t registers_i,
  input logic                          pass_i,
  input logic                          serve_i,
  input logic                          miss_i,
  input logic                          merge_i,
  input logic                          new_kernel_i,

  // The queues: entries, and the oldest
  input logic [UnsentW-1:0]            unsent_count_i,
  input logic [MshrW-1:0]              unsent_i,
  input logic [OrderW-1:0]             order_count_i,
  input logic [EntryW-1:0]             order_i
);
  g80_pkg::constant_cache_counters_t counters_d;

  // The adapter reads these.
  g80_pkg::constant_cache_counters_t counters_q /*verilator public_flat_rd*/;
  g80_pkg::constant_cache_regs_t     registers  /*verilator public_flat_rd*/;
  logic                              sleep      /*verilator public_flat_rd*/;
  logic                              idle       /*verilator public_flat_rd*/;
  logic [UnsentW+8+OrderW+8-1:0]     queues     /*verilator public_flat_rd*/;

  assign registers = registers_i;
  assign sleep     = sleep_i;
  assign idle      = idle_i;
  assign queues    = {
    unsent_count_i, unsent_count_i == '0 ? 8'd0 : 8'(unsent_i),
    order_count_i,  order_count_i == '0 ? 8'd0 : 8'(order_i)
  };

  always_comb begin : count
    counters_d               = counters_q;
    counters_d.passes        = counters_q.passes + 64'(pass_i);
    counters_d.hits          = counters_q.hits + 64'(serve_i);
    counters_d.misses        = counters_q.misses + 64'(miss_i);
    counters_d.merges        = counters_q.merges + 64'(merge_i);
    counters_d.invalidations = counters_q.invalidations + 64'(new_kernel_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_of_counters
    if (!rst_ni) counters_q <= '0;
    else         counters_q <= counters_d;
  end
endmodule

bind constant_cache constant_cache_observer u_observer (
  .clk_i,
  .rst_ni,
  .sleep_i       (!request_i.valid && !fill_i.valid && u_order.count_d == '0 && !filling_next && unsent_empty_next &&
                  !line_d.valid && !reply_d.valid && !resting_d),
  .idle_i        (used_q == '0 && no_misses),
  .registers_i   ('{request_ready: request_ready_q, fill_ready: fill_ready_q, reply: reply_q, line: line_q,
                    kernel: kernel_q}),
  .pass_i        (passes),
  .serve_i       (serves),
  .miss_i        (miss),
  .merge_i       (merge),
  .new_kernel_i  (new_kernel),
  .unsent_count_i(($clog2(g80_pkg::MaxCcacheMshrs + 1))'($countones(u_store.u_unsent.valid_q))),
  .unsent_i      (u_store.u_unsent.entry_q[0]),
  .order_count_i (u_order.count_q),
  .order_i       (u_order.front_o)
);
