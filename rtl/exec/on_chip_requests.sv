// SPDX-License-Identifier: Apache-2.0
// Part of address_unit: accesses to s[] and c[] in their order, half a warp a scheduler cycle, and before them the head
// of a new block's s[]. A store is finished when the banks have performed it.
module on_chip_requests #(
  localparam int unsigned Warps  = g80_pkg::MaxWarps,
  localparam int unsigned Lanes  = g80_pkg::HalfWarp,
  localparam int unsigned Depth  = 2 * g80_pkg::MaxCollectorUnits,  // an s[] and a c[] operand of each unit
  localparam int unsigned Stores = 8                                // that the banks have not performed
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [7:0]                    cfg_sm_id_i,

  // From address_former
  input  logic                          push_i,
  input  g80_pkg::address_job_t         job_i,
  input  g80_pkg::decoded_instruction_t decoded_i,
  input  logic [1:0]                    row_i,
  input  logic                          second_i,
  input  logic                          row_faults_i,
  input  logic [Lanes-1:0]              row_lanes_i,
  input  logic [Lanes-1:0][31:0]        row_address_i,
  input  logic [Lanes-1:0][31:0]        row_data_i,     // to be stored

  input  g80_pkg::smem_fill_t           fill_i,
  output logic                          fill_ready_o,

  output g80_pkg::smem_request_t        smem_o,
  input  logic                          smem_ready_i,
  input  logic                          smem_stored_i,
  output g80_pkg::const_request_t       const_o,
  input  logic                          const_ready_i,
  output logic [Warps-1:0]              answered_o,

  // In this cycle: a store leaves its collector unit, and the oldest one is finished
  output logic                          sent_o,
  output logic [3:0]                    sent_unit_o,
  output logic                          performed_o,
  output g80_pkg::store_done_t          done_o
);
  // What a request says besides its job and its lanes
  typedef struct packed {
    logic writes;                   // s[]
    logic locks;
  } order_t;
  typedef struct packed {
    logic [Lanes-1:0]       lanes;  // that access: c[] outside its bank reads 0
    logic [Lanes-1:0][31:0] address;
    logic [Lanes-1:0][31:0] data;
  } row_t;
  localparam int unsigned JobW = g80_pkg::AddressJobWidth;

  // Registers
  g80_pkg::smem_request_t  smem_d, smem_q;
  g80_pkg::const_request_t const_d, const_q;
  logic [Warps-1:0]        answered_d, answered_q;
  logic                    fill_ready_d, fill_ready_q;
  logic                    upper_d, upper_q;                        // the lower half-warp of the oldest has left
  logic [7:0]              stores_sent_d, stores_sent_q;            // half-warps, modulo 256
  logic [7:0]              stores_performed_d, stores_performed_q;

  // The accesses
  logic                  pops, valid, faulted;
  g80_pkg::address_job_t job;
  order_t                order_of_push, order;
  row_t                  low_row, high_row, row;

  assign order_of_push.writes = decoded_i.insn.op == g80_pkg::OpStShared ||
                                decoded_i.insn.op == g80_pkg::OpStSharedUnlock;
  assign order_of_push.locks  = decoded_i.insn.op == g80_pkg::OpLdSharedLock ||
                                decoded_i.insn.op == g80_pkg::OpStSharedUnlock;

  access_queue #(
    .Depth(Depth),
    .JobW (JobW + $bits(order)),
    .RowW ($bits(row))
  ) u_accesses (
    .clk_i,
    .rst_ni,
    .push_i,
    .job_i       ({job_i, order_of_push}),
    .pop_i       (pops),
    .write_i     (row_i),
    .second_i,
    .fault_i     (row_faults_i),
    .row_i       ({row_lanes_i, row_address_i, row_data_i}),
    .head_valid_o(valid),
    .job_o       ({job, order}),
    .faulted_o   (faulted),
    .row_o       ({high_row, low_row}),
    .empty_next_o()
  );

  // Stores to s[] that the banks have not performed
  g80_pkg::sent_store_t oldest_store, sent_store;
  logic                 no_stores, stores_full, store_performed, store_sent;
  logic [7:0]           store_left;

  sram_queue #(
    .Depth(Stores),
    .Width(g80_pkg::SentStoreWidth)
  ) u_sent_stores (
    .clk_i,
    .rst_ni,
    .push_i      (store_sent),
    .data_i      (sent_store),
    .pop_i       (store_performed),
    .empty_o     (no_stores),
    .full_o      (stores_full),
    .front_o     (oldest_store),
    .head_valid_o(),
    .head_o      ()
  );
  assign stores_performed_d = stores_performed_q + 8'(smem_stored_i);
  assign store_left         = oldest_store.after - stores_performed_d;
  assign store_performed    = !no_stores && (store_left == '0 || store_left[7]);

  // The head of a new block's s[] goes first.
  logic                smem_held, const_held, fills, fills_full_next, fill_valid, fill_goes;
  g80_pkg::smem_fill_t fill;

  assign smem_held  = smem_q.valid && !smem_ready_i;
  assign const_held = const_q.valid && !const_ready_i;
  assign fills      = fill_ready_q && fill_i.valid;
  assign fill_goes  = fill_valid && !smem_held;

  shift_queue #(
    .Depth(2),
    .Width(g80_pkg::SmemFillWidth)
  ) u_head (
    .clk_i,
    .rst_ni,
    .push_i        (fills),
    .data_i        (fill_i),
    .pop_i         (fill_goes),
    .empty_o       (),
    .head_valid_o  (fill_valid),
    .head_o        (fill),
    .empty_next_o  (),
    .full_next_o   (fills_full_next)
  );
  assign fill_ready_d = !fills_full_next;

  // The next half-warp of the oldest access
  logic               constant, direct, works, has_low, has_high, half, reads_zero, sends, last, completes;
  logic [2*Lanes-1:0] constant_lanes;

  assign constant = job.kind == g80_pkg::OperandConst;
  assign direct   = constant && !job.dispatch.operands;  // one request for all lanes
  assign works    = valid && !faulted && !(order.writes && stores_full && !store_performed);
  assign has_low  = job.dispatch.lanes[Lanes-1:0] != '0;
  assign has_high = job.dispatch.lanes[2*Lanes-1:Lanes] != '0;
  assign half     = !has_low || upper_q;
  assign row      = half ? high_row : low_row;

  always_comb begin : choose_constant_lanes
    constant_lanes = half ? {row.lanes, Lanes'(0)} : {Lanes'(0), row.lanes};
    if (direct) constant_lanes = job.no_data ? '0 : job.dispatch.lanes;
  end
  assign reads_zero = constant && constant_lanes == '0;
  assign sends      = works && (has_low || has_high) &&
                      (reads_zero || (constant ? !const_held : !smem_held && !fill_goes));
  assign last       = half || !has_high || direct;
  assign completes  = works && ((!has_low && !has_high) || (sends && last));
  assign pops       = completes || (valid && faulted);
  assign upper_d    = !pops && (upper_q || sends);

  assign store_sent    = completes && order.writes;
  assign stores_sent_d = stores_sent_q + 8'(fill_goes || (sends && order.writes));

  // What its load or its end says of the instruction
  g80_pkg::issued_instruction_t issued;

  assign issued = g80_pkg::IssuedInstructionWidth'(job.dispatch.insn >>
                                                   (g80_pkg::MicroOpWidth - g80_pkg::IssuedOpWidth));

  always_comb begin : describe_store
    sent_store            = '0;
    sent_store.done.valid = 1'b1;
    sent_store.done.warp  = job.dispatch.warp;
    sent_store.done.uid   = job.dispatch.uid;
    sent_store.done.insn  = issued;
    sent_store.done.lanes = job.dispatch.lanes;
    sent_store.after      = stores_sent_d;
  end

  logic [Lanes-1:0][31:0] address;
  g80_pkg::origin_t       origin;

  assign address = job.dispatch.operands ? row.address : {Lanes{job.address}};

  always_comb begin : name_access
    origin.uid  = job.dispatch.uid;
    origin.sm   = cfg_sm_id_i;
    origin.warp = 8'(job.dispatch.warp);
    origin.pc   = job.dispatch.insn.pc;
  end

  always_comb begin : next_smem
    smem_d       = smem_q;
    smem_d.valid = smem_held;
    if (fill_goes) begin
      smem_d        = g80_pkg::SmemRequestDefault;
      smem_d.valid  = 1'b1;
      smem_d.write  = 1'b1;
      smem_d.header = 1'b1;
      for (int l = 0; l < Lanes; l++) begin
        if (5'(l) < fill.count) begin
          smem_d.lanes[l]   = 1'b1;
          smem_d.address[l] = {fill.first + 12'(l), 2'd0};
          smem_d.data[l]    = fill.data[l];
        end
      end
    end else if (sends && !constant) begin
      smem_d             = g80_pkg::SmemRequestDefault;
      smem_d.valid       = 1'b1;
      smem_d.write       = order.writes;
      smem_d.lock        = order.locks;
      smem_d.warp        = job.dispatch.warp;
      smem_d.unit        = job.dispatch.unit;
      smem_d.half        = half;
      smem_d.bytes       = job.bytes[2:0];
      smem_d.sign_extend = job.sign_extend;
      smem_d.lanes       = half ? job.dispatch.lanes[2*Lanes-1:Lanes] : job.dispatch.lanes[Lanes-1:0];
      smem_d.origin      = origin;
      for (int l = 0; l < Lanes; l++) smem_d.address[l] = address[l][13:0];
      if (order.writes) smem_d.data = row.data;
    end
  end

  always_comb begin : next_const
    const_d       = const_q;
    const_d.valid = const_held;
    if (sends && constant && !reads_zero) begin
      const_d         = g80_pkg::ConstRequestDefault;
      const_d.valid   = 1'b1;
      const_d.id      = 8'(job.dispatch.unit);
      const_d.warp    = job.dispatch.warp;
      const_d.bytes   = job.bytes[2:0];
      const_d.direct  = direct;
      const_d.lanes   = constant_lanes;
      const_d.origin  = origin;
      const_d.address = address;
      if (direct) const_d.address = (32 * Lanes)'(job.address);
    end
  end
  assign answered_d = sends && reads_zero ? Warps'(1) << job.dispatch.unit : '0;

  assign sent_o       = store_sent;
  assign sent_unit_o  = job.dispatch.unit;
  assign performed_o  = store_performed;
  assign done_o       = oldest_store.done;
  assign smem_o       = smem_q;
  assign const_o      = const_q;
  assign answered_o   = answered_q;
  assign fill_ready_o = fill_ready_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      smem_q             <= g80_pkg::SmemRequestDefault;
      const_q            <= g80_pkg::ConstRequestDefault;
      answered_q         <= '0;
      fill_ready_q       <= 1'b1;
      upper_q            <= 1'b0;
      stores_sent_q      <= '0;
      stores_performed_q <= '0;
    end else begin
      smem_q             <= smem_d;
      const_q            <= const_d;
      answered_q         <= answered_d;
      fill_ready_q       <= fill_ready_d;
      upper_q            <= upper_d;
      stores_sent_q      <= stores_sent_d;
      stores_performed_q <= stores_performed_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      HeadComesInRows: assert (!fill_goes || fill.count <= 5'(Lanes));
      BanksPerformWhatWasSent: assert (!smem_stored_i || stores_sent_q != stores_performed_q);
    end
  end
endmodule
