// SPDX-License-Identifier: Apache-2.0
// Collects the operands of issued instructions, and sends each complete instruction to its unit.
// Twin of hw/sm/operand_collector.h, equal to it at every clock edge.
//
// Of the instructions that could leave, each port takes the oldest one. The operands of an instruction leave with it,
// from its collector unit, and what takes longer than the unit stays, from a latch of the port. Words 3 and more are
// those of one instruction at a time, and rest beside the units.
module operand_collector #(
  parameter bit HasMultipliers = 1'(g80_pkg::HasMultipliers),  // of the SFUs
  parameter bit HasDp          = 1'(g80_pkg::HasDp),           // fp64 unit: sources of 64 bits

  localparam int unsigned Lanes   = g80_pkg::WarpSize,
  localparam int unsigned Ports   = 2 * g80_pkg::NumSpLanes,  // lanes of an operand port
  localparam int unsigned Banks   = g80_pkg::MaxRegisterBanks,
  localparam int unsigned BankW   = $clog2(Banks),
  localparam int unsigned Reads   = g80_pkg::OperandPorts,     // registers that come at once
  localparam int unsigned Units   = g80_pkg::MaxCollectorUnits,
  localparam int unsigned UnitW   = $clog2(Units),
  localparam int unsigned Words   = g80_pkg::HighWords,        // of a unit
  localparam int unsigned Wide    = g80_pkg::OperandWords - Words,
  localparam int unsigned WordW   = $clog2(g80_pkg::OperandWords),
  localparam int unsigned AddressWords = g80_pkg::DataWords + g80_pkg::MostDataWords,  // of an access
  localparam int unsigned ReadW   = g80_pkg::RegisterReadWidth,
  localparam int unsigned InsnW   = g80_pkg::FetchedInstructionWidth,
  localparam int unsigned IssuedW = g80_pkg::IssuedInstructionWidth,
  localparam int unsigned ReplyW  = g80_pkg::ConstReplyWidth,
  localparam int unsigned Stages  = g80_pkg::MaxConstStages,
  localparam int unsigned StageW  = $clog2(Stages + 1)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // Straps
  input  logic [15:0]                   cfg_place_i,               // of the SM: TPC and SM in it
  input  logic [2:0]                    cfg_log2_sfu_lanes_i,      // that leave together
  input  logic [2:0]                    cfg_log2_multiply_lanes_i,
  input  logic [2:0]                    cfg_log2_dp_lanes_i,
  input  logic [3:0]                    cfg_shared_parts_i,        // cycles of the port of s[] operands
  input  logic [StageW-1:0]             cfg_const_stages_i,

  // Shader cycles, counted by the SM
  input  logic [31:0]                   clock_i,

  // From instruction_buffer
  input  g80_pkg::issue_t               issue_i,

  // From reconvergence_stack
  input  g80_pkg::active_masks_t        masks_i,

  // From register_file
  input  logic [31:0]                   reading_i,                 // units with register reads to do
  input  logic [31:0]                   read_banks_i,
  input  logic [Banks-1:0][ReadW-1:0]   read_i,                    // register_read_t
  input  g80_pkg::side_read_t           side_i,

  // From shared_memory and constant_cache
  input  g80_pkg::smem_reply_t          smem_i,
  input  g80_pkg::const_reply_t         const_i,

  // From address_unit
  input  logic [31:0]                   freed_i,                   // units
  input  logic [31:0]                   answered_i,                // ... whose c[] operand lies outside its bank

  // From writeback: results of SFUs, multipliers and fp64 unit with their slots, modulo 256
  input  logic [7:0]                    sfu_dp_results_i,

  // To register_file: the unit of the next instruction
  output logic [7:0]                    unit_o,

  // To sp_array, sfu, sfu_multipliers, dp, address_unit
  output g80_pkg::dispatch_t            sp_o,
  output g80_pkg::dispatch_t            sfu_o,
  output g80_pkg::dispatch_t            multiply_o,
  output g80_pkg::dispatch_t            dp_o,
  output g80_pkg::address_dispatch_t    address_o,
  output g80_pkg::sp_lanes_t            sp_operands_o,
  output g80_pkg::sfu_lanes_t           sfu_operands_o,
  output g80_pkg::sp_lanes_t            multiply_operands_o,
  output g80_pkg::dp_lanes_t            dp_operands_o,
  output g80_pkg::address_lanes_t       address_operands_o,

  // To reconvergence_stack and barrier
  output g80_pkg::control_event_t       control_o,

  // To warp_scheduler and fault_reporter
  output g80_pkg::credits_t             credit_o,
  output g80_pkg::kernel_fault_t        fault_o
);
  localparam int unsigned Pairs = Units * (Units - 1) / 2;

  // Registers. Bundles that leave are not copied into some: these say in which unit their fields lie.
  logic                       shared_d, shared_q;          // the SPs are taking an operand from s[]
  logic [3:0]                 shared_part_d, shared_part_q;
  logic                       address_d, address_q;        // a dispatch to the address unit is shown
  g80_pkg::access_job_t       access_d, access_q;          // ... which
  logic                       access_operands_d, access_operands_q;
  logic                       control_d, control_q;        // a control event is shown
  logic [UnitW-1:0]           control_unit_d, control_unit_q;
  g80_pkg::kernel_fault_t     fault_d, fault_q;
  logic [7:0]                 credit_d, credit_q;          // units freed
  logic [7:0]                 wide_credit_d, wide_credit_q;
  logic [7:0]                 sfu_dp_sent_d, sfu_dp_sent_q;  // to SFUs, multipliers and fp64 unit, modulo 256
  logic [Units-1:0]           occupied_d, occupied_q;
  logic [Units-1:0]           leaving_d, leaving_q;        // dispatched last cycle: operands are being taken
  logic                       issued_d, issued_q;          // the instruction of unit `newest` was issued last cycle
  logic [UnitW-1:0]           newest_d, newest_q;
  logic [Pairs-1:0]           younger_d, younger_q;        // age_matrix
  logic [Pairs-1:0]           younger_then;
  logic [4:0]                 condition_d, condition_q;    // of the newest instruction, with the next three
  logic                       unguarded_d, unguarded_q;
  logic [3:0]                 lane_mask_d, lane_mask_q;
  logic [2:0]                 accesses_d, accesses_q;      // it goes to the address unit; so do s[] and c[] operands

  // The units that hold an instruction
  logic [Units-1:0] gone, live, wide;  // wide: it has words beside the units
  logic [4:0]       num_gone;

  assign gone = leaving_q | freed_i[Units-1:0];
  assign live = occupied_q & ~gone;

  popcount #(.Width(Units)) u_gone (
    .mask_i (gone),
    .count_o(num_gone)
  );
  assign credit_d = credit_q + 8'(num_gone);
  assign wide_credit_d = wide_credit_q + 8'((gone & wide) != '0);

  // The issued instruction
  g80_pkg::decoded_instruction_t decoded;
  logic [UnitW-1:0]              free;
  logic                          has_free, unguarded;
  logic [Units-1:0]              accept;

  micro_op_fields u_fields (
    .insn_i   (issue_i.insn),
    .decoded_o(decoded)
  );
  lowest_set #(.Width(Units)) u_free (
    .mask_i (~occupied_q),
    .found_o(has_free),
    .index_o(free)
  );
  assign unit_o = has_free ? 8'(free) : 8'(Units);
  assign accept = issue_i.valid ? Units'(1) << free : '0;

  // A vote executes for all active lanes, whatever its guard says.
  assign unguarded = decoded.insn.op == g80_pkg::OpVote;

  assign occupied_d  = live | accept;
  assign issued_d    = issue_i.valid;
  assign newest_d    = issue_i.valid ? free : newest_q;
  assign condition_d = issue_i.valid ? decoded.insn.cond : condition_q;
  assign unguarded_d = issue_i.valid ? unguarded : unguarded_q;
  assign lane_mask_d = issue_i.valid ? decoded.insn.lane_mask : lane_mask_q;
  assign accesses_d  = issue_i.valid ? {decoded.reads_const_operand, decoded.reads_shared_operand,
                                        decoded.unit == g80_pkg::UnitTexture || decoded.unit == g80_pkg::UnitMemory} :
                                       accesses_q;

  // An immediate, a special register or a word of c[] that all lanes read is a scalar. The last one is 0 for now.
  g80_pkg::operand_t src0, src1, src2;
  logic              gathers, const_is_scalar, special, numbered;
  logic [2:0]        uniform;
  logic [31:0]       scalar;

  assign {src2, src1, src0} = decoded.insn.src;
  assign gathers            = decoded.unit != g80_pkg::UnitTexture && decoded.error == g80_pkg::DecodeErrorNone;
  assign const_is_scalar    = decoded.reads_const_operand &&
                              (decoded.insn.addr_reg == '0 || src0.kind == g80_pkg::OperandShared);
  assign special            = gathers && src0.kind == g80_pkg::OperandSpecial;
  assign numbered           = special && src0.index == 7'd0;

  always_comb begin : find_uniform
    uniform = {src2.kind == g80_pkg::OperandConst, src1.kind == g80_pkg::OperandConst,
               src0.kind == g80_pkg::OperandConst};
    if (!const_is_scalar) uniform = '0;
    if (src1.kind == g80_pkg::OperandImm) uniform[1] = 1'b1;
    if (!gathers) uniform = '0;
    if (special) uniform[0] = 1'b1;
  end
  always_comb begin : find_scalar
    scalar = '0;
    if (src1.kind == g80_pkg::OperandImm) scalar = decoded.insn.immediate;
    if (special) scalar = '0;
    if (numbered) scalar = {cfg_place_i, 3'd0, issue_i.warp, 8'd0};
    if (special && src0.index == 7'd1) scalar = clock_i;
  end

  // The newest one's lanes: those in which its guard holds
  logic [Units-1:0][Lanes-1:0] active;
  logic [Lanes-1:0]            condition, lanes;

  guard_lanes u_guard (
    .code_i (condition_q),
    .flags_i(side_i.flags.lane),
    .lanes_o(condition)
  );
  assign lanes = active[newest_q] & (unguarded_q ? '1 : condition) & {(Lanes/4){lane_mask_q}};

  // The c[] operand on its way
  g80_pkg::const_reply_t constant;

  delay_memory #(
    .Depth(Stages),
    .Width(ReplyW)
  ) u_const_way (
    .clk_i,
    .rst_ni,
    .cfg_stages_i(cfg_const_stages_i),
    .data_i      (const_i),
    .data_o      (constant),
    .empty_o     ()
  );

  // Its words as the operand wants them. Of a half-warp, words outside the bank are 0.
  logic [Units-1:0]                  extend;
  logic [1:0][Ports-1:0][31:0]       const_word;
  logic [Ports-1:0][31:0]            const_data;

  always_comb begin : extend_constant
    for (int l = 0; l < Ports; l++) begin
      const_data[l] = constant.data[l];
      if (extend[constant.id[UnitW-1:0]]) const_data[l][31:16] = {16{constant.data[l][15]}};
      for (int h = 0; h < 2; h++) const_word[h][l] = constant.direct || constant.lanes[h*Ports+l] ? const_data[l] : '0;
    end
  end

  // The registers that come, as the operands want them
  logic [Reads-1:0]                  comes;
  logic [Reads-1:0][BankW-1:0]       from_bank;
  logic [Reads-1:0][UnitW-1:0]       read_unit;
  logic [Reads-1:0][WordW-1:0]       read_to;
  /* verilator tracing_off */
  logic [Reads-1:0][Lanes-1:0][31:0] read_value;
  /* verilator tracing_on */

  lowest_few #(
    .Width(Banks),
    .Count(Reads)
  ) u_banks (
    .mask_i (read_banks_i[Banks-1:0]),
    .found_o(comes),
    .index_o(from_bank)
  );

  for (genvar r = 0; r < Reads; r++) begin : gen_read
    g80_pkg::register_read_t register;

    assign read_unit[r] = register.unit;
    assign read_to[r]   = register.to;

    logic [3:0][ReadW-1:0] quarter;  // of the banks: with an index instead, they would be a shifter

    always_comb begin : choose_half
      quarter       = '0;
      register      = '0;
      read_value[r] = '0;
      if (comes[r]) begin
        for (int b = 0; b < Banks; b++)
          quarter[b%4] = quarter[b%4] | (from_bank[r] == BankW'(b) ? read_i[b] : '0);
        register      = quarter[0] | quarter[1] | (quarter[2] | quarter[3]);
        read_value[r] = register.value;
        if (!register.half[1]) begin
          for (int l = 0; l < Lanes; l++)
            read_value[r][l] = {16'd0, register.half[0] ? register.value.lane[l][31:16] : register.value.lane[l][15:0]};
        end
      end
    end
  end

  // The units
  logic [Units-1:0][4:0]                         warp;
  logic [Units-1:0][InsnW-1:0]                   insn;
  logic [Units-1:0][31:0]                        uid;
  logic [Units-1:0]                              on_sp, on_sfu, on_dp, on_address, on_control;
  logic [Units-1:0]                              to_multipliers, takes_shared_port, addressed, const_addressed;
  logic [Units-1:0]                              wants_control, waits, sent, misses_answer, vote;
  logic [Units-1:0][Lanes-1:0]                   unit_lanes, executes, granted;
  logic [Units-1:0][g80_pkg::MostDataWords-1:0]  data_words;
  /* verilator tracing_off */
  logic [Units-1:0][Words-1:0][Lanes-1:0][31:0]  word;
  logic [Wide-1:0][Lanes-1:0][31:0]              wide_word_d, wide_word_q;
  /* verilator tracing_on */
  logic [Units-1:0][2:0]                         unit_uniform;
  logic [Units-1:0][31:0]                        unit_scalar;
  logic [Units-1:0]                              unit_numbered;
  logic [Units-1:0][Lanes-1:0][3:0]              flags;
  logic [Units-1:0][Lanes-1:0][15:0]             addr;
  logic [Units-1:0]                              control_leaves, leaves;

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    g80_pkg::unit_e            unit;
    logic [Words*Lanes*32-1:0] unit_word;

    collector_unit u_unit (
      .clk_i,
      .rst_ni,
      .number_i           (UnitW'(u)),
      .accept_i           (accept[u]),
      .issue_i,
      .decoded_i          (decoded),
      .active_i           (masks_i.mask[issue_i.warp]),
      .uniform_i          (uniform),
      .scalar_i           (scalar),
      .numbered_i         (numbered),
      .side_i             (issued_q && newest_q == UnitW'(u)),
      .read_side_i        (side_i),
      .condition_i        (condition),
      .lanes_i            (lanes),
      .read_i             (comes),
      .read_unit_i        (read_unit),
      .read_to_i          (read_to),
      .read_value_i       (read_value),
      .smem_i,
      .const_i            (constant),
      .const_word_i       (const_word),
      .answered_i         (answered_i[u]),
      .control_i          (control_leaves[u]),
      .send_i             (leaves[u]),
      .warp_o             (warp[u]),
      .insn_o             (insn[u]),
      .uid_o              (uid[u]),
      .unit_o             (unit),
      .to_multipliers_o   (to_multipliers[u]),
      .takes_shared_port_o(takes_shared_port[u]),
      .wide_o             (wide[u]),
      .addressed_o        (addressed[u]),
      .const_addressed_o  (const_addressed[u]),
      .wants_control_o    (wants_control[u]),
      .waits_o            (waits[u]),
      .sent_o             (sent[u]),
      .active_o           (active[u]),
      .lanes_o            (unit_lanes[u]),
      .granted_o          (granted[u]),
      .vote_o             (vote[u]),
      .extend_o           (extend[u]),
      .misses_answer_o    (misses_answer[u]),
      .executes_o         (executes[u]),
      .data_words_o       (data_words[u]),
      .word_o             (unit_word),
      .uniform_o          (unit_uniform[u]),
      .scalar_o           (unit_scalar[u]),
      .numbered_o         (unit_numbered[u]),
      .flags_o            (flags[u]),
      .addr_o             (addr[u])
    );
    always_comb begin : gather
      word[u]       = unit_word;
      on_sp[u]      = unit == g80_pkg::UnitSp;
      on_sfu[u]     = unit == g80_pkg::UnitSfu;
      on_dp[u]      = unit == g80_pkg::UnitDp;
      on_address[u] = unit == g80_pkg::UnitMemory || unit == g80_pkg::UnitTexture;
      on_control[u] = unit == g80_pkg::UnitControl;
    end
  end

  // Words 3 and more of operands: of one instruction at a time
  always_comb begin : take_wide_words
    wide_word_d = wide_word_q;
    for (int w = 0; w < Wide; w++) begin
      for (int r = 0; r < Reads; r++) begin
        if (comes[r] && read_to[r] == WordW'(Words + w)) wide_word_d[w] = read_value[r];
      end
    end
  end

  // An instruction waits while an older one of its warp still reads registers: its result could overwrite a source of
  // the older one. This is where write-after-read hazards are decided.
  logic [Units-1:0] reading, overtakes;

  assign reading = reading_i[Units-1:0] & live;

  for (genvar u = 0; u < Units; u++) begin : gen_overtakes
    logic [Units-1:0] behind;

    for (genvar o = 0; o < Units; o++) begin : gen_older
      if (o == u) begin : gen_itself
        assign behind[o] = 1'b0;
      end else if (u < o) begin : gen_above
        assign behind[o] = younger_q[o*(o-1)/2+u] && reading[o] && warp[o] == warp[u];
      end else begin : gen_below
        assign behind[o] = !younger_q[u*(u-1)/2+o] && reading[o] && warp[o] == warp[u];
      end
    end
    assign overtakes[u] = |behind;
  end

  // Accesses and operand fetches
  logic             job_goes, job_constant, job_fetches, job_addressed, address_busy;
  logic [UnitW-1:0] job_unit;

  access_jobs u_jobs (
    .clk_i,
    .rst_ni,
    .newest_i         (newest_q),
    .access_i         (issued_q && (accesses_q[0] || (accesses_q[1] && lanes != '0))),
    .const_i          (issued_q && accesses_q[2] && lanes != '0),
    .on_address_i     (on_address),
    .addressed_i      (addressed),
    .const_addressed_i(const_addressed),
    .waits_i          (reading | overtakes),
    .port_busy_i      (address_busy),
    .goes_o           (job_goes),
    .unit_o           (job_unit),
    .constant_o       (job_constant),
    .fetches_o        (job_fetches),
    .addressed_o      (job_addressed)
  );

  // What leaves: the oldest instruction with a control event, and for each port the oldest complete one
  logic             sp_busy, sfu_busy, multiply_busy, dp_busy, shared_busy;
  logic [Units-1:0] able, for_sp, for_sfus, for_dp;
  logic [UnitW-1:0] control_unit, sp_unit, sfus_unit, dp_unit;
  logic             control_goes, sp_goes, sfus_go, sfu_goes, multiply_goes, dp_goes;

  age_matrix #(.Lanes(Units)) u_oldest_control (
    .younger_i   (younger_q),
    .candidates_i(live & wants_control),
    .oldest_o    (control_unit),
    .used_i      (free),
    .younger_o   (younger_then)
  );
  age_matrix #(.Lanes(Units)) u_oldest_for_sp (
    .younger_i   (younger_q),
    .candidates_i(for_sp),
    .oldest_o    (sp_unit),
    .used_i      ('0),
    .younger_o   ()
  );
  age_matrix #(.Lanes(Units)) u_oldest_for_sfus (
    .younger_i   (younger_q),
    .candidates_i(for_sfus),
    .oldest_o    (sfus_unit),
    .used_i      ('0),
    .younger_o   ()
  );
  age_matrix #(.Lanes(Units)) u_oldest_for_dp (
    .younger_i   (younger_q),
    .candidates_i(for_dp),
    .oldest_o    (dp_unit),
    .used_i      ('0),
    .younger_o   ()
  );
  assign younger_d = issue_i.valid ? younger_then : younger_q;

  assign control_goes   = (live & wants_control) != '0;
  assign control_leaves = control_goes ? Units'(1) << control_unit : '0;

  // An instruction may leave for the SFUs and one for the fp64 unit at once: writeback has room for both results.
  logic [7:0] unwritten;
  logic       no_room;

  assign unwritten = sfu_dp_sent_q - sfu_dp_results_i;
  assign no_room   = unwritten > 8'(g80_pkg::MaxWaitingResults - 2);

  assign able     = live & ~sent & ~reading & ~waits & ~overtakes;
  assign for_sp   = sp_busy ? '0 : able & on_sp & ~to_multipliers & ~(shared_busy ? takes_shared_port : '0);
  assign for_sfus = sfu_busy || multiply_busy || no_room ? '0 : able & (on_sfu | (on_sp & to_multipliers));
  assign for_dp   = dp_busy || no_room ? '0 : able & on_dp;

  assign sp_goes       = for_sp != '0;
  assign sfus_go       = for_sfus != '0;
  assign sfu_goes      = sfus_go && on_sfu[sfus_unit];
  assign multiply_goes = sfus_go && !on_sfu[sfus_unit];
  assign dp_goes       = for_dp != '0;
  assign sfu_dp_sent_d = sfu_dp_sent_q + 8'(sfus_go) + 8'(dp_goes);

  // An instruction for the address unit keeps its collector unit until that unit has taken it.
  assign leaving_d = (sp_goes ? Units'(1) << sp_unit : '0) | (sfus_go ? Units'(1) << sfus_unit : '0) |
                     (dp_goes ? Units'(1) << dp_unit : '0) | (control_leaves & on_control);
  assign leaves    = leaving_d | (job_goes && !job_fetches ? Units'(1) << job_unit : '0);

  assign control_d      = control_goes;
  assign control_unit_d = control_goes ? control_unit : control_unit_q;

  assign address_d         = job_goes;
  assign access_d          = job_goes ? {job_unit, job_constant} : access_q;
  assign access_operands_d = job_goes ? job_addressed : access_operands_q;

  // The ports
  logic [UnitW-1:0]            sp_leaving, sfu_leaving, multiply_leaving, dp_leaving;  // units whose operands leave
  logic                        sp_begins, sfu_begins, multiply_begins, dp_begins;
  logic [2:0][Ports-1:0][31:0] sp_words, multiply_words;
  logic [Ports-1:0][3:0]       sp_flags, multiply_flags;
  logic [0:0][Ports-1:0][31:0] sfu_words;
  logic [5:0][Ports-1:0][31:0] dp_words;

  /* verilator tracing_off */
  logic [2:0][Lanes-1:0][31:0]         sp_word;
  logic [0:0][Lanes-1:0][31:0]         sfu_word;
  logic [AddressWords-1:0][Lanes-1:0][31:0] address_word;
  /* verilator tracing_on */
  logic [UnitW-1:0]                    address_leaving;

  // One by one: an index into the words of all units would be a shifter.
  always_comb begin : choose_units
    sp_word      = word[0];
    sfu_word     = word[0][0:0];
    address_word = {wide_word_q[AddressWords-Words-1:0], word[0]};
    for (int u = 1; u < Units; u++) begin
      if (sp_leaving == UnitW'(u)) sp_word = word[u];
      if (sfu_leaving == UnitW'(u)) sfu_word = word[u][0:0];
      if (address_leaving == UnitW'(u)) address_word[Words-1:0] = word[u];
    end
  end

  operand_port #(
    .Latched(1'b0),
    .Words  (3)
  ) u_sp_port (
    .clk_i,
    .rst_ni,
    .cfg_log2_lanes_i(3'd4),
    .start_i         (sp_goes),
    .unit_i          (sp_unit),
    .word_i          (sp_word),
    .uniform_i       (unit_uniform[sp_leaving]),
    .scalar_i        (unit_scalar[sp_leaving]),
    .numbered_i      (unit_numbered[sp_leaving]),
    .flags_i         (flags[sp_leaving]),
    .begins_o        (sp_begins),
    .busy_o          (sp_busy),
    .unit_o          (sp_leaving),
    .word_o          (sp_words),
    .flags_o         (sp_flags)
  );
  operand_port #(
    .Words(1),
    .Most (2 * g80_pkg::MaxSmNumSfus)
  ) u_sfu_port (
    .clk_i,
    .rst_ni,
    .cfg_log2_lanes_i(cfg_log2_sfu_lanes_i),
    .start_i         (sfu_goes),
    .unit_i          (sfus_unit),
    .word_i          (sfu_word),
    .uniform_i       (unit_uniform[sfu_leaving][0]),
    .scalar_i        (unit_scalar[sfu_leaving]),
    .numbered_i      (unit_numbered[sfu_leaving]),
    .flags_i         ('0),
    .begins_o        (sfu_begins),
    .busy_o          (sfu_busy),
    .unit_o          (sfu_leaving),
    .word_o          (sfu_words),
    .flags_o         ()
  );
  if (HasMultipliers) begin : gen_multiply_port
    operand_port #(.Words(3)) u_multiply_port (
      .clk_i,
      .rst_ni,
      .cfg_log2_lanes_i(cfg_log2_multiply_lanes_i),
      .start_i         (multiply_goes),
      .unit_i          (sfus_unit),
      .word_i          (word[multiply_leaving]),
      .uniform_i       (unit_uniform[multiply_leaving]),
      .scalar_i        (unit_scalar[multiply_leaving]),
      .numbered_i      (unit_numbered[multiply_leaving]),
      .flags_i         (flags[multiply_leaving]),
      .begins_o        (multiply_begins),
      .busy_o          (multiply_busy),
      .unit_o          (multiply_leaving),
      .word_o          (multiply_words),
      .flags_o         (multiply_flags)
    );
  end else begin : gen_no_multiply_port
    assign {multiply_begins, multiply_busy, multiply_leaving, multiply_words, multiply_flags} = '0;
  end
  if (HasDp) begin : gen_dp_port
    operand_port #(
      .Words(6),
      .Most (2 * g80_pkg::MaxSmNumDps)
    ) u_dp_port (
      .clk_i,
      .rst_ni,
      .cfg_log2_lanes_i(cfg_log2_dp_lanes_i),
      .start_i         (dp_goes),
      .unit_i          (dp_unit),
      .word_i          ({wide_word_q, word[dp_leaving]}),
      .uniform_i       (unit_uniform[dp_leaving]),
      .scalar_i        (unit_scalar[dp_leaving]),
      .numbered_i      (unit_numbered[dp_leaving]),
      .flags_i         ('0),
      .begins_o        (dp_begins),
      .busy_o          (dp_busy),
      .unit_o          (dp_leaving),
      .word_o          (dp_words),
      .flags_o         ()
    );
  end else begin : gen_no_dp_port
    assign {dp_begins, dp_busy, dp_leaving, dp_words} = '0;
  end
  assign sp_operands_o       = {sp_words[0], sp_words[1], sp_words[2], sp_flags};
  assign multiply_operands_o = {multiply_words[0], multiply_words[1], multiply_words[2], multiply_flags};
  assign sfu_operands_o      = sfu_words[0];
  assign dp_operands_o       = {dp_words[0], dp_words[3], dp_words[1], dp_words[4], dp_words[2], dp_words[5]};

  address_port u_address_port (
    .clk_i,
    .rst_ni,
    .start_i     (job_goes && job_addressed),
    .unit_i      (job_unit),
    .lanes_i     (unit_lanes[job_unit]),
    .word_i      (address_word),
    .data_words_i(data_words[address_leaving]),
    .addr_i      (addr[address_leaving]),
    .executes_i  (executes[address_leaving]),
    .busy_o      (address_busy),
    .unit_o      (address_leaving),
    .operands_o  (address_operands_o)
  );

  // The port of s[] operands
  assign shared_busy   = shared_q && shared_part_q + 4'd1 < cfg_shared_parts_i;
  assign shared_d      = shared_busy || (sp_goes && takes_shared_port[sp_unit]);
  assign shared_part_d = shared_busy ? shared_part_q + 4'd1 : '0;

  // A line of c[] that could not be read
  g80_pkg::fetched_instruction_t faulting;
  logic [UnitW-1:0]              fault_unit;
  logic [4:0]                    fault_lane;

  assign fault_unit = constant.id[UnitW-1:0];
  assign faulting   = insn[fault_unit];

  lowest_set #(.Width(Lanes)) u_fault_lane (
    .mask_i (constant.fault_lanes),
    .found_o(),
    .index_o(fault_lane)
  );
  always_comb begin : find_fault
    fault_d = fault_q;
    if (constant.valid && constant.fault != g80_pkg::MemFaultNone && !fault_q.valid) begin
      fault_d.valid       = 1'b1;
      fault_d.kind        = g80_pkg::FaultPageNotPresent;
      fault_d.lane        = fault_lane;
      fault_d.word        = faulting.words;
      fault_d.origin.uid  = uid[fault_unit];
      fault_d.origin.warp = {3'd0, warp[fault_unit]};
      fault_d.origin.pc   = faulting.pc;
    end
  end

  // Dispatches: {valid, warp, vote, lanes, granted, uid, insn}
  assign sp_o       = sp_begins ? {1'b1, warp[sp_leaving], vote[sp_leaving], executes[sp_leaving],
                                   granted[sp_leaving], uid[sp_leaving], insn[sp_leaving]} : '0;
  assign sfu_o      = sfu_begins ? {1'b1, warp[sfu_leaving], vote[sfu_leaving], executes[sfu_leaving],
                                    granted[sfu_leaving], uid[sfu_leaving], insn[sfu_leaving]} : '0;
  assign multiply_o = multiply_begins ? {1'b1, warp[multiply_leaving], vote[multiply_leaving],
                                         executes[multiply_leaving], granted[multiply_leaving],
                                         uid[multiply_leaving], insn[multiply_leaving]} : '0;
  assign dp_o       = dp_begins ? {1'b1, warp[dp_leaving], vote[dp_leaving], executes[dp_leaving],
                                   granted[dp_leaving], uid[dp_leaving], insn[dp_leaving]} : '0;
  assign address_o  = address_q ? {1'b1, warp[access_q.unit], access_q.unit, access_q.constant, access_operands_q,
                                   executes[access_q.unit], uid[access_q.unit], insn[access_q.unit]} : '0;
  assign control_o  = control_q ? {1'b1, warp[control_unit_q], executes[control_unit_q], uid[control_unit_q],
                                   insn[control_unit_q][InsnW-1-:IssuedW]} : '0;
  assign credit_o   = {credit_q, 16'd0, wide_credit_q};
  assign fault_o    = fault_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      address_q         <= 1'b0;
      access_q          <= '0;
      access_operands_q <= 1'b0;
      shared_q          <= 1'b0;
      shared_part_q     <= '0;
      control_q         <= 1'b0;
      control_unit_q    <= '0;
      fault_q           <= '0;
      credit_q          <= '0;
      wide_credit_q     <= '0;
      sfu_dp_sent_q     <= '0;
      occupied_q        <= '0;
      leaving_q         <= '0;
      issued_q          <= 1'b0;
      newest_q          <= '0;
    end else begin
      address_q         <= address_d;
      access_q          <= access_d;
      access_operands_q <= access_operands_d;
      shared_q          <= shared_d;
      shared_part_q     <= shared_part_d;
      control_q         <= control_d;
      control_unit_q    <= control_unit_d;
      fault_q           <= fault_d;
      credit_q          <= credit_d;
      wide_credit_q     <= wide_credit_d;
      sfu_dp_sent_q     <= sfu_dp_sent_d;
      occupied_q        <= occupied_d;
      leaving_q         <= leaving_d;
      issued_q          <= issued_d;
      newest_q          <= newest_d;
    end
  end
  always_ff @(posedge clk_i) begin : data
    younger_q   <= younger_d;
    condition_q <= condition_d;
    unguarded_q <= unguarded_d;
    lane_mask_q <= lane_mask_d;
    accesses_q  <= accesses_d;
    wide_word_q <= wide_word_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      RegistersHavePorts: assert ($countones(read_banks_i) <= Reads);
      IssueFindsAUnit: assert (!issue_i.valid || has_free);
      OneIsWide: assert ($onehot0(occupied_q & wide));
      FreedUnitsAreOccupied: assert ((gone & ~occupied_q) == '0);
      AnswersAreWaitedFor: assert (misses_answer == '0);
      ResultsHaveRoom: assert (unwritten <= 8'(g80_pkg::MaxWaitingResults));
      JobsAreOfOccupiedUnits: assert (!job_goes || live[job_unit]);
    end
  end
endmodule
