// SPDX-License-Identifier: Apache-2.0
// Splits a half-warp's shared-memory request into passes without bank conflicts.
// Twin of hw/smem/bank_conflict.h, equal to it at every clock edge.
module bank_conflict
  import g80_params_pkg::*;
#(
  localparam int unsigned UnitW    = $clog2(MaxCollectorUnits),
  localparam int unsigned AddressW = $clog2(MaxSharedBytes)
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  // Straps
  input  logic [1:0]          cfg_pass_interval_i,  // scheduler cycles from pass to pass: 1 or 2

  // From address_unit
  input  logic                request_valid_i,
  input  logic                request_write_i,
  input  logic                request_lock_i,
  input  logic [UnitW-1:0]    request_unit_i,
  input  logic                request_half_i,
  input  logic [2:0]          request_bytes_i,
  input  logic                request_sign_extend_i,
  input  logic [HalfWarp-1:0] request_lanes_i,
  input  logic [31:0]         request_origin_uid_i,
  input  logic [7:0]          request_origin_sm_i,
  input  logic [7:0]          request_origin_warp_i,
  input  logic [31:0]         request_origin_pc_i,
  input  logic [AddressW-1:0] request_address_i [HalfWarp],
  input  logic [31:0]         request_data_i    [HalfWarp],
  output logic                request_ready_o,

  // To shared_memory
  output logic                pass_valid_o,
  output logic                pass_last_o,
  output logic [HalfWarp-1:0] pass_lanes_o,
  output logic                pass_request_valid_o,
  output logic                pass_request_write_o,
  output logic                pass_request_lock_o,
  output logic [UnitW-1:0]    pass_request_unit_o,
  output logic                pass_request_half_o,
  output logic [2:0]          pass_request_bytes_o,
  output logic                pass_request_sign_extend_o,
  output logic [HalfWarp-1:0] pass_request_lanes_o,
  output logic [31:0]         pass_request_origin_uid_o,
  output logic [7:0]          pass_request_origin_sm_o,
  output logic [7:0]          pass_request_origin_warp_o,
  output logic [31:0]         pass_request_origin_pc_o,
  output logic [AddressW-1:0] pass_request_address_o [HalfWarp],
  output logic [31:0]         pass_request_data_o    [HalfWarp],

  // To the clock gate: from this edge on nothing changes until an input does
  output logic                sleep_o
);
  localparam int unsigned WordW  = AddressW - 2;
  localparam int unsigned BankW  = $clog2(NumSmemBanks);
  localparam int unsigned CountW = $clog2(SmemQueue + 1);

  typedef logic [HalfWarp-1:0]            half_mask_t;
  typedef logic [HalfWarp-1:0][WordW-1:0] half_words_t;
  typedef logic [CountW-1:0]              count_t;

  typedef struct packed {
    logic                              valid;
    logic                              write;
    logic                              lock;
    logic [UnitW-1:0]                  unit;
    logic                              half;
    logic [2:0]                        bytes;
    logic                              sign_extend;
    half_mask_t                        lanes;
    logic [31:0]                       uid;
    logic [7:0]                        sm;
    logic [7:0]                        warp;
    logic [31:0]                       pc;
    logic [HalfWarp-1:0][AddressW-1:0] address;
    logic [HalfWarp-1:0][31:0]         data;
  } request_t;

  typedef struct packed {
    logic       valid;
    logic       last;
    half_mask_t lanes;
    request_t   request;
  } pass_t;

  // Registers; the testbench reads those that the C++ block shows too
  request_t   queue_d [SmemQueue], queue_q [SmemQueue];  // 0 is the head
  count_t     count_d, count_q;
  half_mask_t pending_d, pending_q /*verilator public_flat_rd*/;  // lanes of the head without a pass
  pass_t      pass_d, pass_q;
  logic       ready_d, ready_q /*verilator public_flat_rd*/;
  logic [1:0] wait_d, wait_q /*verilator public_flat_rd*/;  // scheduler cycles until the next pass may leave
  logic [63:0] counter_d [NumBankConflictCounters];
  logic [63:0] counter_q [NumBankConflictCounters] /*verilator public_flat_rd*/;

  // Which pending lanes the next pass serves. This is where a bank conflict is decided.
  function automatic half_mask_t select_pass(half_mask_t pending, half_words_t word, logic write);
    half_mask_t              served = '0;
    logic [NumSmemBanks-1:0] busy_banks = '0;
    logic [WordW-1:0]        broadcast = '0;
    for (int l = HalfWarp - 1; l >= 0; l--) begin
      if (pending[l]) broadcast = word[l];  // ends at the lowest
    end
    if (!write && pending != '0) begin
      busy_banks[broadcast[BankW-1:0]] = 1'b1;
      for (int l = 0; l < HalfWarp; l++) served[l] = pending[l] && word[l] == broadcast;
    end
    for (int l = 0; l < HalfWarp; l++) begin
      if (pending[l] && !served[l] && !busy_banks[word[l][BankW-1:0]]) begin
        busy_banks[word[l][BankW-1:0]] = 1'b1;
        served[l] = 1'b1;
      end
    end
    return served;
  endfunction

  request_t request;
  always_comb begin : request_pins
    request.valid       = request_valid_i;
    request.write       = request_write_i;
    request.lock        = request_lock_i;
    request.unit        = request_unit_i;
    request.half        = request_half_i;
    request.bytes       = request_bytes_i;
    request.sign_extend = request_sign_extend_i;
    request.lanes       = request_lanes_i;
    request.uid         = request_origin_uid_i;
    request.sm          = request_origin_sm_i;
    request.warp        = request_origin_warp_i;
    request.pc          = request_origin_pc_i;
    for (int l = 0; l < HalfWarp; l++) begin
      request.address[l] = request_address_i[l];
      request.data[l]    = request_data_i[l];
    end
  end

  logic        accept;
  half_words_t head_word;
  half_mask_t  served;
  always_comb begin : next
    queue_d   = queue_q;
    count_d   = count_q;
    pending_d = pending_q;
    pass_d    = '0;
    wait_d    = wait_q == '0 ? '0 : wait_q - 2'd1;
    counter_d = counter_q;
    head_word = '0;
    served    = '0;

    accept = request_valid_i && ready_q;
    if (accept) begin
      queue_d[count_q] = request;
      count_d = count_q + count_t'(1);
      if (count_q == '0) pending_d = request.lanes;
      counter_d[CountRequests] = counter_q[CountRequests] + 64'd1;
    end

    if (count_d != '0 && wait_q == '0) begin
      for (int l = 0; l < HalfWarp; l++) head_word[l] = queue_d[0].address[l][AddressW-1:2];
      served = select_pass(pending_d, head_word, queue_d[0].write);
      counter_d[CountPasses] = counter_q[CountPasses] + 64'd1;
      if (pending_d != queue_d[0].lanes) counter_d[CountConflicts] = counter_q[CountConflicts] + 64'd1;
      pending_d      = pending_d & ~served;
      pass_d.valid   = 1'b1;
      pass_d.lanes   = served;
      pass_d.last    = pending_d == '0;
      pass_d.request = queue_d[0];
      wait_d         = cfg_pass_interval_i - 2'd1;
      if (pass_d.last) begin
        for (int i = 0; i < SmemQueue - 1; i++) queue_d[i] = queue_d[i+1];
        count_d = count_d - count_t'(1);
        if (count_d != '0) pending_d = queue_d[0].lanes;
      end
    end
    // A request may be on its way when ready falls.
    ready_d = count_d + count_t'(1) < count_t'(SmemQueue);
  end

  assign sleep_o = count_d == '0 && !pass_d.valid && wait_d == '0;

  assign request_ready_o            = ready_q;
  assign pass_valid_o               = pass_q.valid;
  assign pass_last_o                = pass_q.last;
  assign pass_lanes_o               = pass_q.lanes;
  assign pass_request_valid_o       = pass_q.request.valid;
  assign pass_request_write_o       = pass_q.request.write;
  assign pass_request_lock_o        = pass_q.request.lock;
  assign pass_request_unit_o        = pass_q.request.unit;
  assign pass_request_half_o        = pass_q.request.half;
  assign pass_request_bytes_o       = pass_q.valid ? pass_q.request.bytes : 3'd4;  // the bundle's default
  assign pass_request_sign_extend_o = pass_q.request.sign_extend;
  assign pass_request_lanes_o       = pass_q.request.lanes;
  assign pass_request_origin_uid_o  = pass_q.request.uid;
  assign pass_request_origin_sm_o   = pass_q.request.sm;
  assign pass_request_origin_warp_o = pass_q.request.warp;
  assign pass_request_origin_pc_o   = pass_q.request.pc;
  for (genvar l = 0; l < HalfWarp; l++) begin : gen_pass_lanes
    assign pass_request_address_o[l] = pass_q.request.address[l];
    assign pass_request_data_o[l]    = pass_q.request.data[l];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      queue_q   <= '{default: '0};
      count_q   <= '0;
      pending_q <= '0;
      pass_q    <= '0;
      ready_q   <= 1'b1;
      wait_q    <= '0;
      counter_q <= '{default: '0};
    end else begin
      queue_q   <= queue_d;
      count_q   <= count_d;
      pending_q <= pending_d;
      pass_q    <= pass_d;
      ready_q   <= ready_d;
      wait_q    <= wait_d;
      counter_q <= counter_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      ReadyMeansRoom: assert (!ready_q || count_q < count_t'(SmemQueue));
      PassServesOfItsRequest: assert ((pass_q.lanes & ~pass_q.request.lanes) == '0);
      PassServesSomebody: assert (!pass_q.valid || pass_q.lanes != '0 || pass_q.request.lanes == '0);
      PendingBelongsToHead: assert (count_q == '0 || (pending_q & ~queue_q[0].lanes) == '0);
      IntervalIsOneOrTwo: assert (cfg_pass_interval_i == 2'd1 || cfg_pass_interval_i == 2'd2);
    end
  end
endmodule
