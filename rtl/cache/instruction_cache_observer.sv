// SPDX-License-Identifier: Apache-2.0
// Signals of instruction_cache for the simulator only: its registers as a C++ struct, the queues for waves, event
// counters, whether it is empty, and whether the clock may stop. It is bound to the datapath, which does not refer to
// it.
module instruction_cache_observer #(
  localparam int unsigned QueueW   = $clog2(2 + 1),
  localparam int unsigned UnsentW  = $clog2(g80_pkg::MaxCcacheMshrs + 1),
  localparam int unsigned EntryW   = $clog2(g80_pkg::MaxCcacheMshrs),
  localparam int unsigned Stages   = g80_pkg::MaxIcacheL1Latency,
  localparam int unsigned RepliesW = $clog2(Stages + 2),
  localparam int unsigned DelayW   = g80_pkg::DelayCountBits
) (
  input logic                             clk_i,
  input logic                             rst_ni,
  input logic                             sleep_i,        // after the coming edge, nothing changes until an input does
  input logic                             idle_i,         // no fetch and no line inside
  input g80_pkg::instruction_cache_regs_t registers_i,
  input logic                             hit_i,
  input logic                             miss_i,
  input logic                             merge_i,
  input logic                             new_kernel_i,

  // The queues: entries, and the oldest
  input logic [UnsentW-1:0]               unsent_count_i,
  input logic [EntryW-1:0]                unsent_i,
  input logic [QueueW-1:0]                queue_count_i,
  input g80_pkg::fetch_request_t          queue_i,
  input logic [Stages-1:0]                moving_i,       // a reply is in this register
  input g80_pkg::fetch_reply_t            reply_i
);
  g80_pkg::instruction_cache_counters_t counters_d;
  logic [RepliesW-1:0]                  replies;

  // The adapter reads these.
  g80_pkg::instruction_cache_counters_t counters_q /*verilator public_flat_rd*/;
  g80_pkg::instruction_cache_regs_t     registers  /*verilator public_flat_rd*/;
  logic                                 sleep      /*verilator public_flat_rd*/;
  logic                                 idle       /*verilator public_flat_rd*/;
  logic [UnsentW+8+QueueW+g80_pkg::FetchRequestWidth+2*DelayW+RepliesW+g80_pkg::FetchReplyWidth-1:0]
      queues /*verilator public_flat_rd*/;

  assign registers = registers_i;
  assign sleep     = sleep_i;
  assign idle      = idle_i;
  assign replies   = RepliesW'($countones(moving_i));
  assign queues    = {
    unsent_count_i, unsent_count_i == '0 ? 8'd0 : 8'(unsent_i),
    queue_count_i,  queue_count_i == '0 ? g80_pkg::FetchRequestDefault : queue_i,
    DelayW'(replies), DelayW'(0),  // those that move, and those that have arrived: they leave at once
    replies,        replies == '0 ? g80_pkg::FetchReplyDefault : reply_i
  };

  always_comb begin : count
    counters_d               = counters_q;
    counters_d.hits          = counters_q.hits + 64'(hit_i);
    counters_d.misses        = counters_q.misses + 64'(miss_i);
    counters_d.merges        = counters_q.merges + 64'(merge_i);
    counters_d.invalidations = counters_q.invalidations + 64'(new_kernel_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_of_counters
    if (!rst_ni) counters_q <= '0;
    else         counters_q <= counters_d;
  end
endmodule

bind instruction_cache instruction_cache_observer u_observer (
  .clk_i,
  .rst_ni,
  .sleep_i       (!fetch_i.valid && !fill_i.valid && queue_empty_next && !filling_next && unsent_empty_next &&
                  !line_d.valid && replies_empty_next && !reply_d.valid),
  .idle_i        (queue_empty && u_replies.valid_q == '0 && no_misses && !reply_q.valid),
  .registers_i   ('{fetch_ready: fetch_ready_q, fill_ready: fill_ready_q, reply: reply_q, line: line_q,
                    kernel: kernel_q}),
  .hit_i         (hit),
  .miss_i        (miss),
  .merge_i       (merge),
  .new_kernel_i  (new_kernel),
  .unsent_count_i(($clog2(g80_pkg::MaxCcacheMshrs + 1))'($countones(u_store.u_unsent.valid_q))),
  .unsent_i      (u_store.u_unsent.entry_q[0]),
  .queue_count_i (2'($countones(u_queue.valid_q))),
  .queue_i       (u_queue.entry_q[0]),
  .moving_i      (u_replies.valid_q),
  .reply_i       (u_replies.oldest)
);
