// SPDX-License-Identifier: Apache-2.0
// Splits a half-warp's shared-memory request into passes without bank conflicts.
// Twin of hw/smem/bank_conflict.h, equal to it at every clock edge.
module bank_conflict (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // Straps
  input  logic [1:0]             cfg_pass_interval_i,  // scheduler cycles from pass to pass: 1 or 2

  // From address_unit
  input  g80_pkg::smem_request_t request_i,
  output logic                   request_ready_o,

  // To shared_memory
  output g80_pkg::smem_pass_t    pass_o,

  // To warp_scheduler
  output logic                   replay_o              // this pass is not the last of its request
);
  localparam int unsigned Lanes = g80_pkg::HalfWarp;
  localparam int unsigned WordW = $clog2(g80_pkg::MaxSharedBytes) - 2;

  // Registers
  logic [Lanes-1:0]    pending_d, pending_q;  // lanes of the head that no pass has served
  g80_pkg::smem_pass_t pass_d, pass_q;
  logic                ready_d, ready_q;
  logic [1:0]          wait_d, wait_q;        // scheduler cycles until the next pass may leave

  // Request queue; the head is split into passes
  logic                   accept, send, last;
  logic                   queue_empty, head_valid, second_valid;
  g80_pkg::smem_request_t head, second;
  logic [1:0]             count_next;

  assign accept = request_i.valid && ready_q;

  pair_queue #(.Width(g80_pkg::SmemRequestWidth)) u_queue (
    .clk_i,
    .rst_ni,
    .push_i        (accept),
    .data_i        (request_i),
    .pop_i         (send && last),
    .empty_o       (queue_empty),
    .head_valid_o  (head_valid),
    .head_o        (head),
    .second_valid_o(second_valid),
    .second_o      (second),
    .count_next_o  (count_next)
  );

  // The pass
  logic [Lanes-1:0]            pending, served, left;
  logic [Lanes-1:0][WordW-1:0] head_word;

  for (genvar l = 0; l < Lanes; l++) begin : gen_word
    assign head_word[l] = head.address[l][WordW+1:2];
  end

  select_pass u_select_pass (
    .pending_i(pending),
    .word_i   (head_word),
    .write_i  (head.write),
    .served_o (served)
  );

  assign pending = queue_empty && accept ? request_i.lanes : pending_q;
  assign left    = pending & ~served;
  assign last    = left == '0;
  assign send    = head_valid && wait_q == '0;

  always_comb begin : next_pass
    pass_d = g80_pkg::SmemPassDefault;
    if (send) begin
      pass_d.valid   = 1'b1;
      pass_d.last    = last;
      pass_d.lanes   = served;
      pass_d.request = head;
    end
  end

  always_comb begin : next_pending
    pending_d = pending;
    if (send) pending_d = last && second_valid ? second.lanes : left;
  end

  always_comb begin : next_wait
    wait_d = wait_q == '0 ? '0 : wait_q - 2'd1;
    if (send) wait_d = cfg_pass_interval_i - 2'd1;
  end

  assign ready_d = !count_next[1];

  assign request_ready_o = ready_q;
  assign pass_o          = pass_q;
  assign replay_o        = pass_q.valid && !pass_q.last;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      pending_q <= '0;
      pass_q    <= g80_pkg::SmemPassDefault;
      ready_q   <= 1'b1;
      wait_q    <= '0;
    end else begin
      pending_q <= pending_d;
      pass_q    <= pass_d;
      ready_q   <= ready_d;
      wait_q    <= wait_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PassServesOfItsRequest: assert ((pass_q.lanes & ~pass_q.request.lanes) == '0);
      PassServesALane: assert (!pass_q.valid || pass_q.lanes != '0 || pass_q.request.lanes == '0);
      PendingBelongsToHead: assert ((pending & ~head.lanes) == '0 || !head_valid);
      IntervalIsOneOrTwo: assert (cfg_pass_interval_i == 2'd1 || cfg_pass_interval_i == 2'd2);
    end
  end
endmodule
