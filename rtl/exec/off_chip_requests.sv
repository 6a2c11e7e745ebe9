// SPDX-License-Identifier: Apache-2.0
// Part of address_unit: accesses to l[], g[] and textures in their order, half a warp a scheduler cycle, a wide one to
// l[] word by word, and in turn with them the entries of the control stacks. A load has an entry of the load_table
// before its first request leaves.
module off_chip_requests #(
  localparam int unsigned Lanes   = g80_pkg::HalfWarp,
  localparam int unsigned LaneW   = $clog2(Lanes),
  localparam int unsigned Loads   = g80_pkg::MaxLoads,
  localparam int unsigned LoadW   = $clog2(Loads),
  localparam int unsigned Depth   = g80_pkg::MaxCollectorUnits,
  localparam int unsigned CyclesW = $clog2(g80_pkg::MaxSmAddressCycles / 2 + 1)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // Straps
  input  logic [7:0]                    cfg_sm_id_i,
  input  logic [1:0]                    cfg_sm_in_tpc_i,
  input  logic [10:0]                   cfg_first_warp_i,
  input  logic [CyclesW-1:0]            cfg_address_cycles_i,

  input  g80_pkg::launch_state_t        launch_i,

  // From address_former
  input  logic                          push_i,
  input  g80_pkg::address_job_t         job_i,
  input  g80_pkg::decoded_instruction_t decoded_i,
  input  logic [1:0]                    row_i,
  input  logic                          second_i,
  input  logic                          row_faults_i,
  input  logic [Lanes-1:0][31:0]        row_address_i,
  input  logic [3:0][Lanes-1:0][31:0]   row_data_i,           // to be stored, or coordinates

  input  g80_pkg::stack_access_t        stack_i,
  output logic                          stack_ready_o,

  output g80_pkg::load_open_t           open_o,
  output g80_pkg::load_lanes_t          lanes_o,
  input  g80_pkg::load_freed_t          load_freed_i,

  input  logic                          access_room_i,
  input  logic                          access_all_free_i,
  output logic                          access_push_o,
  output g80_pkg::half_warp_access_t    access_o,
  input  logic                          tex_room_i,
  input  logic                          tex_all_free_i,
  output logic                          tex_push_o,
  output g80_pkg::tex_request_t         tex_o,
  output logic                          busy_o,

  // In this cycle: the oldest access leaves its collector unit. It is finished then, unless it loads; done_o takes its
  // turn after a store that the banks have performed.
  input  logic                          done_taken_i,
  output logic                          sent_o,
  output logic [3:0]                    sent_unit_o,
  output g80_pkg::store_done_t          done_o
);
  // What a request says besides its job and its lanes
  typedef struct packed {
    logic             loads;        // has an entry of the load_table
    logic             texture;
    g80_pkg::mem_op_e op;
    logic [3:0]       atom_op;
    logic             atom_signed;
    g80_pkg::tex_op_e tex_op;
    logic [6:0]       tex;
    logic [4:0]       sampler;
    logic [2:0]       tex_sources;
    logic [2:0][3:0]  tex_offset;
  } order_t;
  typedef struct packed {
    logic [Lanes-1:0][31:0]      address;
    logic [3:0][Lanes-1:0][31:0] data;
  } row_t;
  localparam int unsigned JobW = g80_pkg::AddressJobWidth;

  // Registers
  g80_pkg::load_open_t       open_d, open_q;
  g80_pkg::load_lanes_t      lanes_d, lanes_q;
  logic                      stack_ready_d, stack_ready_q, busy_d, busy_q;
  logic                      stack_went_d, stack_went_q;  // no half-warp has left since a control stack's entry
  g80_pkg::access_progress_t progress_d, progress_q;  // of the oldest access
  logic [Loads-1:0]          loads_d, loads_q;        // entries of the load_table in use

  // The accesses
  logic                  pops, valid, faulted, empties;
  g80_pkg::address_job_t job;
  order_t                order_of_push, order;
  row_t                  low_row, high_row, row;

  always_comb begin : describe_request
    order_of_push             = '0;
    order_of_push.loads       = decoded_i.uses_load_table;
    order_of_push.texture     = decoded_i.unit == g80_pkg::UnitTexture;
    order_of_push.atom_op     = decoded_i.insn.atom_op;
    order_of_push.atom_signed = decoded_i.insn.mem_type == g80_pkg::MemTypeS32;
    order_of_push.tex         = decoded_i.insn.tex[6:0];
    order_of_push.sampler     = decoded_i.insn.sampler;
    order_of_push.tex_sources = decoded_i.insn.tex_sources;
    order_of_push.tex_offset  = decoded_i.insn.tex_offset;
    case (decoded_i.insn.op)
      g80_pkg::OpLdGlobal, g80_pkg::OpLdLocal: order_of_push.op = g80_pkg::MemOpRead;
      g80_pkg::OpStGlobal, g80_pkg::OpStLocal: order_of_push.op = g80_pkg::MemOpWrite;
      g80_pkg::OpRed:                          order_of_push.op = g80_pkg::MemOpReduce;
      default:                                 order_of_push.op = g80_pkg::MemOpAtomic;
    endcase
    case (decoded_i.insn.op)
      g80_pkg::OpTexFetch: order_of_push.tex_op = g80_pkg::TexOpFetch;
      g80_pkg::OpTexSize:  order_of_push.tex_op = g80_pkg::TexOpSize;
      default:             order_of_push.tex_op = g80_pkg::TexOpSample;
    endcase
  end

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
    .row_i       ({row_address_i, row_data_i}),
    .head_valid_o(valid),
    .job_o       ({job, order}),
    .faulted_o   (faulted),
    .row_o       ({high_row, low_row}),
    .empty_next_o(empties)
  );

  // An entry of a control stack goes before all accesses to device memory, but not twice in a row.
  logic                   no_stack, stack_empty_next, stack_full_next, stack_comes, stack_turn, stack_goes;
  g80_pkg::stack_access_t stack;

  assign stack_comes = stack_ready_q && stack_i.valid;
  assign stack_turn  = !no_stack && (!valid || !stack_went_q);
  assign stack_goes  = stack_turn && access_room_i;

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
    .empty_next_o  (stack_empty_next),
    .full_next_o   (stack_full_next)
  );
  assign stack_ready_d = !stack_full_next;

  // The next half-warp of the oldest access, or of the next word of a wide one
  logic             works, has_low, has_high, has_lanes, half, room, tries, address_waits, sends;
  logic             last_half, last_word, all_sent, completes, opens, enters, load_is_free;
  logic [5:0]       wait_now;
  logic [LoadW-1:0] free_load, load_id;
  logic [Loads-1:0] loads_left;

  assign works      = valid && !faulted && !stack_turn;
  assign has_low    = job.dispatch.lanes[Lanes-1:0] != '0;
  assign has_high   = job.dispatch.lanes[2*Lanes-1:Lanes] != '0;
  assign has_lanes  = (has_low || has_high) && progress_q.word < job.words;
  assign half       = !has_low || progress_q.upper;
  assign row        = half ? high_row : low_row;
  assign room       = order.texture ? tex_room_i : access_room_i;
  assign tries      = works && has_lanes && room;
  assign sends      = tries && (order.texture || !address_waits);
  assign last_half  = half || !has_high;
  assign last_word  = progress_q.word + 3'd1 >= job.words;
  assign all_sent   = works && (!has_lanes || (sends && last_half && last_word));
  assign completes  = all_sent && (order.loads || !done_taken_i);
  assign pops       = completes || (valid && faulted && !stack_turn);

  assign stack_went_d = stack_goes || (stack_went_q && !sends);

  // Loads have an entry of the load_table before their first request leaves.
  assign loads_left = load_freed_i.valid ? loads_q & ~(Loads'(1) << load_freed_i.id) : loads_q;
  assign opens      = works && order.loads && progress_q.entered == '0;
  assign enters     = works && order.loads && has_lanes && !progress_q.entered[half];
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
    if (enters) progress_d.entered[half] = 1'b1;
    if (sends) progress_d.upper = !last_half;
    if (sends && last_half) progress_d.word = progress_q.word + 3'd1;
    if (tries && !order.texture) begin
      progress_d.waits = address_waits;
      progress_d.wait_ = address_waits ? wait_now - 6'd1 : '0;
    end
    if (pops) progress_d = '0;
  end

  // What its load or its end says of the instruction
  g80_pkg::issued_instruction_t issued;

  assign issued = g80_pkg::IssuedInstructionWidth'(job.dispatch.insn >>
                                                   (g80_pkg::MicroOpWidth - g80_pkg::IssuedOpWidth));

  always_comb begin : next_open
    open_d = g80_pkg::LoadOpenDefault;
    if (opens) begin
      open_d.valid = 1'b1;
      open_d.id    = free_load;
      open_d.warp  = job.dispatch.warp;
      open_d.lanes = job.dispatch.lanes;
      open_d.uid   = job.dispatch.uid;
      open_d.insn  = issued;
    end
  end

  // Lanes of an access without operands to l[] are a word apart.
  logic [Lanes-1:0][31:0] address;
  logic [Lanes-1:0]       lanes;
  logic                   local_access;

  assign local_access = job.kind == g80_pkg::OperandLocal;
  assign lanes        = half ? job.dispatch.lanes[2*Lanes-1:Lanes] : job.dispatch.lanes[Lanes-1:0];

  for (genvar l = 0; l < Lanes; l++) begin : gen_address
    assign address[l] = job.dispatch.operands ? row.address[l]
                        : job.address + (local_access ? 32'({half, LaneW'(l), 2'd0}) : '0);
  end

  // The path to the coalescer has room for one address, which is enough for a half-warp in order. Otherwise those of
  // the other lanes follow.
  logic [5:0] wait_of_lanes;

  address_wait u_wait (
    .cfg_cycles_i(cfg_address_cycles_i),
    .address_i   (address),
    .lanes_i     (lanes),
    .bytes_i     (job.bytes),
    .wait_o      (wait_of_lanes)
  );
  assign wait_now      = progress_q.waits ? progress_q.wait_ : wait_of_lanes;
  assign address_waits = wait_now != '0;

  always_comb begin : next_lanes
    lanes_d       = lanes_q;
    lanes_d.valid = enters;
    if (enters) begin
      lanes_d.id   = load_id;
      lanes_d.half = half;
      for (int l = 0; l < Lanes; l++) lanes_d.offset[l] = order.texture ? '0 : address[l][6:0];
    end
  end

  // The requests
  g80_pkg::origin_t origin;
  logic [23:0]      stack_number;  // of the entry among those of all warps of the chip
  logic [10:0]      stack_warp;

  assign stack_warp   = cfg_first_warp_i + 11'(stack.warp);
  assign stack_number = 24'(stack_warp) * 24'(launch_i.stack_depth) + 24'(stack.number);

  always_comb begin : name_access
    origin.uid  = job.dispatch.uid;
    origin.sm   = cfg_sm_id_i;
    origin.warp = 8'(job.dispatch.warp);
    origin.pc   = job.dispatch.insn.pc;
  end

  assign access_push_o = stack_goes || (sends && !order.texture);
  always_comb begin : describe_access
    access_o.valid       = 1'b1;
    access_o.op          = order.op;
    access_o.client      = local_access ? g80_pkg::MemClientLocal : g80_pkg::MemClientGlobal;
    access_o.half        = half;
    access_o.lanes       = lanes;
    access_o.bytes       = job.bytes;
    access_o.atom_op     = order.atom_op;
    access_o.atom_signed = order.atom_signed;
    access_o.id          = {progress_q.word[1:0], load_id};
    access_o.origin      = origin;
    for (int l = 0; l < Lanes; l++) begin
      access_o.address[l] = address[l] + 32'({progress_q.word[1:0], 7'd0});
      for (int i = 0; i < 4; i++) access_o.data[l][i] = local_access ? '0 : row.data[i][l];
      if (local_access) access_o.data[l][0] = row.data[progress_q.word[1:0]][l];
      if (order.op == g80_pkg::MemOpRead) access_o.data[l] = '0;
    end
    if (stack_turn) begin
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

  assign tex_push_o = sends && order.texture;
  always_comb begin : describe_texture_request
    tex_o.valid     = 1'b1;
    tex_o.op        = order.tex_op;
    tex_o.sm_in_tpc = cfg_sm_in_tpc_i;
    tex_o.half      = half;
    tex_o.lanes     = lanes;
    tex_o.id        = 8'(load_id);
    tex_o.texture   = order.tex;
    tex_o.sampler   = order.sampler;
    tex_o.offset    = order.tex_offset;
    tex_o.origin    = origin;
    for (int l = 0; l < Lanes; l++) begin
      for (int i = 0; i < 4; i++)
        tex_o.coord[l][i] = 3'(i) < order.tex_sources ? row.data[i][l] : '0;
    end
  end

  assign sent_o      = completes;
  assign sent_unit_o = job.dispatch.unit;

  always_comb begin : describe_done
    done_o       = g80_pkg::StoreDoneDefault;
    done_o.valid = completes && !order.loads;
    if (done_o.valid) begin
      done_o.warp  = job.dispatch.warp;
      done_o.uid   = job.dispatch.uid;
      done_o.insn  = issued;
      done_o.lanes = job.dispatch.lanes;
    end
  end

  assign busy_d = !empties || !stack_empty_next || access_push_o || !access_all_free_i || tex_push_o || !tex_all_free_i;

  assign open_o        = open_q;
  assign lanes_o       = lanes_q;
  assign stack_ready_o = stack_ready_q;
  assign busy_o        = busy_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      open_q        <= g80_pkg::LoadOpenDefault;
      lanes_q       <= g80_pkg::LoadLanesDefault;
      stack_ready_q <= 1'b1;
      busy_q        <= 1'b0;
      stack_went_q  <= 1'b0;
      progress_q    <= '0;
      loads_q       <= '0;
    end else begin
      open_q        <= open_d;
      lanes_q       <= lanes_d;
      stack_ready_q <= stack_ready_d;
      busy_q        <= busy_d;
      stack_went_q  <= stack_went_d;
      progress_q    <= progress_d;
      loads_q       <= loads_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) LoadFindsAnEntry: assert (!opens || load_is_free);
  end
endmodule
