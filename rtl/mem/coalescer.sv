// SPDX-License-Identifier: Apache-2.0
// Turns half-warp accesses of one SM into memory transactions, under the strict rule or the segment rule.
// Twin of hw/mem/coalescer.h, equal to it at every clock edge.
module coalescer #(
  localparam int unsigned QueueW = $clog2(g80_pkg::MaxCoalescerQueue),
  localparam int unsigned RateW  = $clog2(g80_pkg::MaxCoalescerCyclesPerTransaction + 1)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // Straps
  input  logic                       cfg_segment_rule_i,
  input  logic                       cfg_share_words_i,
  input  logic [RateW-1:0]           cfg_cycles_per_transaction_i,
  input  logic [QueueW:0]            cfg_queue_i,  // entries in use
  input  logic [4:0]                 cfg_tpc_i,
  input  logic [1:0]                 cfg_sm_in_tpc_i,

  // From address_unit: the front entry of the FIFO between the clocks
  input  logic                       access_valid_i,
  input  g80_pkg::half_warp_access_t access_i,
  output logic                       access_pop_o,  // it leaves at this edge

  // To the TPC's arbiter
  output g80_pkg::mem_request_t      request_o,
  input  logic                       request_ready_i,

  // To wait-for-idle
  output logic                       idle_o
);
  localparam int unsigned Lanes   = g80_pkg::HalfWarp;
  localparam int unsigned LevelW  = QueueW + 1;

  // What the queue keeps of a request
  typedef struct packed {
    g80_pkg::mem_op_e                           op;
    g80_pkg::mem_client_e                       client;
    logic [7:0]                                 id;
    logic                                       half;
    logic [Lanes-1:0]                           lanes;
    logic [7:0]                                 bytes;
    logic [3:0]                                 atom_op;
    logic                                       atom_signed;
    logic [3:0]                                 atom_bytes;
    g80_pkg::origin_t                           origin;
    logic [31:0]                                virtual_address;
    logic [g80_pkg::MaxTransactionBytes-1:0]    byte_enable;
    logic [8*g80_pkg::MaxTransactionBytes-1:0]  data;
  } entry_t;

  // Registers
  logic              offered_d, offered_q;  // request_o is valid
  logic              idle_d, idle_q;        // no access waits, no transaction is queued
  logic              busy_d, busy_q;        // the front access is partly served
  logic [Lanes-1:0]  pending_d, pending_q;  // its lanes without a transaction
  logic [RateW-1:0]  wait_d, wait_q;        // cycles until the next transaction may be made
  logic [QueueW-1:0] head_d, head_q;
  logic [LevelW-1:0] level_d, level_q;

  // The arbiter takes the front transaction. A new one may use its entry at this same edge.
  logic              taken, send;
  logic [LevelW-1:0] level_after_take;

  assign taken            = offered_q && request_ready_i;
  assign level_after_take = level_q - LevelW'(taken);
  assign head_d           = head_q + QueueW'(taken);
  assign level_d          = level_after_take + LevelW'(send);
  assign offered_d        = level_d != '0;
  assign idle_d           = level_d == '0 && !access_valid_i;

  // A step serves some lanes of the front access, or ends an access without lanes.
  logic             waiting, step;
  logic [Lanes-1:0] unserved;  // lanes without a transaction so far

  assign waiting  = access_valid_i && level_after_take < cfg_queue_i;
  assign step     = waiting && wait_q == '0;
  assign unserved = busy_q ? pending_q : access_i.lanes;
  assign send     = step && unserved != '0;

  // The transaction
  logic             atomic, coalesced, alone;
  logic [31:0]      address;
  logic [7:0]       bytes;
  logic [Lanes-1:0] lanes, hidden;

  assign atomic = access_i.op == g80_pkg::MemOpReduce || access_i.op == g80_pkg::MemOpAtomic;

  coalesce u_coalesce (
    .cfg_segment_rule_i,
    .cfg_share_words_i,
    .read_i     (access_i.op == g80_pkg::MemOpRead),
    .atomic_i   (atomic),
    .bytes_i    (access_i.bytes),
    .lanes_i    (access_i.lanes),
    .pending_i  (unserved),
    .address_i  (access_i.address),
    .coalesced_o(coalesced),
    .hidden_o   (hidden),
    .address_o  (address),
    .bytes_o    (bytes),
    .lanes_o    (lanes),
    .alone_o    (alone)
  );

  always_comb begin : next
    pending_d = pending_q;
    busy_d    = busy_q;
    if (step) begin
      pending_d = unserved & ~lanes;
      busy_d    = pending_d != '0;
    end
  end

  always_comb begin : next_wait
    wait_d = wait_q == '0 ? '0 : wait_q - RateW'(1);
    if (send) wait_d = cfg_cycles_per_transaction_i - RateW'(1);
  end

  assign access_pop_o = step && !busy_d;

  // Its request, with the write data of its lanes at their bytes, or with an atomic's operands
  entry_t                                    made;
  logic [g80_pkg::MaxTransactionBytes-1:0]   byte_enable;
  logic [8*g80_pkg::MaxTransactionBytes-1:0] data;
  logic [127:0]                              operands;

  store_data u_data (
    .enable_i     (access_i.op != g80_pkg::MemOpRead),
    .words_i      (!atomic),
    .bytes_i      (access_i.bytes),
    .address_i    (access_i.address),
    .data_i       (access_i.data),
    .lanes_i      (alone ? lanes : lanes & ~hidden),
    .sector_i     (address[6:5]),
    .byte_enable_o(byte_enable),
    .data_o       (data)
  );

  always_comb begin : find_operands
    operands = '0;
    for (int l = 0; l < Lanes; l++) operands = operands | (lanes[l] ? access_i.data[l] : 128'd0);
  end

  always_comb begin : make_request
    made.op              = access_i.op;
    made.client          = access_i.client;
    made.id              = access_i.id;
    made.half            = access_i.half;
    made.lanes           = lanes;
    made.bytes           = bytes;
    made.atom_op         = access_i.atom_op;
    made.atom_signed     = access_i.atom_signed;
    made.atom_bytes      = atomic ? access_i.bytes[3:0] : 4'd4;
    made.origin          = access_i.origin;
    made.virtual_address = address;
    made.byte_enable     = byte_enable;
    made.data            = data;
    if (atomic) made.data[127:0] = operands;
  end

  // The queue
  entry_t                front;
  g80_pkg::mem_request_t request;

  sram_1r1w #(
    .Words(1 << QueueW),
    .Width($bits(made))
  ) u_queue (
    .clk_i,
    .write_i        (send),
    .write_address_i(head_q + level_q[QueueW-1:0]),
    .write_data_i   (made),
    .read_address_i (head_q),
    .read_data_o    (front)
  );

  always_comb begin : offer
    request = g80_pkg::MemRequestDefault;
    if (offered_q) begin
      request.valid           = 1'b1;
      request.op              = front.op;
      request.client          = front.client;
      request.port            = cfg_tpc_i;
      request.sm_in_tpc       = cfg_sm_in_tpc_i;
      request.id              = front.id;
      request.half            = front.half;
      request.lanes           = front.lanes;
      request.bytes           = front.bytes;
      request.atom_op         = front.atom_op;
      request.atom_signed     = front.atom_signed;
      request.atom_bytes      = front.atom_bytes;
      request.origin          = front.origin;
      request.virtual_address = front.virtual_address;
      request.byte_enable     = front.byte_enable;
      request.data            = front.data;
    end
  end

  assign request_o = request;
  assign idle_o    = idle_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      offered_q <= 1'b0;
      idle_q    <= 1'b1;
      busy_q    <= 1'b0;
      pending_q <= '0;
      wait_q    <= '0;
      head_q    <= '0;
      level_q   <= '0;
    end else begin
      offered_q <= offered_d;
      idle_q    <= idle_d;
      busy_q    <= busy_d;
      pending_q <= pending_d;
      wait_q    <= wait_d;
      head_q    <= head_d;
      level_q   <= level_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      QueueNeverOverflows: assert (level_q <= cfg_queue_i);
      OfferedMeansQueued: assert (offered_q == (level_q != '0));
      PendingBelongsToTheAccess:
        assert (!busy_q || (access_valid_i && pending_q != '0 && (pending_q & ~access_i.lanes) == '0));
      TransactionServesPendingLanes: assert (!send || (lanes != '0 && (lanes & ~unserved) == '0));
      TransactionIsAligned: assert (!send || (address & (32'(bytes) - 32'd1)) == '0);
    end
  end
endmodule
