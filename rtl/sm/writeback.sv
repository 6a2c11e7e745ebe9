// SPDX-License-Identifier: Apache-2.0
// Chooses the cycle in which results are written into the register banks, and releases finished instructions.
// Twin of hw/sm/writeback.h, equal to it at every clock edge.
//
// A result that gets its slot is on the ports a cycle later, from where its values are then: the row of its unit, what
// was read from the memory of results that wait, or from that of loads' registers.
module writeback #(
  localparam int unsigned Banks  = g80_pkg::MaxRegisterBanks,
  localparam int unsigned Ports  = g80_pkg::WritePorts,
  localparam int unsigned Units  = g80_pkg::ExecUnits,
  localparam int unsigned WriteW = g80_pkg::RegisterWriteWidth,
  localparam int unsigned FlagW  = g80_pkg::FlagWriteWidth
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  // Straps
  input  logic [5:0]                cfg_num_banks_i,            // sm.register_banks
  input  logic [2:0]                cfg_log2_sfu_lanes_i,       // that arrive together
  input  logic [2:0]                cfg_log2_multiply_lanes_i,
  input  logic [2:0]                cfg_log2_dp_lanes_i,

  // From sp_array, sfu, sfu_multipliers, dp
  input  g80_pkg::result_ahead_t    sp_ahead_i,
  input  g80_pkg::result_ahead_t    sfu_ahead_i,
  input  g80_pkg::result_ahead_t    multiply_ahead_i,
  input  g80_pkg::result_ahead_t    dp_ahead_i,
  input  g80_pkg::exec_result_t     sp_result_i,
  input  g80_pkg::exec_result_t     sfu_result_i,
  input  g80_pkg::exec_result_t     multiply_result_i,
  input  g80_pkg::exec_result_t     dp_result_i,

  // From load_table
  input  g80_pkg::load_result_t     load_i,

  // From address_unit
  input  g80_pkg::store_done_t      store_i,

  // From operand_collector
  input  g80_pkg::control_event_t   control_i,

  // To scoreboard
  output g80_pkg::release_t         release_o,

  // To load_table
  output logic [7:0]                load_rows_o,

  // To operand_collector: results of SFUs, multipliers and fp64 unit with their slots, modulo 256
  output logic [7:0]                sfu_dp_results_o,

  // To register_file: banks whose next slot is taken, and the ports that write
  output logic [Banks-1:0]          busy_banks_o,
  output logic [Ports-1:0]          written_ports_o,
  output logic [Ports-1:0][WriteW-1:0]                 write_o,       // register_write_t, of each write_port_e
  output logic [g80_pkg::FlagWrites-1:0][FlagW-1:0]    flag_write_o,  // flag_write_t
  output g80_pkg::addr_write_t      addr_write_o
);
  localparam int unsigned Sources   = 6;  // of values: value_source_e
  localparam int unsigned WordsW    = g80_pkg::LaneWordsWidth;
  localparam int unsigned FlagsW    = g80_pkg::LaneFlagsWidth;
  localparam int unsigned RowW      = g80_pkg::ResultRowWidth - 1;  // without `whole`
  localparam int unsigned AddrSlotW = 5 + 3 + 32;
  localparam int unsigned LoadW     = g80_pkg::LoadRowWidth;
  localparam int unsigned SlotW     = g80_pkg::SlotWriteWidth;
  localparam int unsigned EntryW    = g80_pkg::ReleaseEntryWidth;
  localparam int unsigned Entries   = g80_pkg::ReleaseWidth / EntryW;

  // Registers
  g80_pkg::release_t            release_d, release_q;
  logic [7:0]                   load_rows_d, load_rows_q;
  logic [7:0]                   sfu_dp_results_d, sfu_dp_results_q;
  logic [Banks-1:0]             busy_banks_d, busy_banks_q;        // whose next slot is taken
  logic [Ports-1:0]             next_ports_d, next_ports_q, written_ports_d, written_ports_q;
  logic [1:0]                   next_flag_writes_d, next_flag_writes_q, flag_writes_d, flag_writes_q;
  logic                         next_addr_write_d, next_addr_write_q, addr_write_d, addr_write_q;
  logic                         waiting_written_d, waiting_written_q;  // the first of a pair's registers
  logic [Ports-1:0][SlotW-1:0]  slot_d, slot_q;                    // slot_write_t, on the ports a cycle later
  g80_pkg::slot_write_t         first_flag_slot_d, first_flag_slot_q, second_flag_slot_d, second_flag_slot_q;
  logic [AddrSlotW-1:0]         addr_slot_d, addr_slot_q;          // warp, register, lanes
  logic [RowW-1:0]              waited_d, waited_q;                // read from the results that wait
  logic [WordsW-1:0]            loaded_d, loaded_q;                // read from the registers of loads

  // Remainders by the number of banks
  logic [31:0][4:0] unit;
  logic [15:0][4:0] sixteen;

  bank_residues u_residues (
    .cfg_num_banks_i,
    .unit_o   (unit),
    .sixteen_o(sixteen)
  );

  // What has left each unit
  logic [RowW-1:0]                sfu_row, multiply_row, dp_row;
  logic [Units-1:0]               whole;
  logic [2*Sources-1:0][WordsW-1:0] value;  // low and high word of each value_source_e
  logic [Sources-1:0][FlagsW-1:0]   flags;
  logic                 sfu_completes, multiply_completes, dp_completes;

  result_row u_sp_row (
    .clk_i,
    .cfg_log2_lanes_i(3'd4),
    .result_i        (sp_result_i),
    .row_o           (),
    .whole_o         (whole[g80_pkg::ExecUnitSp]),
    .low_o           (value[2*g80_pkg::ExecUnitSp]),
    .high_o          (value[2*g80_pkg::ExecUnitSp+1]),
    .flags_o         (flags[g80_pkg::ExecUnitSp]),
    .completes_o     ()
  );
  result_row u_sfu_row (
    .clk_i,
    .cfg_log2_lanes_i(cfg_log2_sfu_lanes_i),
    .result_i        (sfu_result_i),
    .row_o           (sfu_row),
    .whole_o         (whole[g80_pkg::ExecUnitSfu]),
    .low_o           (value[2*g80_pkg::ExecUnitSfu]),
    .high_o          (value[2*g80_pkg::ExecUnitSfu+1]),
    .flags_o         (flags[g80_pkg::ExecUnitSfu]),
    .completes_o     (sfu_completes)
  );
  result_row #(.Exists(g80_pkg::HasMultipliers != 0)) u_multiply_row (
    .clk_i,
    .cfg_log2_lanes_i(cfg_log2_multiply_lanes_i),
    .result_i        (multiply_result_i),
    .row_o           (multiply_row),
    .whole_o         (whole[g80_pkg::ExecUnitMultiply]),
    .low_o           (value[2*g80_pkg::ExecUnitMultiply]),
    .high_o          (value[2*g80_pkg::ExecUnitMultiply+1]),
    .flags_o         (flags[g80_pkg::ExecUnitMultiply]),
    .completes_o     (multiply_completes)
  );
  result_row #(
    .Exists(g80_pkg::HasDp != 0),
    .High  (1'b1)
  ) u_dp_row (
    .clk_i,
    .cfg_log2_lanes_i(cfg_log2_dp_lanes_i),
    .result_i        (dp_result_i),
    .row_o           (dp_row),
    .whole_o         (whole[g80_pkg::ExecUnitDp]),
    .low_o           (value[2*g80_pkg::ExecUnitDp]),
    .high_o          (value[2*g80_pkg::ExecUnitDp+1]),
    .flags_o         (flags[g80_pkg::ExecUnitDp]),
    .completes_o     (dp_completes)
  );

  // Banks that were written for too long
  logic [Banks-1:0] loads_only, sp_only;

  bank_runs u_runs (
    .clk_i,
    .rst_ni,
    .busy_banks_i(busy_banks_q),
    .loads_only_o(loads_only),
    .sp_only_o   (sp_only)
  );

  // SP results: their banks are always free
  logic [1:0]       sp_word;
  logic [1:0][6:0]  sp_index;
  logic [1:0][4:0]  sp_bank;
  logic [Banks-1:0] sp_banks, sp_busy;
  logic             sp_low, sp_high, sp_to_addr, sp_to_flags;
  logic [31:0]      sp_lanes;
  logic [2:0]       sp_addr;
  logic [1:0]       sp_flag;

  result_target u_sp_target (
    .cfg_num_banks_i,
    .unit_i         (unit),
    .sixteen_i      (sixteen),
    .result_i       (sp_ahead_i),
    .second_i       (1'b0),
    .word_o         (sp_word),
    .last_o         (),
    .index_o        (sp_index),
    .bank_o         (sp_bank),
    .banks_o        (sp_banks),
    .low_o          (sp_low),
    .high_o         (sp_high),
    .lanes_o        (sp_lanes),
    .to_addr_o      (sp_to_addr),
    .addr_o         (sp_addr),
    .to_flags_o     (sp_to_flags),
    .flag_o         (sp_flag)
  );
  assign sp_busy = sp_ahead_i.valid ? sp_banks : '0;

  // The oldest result that waits
  logic                   waits, waiting_empty, waited_whole;
  logic [RowW-1:0]        waited_row;
  logic [$clog2(g80_pkg::MaxWaitingResults)-1:0] waited_place;
  g80_pkg::result_ahead_t waited;
  g80_pkg::exec_unit_e    waited_unit;
  g80_pkg::value_source_e waited_from;
  logic                   waited_collides, waited_goes, waited_done;
  logic [1:0]             waited_word;
  logic [1:0][6:0]        waited_index;
  logic [1:0][4:0]        waited_bank;
  logic [Banks-1:0]       waited_banks, waited_busy;
  logic                   waited_last, waited_low, waited_high, waited_to_addr, waited_to_flags;
  logic [31:0]            waited_lanes;
  logic [1:0]             waited_flag;

  waiting_results u_waiting (
    .clk_i,
    .rst_ni,
    .push_i      ({dp_ahead_i.valid, multiply_ahead_i.valid, sfu_ahead_i.valid}),
    .ahead_i     ({dp_ahead_i, multiply_ahead_i, sfu_ahead_i}),
    .completes_i ({dp_completes, multiply_completes, sfu_completes}),
    .row_i       ({dp_row, multiply_row, sfu_row}),
    .pop_i       (waited_done),
    .valid_o     (waits),
    .ahead_o     (waited),
    .unit_o      (waited_unit),
    .whole_o     (waited_whole),
    .empty_next_o(waiting_empty),
    .place_o     (waited_place),
    .row_o       (waited_row)
  );
  assign waited_d = g80_pkg::HasDp != 0 ? waited_row : {waited_row[RowW-1-:WordsW], WordsW'(0), waited_row[FlagsW-1:0]};
  result_target u_waited_target (
    .cfg_num_banks_i,
    .unit_i         (unit),
    .sixteen_i      (sixteen),
    .result_i       (waited),
    .second_i       (waiting_written_q),
    .word_o         (waited_word),
    .last_o         (waited_last),
    .index_o        (waited_index),
    .bank_o         (waited_bank),
    .banks_o        (waited_banks),
    .low_o          (waited_low),
    .high_o         (waited_high),
    .lanes_o        (waited_lanes),
    .to_addr_o      (waited_to_addr),
    .addr_o         (),
    .to_flags_o     (waited_to_flags),
    .flag_o         (waited_flag)
  );
  assign waited_from     = waited_whole ? g80_pkg::ValueSourceWaited : g80_pkg::value_source_e'({1'b0, waited_unit});
  assign waited_collides = waits && (waited_banks & (sp_busy | loads_only)) != '0;
  assign waited_goes     = waits && !waited_collides;
  assign waited_done     = waited_goes && waited_last;
  assign waited_busy     = waited_goes ? waited_banks : '0;

  assign sfu_dp_results_d  = sfu_dp_results_q + 8'(waited_done);
  assign waiting_written_d = waited_goes ? !waited_last : waiting_written_q;

  // Registers of loads: their halves come one after the other into a memory
  localparam int unsigned HalfW  = g80_pkg::HalfWarp * 32;
  localparam int unsigned PlaceW = $clog2(g80_pkg::LoadRows);

  logic [PlaceW-1:0]                     load_head_d, load_head_q, load_tail_d, load_tail_q;
  logic [PlaceW-1:0]                     loaded_place_d, loaded_place_q;
  logic [g80_pkg::HalfWarp-1:0]          half_lanes_d, half_lanes_q;
  g80_pkg::load_row_t                    arrived, load;
  logic                                  loads_empty_next, has_load, load_collides, load_goes, load_writes;
  g80_pkg::decoded_instruction_t         decoded;
  logic [6:0]                            load_index;
  logic [4:0]                            load_bank;
  logic [Banks-1:0]                      load_busy;

  assign half_lanes_d = load_i.valid && !load_i.half ? load_i.lanes : half_lanes_q;

  assign arrived.warp  = load_i.warp;
  assign arrived.insn  = load_i.insn;
  assign arrived.uid   = load_i.uid;
  assign arrived.word  = load_i.word;
  assign arrived.last  = load_i.last;
  assign arrived.lanes = {load_i.lanes, half_lanes_q};

  // What is popped stays where it is for the next cycle, in which it is read.
  assign load_tail_d    = load_tail_q + PlaceW'(load_i.valid && load_i.half);
  assign load_head_d    = load_head_q + PlaceW'(load_goes);
  assign loaded_place_d = has_load ? load_head_q : loaded_place_q;

  for (genvar h = 0; h < 2; h++) begin : gen_half
    sram_1r1w #(
      .Words(g80_pkg::LoadRows),
      .Width(HalfW)
    ) u_words (
      .clk_i,
      .write_i        (load_i.valid && load_i.half == 1'(h)),
      .write_address_i(load_tail_q),
      .write_data_i   (load_i.data),
      .read_address_i (loaded_place_q),
      .read_data_o    (loaded_d[HalfW*h +: HalfW])
    );
  end

  shift_queue #(
    .Depth(g80_pkg::LoadRows),
    .Width(LoadW)
  ) u_loads (
    .clk_i,
    .rst_ni,
    .push_i        (load_i.valid && load_i.half),
    .data_i        (arrived),
    .pop_i         (load_goes),
    .empty_o       (),
    .head_valid_o  (has_load),
    .head_o        (load),
    .empty_next_o  (loads_empty_next),
    .full_next_o   ()
  );
  issued_fields u_load_fields (
    .insn_i   (load.insn),
    .decoded_o(decoded)
  );
  register_bank u_load_bank (
    .cfg_num_banks_i,
    .unit_i         (unit),
    .sixteen_i      (sixteen),
    .warp_i         (load.warp),
    .index_i        ({1'b0, load_index}),
    .bank_o         (load_bank)
  );
  assign load_index    = decoded.insn.dst.index + {5'd0, load.word};
  assign load_writes   = has_load && decoded.writes.registers != '0;
  assign load_collides = load_writes && (sp_busy[load_bank] || waited_busy[load_bank] || sp_only[load_bank]);
  assign load_goes     = has_load && !load_collides;
  assign load_busy     = load_writes && load_goes ? Banks'(1) << load_bank : '0;
  assign load_rows_d   = load_rows_q + 8'(load_goes);

  // The slots
  g80_pkg::slot_write_t sp_slot, load_slot, sp_flag_slot, waited_flag_slot;
  logic [1:0][SlotW-1:0] waited_slot;

  assign sp_slot.bank  = sp_bank[0];
  assign sp_slot.warp  = sp_ahead_i.warp;
  assign sp_slot.index = sp_index[0];
  assign sp_slot.low   = sp_low;
  assign sp_slot.high  = sp_high;
  assign sp_slot.lanes = sp_lanes;
  assign sp_slot.from  = g80_pkg::ValueSourceSp;
  assign sp_slot.word  = g80_pkg::ResultWordLow;

  for (genvar w = 0; w < 2; w++) begin : gen_word
    g80_pkg::slot_write_t of_waited;

    assign of_waited.bank  = waited_bank[w];
    assign of_waited.warp  = waited.warp;
    assign of_waited.index = waited_index[w];
    assign of_waited.low   = waited_low;
    assign of_waited.high  = waited_high;
    assign of_waited.lanes = waited_lanes;
    assign of_waited.from  = waited_from;
    assign of_waited.word  = w == 0 ? g80_pkg::ResultWordLow : g80_pkg::ResultWordHigh;
    assign waited_slot[w]  = of_waited;
  end

  always_comb begin : other_slots
    load_slot              = g80_pkg::SlotWriteDefault;
    load_slot.bank         = load_bank;
    load_slot.warp         = load.warp;
    load_slot.index        = load_index;
    load_slot.low          = 1'b1;
    load_slot.high         = 1'b1;
    load_slot.lanes        = load.lanes;
    load_slot.from         = g80_pkg::ValueSourceLoad;
    sp_flag_slot           = g80_pkg::SlotWriteDefault;
    sp_flag_slot.warp      = sp_ahead_i.warp;
    sp_flag_slot.index     = {5'd0, sp_flag};
    sp_flag_slot.lanes     = sp_ahead_i.lanes;
    waited_flag_slot       = g80_pkg::SlotWriteDefault;
    waited_flag_slot.warp  = waited.warp;
    waited_flag_slot.index = {5'd0, waited_flag};
    waited_flag_slot.lanes = waited.lanes;
    waited_flag_slot.from  = waited_from;
  end

  assign slot_d       = {load_slot, waited_slot, sp_slot};
  assign next_ports_d = {load_busy != '0, waited_goes ? waited_word : 2'd0, sp_ahead_i.valid && sp_word[0]};
  assign busy_banks_d = sp_busy | waited_busy | load_busy;

  logic sp_flags, waited_flags;

  assign sp_flags           = sp_ahead_i.valid && sp_to_flags;
  assign waited_flags       = waited_done && waited_to_flags;
  assign next_flag_writes_d = {1'b0, sp_flags} + {1'b0, waited_flags};
  assign next_addr_write_d  = sp_ahead_i.valid && sp_to_addr;
  assign first_flag_slot_d  = sp_flags ? sp_flag_slot : waited_flag_slot;
  assign second_flag_slot_d = waited_flag_slot;
  assign addr_slot_d        = {sp_ahead_i.warp, sp_addr, sp_ahead_i.lanes};

  // What has its slot is on the ports a cycle later.
  assign written_ports_d = next_ports_q;
  assign flag_writes_d   = next_flag_writes_q;
  assign addr_write_d    = next_addr_write_q;

  // The ports, and the values where they lie. These are there unless the last lanes leave their unit in the same cycle.
  assign {value[2*g80_pkg::ValueSourceWaited], value[2*g80_pkg::ValueSourceWaited+1],
          flags[g80_pkg::ValueSourceWaited]} = waited_q;
  assign value[2*g80_pkg::ValueSourceLoad]   = loaded_q;
  assign value[2*g80_pkg::ValueSourceLoad+1] = '0;
  assign flags[g80_pkg::ValueSourceLoad]     = '0;

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    g80_pkg::slot_write_t   slot, shown_d, shown_q;
    g80_pkg::late_lanes_t   late_d, late_q;
    g80_pkg::register_write_t write;

    assign slot    = slot_q[p];
    assign shown_d = slot;

    late_lanes u_late (
      .slot_i (slot),
      .whole_i(whole),
      .late_o (late_d)
    );
    assign write.bank  = shown_q.bank;
    assign write.warp  = shown_q.warp;
    assign write.reg_  = shown_q.index;
    assign write.low   = shown_q.low;
    assign write.high  = shown_q.high;
    assign write.lanes = shown_q.lanes;
    assign write.late  = late_q;
    assign write_o[p]  = write;

    if (p == int'(g80_pkg::WritePortSp)) begin : gen_value
      assign write.value = value[2*g80_pkg::ValueSourceSp];
    end else if (p == int'(g80_pkg::WritePortLoad)) begin : gen_value
      assign write.value = loaded_q;
    end else begin : gen_value
      localparam int unsigned Word = p - int'(g80_pkg::WritePortWaited);

      // The words of the units behind the SPs, and of the results that wait
      always_comb begin : choose
        case (shown_q.from)
          g80_pkg::ValueSourceSfu:      write.value = value[2*g80_pkg::ValueSourceSfu+Word];
          g80_pkg::ValueSourceMultiply: write.value = value[2*g80_pkg::ValueSourceMultiply+Word];
          g80_pkg::ValueSourceDp:       write.value = value[2*g80_pkg::ValueSourceDp+Word];
          default:                      write.value = value[2*g80_pkg::ValueSourceWaited+Word];
        endcase
        if (Word != 0 && g80_pkg::HasDp == 0) write.value = '0;  // only fp64 has results of two words
      end
    end

    always_ff @(posedge clk_i) begin : registers
      shown_q <= shown_d;
      late_q  <= late_d;
    end
  end

  logic [g80_pkg::FlagWrites-1:0][SlotW-1:0] flag_slot;

  assign flag_slot = {second_flag_slot_q, first_flag_slot_q};

  for (genvar i = 0; i < g80_pkg::FlagWrites; i++) begin : gen_flag_port
    g80_pkg::slot_write_t   slot;
    g80_pkg::late_lanes_t   late_d, late_q;
    logic [AddrSlotW-2:0]   shown_d, shown_q;  // warp, register, lanes
    g80_pkg::value_source_e from_d, from_q;

    assign slot    = flag_slot[i];
    assign shown_d = {slot.warp, slot.index[1:0], slot.lanes};
    assign from_d  = slot.from;

    late_lanes u_late (
      .slot_i (slot),
      .whole_i(whole),
      .late_o (late_d)
    );
    assign flag_write_o[i] = flag_writes_q > 2'(i) ? {1'b1, shown_q, flags[from_q], late_q} : '0;

    always_ff @(posedge clk_i) begin : registers
      shown_q <= shown_d;
      from_q  <= from_d;
      late_q  <= late_d;
    end
  end

  logic [AddrSlotW-1:0] addr_shown_d, addr_shown_q;  // as addr_slot_q
  logic                 addr_late_d, addr_late_q;

  assign addr_shown_d = addr_slot_q;
  assign addr_late_d  = !whole[g80_pkg::ExecUnitSp];
  assign addr_write_o = addr_write_q ? {1'b1, addr_shown_q, value[0], addr_late_q, g80_pkg::ExecUnitSp,
                                        g80_pkg::ResultWordLow} : '0;

  // Instructions that finish, without gaps
  localparam int unsigned Finishing = 5;

  g80_pkg::decoded_instruction_t           control;
  logic [Finishing-1:0]                    finishes;
  logic [Finishing-1:0][EntryW-1:0]        finished;
  logic [Entries-1:0][EntryW-1:0]          released;
  logic [Finishing-1:0][2:0]               place;
  logic [2:0]                              count;

  issued_fields u_control_fields (
    .insn_i   (control_i.insn),
    .decoded_o(control)
  );
  assign finishes = {control_i.valid && control.unit == g80_pkg::UnitControl, store_i.valid, load_goes && load.last,
                     waited_done, sp_ahead_i.valid};
  assign finished = {{1'b1, control_i.warp, control_i.uid, control_i.insn},
                     {1'b1, store_i.warp, store_i.uid, store_i.insn},
                     {1'b1, load.warp, load.uid, load.insn},
                     {1'b1, waited.warp, waited.uid, waited.insn},
                     {1'b1, sp_ahead_i.warp, sp_ahead_i.uid, sp_ahead_i.insn}};

  always_comb begin : find_places
    count = '0;
    for (int f = 0; f < Finishing; f++) begin
      place[f] = count;
      count    = count + 3'(finishes[f]);
    end
  end
  for (genvar e = 0; e < Entries; e++) begin : gen_release
    always_comb begin : pick
      released[e] = g80_pkg::ReleaseEntryDefault;
      for (int f = 0; f < Finishing; f++) begin
        if (finishes[f] && place[f] == 3'(e)) released[e] = finished[f];
      end
    end
  end
  assign release_d = released;

  assign release_o        = release_q;
  assign load_rows_o      = load_rows_q;
  assign sfu_dp_results_o = sfu_dp_results_q;
  assign busy_banks_o     = busy_banks_q;
  assign written_ports_o  = written_ports_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      release_q          <= g80_pkg::ReleaseDefault;
      load_rows_q        <= '0;
      sfu_dp_results_q   <= '0;
      busy_banks_q       <= '0;
      next_ports_q       <= '0;
      written_ports_q    <= '0;
      next_flag_writes_q <= '0;
      flag_writes_q      <= '0;
      next_addr_write_q  <= 1'b0;
      addr_write_q       <= 1'b0;
      waiting_written_q  <= 1'b0;
      load_head_q        <= '0;
      load_tail_q        <= '0;
      loaded_place_q     <= '0;
    end else begin
      release_q          <= release_d;
      load_rows_q        <= load_rows_d;
      sfu_dp_results_q   <= sfu_dp_results_d;
      busy_banks_q       <= busy_banks_d;
      next_ports_q       <= next_ports_d;
      written_ports_q    <= written_ports_d;
      next_flag_writes_q <= next_flag_writes_d;
      flag_writes_q      <= flag_writes_d;
      next_addr_write_q  <= next_addr_write_d;
      addr_write_q       <= addr_write_d;
      waiting_written_q  <= waiting_written_d;
      load_head_q        <= load_head_d;
      load_tail_q        <= load_tail_d;
      loaded_place_q     <= loaded_place_d;
    end
  end
  always_ff @(posedge clk_i) begin : data
    slot_q             <= slot_d;
    first_flag_slot_q  <= first_flag_slot_d;
    second_flag_slot_q <= second_flag_slot_d;
    addr_slot_q        <= addr_slot_d;
    waited_q           <= waited_d;
    loaded_q           <= loaded_d;
    half_lanes_q       <= half_lanes_d;
    addr_shown_q       <= addr_shown_d;
    addr_late_q        <= addr_late_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      NoFaultLoads: assert (!has_load || decoded.error == g80_pkg::DecodeErrorNone);
      SpResultIsNoPair: assert (!sp_ahead_i.valid || !sp_word[1]);
      OnlySpsWriteAddressRegisters: assert (!(waits && waited_to_addr));
    end
  end
endmodule
