// SPDX-License-Identifier: Apache-2.0
// First-level constant cache of an SM. Twin of hw/cache/constant_cache.h, equal to it at every clock edge.
//
// In a cycle one pass works on one request, its entry: for a line that arrived, else for the oldest request of which
// lanes have not had their pass. So the memories of the entries are read and written at one address. A request can be
// taken, served and answered in the same cycle; what its entry will hold is then taken from the port.
module constant_cache #(
  localparam int unsigned Slots   = g80_pkg::MaxCcacheL1Bytes / 32,
  localparam int unsigned MshrW   = $clog2(g80_pkg::MaxCcacheMshrs),
  localparam int unsigned Lanes   = g80_pkg::HalfWarp,
  localparam int unsigned Entries = g80_pkg::MaxWarps,
  localparam int unsigned EntryW  = $clog2(Entries)
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
  input  logic                         cfg_rests_i,      // after each pass is a cycle without one

  // From and to the SM, which always takes a reply
  input  g80_pkg::const_request_t      request_i,
  output logic                         request_ready_o,
  output g80_pkg::const_reply_t        reply_o,

  // Number of the running kernel
  input  logic [31:0]                  kernel_i,

  // To and from line_port
  output g80_pkg::line_request_t       line_o,
  input  logic                         line_ready_i,
  input  g80_pkg::line_reply_t         fill_i,
  output logic                         fill_ready_o
);
  // Lanes of a half-warp that wait for a line
  typedef struct packed {
    logic [EntryW-1:0] entry;
    logic              upper;
    logic [Lanes-1:0]  lanes;
  } waiter_t;
  // What the passes have brought so far, besides data
  typedef struct packed {
    logic [2*Lanes-1:0]  parked;       // wait for a line
    logic [2*Lanes-1:0]  fault_lanes;
    g80_pkg::mem_fault_e fault;
  } progress_t;

  // Registers
  logic                   request_ready_d, request_ready_q;
  logic                   fill_ready_d, fill_ready_q;
  g80_pkg::const_reply_t  reply_d, reply_q;
  g80_pkg::line_request_t line_d, line_q;
  logic [31:0]            kernel_d, kernel_q;
  logic [Entries-1:0]     used_d, used_q;      // entries with a request
  logic [2*Lanes-1:0]     passed_d, passed_q;  // lanes of the oldest request that have had their pass
  logic [Lanes-1:0]       filled_d, filled_q;  // of the first waiter that have got the line that arrived
  logic                   resting_d, resting_q;

  // A request gets an entry and waits behind the others.
  logic              takes, order_valid, order_pops;
  logic [EntryW-1:0] new_entry, oldest;

  assign takes = request_ready_q && request_i.valid;

  lowest_set #(.Width(Entries)) u_new_entry (
    .mask_i (~used_q),
    .found_o(),
    .index_o(new_entry)
  );
  sram_queue #(
    .Depth(Entries),
    .Width(EntryW)
  ) u_order (
    .clk_i,
    .rst_ni,
    .push_i      (takes),
    .data_i      (new_entry),
    .pop_i       (order_pops),
    .empty_o     (),
    .full_o      (),
    .front_o     (),
    .head_valid_o(order_valid),
    .head_o      (oldest)
  );

  // The entry of this cycle
  logic                    filling, is_new;
  waiter_t                 waiter;
  logic [EntryW-1:0]       entry;
  g80_pkg::const_request_t kept_request, request;
  progress_t               kept_progress, progress, progress_next;

  assign entry  = filling ? waiter.entry : oldest;
  assign is_new = takes && entry == new_entry;

  sram_1r1w #(
    .Words(Entries),
    .Width(g80_pkg::ConstRequestWidth)
  ) u_request (
    .clk_i,
    .write_i        (takes),
    .write_address_i(new_entry),
    .write_data_i   (request_i),
    .read_address_i (entry),
    .read_data_o    (kept_request)
  );
  assign request = is_new ? request_i : kept_request;

  // Its lanes: those of the waiter, or of the half-warp that is next
  logic [2*Lanes-1:0] pending;
  logic               upper;
  logic [Lanes-1:0]   lanes, same_word, same_line, passing;
  logic [31:0]        address;

  assign pending = request.lanes & ~passed_q;
  assign upper   = filling ? waiter.upper : pending[Lanes-1:0] == '0;
  assign lanes   = filling ? waiter.lanes & ~filled_q : upper ? pending[2*Lanes-1:Lanes] : pending[Lanes-1:0];

  select_broadcast u_broadcast (
    .cfg_line_bits_i,
    .lanes_i    (lanes),
    .direct_i   (request.direct),
    .address_i  (request.address),
    .first_o    (address),
    .same_word_o(same_word),
    .same_line_o(same_line)
  );

  // The lines
  logic                new_kernel, looks_up, fills, next_waiter, filling_next, no_misses;
  logic                hit, merge, miss;
  logic                unsent, unsent_empty_next, sends;
  logic                line_held;  // the output register is not free
  waiter_t             first;
  g80_pkg::mem_fault_e fault;
  logic [31:0][31:0]   row;
  logic [1:0]          row_part;
  logic [MshrW-1:0]    unsent_entry;
  logic [31:0]         unsent_address;

  assign kernel_d    = kernel_i;
  assign new_kernel  = kernel_i != kernel_q;
  assign looks_up    = order_valid && !filling && !resting_q;
  assign fills       = filling && !resting_q;
  assign next_waiter = fills && passing == lanes;
  assign line_held   = line_q.valid && !line_ready_i;

  line_store #(
    .Bytes  (g80_pkg::MaxCcacheL1Bytes),
    .WaiterW(EntryW + 1 + Lanes)
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
    .next_waiter_i      (next_waiter),
    .filling_next_o     (filling_next),
    .look_up_i          (looks_up),
    .address_i          (address),
    .waiter_i           ({oldest, upper, same_line}),
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

  // The pass: its lanes get the word, fail with the line, or begin to wait for it.
  logic               parks, serves, fails, passes;
  logic [2*Lanes-1:0] passing_here;  // at their place in the warp

  assign parks  = merge || miss;
  assign fails  = fills && fault != g80_pkg::MemFaultNone;
  assign serves = hit || (fills && !fails);
  assign passes = hit || parks || fills;

  always_comb begin : choose_lanes
    passing = same_word;
    if (parks) passing = same_line;
    if (fails) passing = lanes;
  end
  assign passing_here = upper ? {passing, Lanes'(0)} : {Lanes'(0), passing};

  assign order_pops = (hit || parks) && pending == passing_here;
  assign resting_d  = passes && cfg_rests_i;

  always_comb begin : next_lanes
    passed_d = passed_q;
    if (hit || parks) passed_d = order_pops ? '0 : passed_q | passing_here;
    filled_d = filled_q;
    if (fills) filled_d = next_waiter ? '0 : filled_q | passing;
  end

  // Before the first pass of its oldest lanes an entry has none parked and no fault.
  sram_1rw #(
    .Words(Entries),
    .Width($bits(progress))
  ) u_progress (
    .clk_i,
    .address_i(entry),
    .write_i  (passes),
    .data_i   (progress_next),
    .data_o   (kept_progress)
  );
  assign progress = filling || passed_q != '0 ? kept_progress : '0;

  always_comb begin : next_progress
    progress_next = progress;
    if (parks) progress_next.parked = progress.parked | passing_here;
    if (fills) progress_next.parked = progress.parked & ~passing_here;
    if (fails) begin
      progress_next.fault       = fault;
      progress_next.fault_lanes = progress.fault_lanes | passing_here;
    end
  end

  // The word for the lanes, each of which takes its bytes
  logic [4:0]             line_words, place;  // the number of the last word of a line; where the word is in its row
  logic [31:0]            word, mask;
  logic [2*Lanes-1:0]     good_lanes;
  logic [Lanes-1:0]       writes, has_data;
  logic [Lanes-1:0][31:0] kept_data, data;

  assign line_words = 5'((8'd1 << cfg_line_bits_i) - 8'd1 >> 2);
  assign place      = {row_part, 3'd0} | (address[6:2] & line_words);
  assign word       = row[place];
  assign mask       = {{16{request.bytes[2]}}, {8{request.bytes[2:1] != '0}}, 8'hff};
  assign good_lanes = request.lanes & ~progress_next.fault_lanes;

  // A direct request has one word.
  always_comb begin : choose_words
    writes   = serves ? passing : '0;
    has_data = good_lanes[2*Lanes-1:Lanes] | good_lanes[Lanes-1:0];
    if (request.direct) begin
      writes   = Lanes'(serves);
      has_data = Lanes'(good_lanes != '0);
    end
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [31:0] bytes;

    assign bytes = word >> {request.address[l][1:0], 3'd0} & mask;

    sram_1rw #(
      .Words(Entries),
      .Width(32)
    ) u_data (
      .clk_i,
      .address_i(entry),
      .write_i  (writes[l]),
      .data_i   (bytes),
      .data_o   (kept_data[l])
    );
    assign data[l] = !has_data[l] ? '0 : writes[l] ? bytes : kept_data[l];
  end

  // A request leaves when none of its lanes waits: for a line, or as the oldest for a pass.
  logic answers;

  assign answers = passes && progress_next.parked == '0 &&
                   (order_pops || (filling && !(order_valid && oldest == entry)));

  always_comb begin : next_reply
    reply_d       = reply_q;
    reply_d.valid = answers;
    if (answers) begin
      reply_d.id          = request.id;
      reply_d.warp        = request.warp;
      reply_d.fault       = progress_next.fault;
      reply_d.direct      = request.direct;
      reply_d.lanes       = request.lanes;
      reply_d.fault_lanes = progress_next.fault_lanes;
      reply_d.origin      = request.origin;
      reply_d.data        = data;
    end
  end

  always_comb begin : next_used
    used_d = used_q;
    if (takes) used_d[new_entry] = 1'b1;
    if (answers) used_d[entry] = 1'b0;
  end

  // The oldest miss that was not sent goes to the output register when that is free.
  g80_pkg::origin_t kept_origin;

  sram_1r1w #(
    .Words(Entries),
    .Width(g80_pkg::OriginWidth)
  ) u_origin (
    .clk_i,
    .write_i        (takes),
    .write_address_i(new_entry),
    .write_data_i   (request_i.origin),
    .read_address_i (first.entry),
    .read_data_o    (kept_origin)
  );
  assign sends = unsent && !line_held;

  always_comb begin : next_line
    line_d       = line_q;
    line_d.valid = line_held || sends;
    if (sends) begin
      line_d.client  = g80_pkg::MemClientConstant;
      line_d.id      = 8'(unsent_entry);
      line_d.bytes   = 8'd1 << cfg_line_bits_i;
      line_d.address = unsent_address;
      line_d.origin  = takes && first.entry == new_entry ? request_i.origin : kept_origin;
    end
  end

  assign request_ready_d = used_d != '1;
  assign fill_ready_d    = !filling_next;

  assign request_ready_o = request_ready_q;
  assign reply_o         = reply_q;
  assign line_o          = line_q;
  assign fill_ready_o    = fill_ready_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      request_ready_q <= 1'b1;
      fill_ready_q    <= 1'b1;
      reply_q         <= g80_pkg::ConstReplyDefault;
      line_q          <= g80_pkg::LineRequestDefault;
      kernel_q        <= '0;
      used_q          <= '0;
      passed_q        <= '0;
      filled_q        <= '0;
      resting_q       <= 1'b0;
    end else begin
      request_ready_q <= request_ready_d;
      fill_ready_q    <= fill_ready_d;
      reply_q         <= reply_d;
      line_q          <= line_d;
      kernel_q        <= kernel_d;
      used_q          <= used_d;
      passed_q        <= passed_d;
      filled_q        <= filled_d;
      resting_q       <= resting_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      RequestHasLanes: assert (!takes || request_i.lanes != '0);
      RequestIsDirectOrOfOneHalf: assert (!takes || request_i.direct || request_i.lanes[Lanes-1:0] == '0 ||
                                          request_i.lanes[2*Lanes-1:Lanes] == '0);
      LaneReadsOneTwoOrFourBytes: assert (!takes || request_i.bytes == 3'd1 || request_i.bytes == 3'd2 ||
                                          request_i.bytes == 3'd4);
      EntryOfAPassIsUsed: assert (!passes || is_new || used_q[entry]);
      PassHasLanes: assert (!passes || passing != '0);
    end
  end
endmodule
