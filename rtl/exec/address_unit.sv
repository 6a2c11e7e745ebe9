// SPDX-License-Identifier: Apache-2.0
// Computes the addresses of every access to s[], c[], l[], g[] and textures, and sends them out half a warp a scheduler
// cycle. Twin of hw/exec/address_unit.h, equal to it at every clock edge.
//
// What later steps ask of an instruction is decoded when it comes. Sixteen lanes form the addresses of the half-warp on
// the operand port; one more forms the address of an access without operands, the same in all lanes. The second
// half-warp finds what its instruction says in a register.
module address_unit #(
  localparam int unsigned Warps   = g80_pkg::MaxWarps,
  localparam int unsigned WarpW   = $clog2(Warps),
  localparam int unsigned Lanes   = g80_pkg::HalfWarp,
  localparam int unsigned LaneW   = $clog2(Lanes),
  localparam int unsigned Loads   = g80_pkg::MaxLoads,
  localparam int unsigned LoadW   = $clog2(Loads),
  localparam int unsigned OnChip  = 2 * g80_pkg::MaxCollectorUnits,  // an s[] and a c[] operand of each unit
  localparam int unsigned OffChip = g80_pkg::MaxCollectorUnits,
  localparam int unsigned Stores  = 8,                               // to s[], that the banks have not performed
  localparam int unsigned CyclesW = $clog2(g80_pkg::MaxSmAddressCycles / 2 + 1)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // Straps
  input  logic [7:0]                    cfg_sm_id_i,
  input  logic [1:0]                    cfg_sm_in_tpc_i,
  input  logic [10:0]                   cfg_first_warp_i,   // number in the chip of the SM's warp slot 0
  input  logic [CyclesW-1:0]            cfg_address_cycles_i,

  // From cta_launcher
  input  g80_pkg::launch_state_t        launch_i,
  input  g80_pkg::warp_start_t          start_i,
  input  g80_pkg::smem_fill_t           fill_i,
  output logic                          fill_ready_o,
  output logic                          busy_o,             // accesses are on their way

  // From and to operand_collector
  input  g80_pkg::address_dispatch_t    dispatch_i,
  input  g80_pkg::address_lanes_t       operands_i,
  output logic [Warps-1:0]              freed_o,            // bit = unit
  output logic [Warps-1:0]              answered_o,         // c[] outside its bank reads 0

  // From and to reconvergence_stack
  input  g80_pkg::stack_access_t        stack_i,
  output logic                          stack_ready_o,

  // To bank_conflict and constant_cache; from shared_memory
  output g80_pkg::smem_request_t        smem_o,
  input  logic                          smem_ready_i,
  input  logic                          smem_stored_i,      // a half-warp's store was performed
  output g80_pkg::const_request_t       const_o,
  input  logic                          const_ready_i,

  // To and from load_table
  output g80_pkg::load_open_t           open_o,
  output g80_pkg::load_lanes_t          lanes_o,
  input  g80_pkg::load_freed_t          load_freed_i,

  // To register_file, writeback, warp_scheduler and fault_reporter
  output g80_pkg::addr_increment_t      increment_o,
  output g80_pkg::store_done_t          done_o,
  output g80_pkg::credits_t             credit_o,
  output g80_pkg::kernel_fault_t        fault_o,

  // To the coalescer and the texture unit, through queues
  input  logic                          access_room_i,
  input  logic                          access_all_free_i,
  output logic                          access_push_o,
  output g80_pkg::half_warp_access_t    access_o,
  input  logic                          tex_room_i,
  input  logic                          tex_all_free_i,
  output logic                          tex_push_o,
  output g80_pkg::tex_request_t         tex_o
);
  // How lanes find their addresses, and what is told of them
  typedef struct packed {
    logic                          texture;
    g80_pkg::operand_kind_e        kind;        // of the memory operand
    logic                          indexed;
    logic [15:0]                   offset;
    logic [4:0]                    bytes;       // of a lane, all words of l[] together
    logic                          open;        // the space, with its base and its size
    logic [31:0]                   base;
    logic [32:0]                   size;
    logic                          increments;  // $a
    logic [2:0]                    addr_reg;
    logic [15:0]                   increment;
    logic [WarpW-1:0]              warp;
    logic [31:0]                   uid;
    g80_pkg::fetched_instruction_t insn;
    logic [2*Lanes-1:0]            lanes;
  } forming_t;
  // What a request says besides its job and its lanes
  typedef struct packed {
    logic writes;                               // s[]
    logic locks;
  } on_chip_order_t;
  typedef struct packed {
    logic             loads;                    // has an entry of the load_table
    logic             texture;
    g80_pkg::mem_op_e op;
    logic [3:0]       atom_op;
    logic             atom_signed;
    g80_pkg::tex_op_e tex_op;
    logic [6:0]       tex;
    logic [4:0]       sampler;
    logic [2:0]       tex_sources;
    logic [2:0][3:0]  tex_offset;
  } off_chip_order_t;
  typedef struct packed {
    logic [Lanes-1:0]       lanes;              // that access: c[] outside its bank reads 0
    logic [Lanes-1:0][31:0] address;
    logic [Lanes-1:0][31:0] data;
  } on_chip_row_t;
  typedef struct packed {
    logic [Lanes-1:0][31:0]      address;
    logic [3:0][Lanes-1:0][31:0] data;
  } off_chip_row_t;
  localparam int unsigned JobW = g80_pkg::AddressJobWidth;

  // Registers
  g80_pkg::smem_request_t   smem_d, smem_q;
  g80_pkg::const_request_t  const_d, const_q;
  g80_pkg::load_open_t      open_d, open_q;
  g80_pkg::load_lanes_t     lanes_d, lanes_q;
  g80_pkg::addr_increment_t increment_d, increment_q;
  g80_pkg::store_done_t     done_d, done_q;
  g80_pkg::kernel_fault_t   fault_d, fault_q;
  logic [Warps-1:0]         freed_d, freed_q, answered_d, answered_q;
  logic [7:0]               credit_d, credit_q;
  logic                     stack_ready_d, stack_ready_q, fill_ready_d, fill_ready_q, busy_d, busy_q;
  logic                     receives_on_chip_d, receives_on_chip_q;    // the second half of the newest comes
  logic                     receives_off_chip_d, receives_off_chip_q;
  forming_t                 second_d, second_q;                        // ... whose instruction says
  logic                     on_chip_upper_d, on_chip_upper_q;          // the lower half-warp of the oldest has left
  g80_pkg::access_progress_t progress_d, progress_q;                   // of the oldest access to device memory
  logic [7:0]               stores_sent_d, stores_sent_q;              // half-warps, modulo 256
  logic [7:0]               stores_performed_d, stores_performed_q;
  logic [Loads-1:0]         loads_d, loads_q;                          // entries of the load_table in use

  // A dispatch: its memory operand
  g80_pkg::decoded_instruction_t decoded;
  g80_pkg::operand_t             source0, source1, source2, operand;
  g80_pkg::operand_kind_e        wanted;
  logic                          takes, texture, on_chip, local_space;
  g80_pkg::mem_type_e            access_type;
  logic [4:0]                    bytes;

  instruction_decoder #(.Eager(1'b1)) u_decoder (
    .words_i  (dispatch_i.insn.words),
    .error_i  (dispatch_i.insn.error),
    .decoded_o(decoded)
  );
  assign {source2, source1, source0} = decoded.insn.src;
  assign takes   = dispatch_i.valid;
  assign texture = decoded.unit == g80_pkg::UnitTexture;
  assign wanted  = dispatch_i.constant ? g80_pkg::OperandConst : g80_pkg::OperandShared;

  always_comb begin : choose_operand
    operand = source0;
    if (source1.kind == wanted) operand = source1;
    if (source2.kind == wanted) operand = source2;
  end

  assign on_chip     = !texture && (operand.kind == g80_pkg::OperandShared || operand.kind == g80_pkg::OperandConst);
  assign local_space = !texture && operand.kind == g80_pkg::OperandLocal;
  assign access_type = on_chip ? operand.type_ : decoded.insn.mem_type;

  always_comb begin : count_bytes
    case (access_type)
      g80_pkg::MemTypeU8, g80_pkg::MemTypeS8:   bytes = 5'd1;
      g80_pkg::MemTypeU16, g80_pkg::MemTypeS16: bytes = 5'd2;
      g80_pkg::MemTypeB64, g80_pkg::MemTypeU64: bytes = 5'd8;
      g80_pkg::MemTypeB128:                     bytes = 5'd16;
      default:                                  bytes = 5'd4;
    endcase
  end

  // Where the warp's s[] begins and ends. A warp may start and access s[] in the same cycle.
  logic [31:0] kept_place;
  logic [15:0] shared_base, shared_limit;

  sram_1r1w #(
    .Words(Warps),
    .Width(32)
  ) u_places (
    .clk_i,
    .write_i        (start_i.valid),
    .write_address_i(start_i.warp),
    .write_data_i   ({start_i.shared_base, start_i.shared_bytes}),
    .read_address_i (dispatch_i.warp),
    .read_data_o    (kept_place)
  );
  assign {shared_base, shared_limit} = start_i.valid && start_i.warp == dispatch_i.warp
                                       ? {start_i.shared_base, start_i.shared_bytes} : kept_place;

  // Where the warp's l[] begins: l[] of a thread has a power of two of bytes, and that of a warp 32 times as many.
  logic [10:0]                  chip_warp;
  logic [31:0]                  local_first;
  g80_pkg::const_bank_binding_t bank;
  g80_pkg::global_space_t       space;

  assign chip_warp = cfg_first_warp_i + 11'(dispatch_i.warp);
  assign bank      = launch_i.const_bank[operand.bank];
  assign space     = launch_i.global_[decoded.insn.space];

  always_comb begin : place_warp
    local_first = '0;
    for (int b = 0; b < 27; b++) begin
      if (launch_i.local_bytes[b]) local_first |= 32'(chip_warp) << b;
    end
    local_first = {local_first[26:0], 5'd0};
  end

  // How its lanes find their addresses
  forming_t forming;

  always_comb begin : describe
    forming            = '0;
    forming.texture    = texture;
    forming.kind       = texture ? g80_pkg::OperandNone : operand.kind;
    forming.indexed    = decoded.insn.addr_reg != '0;  // beside s[], c[] comes without operands
    forming.offset     = operand.offset;  // 0 where $a is incremented
    forming.bytes      = bytes;
    forming.increments = !texture && decoded.insn.post_increment && forming.indexed;
    forming.addr_reg   = decoded.insn.addr_reg;
    forming.increment  = decoded.insn.increment[15:0];
    forming.warp       = dispatch_i.warp;
    forming.uid        = dispatch_i.uid;
    forming.insn       = dispatch_i.insn;
    forming.lanes      = dispatch_i.lanes;
    case (operand.kind)
      g80_pkg::OperandShared: begin
        forming.open = 1'b1;
        forming.base = 32'(shared_base);
        forming.size = 33'(shared_limit);
      end
      g80_pkg::OperandLocal: begin
        forming.open = 1'b1;
        forming.base = launch_i.local_base + local_first;
        forming.size = 33'(launch_i.local_bytes);
      end
      g80_pkg::OperandConst: begin
        forming.open = bank.valid;
        forming.base = bank.address;
        forming.size = 33'(bank.bytes);
      end
      default: begin
        forming.open = space.enabled;
        forming.base = space.base;
        forming.size = 33'(space.limit) + 33'd1;
      end
    endcase
  end

  // Without operands, the address stands in the instruction.
  logic [31:0] direct_address, direct_placed;
  logic        direct_misaligned, direct_outside, no_data, direct_faults;
  logic        direct_found;
  logic [LaneW:0] direct_lane;

  address_lane u_direct (
    .register_i      (forming.kind == g80_pkg::OperandReg),
    .indexed_i       (1'b0),
    .local_i         (local_space),
    .offset_i        (forming.offset),
    .bytes_i         (forming.bytes),
    .open_i          (forming.open),
    .base_i          (forming.base),
    .size_i          (forming.size),
    .lane_i          ('0),
    .register_value_i('0),
    .addr_i          ('0),
    .address_o       (direct_address),
    .placed_o        (direct_placed),
    .misaligned_o    (direct_misaligned),
    .outside_o       (direct_outside)
  );
  lowest_set #(.Width(2 * Lanes)) u_direct_lane (
    .mask_i (dispatch_i.lanes),
    .found_o(direct_found),
    .index_o(direct_lane)
  );
  assign no_data       = forming.kind == g80_pkg::OperandConst && direct_outside;
  assign direct_faults = takes && !dispatch_i.operands && !texture && direct_found &&
                         (direct_misaligned || (direct_outside && !no_data));

  // The half-warp on the operand port
  logic                   receives, has_low, has_high, takes_port, half;
  forming_t               port;
  logic [Lanes-1:0]       port_lanes, misaligned, outside, bad, row_lanes;
  logic [Lanes-1:0][31:0] address, placed;
  logic                   port_constant, port_bad, port_faults;
  logic [LaneW-1:0]       bad_lane;

  assign receives   = receives_on_chip_q || receives_off_chip_q;
  assign has_low    = dispatch_i.lanes[Lanes-1:0] != '0;
  assign has_high   = dispatch_i.lanes[2*Lanes-1:Lanes] != '0;
  assign takes_port = receives || (takes && dispatch_i.operands && (has_low || has_high));
  assign half       = receives || !has_low;
  assign port       = receives ? second_q : forming;
  assign port_lanes = half ? port.lanes[2*Lanes-1:Lanes] : port.lanes[Lanes-1:0];

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    address_lane u_lane (
      .register_i      (port.kind == g80_pkg::OperandReg),
      .indexed_i       (port.indexed),
      .local_i         (port.kind == g80_pkg::OperandLocal),
      .offset_i        (port.offset),
      .bytes_i         (port.bytes),
      .open_i          (port.open),
      .base_i          (port.base),
      .size_i          (port.size),
      .lane_i          ({half, LaneW'(l)}),
      .register_value_i(operands_i.base[l]),
      .addr_i          (operands_i.addr[l]),
      .address_o       (address[l]),
      .placed_o        (placed[l]),
      .misaligned_o    (misaligned[l]),
      .outside_o       (outside[l])
    );
  end
  assign port_constant = port.kind == g80_pkg::OperandConst;
  assign bad           = (misaligned | (port_constant ? '0 : outside)) & port_lanes;
  assign row_lanes     = port_constant ? port_lanes & ~outside : port_lanes;
  assign port_faults   = takes_port && !port.texture && port_bad;

  lowest_set #(.Width(Lanes)) u_bad_lane (
    .mask_i (bad),
    .found_o(port_bad),
    .index_o(bad_lane)
  );

  // The new $a goes to the register file at once.
  always_comb begin : next_increment
    increment_d       = increment_q;
    increment_d.valid = takes_port && port.increments;
    if (increment_d.valid) begin
      increment_d.warp  = port.warp;
      increment_d.index = port.addr_reg;
      increment_d.half  = half;
      increment_d.lanes = port_lanes;
      for (int l = 0; l < Lanes; l++) increment_d.value[l] = operands_i.addr[l] + port.increment;
    end
  end

  // The first fault stays. It names the lowest lane with a bad address, and what is wrong there.
  logic     fault_misaligned;
  forming_t faulty;

  assign faulty           = port_faults ? port : forming;
  assign fault_misaligned = port_faults ? misaligned[bad_lane] : direct_misaligned;

  always_comb begin : next_fault
    fault_d = fault_q;
    if (!fault_q.valid && (port_faults || direct_faults)) begin
      fault_d             = g80_pkg::KernelFaultDefault;
      fault_d.valid       = 1'b1;
      fault_d.lane        = port_faults ? {half, bad_lane} : direct_lane;
      fault_d.address     = port_faults ? address[bad_lane] : direct_address;
      fault_d.word        = faulty.insn.words;
      fault_d.origin.uid  = faulty.uid;
      fault_d.origin.sm   = cfg_sm_id_i;
      fault_d.origin.warp = 8'(faulty.warp);
      fault_d.origin.pc   = faulty.insn.pc;
      case (faulty.kind)
        g80_pkg::OperandShared: fault_d.kind = g80_pkg::FaultSharedLimit;
        g80_pkg::OperandLocal:  fault_d.kind = g80_pkg::FaultLocalLimit;
        default:                fault_d.kind = g80_pkg::FaultGlobalLimit;
      endcase
      if (fault_misaligned) fault_d.kind = g80_pkg::FaultMisalignedAddress;
    end
  end

  // The dispatch as a job
  g80_pkg::address_job_t job;
  on_chip_order_t        order;
  off_chip_order_t       device_order;
  logic                  pushes, waits_for_second;

  always_comb begin : describe_job
    job             = g80_pkg::AddressJobDefault;
    job.dispatch    = dispatch_i;
    job.kind        = forming.kind;
    job.sign_extend = !texture && (operand.type_ == g80_pkg::MemTypeS16 || operand.type_ == g80_pkg::MemTypeS8);
    if (!texture) job.bytes = bytes;
    if (local_space && bytes > 5'd4) begin
      job.bytes = 5'd4;
      job.words = bytes[4:2];
    end
    if (!texture && !dispatch_i.operands) begin
      job.no_data = no_data;
      job.address = direct_placed;
    end
  end

  assign order.writes = decoded.insn.op == g80_pkg::OpStShared || decoded.insn.op == g80_pkg::OpStSharedUnlock;
  assign order.locks  = decoded.insn.op == g80_pkg::OpLdSharedLock || decoded.insn.op == g80_pkg::OpStSharedUnlock;

  always_comb begin : describe_request
    device_order             = '0;
    device_order.loads       = decoded.uses_load_table;
    device_order.texture     = texture;
    device_order.atom_op     = decoded.insn.atom_op;
    device_order.atom_signed = decoded.insn.mem_type == g80_pkg::MemTypeS32;
    device_order.tex         = decoded.insn.tex[6:0];
    device_order.sampler     = decoded.insn.sampler;
    device_order.tex_sources = decoded.insn.tex_sources;
    device_order.tex_offset  = decoded.insn.tex_offset;
    case (decoded.insn.op)
      g80_pkg::OpLdGlobal, g80_pkg::OpLdLocal: device_order.op = g80_pkg::MemOpRead;
      g80_pkg::OpStGlobal, g80_pkg::OpStLocal: device_order.op = g80_pkg::MemOpWrite;
      g80_pkg::OpRed:                          device_order.op = g80_pkg::MemOpReduce;
      default:                                 device_order.op = g80_pkg::MemOpAtomic;
    endcase
    case (decoded.insn.op)
      g80_pkg::OpTexFetch: device_order.tex_op = g80_pkg::TexOpFetch;
      g80_pkg::OpTexSize:  device_order.tex_op = g80_pkg::TexOpSize;
      default:             device_order.tex_op = g80_pkg::TexOpSample;
    endcase
  end

  // An access with a fault in its first half-warp does not come in: it never completes.
  assign pushes           = takes && !direct_faults && !(!receives && port_faults);
  assign waits_for_second = pushes && dispatch_i.operands && has_low && has_high;

  assign receives_on_chip_d  = waits_for_second && on_chip;
  assign receives_off_chip_d = waits_for_second && !on_chip;
  assign second_d            = waits_for_second ? forming : second_q;

  // The queues
  logic                  takes_row, on_chip_pops, on_chip_valid, on_chip_faulted, on_chip_empties;
  logic                  off_chip_pops, off_chip_valid, off_chip_faulted, off_chip_empties;
  g80_pkg::address_job_t on_chip_job, off_chip_job;
  on_chip_order_t        on_chip_order;
  off_chip_order_t       off_chip_order;
  on_chip_row_t          on_chip_low, on_chip_high, on_chip_row;
  off_chip_row_t         off_chip_low, off_chip_high, off_chip_row;

  assign takes_row = takes_port && !receives;

  access_queue #(
    .Depth(OnChip),
    .JobW (JobW + $bits(order)),
    .RowW ($bits(on_chip_row))
  ) u_on_chip (
    .clk_i,
    .rst_ni,
    .push_i      (pushes && on_chip),
    .job_i       ({job, order}),
    .pop_i       (on_chip_pops),
    .write_i     ({receives_on_chip_q || (takes_row && on_chip && half), takes_row && on_chip && !half}),
    .second_i    (receives_on_chip_q),
    .fault_i     (port_faults),
    .row_i       ({row_lanes, placed, operands_i.data[0]}),
    .head_valid_o(on_chip_valid),
    .job_o       ({on_chip_job, on_chip_order}),
    .faulted_o   (on_chip_faulted),
    .row_o       ({on_chip_high, on_chip_low}),
    .empty_next_o(on_chip_empties)
  );
  access_queue #(
    .Depth(OffChip),
    .JobW (JobW + $bits(device_order)),
    .RowW ($bits(off_chip_row))
  ) u_off_chip (
    .clk_i,
    .rst_ni,
    .push_i      (pushes && !on_chip),
    .job_i       ({job, device_order}),
    .pop_i       (off_chip_pops),
    .write_i     ({receives_off_chip_q || (takes_row && !on_chip && half), takes_row && !on_chip && !half}),
    .second_i    (receives_off_chip_q),
    .fault_i     (port_faults),
    .row_i       ({placed, operands_i.data}),
    .head_valid_o(off_chip_valid),
    .job_o       ({off_chip_job, off_chip_order}),
    .faulted_o   (off_chip_faulted),
    .row_o       ({off_chip_high, off_chip_low}),
    .empty_next_o(off_chip_empties)
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
  logic                smem_held, const_held, fills, fill_valid, fill_goes;
  g80_pkg::smem_fill_t fill;
  logic [1:0]          fills_next;

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
    .count_next_o  (fills_next)
  );
  assign fill_ready_d = fills_next != 2'd2;

  // On chip: the next half-warp of the oldest access
  logic               on_chip_works, on_chip_has_low, on_chip_has_high, on_chip_half, on_chip_sends, on_chip_last;
  logic               on_chip_completes, constant, direct, reads_zero;
  logic [2*Lanes-1:0] constant_lanes;

  assign constant         = on_chip_job.kind == g80_pkg::OperandConst;
  assign direct           = constant && !on_chip_job.dispatch.operands;  // one request for all lanes
  assign on_chip_works    = on_chip_valid && !on_chip_faulted &&
                            !(on_chip_order.writes && stores_full && !store_performed);
  assign on_chip_has_low  = on_chip_job.dispatch.lanes[Lanes-1:0] != '0;
  assign on_chip_has_high = on_chip_job.dispatch.lanes[2*Lanes-1:Lanes] != '0;
  assign on_chip_half     = !on_chip_has_low || on_chip_upper_q;
  assign on_chip_row      = on_chip_half ? on_chip_high : on_chip_low;

  always_comb begin : choose_constant_lanes
    constant_lanes = on_chip_half ? {on_chip_row.lanes, Lanes'(0)} : {Lanes'(0), on_chip_row.lanes};
    if (direct) constant_lanes = on_chip_job.no_data ? '0 : on_chip_job.dispatch.lanes;
  end
  assign reads_zero        = constant && constant_lanes == '0;
  assign on_chip_sends     = on_chip_works && (on_chip_has_low || on_chip_has_high) &&
                             (reads_zero || (constant ? !const_held : !smem_held && !fill_goes));
  assign on_chip_last      = on_chip_half || !on_chip_has_high || direct;
  assign on_chip_completes = on_chip_works && ((!on_chip_has_low && !on_chip_has_high) ||
                                               (on_chip_sends && on_chip_last));
  assign on_chip_pops      = on_chip_completes || (on_chip_valid && on_chip_faulted);
  assign on_chip_upper_d   = !on_chip_pops && (on_chip_upper_q || on_chip_sends);

  assign store_sent    = on_chip_completes && on_chip_order.writes;
  assign stores_sent_d = stores_sent_q + 8'(fill_goes || (on_chip_sends && on_chip_order.writes));

  always_comb begin : describe_store
    sent_store            = '0;
    sent_store.done.valid = 1'b1;
    sent_store.done.warp  = on_chip_job.dispatch.warp;
    sent_store.done.uid   = on_chip_job.dispatch.uid;
    sent_store.done.insn  = on_chip_job.dispatch.insn;
    sent_store.done.lanes = on_chip_job.dispatch.lanes;
    sent_store.after      = stores_sent_d;
  end

  logic [Lanes-1:0][31:0] on_chip_address;

  assign on_chip_address = on_chip_job.dispatch.operands ? on_chip_row.address : {Lanes{on_chip_job.address}};

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
    end else if (on_chip_sends && !constant) begin
      smem_d             = g80_pkg::SmemRequestDefault;
      smem_d.valid       = 1'b1;
      smem_d.write       = on_chip_order.writes;
      smem_d.lock        = on_chip_order.locks;
      smem_d.warp        = on_chip_job.dispatch.warp;
      smem_d.unit        = on_chip_job.dispatch.unit;
      smem_d.half        = on_chip_half;
      smem_d.bytes       = on_chip_job.bytes[2:0];
      smem_d.sign_extend = on_chip_job.sign_extend;
      smem_d.lanes       = on_chip_half ? on_chip_job.dispatch.lanes[2*Lanes-1:Lanes]
                                        : on_chip_job.dispatch.lanes[Lanes-1:0];
      smem_d.origin.uid  = on_chip_job.dispatch.uid;
      smem_d.origin.sm   = cfg_sm_id_i;
      smem_d.origin.warp = 8'(on_chip_job.dispatch.warp);
      smem_d.origin.pc   = on_chip_job.dispatch.insn.pc;
      for (int l = 0; l < Lanes; l++) smem_d.address[l] = on_chip_address[l][13:0];
      if (on_chip_order.writes) smem_d.data = on_chip_row.data;
    end
  end

  always_comb begin : next_const
    const_d       = const_q;
    const_d.valid = const_held;
    if (on_chip_sends && constant && !reads_zero) begin
      const_d             = g80_pkg::ConstRequestDefault;
      const_d.valid       = 1'b1;
      const_d.id          = 8'(on_chip_job.dispatch.unit);
      const_d.warp        = on_chip_job.dispatch.warp;
      const_d.bytes       = on_chip_job.bytes[2:0];
      const_d.direct      = direct;
      const_d.lanes       = constant_lanes;
      const_d.origin.uid  = on_chip_job.dispatch.uid;
      const_d.origin.sm   = cfg_sm_id_i;
      const_d.origin.warp = 8'(on_chip_job.dispatch.warp);
      const_d.origin.pc   = on_chip_job.dispatch.insn.pc;
      const_d.address     = on_chip_address;
      if (direct) const_d.address = (32 * Lanes)'(on_chip_job.address);
    end
  end
  assign answered_d = on_chip_sends && reads_zero ? Warps'(1) << on_chip_job.dispatch.unit : '0;

  // An entry of a control stack goes before all accesses to device memory.
  logic                   no_stack, stack_comes, stack_goes;
  g80_pkg::stack_access_t stack;
  logic [1:0]             stack_next;

  assign stack_comes = stack_ready_q && stack_i.valid;
  assign stack_goes  = !no_stack && access_room_i;

  shift_queue #(
    .Depth(2),
    .Width(g80_pkg::StackAccessWidth)
  ) u_stack (
    .clk_i,
    .rst_ni,
    .push_i        (stack_comes),
    .data_i        (stack_i),
    .pop_i         (stack_goes),
    .empty_o       (no_stack),
    .head_valid_o  (),
    .head_o        (stack),
    .count_next_o  (stack_next)
  );
  assign stack_ready_d = stack_next != 2'd2;

  // To device memory: the next half-warp of the oldest access, or of the next word of a wide one
  logic             off_chip_works, off_chip_has_low, off_chip_has_high, off_chip_has_lanes, off_chip_half;
  logic             off_chip_tries, off_chip_sends, off_chip_room, address_waits, sent_lower, opens, enters;
  logic             all_sent, off_chip_completes;
  logic             load_is_free;
  logic [2:0]       word_next;
  logic [LoadW-1:0] free_load, load_id;
  logic [Loads-1:0] loads_left;

  assign off_chip_works     = off_chip_valid && !off_chip_faulted && no_stack;
  assign off_chip_has_low   = off_chip_job.dispatch.lanes[Lanes-1:0] != '0;
  assign off_chip_has_high  = off_chip_job.dispatch.lanes[2*Lanes-1:Lanes] != '0;
  assign off_chip_has_lanes = (off_chip_has_low || off_chip_has_high) && progress_q.word < off_chip_job.words;
  assign off_chip_half      = !off_chip_has_low || progress_q.upper;
  assign off_chip_row       = off_chip_half ? off_chip_high : off_chip_low;
  assign off_chip_room      = off_chip_order.texture ? tex_room_i : access_room_i;
  assign off_chip_tries     = off_chip_works && off_chip_has_lanes && off_chip_room;
  assign off_chip_sends     = off_chip_tries && (off_chip_order.texture || !address_waits);
  assign sent_lower         = off_chip_sends && !off_chip_half && off_chip_has_high;
  assign word_next          = progress_q.word + 3'(off_chip_sends && !sent_lower);
  assign all_sent           = off_chip_works && (!off_chip_has_lanes || (off_chip_sends &&
                                                                         word_next >= off_chip_job.words));
  assign off_chip_completes = all_sent && (off_chip_order.loads || !store_performed);
  assign off_chip_pops      = off_chip_completes || (off_chip_valid && off_chip_faulted && no_stack);

  // Loads have an entry of the load_table before their first request leaves.
  assign loads_left = load_freed_i.valid ? loads_q & ~(Loads'(1) << load_freed_i.id) : loads_q;
  assign opens      = off_chip_works && off_chip_order.loads && progress_q.entered == '0;
  assign enters     = off_chip_works && off_chip_order.loads && off_chip_has_lanes &&
                      !progress_q.entered[off_chip_half];
  assign load_id    = opens ? free_load : progress_q.load_id;
  assign loads_d    = opens ? loads_left | (Loads'(1) << free_load) : loads_left;

  lowest_set #(.Width(Loads)) u_free_load (
    .mask_i (~loads_left),
    .found_o(load_is_free),
    .index_o(free_load)
  );

  always_comb begin : next_progress
    progress_d = progress_q;
    if (opens) progress_d.load_id = free_load;
    if (enters) progress_d.entered[off_chip_half] = 1'b1;
    if (off_chip_sends) progress_d.upper = sent_lower;
    progress_d.word = word_next;
    if (off_chip_tries && !off_chip_order.texture) begin
      progress_d.waits = address_waits;
      progress_d.wait_ = address_waits ? wait_now - 6'd1 : '0;
    end
    if (off_chip_pops) progress_d = '0;
  end

  always_comb begin : next_open
    open_d = g80_pkg::LoadOpenDefault;
    if (opens) begin
      open_d.valid = 1'b1;
      open_d.id    = free_load;
      open_d.warp  = off_chip_job.dispatch.warp;
      open_d.lanes = off_chip_job.dispatch.lanes;
      open_d.uid   = off_chip_job.dispatch.uid;
      open_d.insn  = off_chip_job.dispatch.insn;
    end
  end

  // Lanes of an access without operands to l[] are a word apart.
  logic [Lanes-1:0][31:0] off_chip_address;
  logic [Lanes-1:0]       off_chip_lanes;
  logic                   local_access;

  assign local_access   = off_chip_job.kind == g80_pkg::OperandLocal;
  assign off_chip_lanes = off_chip_half ? off_chip_job.dispatch.lanes[2*Lanes-1:Lanes]
                                        : off_chip_job.dispatch.lanes[Lanes-1:0];

  for (genvar l = 0; l < Lanes; l++) begin : gen_address
    assign off_chip_address[l] = off_chip_job.dispatch.operands ? off_chip_row.address[l]
                               : off_chip_job.address + (local_access ? 32'({off_chip_half, LaneW'(l), 2'd0}) : '0);
  end

  // The path to the coalescer has room for one address, which is enough for a half-warp in order. Otherwise those of
  // the other lanes follow.
  logic [5:0] wait_of_lanes, wait_now;

  address_wait u_wait (
    .cfg_cycles_i(cfg_address_cycles_i),
    .address_i   (off_chip_address),
    .lanes_i     (off_chip_lanes),
    .bytes_i     (off_chip_job.bytes),
    .wait_o      (wait_of_lanes)
  );
  assign wait_now      = progress_q.waits ? progress_q.wait_ : wait_of_lanes;
  assign address_waits = wait_now != '0;

  always_comb begin : next_lanes
    lanes_d       = lanes_q;
    lanes_d.valid = enters;
    if (enters) begin
      lanes_d.id   = load_id;
      lanes_d.half = off_chip_half;
      for (int l = 0; l < Lanes; l++) lanes_d.offset[l] = off_chip_order.texture ? '0 : off_chip_address[l][6:0];
    end
  end

  // The requests
  g80_pkg::origin_t off_chip_origin;
  logic [23:0]      stack_number;  // of the entry among those of all warps of the chip
  logic [10:0]      stack_warp;

  assign stack_warp     = cfg_first_warp_i + 11'(stack.warp);
  assign stack_number   = 24'(stack_warp) * 24'(launch_i.stack_depth[12:0]) + 24'(stack.number);

  always_comb begin : name_access
    off_chip_origin      = '0;
    off_chip_origin.uid  = off_chip_job.dispatch.uid;
    off_chip_origin.sm   = cfg_sm_id_i;
    off_chip_origin.warp = 8'(off_chip_job.dispatch.warp);
    off_chip_origin.pc   = off_chip_job.dispatch.insn.pc;
  end

  assign access_push_o = stack_goes || (off_chip_sends && !off_chip_order.texture);
  always_comb begin : describe_access
    access_o.valid       = 1'b1;
    access_o.op          = off_chip_order.op;
    access_o.client      = local_access ? g80_pkg::MemClientLocal : g80_pkg::MemClientGlobal;
    access_o.half        = off_chip_half;
    access_o.lanes       = off_chip_lanes;
    access_o.bytes       = off_chip_job.bytes;
    access_o.atom_op     = off_chip_order.atom_op;
    access_o.atom_signed = off_chip_order.atom_signed;
    access_o.id          = {progress_q.word[1:0], load_id};
    access_o.origin      = off_chip_origin;
    for (int l = 0; l < Lanes; l++) begin
      access_o.address[l] = off_chip_address[l] + 32'({progress_q.word[1:0], 7'd0});
      for (int i = 0; i < 4; i++) access_o.data[l][i] = local_access ? '0 : off_chip_row.data[i][l];
      if (local_access) access_o.data[l][0] = off_chip_row.data[progress_q.word[1:0]][l];
      if (off_chip_order.op == g80_pkg::MemOpRead) access_o.data[l] = '0;
    end
    if (!no_stack) begin
      access_o.op          = stack.write ? g80_pkg::MemOpWrite : g80_pkg::MemOpRead;
      access_o.client      = g80_pkg::MemClientStack;
      access_o.half        = 1'b0;
      access_o.lanes       = Lanes'(1);
      access_o.bytes       = 5'd8;
      access_o.atom_op     = '0;
      access_o.atom_signed = 1'b0;
      access_o.id          = {1'b0, stack.number[1:0], stack.warp};
      access_o.origin.uid  = stack.uid;
      access_o.origin.sm   = cfg_sm_id_i;
      access_o.origin.warp = 8'(stack.warp);
      access_o.origin.pc   = stack.pc;
      for (int l = 0; l < Lanes; l++) begin
        access_o.address[l] = '0;
        access_o.data[l]    = '0;
      end
      access_o.address[0] = launch_i.stack_base + 32'({stack_number, 3'd0});
      if (stack.write) access_o.data[0] = {64'd0, 5'd0, stack.entry.type_, stack.entry.pc, stack.entry.mask};
    end
  end

  assign tex_push_o = off_chip_sends && off_chip_order.texture;
  always_comb begin : describe_texture_request
    tex_o.valid     = 1'b1;
    tex_o.op        = off_chip_order.tex_op;
    tex_o.sm_in_tpc = cfg_sm_in_tpc_i;
    tex_o.half      = off_chip_half;
    tex_o.lanes     = off_chip_lanes;
    tex_o.id        = 8'(load_id);
    tex_o.texture   = off_chip_order.tex;
    tex_o.sampler   = off_chip_order.sampler;
    tex_o.offset    = off_chip_order.tex_offset;
    tex_o.origin    = off_chip_origin;
    for (int l = 0; l < Lanes; l++) begin
      for (int i = 0; i < 4; i++)
        tex_o.coord[l][i] = 3'(i) < off_chip_order.tex_sources ? off_chip_row.data[i][l] : '0;
    end
  end

  // Instructions that are finished here, and units whose operands are no longer needed
  always_comb begin : next_done
    done_d = g80_pkg::StoreDoneDefault;
    if (store_performed) begin
      done_d = oldest_store.done;
    end else if (off_chip_completes && !off_chip_order.loads) begin
      done_d.valid = 1'b1;
      done_d.warp  = off_chip_job.dispatch.warp;
      done_d.uid   = off_chip_job.dispatch.uid;
      done_d.insn  = off_chip_job.dispatch.insn;
      done_d.lanes = off_chip_job.dispatch.lanes;
    end
  end

  always_comb begin : next_freed
    freed_d = '0;
    if (store_sent) freed_d[{1'b0, on_chip_job.dispatch.unit}] = 1'b1;
    if (off_chip_completes) freed_d[{1'b0, off_chip_job.dispatch.unit}] = 1'b1;
  end
  assign credit_d = credit_q + 8'(store_sent) + 8'(off_chip_completes);
  assign busy_d   = !off_chip_empties || stack_next != '0 || access_push_o || !access_all_free_i || tex_push_o ||
                    !tex_all_free_i;

  assign smem_o        = smem_q;
  assign const_o       = const_q;
  assign open_o        = open_q;
  assign lanes_o       = lanes_q;
  assign increment_o   = increment_q;
  assign done_o        = done_q;
  assign fault_o       = fault_q;
  assign freed_o       = freed_q;
  assign answered_o    = answered_q;
  assign credit_o      = {8'd0, credit_q, 8'd0};
  assign stack_ready_o = stack_ready_q;
  assign fill_ready_o  = fill_ready_q;
  assign busy_o        = busy_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      smem_q              <= g80_pkg::SmemRequestDefault;
      const_q             <= g80_pkg::ConstRequestDefault;
      open_q              <= g80_pkg::LoadOpenDefault;
      lanes_q             <= g80_pkg::LoadLanesDefault;
      increment_q         <= g80_pkg::AddrIncrementDefault;
      done_q              <= g80_pkg::StoreDoneDefault;
      fault_q             <= g80_pkg::KernelFaultDefault;
      freed_q             <= '0;
      answered_q          <= '0;
      credit_q            <= '0;
      stack_ready_q       <= 1'b1;
      fill_ready_q        <= 1'b1;
      busy_q              <= 1'b0;
      receives_on_chip_q  <= 1'b0;
      receives_off_chip_q <= 1'b0;
      on_chip_upper_q     <= 1'b0;
      progress_q          <= '0;
      stores_sent_q       <= '0;
      stores_performed_q  <= '0;
      loads_q             <= '0;
    end else begin
      smem_q              <= smem_d;
      const_q             <= const_d;
      open_q              <= open_d;
      lanes_q             <= lanes_d;
      increment_q         <= increment_d;
      done_q              <= done_d;
      fault_q             <= fault_d;
      freed_q             <= freed_d;
      answered_q          <= answered_d;
      credit_q            <= credit_d;
      stack_ready_q       <= stack_ready_d;
      fill_ready_q        <= fill_ready_d;
      busy_q              <= busy_d;
      receives_on_chip_q  <= receives_on_chip_d;
      receives_off_chip_q <= receives_off_chip_d;
      on_chip_upper_q     <= on_chip_upper_d;
      progress_q          <= progress_d;
      stores_sent_q       <= stores_sent_d;
      stores_performed_q  <= stores_performed_d;
      loads_q             <= loads_d;
    end
  end

  always_ff @(posedge clk_i) begin : register_of_a_second_half
    second_q <= second_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      NoFaultComes: assert (!takes || decoded.error == g80_pkg::DecodeErrorNone);
      OperandsOfOneHalfWarpCome: assert (!(receives && takes && dispatch_i.operands && (has_low || has_high)));
      WarpsOfAPortDoNotStart: assert (!(receives && start_i.valid && start_i.warp == second_q.warp));
      HeadComesInRows: assert (!fill_goes || fill.count <= 5'(Lanes));
      TextureHasOperands: assert (!(takes && texture) || dispatch_i.operands);
      LoadFindsAnEntry: assert (!opens || load_is_free);
      LocalBytesAreAPowerOfTwo: assert (!(takes && local_space) ||
                                        (launch_i.local_bytes & (launch_i.local_bytes - 32'd1)) == '0);
      BanksPerformWhatWasSent: assert (!smem_stored_i || stores_sent_q != stores_performed_q);
    end
  end
endmodule
