// SPDX-License-Identifier: Apache-2.0
// Turns half-warp accesses of one SM into memory transactions, under the strict rule or the segment rule.
// Twin of hw/mem/coalescer.h, equal to it at every clock edge.
module coalescer
  import g80_pkg::*;
#(
  localparam int unsigned QueueW = $clog2(MaxCoalescerQueue),
  localparam int unsigned RateW  = $clog2(MaxCoalescerCyclesPerTransaction + 1),
  localparam int unsigned ByteW  = $clog2(MaxTransactionBytes)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [63:0]         now_i,  // number of this edge of the core clock

  // Straps
  input  logic                cfg_segment_rule_i,
  input  logic [RateW-1:0]    cfg_cycles_per_transaction_i,
  input  logic [QueueW:0]     cfg_queue_i,  // entries in use
  input  logic [7:0]          cfg_tpc_i,
  input  logic [7:0]          cfg_sm_in_tpc_i,

  // From address_unit: the front entry of the FIFO between the clocks
  input  logic                access_valid_i,
  input  logic [1:0]          access_op_i,      // mem_op_e
  input  logic [2:0]          access_client_i,  // mem_client_e
  input  logic                access_half_i,
  input  logic [HalfWarp-1:0] access_lanes_i,
  input  logic [4:0]          access_bytes_i,   // 1, 2, 4, 8 or 16, and the addresses are multiples of it
  input  logic [7:0]          access_atom_op_i,
  input  logic                access_atom_signed_i,
  input  logic [7:0]          access_id_i,
  input  logic [31:0]         access_origin_uid_i,
  input  logic [7:0]          access_origin_sm_i,
  input  logic [7:0]          access_origin_warp_i,
  input  logic [31:0]         access_origin_pc_i,
  input  logic [31:0]         access_address_i [HalfWarp],
  input  logic [31:0]         access_data_i    [HalfWarp][4],
  output logic                access_pop_o,     // the front entry leaves at this edge

  // To the TPC's arbiter
  output logic                request_valid_o,
  output logic [1:0]          request_op_o,
  output logic [2:0]          request_client_o,
  output logic [7:0]          request_port_o,
  output logic [7:0]          request_sm_in_tpc_o,
  output logic [7:0]          request_id_o,
  output logic                request_half_o,
  output logic [HalfWarp-1:0] request_lanes_o,
  output logic [7:0]          request_bytes_o,
  output logic [7:0]          request_atom_op_o,
  output logic                request_atom_signed_o,
  output logic [4:0]          request_atom_bytes_o,
  output logic [31:0]         request_origin_uid_o,
  output logic [7:0]          request_origin_sm_o,
  output logic [7:0]          request_origin_warp_o,
  output logic [31:0]         request_origin_pc_o,
  output logic [31:0]         request_virtual_address_o,
  output logic [63:0]         request_byte_enable_o [2],
  output logic [31:0]         request_data_o [MaxTransactionBytes/4],
  input  logic                request_ready_i,

  // To wait-for-idle
  output logic                idle_o,

  // To the clock gate: after this edge, nothing changes until an input does
  output logic                sleep_o
);
  localparam int unsigned SmallestSegment = SectorBytes;

  typedef logic [HalfWarp-1:0]              half_mask_t;
  typedef logic [$clog2(HalfWarp)-1:0]      lane_t;
  typedef logic [HalfWarp-1:0][31:0]        addresses_t;
  typedef logic [8*MaxTransactionBytes-1:0] line_t;
  typedef logic [MaxTransactionBytes-1:0]   byte_mask_t;
  typedef logic [QueueW-1:0]                slot_t;
  typedef logic [QueueW:0]                  level_t;

  // An aligned piece of memory and the lanes it serves.
  typedef struct packed {
    logic [31:0] address;
    logic [7:0]  bytes;
    half_mask_t  lanes;
  } transaction_t;

  typedef struct packed {
    logic [1:0]  op;
    logic [2:0]  client;
    logic [7:0]  id;
    logic        half;
    half_mask_t  lanes;
    logic [7:0]  bytes;
    logic [7:0]  atom_op;
    logic        atom_signed;
    logic [4:0]  atom_bytes;
    logic [31:0] uid;
    logic [7:0]  sm;
    logic [7:0]  warp;
    logic [31:0] pc;
    logic [31:0] virtual_address;
    byte_mask_t  byte_enable;
    line_t       data;
  } request_t;

  // Registers; the testbench reads those that the C++ block shows too
  logic        offered_d, offered_q /*verilator public_flat_rd*/;  // request_o is valid
  logic        idle_d, idle_q /*verilator public_flat_rd*/;        // no access waits, no transaction is queued
  logic        busy_d, busy_q /*verilator public_flat_rd*/;        // the front access is partly served
  half_mask_t  pending_d, pending_q /*verilator public_flat_rd*/;  // its lanes without a transaction
  logic [4:0]  made_d, made_q /*verilator public_flat_rd*/;        // transactions made for it
  logic [63:0] free_from_d, free_from_q /*verilator public_flat_rd*/;  // edge of the next transaction
  slot_t       head_d, head_q;
  level_t      level_d, level_q;
  logic [63:0] counter_d [NumCoalescerCounters];
  logic [63:0] counter_q [NumCoalescerCounters] /*verilator public_flat_rd*/;
  // A memory without reset: one entry is written per edge.
  request_t    queue_q [MaxCoalescerQueue];

  addresses_t lane_address;
  for (genvar l = 0; l < HalfWarp; l++) begin : gen_address
    assign lane_address[l] = access_address_i[l];
  end

  mem_op_e op;
  logic    is_atomic;
  assign op        = mem_op_e'(access_op_i);
  assign is_atomic = op == MemOpReduce || op == MemOpAtomic;

  function automatic lane_t lowest_lane(half_mask_t lanes);
    lane_t lane = '0;
    for (int l = HalfWarp - 1; l >= 0; l--) if (lanes[l]) lane = lane_t'(l);
    return lane;
  endfunction

  // Address of lane 0 if the lanes access consecutive elements and `lane` accesses its own.
  function automatic logic [31:0] segment_base(addresses_t address, lane_t lane, logic [4:0] bytes);
    return address[lane] - 32'(lane) * 32'(bytes);
  endfunction

  // The strict rule: lane l accesses element l of an aligned segment, in all active lanes.
  function automatic logic is_coalesced(addresses_t address, half_mask_t lanes, logic [4:0] bytes);
    logic [31:0] base = segment_base(address, lowest_lane(lanes), bytes);
    logic        in_place = 1'b1;
    for (int l = 0; l < HalfWarp; l++) begin
      if (lanes[l] && address[l] != base + 32'(l) * 32'(bytes)) in_place = 1'b0;
    end
    return lanes != '0 && bytes >= 5'd4 && (base & (32'(HalfWarp) * 32'(bytes) - 32'd1)) == '0 && in_place;
  endfunction

  function automatic transaction_t alone(addresses_t address, lane_t lane);
    return '{address: address[lane] & ~32'(SmallestSegment - 1), bytes: 8'(SmallestSegment),
             lanes: half_mask_t'(1) << lane};
  endfunction

  function automatic transaction_t strict(addresses_t address, half_mask_t lanes, half_mask_t pending,
                                          logic [4:0] bytes);
    lane_t       lane = lowest_lane(pending);
    logic [31:0] base = segment_base(address, lane, bytes);
    logic        upper = lane >= lane_t'(HalfWarp / 2);
    if (!is_coalesced(address, lanes, bytes)) return alone(address, lane);
    unique case (bytes)
      5'd4:    return '{address: base, bytes: 8'd64, lanes: pending};
      5'd8:    return '{address: base, bytes: 8'd128, lanes: pending};
      default: return '{address: base + (upper ? 32'd128 : 32'd0), bytes: 8'd128,
                        lanes: pending & (upper ? 16'hff00 : 16'h00ff)};
    endcase
  endfunction

  function automatic transaction_t segment(addresses_t address, half_mask_t pending, logic [4:0] bytes);
    logic [7:0]   size = bytes == 5'd1 ? 8'd32 : bytes == 5'd2 ? 8'd64 : 8'd128;
    logic [31:0]  base = address[lowest_lane(pending)] & ~(32'(size) - 32'd1);
    logic [7:0]   first = size, last = '0;  // bytes touched, relative to the base
    half_mask_t   lanes = '0;
    logic [31:0]  offset;
    for (int l = 0; l < HalfWarp; l++) begin
      offset = address[l] - base;
      if (pending[l] && offset < 32'(size)) begin
        lanes[l] = 1'b1;
        if (offset[7:0] < first) first = offset[7:0];
        if (offset[7:0] + 8'(bytes) - 8'd1 > last) last = offset[7:0] + 8'(bytes) - 8'd1;
      end
    end
    // Halves the segment while one half holds all accessed bytes.
    for (int step = 0; step < 2; step++) begin
      if (size > 8'(SmallestSegment)) begin
        if (last < size >> 1) begin
          size = size >> 1;
        end else if (first >= size >> 1) begin
          size  = size >> 1;
          base  = base + 32'(size);
          first = first - size;
          last  = last - size;
        end
      end
    end
    return '{address: base, bytes: size, lanes: lanes};
  endfunction

  // The next transaction of an access; `pending` (not empty) are the lanes without one.
  // This is where coalescing is decided.
  function automatic transaction_t coalesce(addresses_t address, half_mask_t lanes, half_mask_t pending,
                                            logic [4:0] bytes, logic atomic, logic segment_rule);
    if (atomic) return alone(address, lowest_lane(pending));
    return segment_rule ? segment(address, pending, bytes) : strict(address, lanes, pending, bytes);
  endfunction

  // The request of the transaction, with the write data of its lanes at their bytes, or with an atomic's operands.
  // If lanes store to the same byte, the highest lane wins.
  request_t         made_request;
  logic             send;
  transaction_t     transaction;
  logic [ByteW-1:0] offset;
  logic [127:0]     lane_data;
  always_comb begin : make_request
    made_request = '0;
    offset       = '0;
    lane_data    = '0;
    if (send) begin
      made_request.op              = access_op_i;
      made_request.client          = access_client_i;
      made_request.id              = access_id_i;
      made_request.half            = access_half_i;
      made_request.lanes           = transaction.lanes;
      made_request.bytes           = transaction.bytes;
      made_request.atom_op         = access_atom_op_i;
      made_request.atom_signed     = access_atom_signed_i;
      made_request.atom_bytes      = is_atomic ? access_bytes_i : 5'd4;
      made_request.uid             = access_origin_uid_i;
      made_request.sm              = access_origin_sm_i;
      made_request.warp            = access_origin_warp_i;
      made_request.pc              = access_origin_pc_i;
      made_request.virtual_address = transaction.address;
      if (op != MemOpRead) begin
        for (int l = 0; l < HalfWarp; l++) begin
          if (transaction.lanes[l]) begin
            lane_data = {access_data_i[l][3], access_data_i[l][2], access_data_i[l][1], access_data_i[l][0]};
            offset = lane_address[l][ByteW-1:0] - transaction.address[ByteW-1:0];
            unique case (access_bytes_i)
              5'd1:    made_request.byte_enable[offset +: 1]  = 1'h1;
              5'd2:    made_request.byte_enable[offset +: 2]  = 2'h3;
              5'd4:    made_request.byte_enable[offset +: 4]  = 4'hf;
              5'd8:    made_request.byte_enable[offset +: 8]  = 8'hff;
              default: made_request.byte_enable[offset +: 16] = 16'hffff;
            endcase
            if (is_atomic) begin
              made_request.data[127:0] = lane_data;
            end else begin
              unique case (access_bytes_i)
                5'd1:    made_request.data[{offset, 3'b0} +: 8]  = lane_data[7:0];
                5'd2:    made_request.data[{offset, 3'b0} +: 16] = lane_data[15:0];
                5'd4:    made_request.data[{offset, 3'b0} +: 32] = lane_data[31:0];
                5'd8:    made_request.data[{offset, 3'b0} +: 64] = lane_data[63:0];
                default: made_request.data[{offset, 3'b0} +: 128] = lane_data;
              endcase
            end
          end
        end
      end
    end
  end

  logic       taken, waiting, step;
  level_t     level_after_take;
  half_mask_t unserved;  // lanes without a transaction so far
  always_comb begin : next
    // The arbiter takes the front transaction. A new one may use its entry at this same edge.
    taken            = offered_q && request_ready_i;
    level_after_take = level_q - level_t'(taken);
    head_d           = head_q;
    if (taken) head_d = level_t'(head_q) + level_t'(1) == cfg_queue_i ? '0 : head_q + slot_t'(1);

    waiting     = access_valid_i && level_after_take < cfg_queue_i;
    step        = waiting && now_i >= free_from_q;
    unserved      = busy_q ? pending_q : access_lanes_i;
    send        = step && unserved != '0;
    transaction = '0;
    if (send) begin
      transaction = coalesce(lane_address, access_lanes_i, unserved, access_bytes_i, is_atomic, cfg_segment_rule_i);
    end

    pending_d   = step ? unserved & ~transaction.lanes : pending_q;
    made_d      = step ? (busy_q ? made_q : '0) + 5'(send) : made_q;
    busy_d      = step ? pending_d != '0 : busy_q;
    free_from_d = send ? now_i + 64'(cfg_cycles_per_transaction_i) : free_from_q;
    level_d     = level_after_take + level_t'(send);
    offered_d   = level_d != '0;
    idle_d      = level_d == '0 && !access_valid_i;
  end
  assign access_pop_o = step && !busy_d;
  assign sleep_o      = !taken && !waiting && offered_d == offered_q && idle_d == idle_q;

  slot_t tail;
  always_comb begin : free_slot
    level_t sum;
    sum  = level_t'(head_d) + level_after_take;
    tail = slot_t'(sum >= cfg_queue_i ? sum - cfg_queue_i : sum);
  end

  logic  read, local_access, stack_access, coherent;
  assign read         = op == MemOpRead;
  assign local_access = mem_client_e'(access_client_i) == MemClientLocal;
  assign stack_access = mem_client_e'(access_client_i) == MemClientStack;
  always_comb begin : count
    counter_d = counter_q;
    coherent  = 1'b0;
    if (send) begin
      counter_d[CountTransactions] += 64'd1;
      counter_d[CountBytes]        += 64'(transaction.bytes);
      if (is_atomic) counter_d[CountAtomicTransactions] += 64'd1;
      else if (stack_access) counter_d[CountStackTransactions] += 64'd1;
      else if (local_access) counter_d[read ? CountLocalLoadTransactions : CountLocalStoreTransactions] += 64'd1;
      else if (transaction.bytes == 8'd32) counter_d[read ? CountGld32b : CountGst32b] += 64'd1;
      else if (transaction.bytes == 8'd64) counter_d[read ? CountGld64b : CountGst64b] += 64'd1;
      else counter_d[read ? CountGld128b : CountGst128b] += 64'd1;
    end
    if (access_pop_o) begin
      counter_d[CountHalfWarps] += 64'd1;
      coherent = cfg_segment_rule_i ? made_d <= (access_bytes_i == 5'd16 ? 5'd2 : 5'd1)
                                    : is_coalesced(lane_address, access_lanes_i, access_bytes_i);
      if (is_atomic) counter_d[CountAtomics] += 64'd1;
      else if (local_access) counter_d[read ? CountLocalLoad : CountLocalStore] += 64'd1;
      else if (read && !stack_access) counter_d[coherent ? CountGldCoherent : CountGldIncoherent] += 64'd1;
      else if (!stack_access) counter_d[coherent ? CountGstCoherent : CountGstIncoherent] += 64'd1;
    end
  end

  request_t front;
  assign front                     = offered_q ? queue_q[head_q] : '0;
  assign request_valid_o           = offered_q;
  assign request_op_o              = front.op;
  assign request_client_o          = front.client;
  assign request_port_o            = offered_q ? cfg_tpc_i : '0;
  assign request_sm_in_tpc_o       = offered_q ? cfg_sm_in_tpc_i : '0;
  assign request_id_o              = front.id;
  assign request_half_o            = front.half;
  assign request_lanes_o           = front.lanes;
  assign request_bytes_o           = offered_q ? front.bytes : 8'(SmallestSegment);
  assign request_atom_op_o         = front.atom_op;
  assign request_atom_signed_o     = front.atom_signed;
  assign request_atom_bytes_o      = offered_q ? front.atom_bytes : 5'd4;
  assign request_origin_uid_o      = front.uid;
  assign request_origin_sm_o       = front.sm;
  assign request_origin_warp_o     = front.warp;
  assign request_origin_pc_o       = front.pc;
  assign request_virtual_address_o = front.virtual_address;
  assign request_byte_enable_o[0]  = front.byte_enable[63:0];
  assign request_byte_enable_o[1]  = front.byte_enable[127:64];
  for (genvar w = 0; w < MaxTransactionBytes / 4; w++) begin : gen_data
    assign request_data_o[w] = front.data[32*w +: 32];
  end
  assign idle_o = idle_q;

  always_ff @(posedge clk_i) begin
    if (send) queue_q[tail] <= made_request;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      offered_q   <= 1'b0;
      idle_q      <= 1'b1;
      busy_q      <= 1'b0;
      pending_q   <= '0;
      made_q      <= '0;
      free_from_q <= '0;
      head_q      <= '0;
      level_q     <= '0;
      counter_q   <= '{default: '0};
    end else begin
      offered_q   <= offered_d;
      idle_q      <= idle_d;
      busy_q      <= busy_d;
      pending_q   <= pending_d;
      made_q      <= made_d;
      free_from_q <= free_from_d;
      head_q      <= head_d;
      level_q     <= level_d;
      counter_q   <= counter_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      QueueNeverOverflows: assert (level_q <= cfg_queue_i);
      OfferedMeansQueued: assert (offered_q == (level_q != '0));
      PendingBelongsToTheAccess:
        assert (!busy_q || (access_valid_i && pending_q != '0 && (pending_q & ~access_lanes_i) == '0));
      TransactionServesPendingLanes:
        assert (!send || (transaction.lanes != '0 && (transaction.lanes & ~unserved) == '0));
      TransactionIsAligned: assert (!send || (transaction.address & (32'(transaction.bytes) - 32'd1)) == '0);
    end
  end
endmodule
