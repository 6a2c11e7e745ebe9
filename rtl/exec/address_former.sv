// SPDX-License-Identifier: Apache-2.0
// Part of address_unit: forms the addresses of an instruction's lanes, compares them with the end of their space, and
// hands the access to on_chip_requests or off_chip_requests.
//
// Sixteen lanes form the addresses of the half-warp on the operand port; one more forms the address of an access
// without operands, the same in all lanes. The second half-warp comes a cycle after the first, and finds what its
// instruction says in a register.
module address_former #(
  localparam int unsigned Warps = g80_pkg::MaxWarps,
  localparam int unsigned WarpW = $clog2(Warps),
  localparam int unsigned Lanes = g80_pkg::HalfWarp,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // Straps
  input  logic [7:0]                    cfg_sm_id_i,
  input  logic [10:0]                   cfg_first_warp_i,

  input  g80_pkg::launch_state_t        launch_i,
  input  g80_pkg::warp_start_t          start_i,
  input  g80_pkg::address_dispatch_t    dispatch_i,
  input  g80_pkg::address_lanes_t       operands_i,

  // The access; it cannot be refused
  output logic                          push_on_chip_o,
  output logic                          push_off_chip_o,
  output g80_pkg::address_job_t         job_o,
  output g80_pkg::decoded_instruction_t decoded_o,

  // Addresses of a half-warp of it, in the same cycle as the access or in the next one
  output logic [1:0]                    row_on_chip_o,     // for each half
  output logic [1:0]                    row_off_chip_o,
  output logic                          second_on_chip_o,  // of the newest access
  output logic                          second_off_chip_o,
  output logic                          row_faults_o,
  output logic [Lanes-1:0]              row_lanes_o,       // that access: c[] outside its bank reads 0
  output logic [Lanes-1:0][31:0]        row_address_o,

  output g80_pkg::addr_increment_t      increment_o,
  output g80_pkg::kernel_fault_t        fault_o
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

  // Registers
  g80_pkg::addr_increment_t increment_d, increment_q;
  g80_pkg::kernel_fault_t   fault_d, fault_q;
  logic                     second_on_chip_d, second_on_chip_q;  // the second half of the newest comes
  logic                     second_off_chip_d, second_off_chip_q;
  forming_t                 second_d, second_q;                  // ... whose instruction says

  // A dispatch: its memory operand
  g80_pkg::decoded_instruction_t decoded;
  g80_pkg::operand_t             source0, source1, source2, operand;
  g80_pkg::operand_kind_e        wanted;
  logic                          takes, texture, on_chip, local_space;
  g80_pkg::mem_type_e            access_type;
  logic [4:0]                    bytes;

  micro_op_fields u_fields (
    .insn_i   (dispatch_i.insn),
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
    for (int b = 0; b < $bits(launch_i.local_bytes); b++) begin
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

  assign receives   = second_on_chip_q || second_off_chip_q;
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
  logic pushes, waits_for_second, takes_row;

  always_comb begin : describe_job
    job_o             = g80_pkg::AddressJobDefault;
    job_o.dispatch    = dispatch_i;
    job_o.kind        = forming.kind;
    job_o.sign_extend = !texture && (operand.type_ == g80_pkg::MemTypeS16 || operand.type_ == g80_pkg::MemTypeS8);
    if (!texture) job_o.bytes = bytes;
    if (local_space && bytes > 5'd4) begin
      job_o.bytes = 5'd4;
      job_o.words = bytes[4:2];
    end
    if (!texture && !dispatch_i.operands) begin
      job_o.no_data = no_data;
      job_o.address = direct_placed;
    end
  end

  assign decoded_o = decoded;

  // An access with a fault in its first half-warp does not come in: it never completes.
  assign pushes            = takes && !direct_faults && !(!receives && port_faults);
  assign waits_for_second  = pushes && dispatch_i.operands && has_low && has_high;
  assign second_on_chip_d  = waits_for_second && on_chip;
  assign second_off_chip_d = waits_for_second && !on_chip;
  assign second_d          = waits_for_second ? forming : second_q;

  assign push_on_chip_o  = pushes && on_chip;
  assign push_off_chip_o = pushes && !on_chip;

  assign takes_row         = takes_port && !receives;
  assign row_on_chip_o     = {second_on_chip_q || (takes_row && on_chip && half), takes_row && on_chip && !half};
  assign row_off_chip_o    = {second_off_chip_q || (takes_row && !on_chip && half), takes_row && !on_chip && !half};
  assign second_on_chip_o  = second_on_chip_q;
  assign second_off_chip_o = second_off_chip_q;
  assign row_faults_o      = port_faults;
  assign row_lanes_o       = row_lanes;
  assign row_address_o     = placed;

  assign increment_o = increment_q;
  assign fault_o     = fault_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      increment_q       <= g80_pkg::AddrIncrementDefault;
      fault_q           <= g80_pkg::KernelFaultDefault;
      second_on_chip_q  <= 1'b0;
      second_off_chip_q <= 1'b0;
    end else begin
      increment_q       <= increment_d;
      fault_q           <= fault_d;
      second_on_chip_q  <= second_on_chip_d;
      second_off_chip_q <= second_off_chip_d;
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
      TextureHasOperands: assert (!(takes && texture) || dispatch_i.operands);
      LocalBytesAreAPowerOfTwo: assert (!(takes && local_space) ||
                                        (launch_i.local_bytes & (launch_i.local_bytes - 17'd1)) == '0);
    end
  end
endmodule
