// SPDX-License-Identifier: Apache-2.0
// The outstanding loads of an SM. Twin of hw/sm/load_table.h, equal to it at every clock edge.
//
// What an instruction says of its load is decoded when the load is opened and kept beside its words. Data wait in a
// memory for each lane of a half-warp and each of its four words; a reply of the memory and one of the texture unit
// write at the same edge, always to different loads. How many lanes still wait is a counter for each load: each lane
// gets each word once.
module load_table #(
  localparam int unsigned Loads     = g80_pkg::MaxLoads,
  localparam int unsigned IdW       = $clog2(Loads),
  localparam int unsigned Lanes     = g80_pkg::HalfWarp,
  localparam int unsigned LaneW     = $clog2(Lanes),
  localparam int unsigned Words     = 4,                 // registers that a load writes at most
  localparam int unsigned LeftW     = $clog2(Words * 2 * Lanes + 1),
  localparam int unsigned MaxStages = 1 + (g80_pkg::MaxSmReturnLatency - 12) / 2,
  localparam int unsigned StagesW   = $clog2(MaxStages + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // Strap
  input  logic [StagesW-1:0]     cfg_stages_i,    // registers between a complete load and writeback

  // From address_unit: a load, and its half-warps
  input  g80_pkg::load_open_t    open_i,
  input  g80_pkg::load_lanes_t   lanes_i,
  output g80_pkg::load_freed_t   freed_o,

  // From the crossbar and the texture unit
  input  logic                   reply_valid_i,
  input  g80_pkg::mem_reply_t    reply_i,
  output logic                   reply_pop_o,
  input  logic                   tex_valid_i,
  input  g80_pkg::tex_reply_t    tex_i,
  output logic                   tex_pop_o,

  // To and from writeback
  output g80_pkg::load_result_t  result_o,
  input  logic [7:0]             rows_written_i,  // registers that it has written, modulo 256

  // To reconvergence_stack, warp_scheduler and fault_reporter
  output g80_pkg::stack_fill_t   stack_o,
  output g80_pkg::credits_t      credit_o,
  output g80_pkg::kernel_fault_t fault_o
);
  // What faults and results name an instruction by
  typedef struct packed {
    logic [4:0]                   warp;
    logic [31:0]                  uid;
    g80_pkg::issued_instruction_t insn;
  } named_t;
  // Loads that the replies of a cycle completed
  typedef struct packed {
    logic           valid;
    logic           memory;
    logic           texture;
    logic [IdW-1:0] memory_id;
    logic [IdW-1:0] texture_id;
  } completed_t;

  // Registers
  logic                        leaving_d, leaving_q;    // a load has registers that writeback has not got
  logic [IdW-1:0]              result_d, result_q;      // which load
  logic [2:0]                  part_d, part_q;          // of its half registers the next one
  logic                        shows_d, shows_q;        // the one before it goes to writeback
  logic [7:0]                  rows_d, rows_q;          // registers sent, modulo 256
  g80_pkg::load_freed_t        freed_d, freed_q;
  g80_pkg::stack_fill_t        stack_d, stack_q;
  g80_pkg::kernel_fault_t      fault_d, fault_q;
  logic [7:0]                  credit_d, credit_q;
  logic [Loads-1:0]            occupied_d, occupied_q;
  logic [Loads-1:0][LeftW-1:0] left_d, left_q;          // words for which a lane waits

  // A load is opened: what later steps ask of its instruction
  g80_pkg::decoded_instruction_t decoded;
  named_t                        opened;
  logic [3:0]                    written_registers;  // by their numbers modulo 4
  logic [2:0]                    registers, separate_words;
  logic [5:0]                    num_lanes;
  logic [LeftW-1:0]              awaited;

  issued_fields u_fields (
    .insn_i   (open_i.insn),
    .decoded_o(decoded)
  );
  popcount #(.Width(4)) u_registers (
    .mask_i (written_registers),
    .count_o(registers)
  );
  popcount #(.Width(2 * Lanes)) u_num_lanes (
    .mask_i (open_i.lanes),
    .count_o(num_lanes)
  );
  assign opened = {open_i.warp, open_i.uid, open_i.insn};

  // They are four at most, one behind the other, so no two of them are equal modulo 4.
  always_comb begin : fold_registers
    written_registers = '0;
    for (int r = 0; r < 128; r += 4) written_registers = written_registers | decoded.writes.registers[r+:4];
  end

  // Words of l[] come one by one, all others together.
  always_comb begin : count_separate_words
    separate_words = 3'd1;
    if (decoded.insn.op == g80_pkg::OpLdLocal) begin
      case (decoded.insn.mem_type)
        g80_pkg::MemTypeB64, g80_pkg::MemTypeU64: separate_words = 3'd2;
        g80_pkg::MemTypeB128:                     separate_words = 3'd4;
        default: ;
      endcase
    end
  end
  assign awaited = LeftW'(num_lanes) * LeftW'(separate_words);

  // Replies
  logic [IdW-1:0]   memory_id, texture_id;
  logic [1:0]       memory_word;
  logic             memory_fails, texture_fails, gets_stack, gets_memory, gets_texture;
  logic [4:0]       num_memory, num_texture;
  logic             memory_done, texture_done;
  completed_t       completed, arrived;
  logic             way_back_empty;

  assign reply_pop_o   = reply_valid_i;
  assign tex_pop_o     = tex_valid_i;
  assign memory_id     = reply_i.id[IdW-1:0];
  assign memory_word   = reply_i.id[IdW+:2];
  assign texture_id    = tex_i.id[IdW-1:0];
  assign memory_fails  = reply_valid_i && reply_i.fault != g80_pkg::MemFaultNone;
  assign texture_fails = tex_valid_i && tex_i.fault != g80_pkg::MemFaultNone;
  assign gets_stack    = reply_valid_i && !memory_fails && reply_i.client == g80_pkg::MemClientStack;
  assign gets_memory   = reply_valid_i && !memory_fails && reply_i.client != g80_pkg::MemClientStack;
  assign gets_texture  = tex_valid_i && !texture_fails;

  popcount #(.Width(Lanes)) u_num_memory (
    .mask_i (reply_i.lanes),
    .count_o(num_memory)
  );
  popcount #(.Width(Lanes)) u_num_texture (
    .mask_i (tex_i.lanes),
    .count_o(num_texture)
  );

  // A load is complete when no lane waits.
  assign memory_done  = gets_memory && left_q[memory_id] == LeftW'(num_memory);
  assign texture_done = gets_texture && left_q[texture_id] == LeftW'(num_texture);

  for (genvar e = 0; e < Loads; e++) begin : gen_left
    always_comb begin : count_down
      left_d[e] = left_q[e];
      if (gets_memory && memory_id == IdW'(e)) left_d[e] = left_q[e] - LeftW'(num_memory);
      if (gets_texture && texture_id == IdW'(e)) left_d[e] = left_q[e] - LeftW'(num_texture);
      if (open_i.valid && open_i.id == IdW'(e)) left_d[e] = awaited;
    end
  end

  always_comb begin : complete
    completed.valid      = memory_done || texture_done;
    completed.memory     = memory_done;
    completed.texture    = texture_done;
    completed.memory_id  = memory_done ? memory_id : '0;
    completed.texture_id = texture_done ? texture_id : '0;
  end

  delay_memory #(
    .Depth(MaxStages),
    .Width($bits(completed))
  ) u_way_back (
    .clk_i,
    .rst_ni,
    .cfg_stages_i,
    .data_i (completed),
    .data_o (arrived),
    .empty_o(way_back_empty)
  );

  // Complete loads wait for writeback.
  logic           begins, complete_valid;
  logic [IdW-1:0] oldest;
  logic [IdW:0]   complete_next;

  merging_queue #(
    .Depth (Loads),
    .Width (IdW),
    .Inputs(3)
  ) u_complete (
    .clk_i,
    .rst_ni,
    .push_i      ({arrived.valid && arrived.texture, arrived.valid && arrived.memory,
                   open_i.valid && open_i.lanes == '0}),
    .data_i      ({arrived.texture_id, arrived.memory_id, open_i.id}),
    .pop_i       (begins),
    .head_valid_o(complete_valid),
    .head_o      (oldest),
    .count_next_o(complete_next)
  );

  // Half a register a cycle, if writeback has room for the whole one; the last one frees the entry.
  named_t             shown;
  logic [2*Lanes-1:0] shown_lanes;
  logic [2:0]         shown_registers, part;
  logic               is_leaving, sends, ends;

  sram_1r1w #(
    .Words(Loads),
    .Width($bits(opened) + 2 * Lanes + 3)
  ) u_shown (
    .clk_i,
    .write_i        (open_i.valid),
    .write_address_i(open_i.id),
    .write_data_i   ({opened, open_i.lanes, registers}),
    .read_address_i (result_q),
    .read_data_o    ({shown, shown_lanes, shown_registers})
  );

  assign begins     = !leaving_q && complete_valid;
  assign is_leaving = leaving_q || begins;
  assign result_d   = begins ? oldest : result_q;
  assign part       = begins ? 3'd0 : part_q;
  assign sends      = is_leaving && (part[0] || rows_q - rows_written_i < 8'(g80_pkg::LoadRows));
  assign ends       = sends && part[0] && {1'b0, part} + 4'd1 >= {shown_registers, 1'b0};

  assign leaving_d = is_leaving && !ends;
  assign part_d    = part + 3'(sends);
  assign shows_d   = sends;
  assign rows_d    = rows_q + 8'(sends && !part[0]);
  assign credit_d  = credit_q + 8'(ends);
  assign freed_d   = ends ? '{valid: 1'b1, id: 6'(result_d)} : g80_pkg::LoadFreedDefault;

  always_comb begin : next_occupied
    occupied_d = occupied_q;
    if (open_i.valid) occupied_d[open_i.id] = 1'b1;
    if (ends) occupied_d[result_d] = 1'b0;
  end

  // Data
  logic [3:0]                        mem_type_bits;
  g80_pkg::mem_type_e                mem_type;
  logic [3:0]                        tex_mask;
  logic [Lanes-1:0][6:0]             offset;
  logic [2:0]                        num_words;         // of the reply, for each lane
  logic [Words-1:0]                  memory_writes, texture_writes;
  logic [Words-1:0][1:0]             component;         // for each register of a texture instruction
  logic [2:0]                        shown_part;
  logic [Lanes-1:0][Words-1:0][31:0] data;

  sram_1r1w #(
    .Words(Loads),
    .Width(4)
  ) u_mem_type (
    .clk_i,
    .write_i        (open_i.valid),
    .write_address_i(open_i.id),
    .write_data_i   (decoded.insn.mem_type),
    .read_address_i (memory_id),
    .read_data_o    (mem_type_bits)
  );
  assign mem_type = g80_pkg::mem_type_e'(mem_type_bits);
  sram_1r1w #(
    .Words(Loads),
    .Width(4)
  ) u_tex_mask (
    .clk_i,
    .write_i        (open_i.valid),
    .write_address_i(open_i.id),
    .write_data_i   (decoded.insn.tex_mask),
    .read_address_i (texture_id),
    .read_data_o    (tex_mask)
  );
  sram_1r1w #(
    .Words(2 * Loads),
    .Width(7 * Lanes)
  ) u_offset (
    .clk_i,
    .write_i        (lanes_i.valid),
    .write_address_i({lanes_i.id, lanes_i.half}),
    .write_data_i   (lanes_i.offset),
    .read_address_i ({memory_id, reply_i.half}),
    .read_data_o    (offset)
  );

  always_comb begin : choose_words
    num_words = 3'd1;
    if (reply_i.client != g80_pkg::MemClientLocal) begin
      case (mem_type)
        g80_pkg::MemTypeB64, g80_pkg::MemTypeU64: num_words = 3'd2;
        g80_pkg::MemTypeB128:                     num_words = 3'd4;
        default: ;
      endcase
    end
    for (int w = 0; w < Words; w++)
      memory_writes[w] = gets_memory && 3'(w) >= {1'b0, memory_word} && 3'(w) - {1'b0, memory_word} < num_words;
  end

  // The components of the mask go to one register after the other.
  always_comb begin : choose_components
    texture_writes = '0;
    component      = '0;
    for (int c = 3; c >= 0; c--) begin
      if (tex_mask[c]) begin
        texture_writes = {texture_writes[Words-2:0], gets_texture};
        component      = {component[Words-2:0], 2'(c)};
      end
    end
  end

  assign shown_part = part_q - 3'd1;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    load_lane #(.Rows(2 * Loads)) u_lane (
      .clk_i,
      .memory_writes_i (reply_i.lanes[l] ? memory_writes : '0),
      .memory_row_i    ({memory_id, reply_i.half}),
      .data_i          (reply_i.data),
      .bytes_i         (reply_i.bytes),
      .offset_i        (offset[l]),
      .atomic_i        (reply_i.op == g80_pkg::MemOpAtomic),
      .alone_i         (num_words == 3'd1),
      .type_i          (mem_type),
      .texture_writes_i(tex_i.lanes[l] ? texture_writes : '0),
      .texture_row_i   ({texture_id, tex_i.half}),
      .texel_i         (tex_i.texel[l]),
      .component_i     (component),
      .read_row_i      ({result_q, shown_part[0]}),
      .read_data_o     (data[l])
    );
  end

  // What writeback gets
  logic [Lanes-1:0] has_data;

  always_comb begin : show_result
    result_o = g80_pkg::LoadResultDefault;
    has_data = '0;
    if (shows_q) begin
      result_o.valid = 1'b1;
      result_o.id    = result_q;
      result_o.warp  = shown.warp;
      result_o.uid   = shown.uid;
      result_o.insn  = shown.insn;
      result_o.word  = shown_part[2:1];
      result_o.half  = shown_part[0];
      result_o.lanes = shown_part[0] ? shown_lanes[2*Lanes-1:Lanes] : shown_lanes[Lanes-1:0];
      result_o.last  = !leaving_q;
      has_data       = shown_registers == '0 ? '0 : result_o.lanes;
      for (int l = 0; l < Lanes; l++) begin
        if (has_data[l]) result_o.data[l] = data[l][shown_part[2:1]];
      end
    end
  end

  // An entry of a control stack comes back.
  logic [4:0]  stack_at, stack_above;
  logic [26:0] stack_word;

  assign stack_at    = {2'd0, reply_i.id[6:5], 1'b0};
  assign stack_above = {2'd0, reply_i.id[6:5], 1'b1};
  assign stack_word  = reply_i.data[stack_above][26:0];

  always_comb begin : next_stack
    stack_d = g80_pkg::StackFillDefault;
    if (gets_stack) begin
      stack_d.valid       = 1'b1;
      stack_d.warp        = reply_i.id[4:0];
      stack_d.entry.mask  = reply_i.data[stack_at];
      stack_d.entry.pc    = stack_word[23:0];
      stack_d.entry.type_ = g80_pkg::stack_entry_type_e'(stack_word[26:24]);
    end
  end

  // The first fault stays. A store and a control stack have no entry; the reply names them.
  logic             without_entry, fault_half;
  logic [Lanes-1:0] fault_lanes;
  logic [LaneW-1:0] fault_lane;
  logic             fault_has_lane;
  logic [6:0]       fault_offset;
  logic [IdW-1:0]   fault_id;
  named_t           faulty;

  assign without_entry = reply_i.op == g80_pkg::MemOpWrite || reply_i.op == g80_pkg::MemOpReduce ||
                         reply_i.client == g80_pkg::MemClientStack;
  assign fault_id      = memory_fails ? memory_id : texture_id;
  assign fault_lanes   = memory_fails ? reply_i.lanes : tex_i.lanes;
  assign fault_half    = memory_fails ? reply_i.half : tex_i.half;
  assign fault_offset  = offset[fault_lane] & 7'(reply_i.bytes - 8'd1);

  lowest_set #(.Width(Lanes)) u_fault_lane (
    .mask_i (fault_lanes),
    .found_o(fault_has_lane),
    .index_o(fault_lane)
  );
  sram_1r1w #(
    .Words(Loads),
    .Width($bits(opened))
  ) u_faulty (
    .clk_i,
    .write_i        (open_i.valid),
    .write_address_i(open_i.id),
    .write_data_i   (opened),
    .read_address_i (fault_id),
    .read_data_o    (faulty)
  );

  always_comb begin : next_fault
    fault_d = fault_q;
    if (!fault_q.valid && (memory_fails || texture_fails)) begin
      fault_d.valid       = 1'b1;
      fault_d.kind        = g80_pkg::FaultPageNotPresent;
      fault_d.lane        = fault_has_lane ? {fault_half, fault_lane} : '0;
      fault_d.word        = faulty.insn.words;
      fault_d.origin.uid  = faulty.uid;
      fault_d.origin.sm   = '0;
      fault_d.origin.warp = 8'(faulty.warp);
      fault_d.origin.pc   = faulty.insn.pc;
      fault_d.address     = tex_i.fault_address;
      if (memory_fails) begin
        fault_d.address = reply_i.virtual_address;
        if (without_entry) begin
          fault_d.word        = '0;
          fault_d.origin.uid  = reply_i.origin.uid;
          fault_d.origin.warp = reply_i.origin.warp;
          fault_d.origin.pc   = reply_i.origin.pc;
        end else begin
          fault_d.address = reply_i.virtual_address | 32'(fault_offset);
        end
      end
    end
  end

  assign freed_o  = freed_q;
  assign stack_o  = stack_q;
  assign fault_o  = fault_q;
  assign credit_o = {16'd0, credit_q, 8'd0};

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_with_reset
    if (!rst_ni) begin
      leaving_q  <= 1'b0;
      result_q   <= '0;
      part_q     <= '0;
      shows_q    <= 1'b0;
      rows_q     <= '0;
      freed_q    <= g80_pkg::LoadFreedDefault;
      stack_q    <= g80_pkg::StackFillDefault;
      fault_q    <= g80_pkg::KernelFaultDefault;
      credit_q   <= '0;
      occupied_q <= '0;
    end else begin
      leaving_q  <= leaving_d;
      result_q   <= result_d;
      part_q     <= part_d;
      shows_q    <= shows_d;
      rows_q     <= rows_d;
      freed_q    <= freed_d;
      stack_q    <= stack_d;
      fault_q    <= fault_d;
      credit_q   <= credit_d;
      occupied_q <= occupied_d;
    end
  end

  always_ff @(posedge clk_i) begin : registers_of_entries
    left_q <= left_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      NoFaultOpensALoad: assert (!open_i.valid || decoded.error == g80_pkg::DecodeErrorNone);
      EntryIsOpenedOnce: assert (!open_i.valid || !occupied_q[open_i.id]);
      LanesAreOfAnOpenLoad: assert (!lanes_i.valid || occupied_q[lanes_i.id] ||
                                    (open_i.valid && open_i.id == lanes_i.id));
      MemoryAnswersAnOpenLoad: assert (!gets_memory || occupied_q[memory_id]);
      TextureUnitAnswersAnOpenLoad: assert (!gets_texture || occupied_q[texture_id]);
      MemoryServesWaitingLanes: assert (!gets_memory || left_q[memory_id] >= LeftW'(num_memory));
      TextureUnitServesWaitingLanes: assert (!gets_texture || left_q[texture_id] >= LeftW'(num_texture));
      LanesComeBeforeTheirReply: assert (!(reply_valid_i && lanes_i.valid && lanes_i.id == memory_id &&
                                           lanes_i.half == reply_i.half && !gets_stack && !without_entry));
      RegistersAreFourAtMost: assert (!open_i.valid || $countones(decoded.writes.registers) == 32'(registers));
    end
  end
endmodule
