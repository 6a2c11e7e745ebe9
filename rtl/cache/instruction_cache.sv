// SPDX-License-Identifier: Apache-2.0
// First-level instruction cache of an SM. Twin of hw/cache/instruction_cache.h, equal to it at every clock edge.
//
// One look-up a cycle: a fetch whose line arrived goes first, then fetches in order. Hits pass misses; a fetch that
// finds no miss register waits and holds up those behind it.
module instruction_cache #(
  localparam int unsigned Slots   = g80_pkg::MaxIcacheL1Bytes / 32,
  localparam int unsigned MshrW   = $clog2(g80_pkg::MaxCcacheMshrs),
  localparam int unsigned StagesW = $clog2(g80_pkg::MaxIcacheL1Latency + 1)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  // Straps
  input  logic [2:0]                   cfg_line_bits_i,  // of the address of a byte in its line: 5, 6 or 7
  input  logic [$clog2(Slots)-1:0]     cfg_set_mask_i,   // number of sets - 1
  input  logic [4:0]                   cfg_ways_i,
  input  logic [2:0]                   cfg_way_bits_i,   // of the number of a way
  input  g80_pkg::replacement_policy_e cfg_policy_i,
  input  logic [MshrW:0]               cfg_mshrs_i,
  input  logic [StagesW-1:0]           cfg_stages_i,     // registers between look-up and output register

  // From and to fetch, which always takes a reply
  input  g80_pkg::fetch_request_t      fetch_i,
  output logic                         fetch_ready_o,
  output g80_pkg::fetch_reply_t        reply_o,

  // Number of the running kernel
  input  logic [31:0]                  kernel_i,

  // To and from line_port
  output g80_pkg::line_request_t       line_o,
  input  logic                         line_ready_i,
  input  g80_pkg::line_reply_t         fill_i,
  output logic                         fill_ready_o,

  // To cta_launcher: a fetch waits for a line
  output logic                         waits_o
);
  localparam int unsigned Depth = 2;
  localparam int unsigned Words = g80_pkg::MaxFetchBytes / 4;

  // Registers
  logic                   fetch_ready_d, fetch_ready_q;
  logic                   fill_ready_d, fill_ready_q;
  g80_pkg::fetch_reply_t  reply_d, reply_q;
  g80_pkg::line_request_t line_d, line_q;
  logic [31:0]            kernel_d, kernel_q;

  // Fetches that were not looked up
  logic                    request_valid, looks_up, request_leaves, queue_empty, queue_empty_next, queue_full_next;
  g80_pkg::fetch_request_t request;

  shift_queue #(
    .Depth(Depth),
    .Width(g80_pkg::FetchRequestWidth)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .push_i        (fetch_ready_q && fetch_i.valid),
    .data_i        (fetch_i),
    .pop_i         (request_leaves),
    .empty_o       (queue_empty),
    .head_valid_o  (request_valid),
    .head_o        (request),
    .empty_next_o  (queue_empty_next),
    .full_next_o   (queue_full_next)
  );

  // The lines
  logic                      new_kernel, filling, filling_next, hit, merge, miss, no_misses;
  logic                      unsent, unsent_empty_next, sends;
  logic                      line_held;  // the output register is not free
  g80_pkg::fetch_request_t   waiter, first;
  g80_pkg::mem_fault_e       fault;
  logic [31:0][31:0]         row;
  logic [1:0]                row_part;
  logic [MshrW-1:0]          unsent_entry;
  logic [31:0]               unsent_address;

  assign kernel_d       = kernel_i;
  assign new_kernel     = kernel_i != kernel_q;
  assign looks_up       = request_valid && !filling;
  assign request_leaves = hit || merge || miss;
  assign line_held      = line_q.valid && !line_ready_i;

  line_store #(
    .Bytes  (g80_pkg::MaxIcacheL1Bytes),
    .WaiterW(g80_pkg::FetchRequestWidth)
  ) u_store (
    .clk_i,
    .rst_ni,
    .cfg_line_bits_i,
    .cfg_set_mask_i,
    .cfg_ways_i,
    .cfg_way_bits_i,
    .cfg_policy_i,
    .cfg_mshrs_i,
    .invalidate_i       (new_kernel),
    .fill_i             (fill_ready_q && fill_i.valid),
    .fill_entry_i       (fill_i.id[MshrW-1:0]),
    .fill_fault_i       (fill_i.fault),
    .fill_data_i        (fill_i.data),
    .filling_o          (filling),
    .waiter_o           (waiter),
    .fault_o            (fault),
    .next_waiter_i      (filling),
    .filling_next_o     (filling_next),
    .look_up_i          (looks_up),
    .address_i          (request.address),
    .waiter_i           (request),
    .hit_o              (hit),
    .merge_o            (merge),
    .miss_o             (miss),
    .row_o              (row),
    .first_o            (row_part),
    .unsent_o           (unsent),
    .unsent_entry_o     (unsent_entry),
    .unsent_address_o   (unsent_address),
    .unsent_waiter_o    (first),
    .send_ready_i       (!line_held),
    .unsent_empty_next_o(unsent_empty_next),
    .no_misses_o        (no_misses)
  );

  // The answer: words of the line. Fetches are aligned, so the number of the first word ends in zeros.
  g80_pkg::fetch_request_t answered;
  g80_pkg::fetch_reply_t   answer, arrived;
  logic                    arrives, replies_empty_next;
  logic [4:0]              first_word, line_words, word;

  assign answered   = filling ? waiter : request;
  assign line_words = 5'((8'd1 << cfg_line_bits_i) - 8'd1 >> 2);  // the number of the last word of a line
  assign first_word = {row_part, 3'd0} | (answered.address[6:2] & line_words);

  always_comb begin : make_answer
    word           = '0;
    answer         = g80_pkg::FetchReplyDefault;
    answer.valid   = 1'b1;
    answer.warp    = answered.warp;
    answer.epoch   = answered.epoch;
    answer.bytes   = answered.bytes;
    answer.fault   = filling ? fault : g80_pkg::MemFaultNone;
    answer.address = answered.address;
    for (int i = 0; i < Words; i++) begin
      word = first_word | 5'(i);
      if (answer.fault == g80_pkg::MemFaultNone && 3'(i) < answered.bytes[4:2])
        answer.data[i] = row[word];
    end
  end

  delayed_queue #(
    .Stages(g80_pkg::MaxIcacheL1Latency),
    .Width (g80_pkg::FetchReplyWidth)
  ) u_replies (
    .clk_i,
    .rst_ni,
    .cfg_stages_i,
    .push_i      (filling || hit),
    .data_i      (answer),
    .arrived_o   (arrives),
    .data_o      (arrived),
    .empty_next_o(replies_empty_next)
  );

  always_comb begin : next_reply
    reply_d       = arrives ? arrived : reply_q;
    reply_d.valid = arrives;
  end

  // The oldest miss that was not sent goes to the output register when that is free.
  assign sends = unsent && !line_held;

  always_comb begin : next_line
    line_d       = line_q;
    line_d.valid = line_held || sends;
    if (sends) begin
      line_d.client      = g80_pkg::MemClientInstruction;
      line_d.id          = 8'(unsent_entry);
      line_d.bytes       = 8'd1 << cfg_line_bits_i;
      line_d.address     = unsent_address;
      line_d.origin.warp = 8'(first.warp);
      line_d.origin.pc   = first.address[23:0];
    end
  end

  assign fetch_ready_d = !queue_full_next;
  assign fill_ready_d  = !filling_next;

  assign fetch_ready_o = fetch_ready_q;
  assign reply_o       = reply_q;
  assign line_o        = line_q;
  assign fill_ready_o  = fill_ready_q;
  assign waits_o       = !queue_empty || !no_misses;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      fetch_ready_q <= 1'b1;
      fill_ready_q  <= 1'b1;
      reply_q       <= g80_pkg::FetchReplyDefault;
      line_q        <= g80_pkg::LineRequestDefault;
      kernel_q      <= '0;
    end else begin
      fetch_ready_q <= fetch_ready_d;
      fill_ready_q  <= fill_ready_d;
      reply_q       <= reply_d;
      line_q        <= line_d;
      kernel_q      <= kernel_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      FetchIsAligned: assert (!looks_up || (request.address & (32'(request.bytes) - 32'd1)) == '0);
      FetchLiesInALine: assert (!looks_up || (request.bytes != '0 && request.bytes <= 5'd16 &&
                                              8'(request.bytes) <= 8'd1 << cfg_line_bits_i));
    end
  end
endmodule
