// SPDX-License-Identifier: Apache-2.0
// The register file: $r in single-ported banks, $c and $a beside them.
// Twin of hw/sm/register_file.h, equal to it at every clock edge.
//
// In a cycle each bank serves one read, writeback's write, or numbers of threads. Which read it serves is decided a
// cycle before. Each row has its place in the memory of all banks, because the number of banks is a strap: the port of
// the bank that holds a register is the only one that reaches it.
//
// A new warp's rows, $c and $a lose the bits that say that they were written.
module register_file #(
  localparam int unsigned Banks  = g80_pkg::MaxRegisterBanks,
  localparam int unsigned Units  = g80_pkg::MaxCollectorUnits,
  localparam int unsigned WritePorts = g80_pkg::WritePorts,
  localparam int unsigned WriteW = g80_pkg::RegisterWriteWidth,
  localparam int unsigned FlagW  = g80_pkg::FlagWriteWidth,
  localparam int unsigned ReadW  = g80_pkg::RegisterReadWidth
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // Straps
  input  logic [5:0]                 cfg_num_banks_i,  // sm.register_banks
  input  logic [31:0]                cfg_init_word_i,  // sm.init
  input  logic                       cfg_init_differs_i,

  // From instruction_buffer, and from operand_collector the unit that takes the instruction
  input  g80_pkg::issue_t            issue_i,
  input  logic [3:0]                 unit_i,

  // From cta_launcher
  input  g80_pkg::register_start_t   start_i,
  input  g80_pkg::thread_numbers_t   numbers_i,
  output logic                       numbers_room_o,

  // From writeback
  input  logic [Banks-1:0]           busy_banks_i,     // banks that are written in the next cycle
  input  logic [WritePorts-1:0]      written_ports_i,  // ports that write, each another bank
  input  logic [WritePorts-1:0][WriteW-1:0]         write_i,       // register_write_t, of each write_port_e
  input  logic [g80_pkg::FlagWrites-1:0][FlagW-1:0] flag_write_i,  // flag_write_t
  input  g80_pkg::addr_write_t       addr_write_i,

  // From address_unit
  input  g80_pkg::addr_increment_t   increment_i,

  // From sp_array, sfu, sfu_multipliers, dp: the last lanes of what is written
  input  g80_pkg::exec_result_t      sp_result_i,
  input  g80_pkg::exec_result_t      sfu_result_i,
  input  g80_pkg::exec_result_t      multiply_result_i,
  input  g80_pkg::exec_result_t      dp_result_i,

  // To operand_collector
  output logic [Units-1:0]           reading_o,        // units with register reads to do
  output logic [Banks-1:0]           read_banks_o,     // whose ports bring a register
  output logic [Banks-1:0][ReadW-1:0] read_o,          // register_read_t
  output g80_pkg::side_read_t        side_o
);
  localparam int unsigned Warps   = g80_pkg::MaxWarps;
  localparam int unsigned Lanes   = g80_pkg::WarpSize;
  localparam int unsigned Half    = g80_pkg::HalfWarp;
  localparam int unsigned Words   = g80_pkg::OperandWords;
  localparam int unsigned Ports   = g80_pkg::OperandPorts;
  localparam int unsigned Rows    = g80_pkg::MaxRegistersPerSm / Lanes;
  localparam int unsigned RowW    = $clog2(Rows);
  localparam int unsigned Sources = g80_pkg::ExecUnits;
  localparam int unsigned Writers = WritePorts - (g80_pkg::HasDp != 0 ? 0 : 1);  // only fp64 has results of two words
  localparam int unsigned Pairs   = Units * (Units - 1) / 2;
  localparam int unsigned CountW  = $clog2(g80_pkg::MaxThreadNumbers + 1);
  localparam int unsigned SideW   = $clog2(4 * Warps);  // rows of $c, and of $a1 to $a4

  // Registers
  logic [Units-1:0]                 reading_d, reading_q;
  logic [Banks-1:0]                 read_banks_d, read_banks_q;
  logic [Ports-1:0]                 ports_d, ports_q;          // bit n: more than n ports pass the halves of registers
  logic                             numbers_room_d, numbers_room_q;
  logic                             writes_numbers_d, writes_numbers_q;  // the slot of a bank is theirs
  logic [Warps-1:0][RowW-1:0]       base_d, base_q;            // first row of each warp
  logic [Warps-1:0][7:0]            registers_d, registers_q;  // and how many it has
  logic [Units-1:0][4:0]            warp_d, warp_q;            // the instruction in each collector unit
  logic [Units-1:0][Words-1:0]      waiting_d, waiting_q;      // words whose reads are not granted
  logic [Units-1:0][Words-1:0][7:0] reg_d, reg_q;
  logic [Units-1:0][Words-1:0][1:0] half_d, half_q;
  logic [Units-1:0][Words-1:0][4:0] bank_d, bank_q;
  logic [Pairs-1:0]                 younger_d, younger_q;      // order of issue
  logic [Banks-1:0][RowW-1:0]       read_row_d, read_row_q;    // of the read that each bank serves
  logic [Banks-1:0]                 read_none_d, read_none_q;  // the register is not allocated
  logic [Banks-1:0][3:0]            read_unit_d, read_unit_q;
  logic [Banks-1:0][$clog2(Words)-1:0] read_to_d, read_to_q;
  logic [Banks-1:0][1:0]            read_half_d, read_half_q;
  logic [4:0]                       numbers_bank_d, numbers_bank_q;
  logic [RowW-1:0]                  numbers_row_d, numbers_row_q;
  logic [Lanes-1:0]                 numbers_low_d, numbers_low_q, numbers_high_d, numbers_high_q;
  logic [2*Lanes-1:0][15:0]         numbers_value_d, numbers_value_q;
  logic                             numbers_none_d, numbers_none_q;  // $r0 is not allocated
  g80_pkg::side_read_t              side_d, side_q;

  // Remainders by the number of banks
  logic [31:0][4:0] unit;
  logic [15:0][4:0] sixteen;

  bank_residues u_residues (
    .cfg_num_banks_i,
    .unit_o   (unit),
    .sixteen_o(sixteen)
  );

  // A new warp
  for (genvar w = 0; w < Warps; w++) begin : gen_warp
    logic starts;

    assign starts         = start_i.valid && start_i.warp == 5'(w);
    assign base_d[w]      = starts ? start_i.base_row[RowW-1:0] : base_q[w];
    assign registers_d[w] = starts ? start_i.registers : registers_q[w];
  end

  // The instruction that is issued
  logic [Words-1:0]      new_word;
  logic [Words-1:0][7:0] new_reg;
  logic [Words-1:0][1:0] new_half;
  logic [Words-1:0][4:0] new_bank;
  logic [1:0]            side_flag;
  logic                  reads_addr;
  logic [2:0]            side_addr;

  operand_reads u_operand_reads (
    .cfg_num_banks_i,
    .unit_i         (unit),
    .sixteen_i      (sixteen),
    .issue_i,
    .word_o         (new_word),
    .reg_o          (new_reg),
    .half_o         (new_half),
    .bank_o         (new_bank),
    .flag_o         (side_flag),
    .reads_addr_o   (reads_addr),
    .addr_o         (side_addr)
  );

  // What is still to read. The $r0 of a warp whose numbers of threads wait is not there yet.
  logic [Warps-1:0]                      without_numbers;
  logic [Units-1:0][Words-1:0]           asks, wants, grant;
  logic [Units-1:0][Words-1:0][RowW-1:0] row;   // of each word's register
  logic [Units-1:0][Words-1:0]           none;  // it is not allocated

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    logic            accepts;
    logic [RowW-1:0] base;       // of its warp
    logic [7:0]      allocated;

    assign base      = base_q[warp_d[u]];
    assign allocated = registers_q[warp_d[u]];
    assign accepts   = issue_i.valid && unit_i == 4'(u);
    assign warp_d[u] = accepts ? issue_i.warp : warp_q[u];
    assign asks[u]   = accepts ? new_word : waiting_q[u];
    assign reg_d[u]  = accepts ? new_reg : reg_q[u];
    assign half_d[u] = accepts ? new_half : half_q[u];
    assign bank_d[u] = accepts ? new_bank : bank_q[u];

    for (genvar w = 0; w < Words; w++) begin : gen_word
      assign row[u][w]   = base + RowW'(reg_d[u][w]);
      assign none[u][w]  = reg_d[u][w] >= allocated;
      assign wants[u][w] = asks[u][w] && !(reg_d[u][w] == '0 && without_numbers[warp_d[u]]);
    end
    assign waiting_d[u] = asks[u] & ~grant[u];
    assign reading_d[u] = waiting_d[u] != '0;

    for (genvar o = 0; o < u; o++) begin : gen_order
      logic other_accepts;

      assign other_accepts             = issue_i.valid && unit_i == 4'(o);
      assign younger_d[u*(u-1)/2+o] = other_accepts || (!accepts && younger_q[u*(u-1)/2+o]);
    end
  end

  // Turns at the banks. None is read while numbers of threads have waited for too long: they take the next slot that
  // writeback leaves free.
  logic [Banks-1:0][Units-1:0] reader;
  logic [Banks-1:0]            unread;
  logic                        numbers_urgent;

  assign unread = numbers_urgent ? '1 : busy_banks_i;

  register_turns u_turns (
    .younger_i(younger_d),
    .wants_i  (wants),
    .bank_i   (bank_d),
    .busy_i   (unread),
    .passing_i(ports_q),
    .grant_o  (grant),
    .unit_o   (reader),
    .read_o   (read_banks_d),
    .ports_o  (ports_d)
  );

  for (genvar b = 0; b < Banks; b++) begin : gen_read
    bank_read u_read (
      .number_i(5'(b)),
      .reader_i(reader[b]),
      .grant_i (grant),
      .bank_i  (bank_d),
      .row_i   (row),
      .none_i  (none),
      .half_i  (half_d),
      .row_o   (read_row_d[b]),
      .none_o  (read_none_d[b]),
      .unit_o  (read_unit_d[b]),
      .to_o    (read_to_d[b]),
      .half_o  (read_half_d[b])
    );
  end

  // Numbers of threads take a slot that nobody else wants.
  logic [4:0]        numbers_warp;
  logic              numbers_go;
  logic [Lanes-1:0]  numbers_low, numbers_high;
  logic [CountW-1:0] numbers_next;

  waiting_numbers u_numbers (
    .clk_i,
    .rst_ni,
    .unit_i         (unit),
    .numbers_i,
    .written_ports_i,
    .write_i,
    .taken_i        (busy_banks_i | read_banks_d),
    .grant_o        (numbers_go),
    .bank_o         (numbers_bank_d),
    .warp_o         (numbers_warp),
    .low_o          (numbers_low),
    .high_o         (numbers_high),
    .value_o        (numbers_value_d),
    .urgent_o       (numbers_urgent),
    .warps_o        (without_numbers),
    .count_next_o   (numbers_next)
  );
  assign writes_numbers_d = numbers_go;
  assign numbers_row_d    = base_q[numbers_warp];
  assign numbers_low_d    = numbers_low;
  assign numbers_high_d   = numbers_high;
  assign numbers_none_d   = registers_q[numbers_warp] == '0;
  // Full rate: what the launcher sends as it sees the room was decided a cycle ago.
  assign numbers_room_d   = numbers_next + CountW'(2) <= CountW'(g80_pkg::MaxThreadNumbers);

  // Lanes that leave their unit in the cycle of the write
  logic [Sources-1:0][Half-1:0]        late_lanes;
  logic [2*Sources-1:0][Half-1:0][31:0] late_value;  // low and high word of each unit
  logic [Sources-1:0][Half-1:0][3:0]   late_flags;

  last_lanes u_sp_lanes (
    .result_i(sp_result_i),
    .lanes_o (late_lanes[g80_pkg::ExecUnitSp]),
    .low_o   (late_value[2*g80_pkg::ExecUnitSp]),
    .high_o  (late_value[2*g80_pkg::ExecUnitSp+1]),
    .flags_o (late_flags[g80_pkg::ExecUnitSp])
  );
  last_lanes u_sfu_lanes (
    .result_i(sfu_result_i),
    .lanes_o (late_lanes[g80_pkg::ExecUnitSfu]),
    .low_o   (late_value[2*g80_pkg::ExecUnitSfu]),
    .high_o  (late_value[2*g80_pkg::ExecUnitSfu+1]),
    .flags_o (late_flags[g80_pkg::ExecUnitSfu])
  );
  if (g80_pkg::HasMultipliers != 0) begin : gen_multiply_lanes
    last_lanes u_multiply_lanes (
      .result_i(multiply_result_i),
      .lanes_o (late_lanes[g80_pkg::ExecUnitMultiply]),
      .low_o   (late_value[2*g80_pkg::ExecUnitMultiply]),
      .high_o  (late_value[2*g80_pkg::ExecUnitMultiply+1]),
      .flags_o (late_flags[g80_pkg::ExecUnitMultiply])
    );
  end else begin : gen_no_multiply_lanes
    assign late_lanes[g80_pkg::ExecUnitMultiply]     = '0;
    assign late_value[2*g80_pkg::ExecUnitMultiply+:2] = '0;
    assign late_flags[g80_pkg::ExecUnitMultiply]     = '0;
  end
  if (g80_pkg::HasDp != 0) begin : gen_dp_lanes
    last_lanes u_dp_lanes (
      .result_i(dp_result_i),
      .lanes_o (late_lanes[g80_pkg::ExecUnitDp]),
      .low_o   (late_value[2*g80_pkg::ExecUnitDp]),
      .high_o  (late_value[2*g80_pkg::ExecUnitDp+1]),
      .flags_o (late_flags[g80_pkg::ExecUnitDp])
    );
  end else begin : gen_no_dp_lanes
    assign late_lanes[g80_pkg::ExecUnitDp]     = '0;
    assign late_value[2*g80_pkg::ExecUnitDp+:2] = '0;
    assign late_flags[g80_pkg::ExecUnitDp]     = '0;
  end

  // The write ports that there are
  logic [Writers-1:0]                    port_uses, port_writes, port_misses;
  logic [Writers-1:0][4:0]               port_bank;
  logic [Writers-1:0][RowW-1:0]          port_row;
  logic [Writers-1:0][2*Lanes-1:0]       port_part;
  logic [Writers-1:0][2*Lanes-1:0][15:0] port_data;
  logic [Writers:0]                      was_written;  // the rows of the write ports and of numbers

  for (genvar p = 0; p < Writers; p++) begin : gen_write_port
    localparam int unsigned Port = p + (p < int'(g80_pkg::WritePortWaitedHigh) ? 0 : WritePorts - Writers);
    localparam bit Sp   = Port == int'(g80_pkg::WritePortSp);
    localparam bit Load = Port == int'(g80_pkg::WritePortLoad);
    localparam bit High = Port == int'(g80_pkg::WritePortWaitedHigh);
    localparam logic [Sources-1:0] OfSps = Sources'(1) << g80_pkg::ExecUnitSp;
    localparam logic [Sources-1:0] Others =
        {g80_pkg::HasDp != 0, g80_pkg::HasMultipliers != 0 && !High, !High, 1'b0};

    g80_pkg::register_write_t word;
    logic [2*Lanes-1:0]       part;
    logic [2*Lanes*16-1:0]    data;

    assign word         = write_i[Port];
    assign port_uses[p] = written_ports_i[Port];
    assign port_bank[p] = word.bank;

    completed_write #(
      .LateUnits(Load ? '0 : Sp ? OfSps : Others),
      .Word     (High ? 1 : 0)
    ) u_completed (
      .write_i     (port_uses[p]),
      .word_i      (word),
      .late_lanes_i(late_lanes),
      .late_value_i(late_value),
      .base_i      (base_q),
      .registers_i (registers_q),
      .write_o     (port_writes[p]),
      .row_o       (port_row[p]),
      .part_o      (part),
      .data_o      (data),
      .misses_o    (port_misses[p])
    );
    fill_unwritten u_fill (
      .cfg_init_word_i,
      .cfg_init_differs_i,
      .fresh_i(port_writes[p] && !was_written[p]),
      .row_i  (port_row[p]),
      .part_i (part),
      .data_i (data),
      .part_o (port_part[p]),
      .data_o (port_data[p])
    );
  end

  // Numbers of threads
  logic                      numbers_write;
  logic [2*Lanes-1:0]        numbers_part, numbers_lanes;
  logic [2*Lanes-1:0][15:0]  numbers_data;

  assign numbers_write = writes_numbers_q && !numbers_none_q;
  for (genvar l = 0; l < Lanes; l++) begin : gen_numbers_lane
    assign numbers_lanes[2*l+:2] = {numbers_high_q[l], numbers_low_q[l]};
  end
  fill_unwritten u_fill_numbers (
    .cfg_init_word_i,
    .cfg_init_differs_i,
    .fresh_i(numbers_write && !was_written[Writers]),
    .row_i  (numbers_row_q),
    .part_i (numbers_lanes),
    .data_i (numbers_value_q),
    .part_o (numbers_part),
    .data_o (numbers_data)
  );

  // Which rows are written since their warp started: those of the write ports, of numbers, and of operand ports
  logic [Rows-1:0]                    new_rows;       // of a warp that starts
  logic [Ports-1:0]                   reads, reads_written;
  logic [Ports-1:0][$clog2(Banks)-1:0] reads_bank;
  logic [Ports-1:0][RowW-1:0]         reads_row;

  lowest_few #(
    .Width(Banks),
    .Count(Ports)
  ) u_reads (
    .mask_i (read_banks_q),
    .found_o(reads),
    .index_o(reads_bank)
  );
  for (genvar r = 0; r < Ports; r++) begin : gen_reads_row
    assign reads_row[r] = read_row_q[reads_bank[r]];
  end
  assign new_rows = start_i.valid ? ({Rows{1'b1}} << start_i.base_row[RowW-1:0]) &
                                    ~({Rows{1'b1}} << ({1'b0, start_i.base_row[RowW-1:0]} +
                                                       (RowW + 1)'(start_i.registers))) : '0;

  written_bits #(
    .Rows   (Rows),
    .Writes (Writers + 1),
    .Lookups(Writers + 1 + Ports)
  ) u_written (
    .clk_i,
    .rst_ni,
    .clear_i    (new_rows),
    .write_i    ({numbers_write, port_writes}),
    .write_row_i({numbers_row_q, port_row}),
    .row_i      ({reads_row, numbers_row_q, port_row}),
    .written_o  ({reads_written, was_written})
  );

  // The banks. A part of a row is half of a lane's word.
  logic [Banks-1:0]                    written_banks;
  logic [Banks-1:0][2*Lanes-1:0][15:0] bank_read;

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic [Writers-1:0]       here, writes;
    logic                     write, fresh;
    logic [Ports-1:0]         reads_fresh;
    logic [RowW-1:0]          used_row;
    logic [2*Lanes-1:0]       part;
    logic [2*Lanes-1:0][15:0] data, kept, unwritten;

    for (genvar p = 0; p < Writers; p++) begin : gen_here
      assign here[p]   = port_bank[p] == 5'(b);
      assign writes[p] = port_writes[p] && here[p];
    end
    assign written_banks[b] = (port_uses & here) != '0;

    bank_write #(.Ports(Writers)) u_write (
      .write_i       (writes),
      .row_i         (port_row),
      .part_i        (port_part),
      .data_i        (port_data),
      .numbers_i     (numbers_write && numbers_bank_q == 5'(b)),
      .numbers_row_i (numbers_row_q),
      .numbers_part_i(numbers_part),
      .numbers_data_i(numbers_data),
      .read_i        (read_banks_q[b]),
      .read_row_i    (read_row_q[b]),
      .write_o       (write),
      .row_o         (used_row),
      .part_o        (part),
      .data_o        (data)
    );

    for (genvar r = 0; r < Ports; r++) begin : gen_fresh
      assign reads_fresh[r] = reads[r] && !reads_written[r] && reads_bank[r] == ($clog2(Banks))'(b);
    end
    assign fresh = |reads_fresh && !read_none_q[b];

    initial_words #(.Places(Lanes)) u_words (
      .cfg_word_i  (cfg_init_word_i),
      .cfg_differ_i(cfg_init_differs_i),
      .enable_i    (fresh),
      .place_i     (15'({read_row_q[b], 5'd0})),
      .word_o      (unwritten)
    );
    sram_1rw_masked #(
      .Words    (Rows),
      .Parts    (2 * Lanes),
      .PartWidth(16)
    ) u_memory (
      .clk_i,
      .address_i(used_row),
      .write_i  (write),
      .part_i   (part),
      .data_i   (data),
      .data_o   (kept)
    );
    assign bank_read[b] = fresh || read_none_q[b] ? unwritten : kept;  // 0 if it is not allocated
  end

  for (genvar b = 0; b < Banks; b++) begin : gen_port
    g80_pkg::register_read_t read;

    always_comb begin : port
      read.unit  = read_unit_q[b];
      read.to    = read_to_q[b];
      read.half  = read_half_q[b];
      read.value = bank_read[b];
      read_o[b]  = read;
    end
  end

  // $c
  logic [1:0]                 flag_writes;
  logic [1:0][SideW-1:0]      flag_row;
  logic [1:0][Lanes-1:0]      flag_part;
  logic [1:0][Lanes-1:0][3:0] flag_data;
  logic [Lanes-1:0][3:0]      flags_read;

  g80_pkg::flag_write_t flag_write;

  always_comb begin : next_flags
    flag_write = flag_write_i[0];
    for (int p = 0; p < g80_pkg::FlagWrites; p++) begin
      flag_write     = flag_write_i[p];
      flag_writes[p] = flag_write.valid;
      flag_row[p]    = {flag_write.warp, flag_write.index};
      flag_part[p]   = flag_write.lanes;
      flag_data[p]   = flag_write.value;
      for (int l = 0; l < Half; l++) begin
        if (flag_write.late.valid && late_lanes[flag_write.late.unit][l])
          flag_data[p][Half+l] = late_flags[flag_write.late.unit][l];
      end
    end
  end

  written_rows #(
    .Rows     (4 * Warps),
    .Parts    (Lanes),
    .PartWidth(4)
  ) u_flags (
    .clk_i,
    .rst_ni,
    .clear_i     (start_i.valid),
    .clear_rows_i(start_i.warp),
    .write_i    (flag_writes),
    .write_row_i(flag_row),
    .part_i     (flag_part),
    .data_i     (flag_data),
    .read_row_i ({issue_i.warp, side_flag}),
    .data_o     (flags_read)
  );

  // $a. $a0 is the constant 0, and the numbers above $a4 name nothing.
  localparam logic [2:0] LastAddr = 3'(g80_pkg::NumAddressRegisters - 1);

  logic [1:0]                  addr_writes;
  logic [1:0][SideW-1:0]       addr_row;
  logic [1:0][Lanes-1:0]       addr_part;
  logic [1:0][Lanes-1:0][15:0] addr_data;
  logic [Lanes-1:0][15:0]      addr_read;
  logic [Lanes-1:0][31:0]      written_addr, side_addr_words;

  always_comb begin : next_addr
    written_addr = addr_write_i.value;
    for (int l = 0; l < Half; l++) begin
      if (addr_write_i.late.valid && late_lanes[addr_write_i.late.unit][l])
        written_addr[Half+l] = late_value[{addr_write_i.late.unit, addr_write_i.late.word}][l];
    end
    for (int l = 0; l < Lanes; l++) addr_data[0][l] = written_addr[l][15:0];
    addr_data[1] = {2{increment_i.value}};
  end
  assign addr_writes[0] = addr_write_i.valid && addr_write_i.index != '0 && addr_write_i.index <= LastAddr;
  assign addr_writes[1] = increment_i.valid && increment_i.index != '0 && increment_i.index <= LastAddr;
  assign addr_row[0]    = {addr_write_i.warp, addr_write_i.index[1:0] - 2'd1};
  assign addr_row[1]    = {increment_i.warp, increment_i.index[1:0] - 2'd1};
  assign addr_part[0]   = addr_write_i.lanes;
  assign addr_part[1]   = increment_i.half ? {increment_i.lanes, Half'(0)} : {Half'(0), increment_i.lanes};

  written_rows #(
    .Rows     (4 * Warps),
    .Parts    (Lanes),
    .PartWidth(16)
  ) u_addrs (
    .clk_i,
    .rst_ni,
    .clear_i     (start_i.valid),
    .clear_rows_i(start_i.warp),
    .write_i    (addr_writes),
    .write_row_i(addr_row),
    .part_i     (addr_part),
    .data_i     (addr_data),
    .read_row_i ({issue_i.warp, side_addr[1:0] - 2'd1}),
    .data_o     (addr_read)
  );

  always_comb begin : next_side
    for (int l = 0; l < Lanes; l++) side_addr_words[l] = {16'd0, addr_read[l]};
    side_d = side_q;
    if (issue_i.valid) begin
      side_d.flags = flags_read;
      if (reads_addr) side_d.addr = side_addr != '0 && side_addr <= LastAddr ? side_addr_words : '0;
    end
  end

  assign reading_o      = reading_q;
  assign read_banks_o   = read_banks_q;
  assign side_o         = side_q;
  assign numbers_room_o = numbers_room_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      reading_q        <= '0;
      read_banks_q     <= '0;
      ports_q          <= '0;
      numbers_room_q   <= 1'b1;
      writes_numbers_q <= 1'b0;
      base_q           <= '0;
      registers_q      <= '0;
      warp_q           <= '0;
      waiting_q        <= '0;
      reg_q            <= '0;
      half_q           <= '1;
      bank_q           <= '0;
      side_q           <= g80_pkg::SideReadDefault;
    end else begin
      reading_q        <= reading_d;
      read_banks_q     <= read_banks_d;
      ports_q          <= ports_d;
      numbers_room_q   <= numbers_room_d;
      writes_numbers_q <= writes_numbers_d;
      base_q           <= base_d;
      registers_q      <= registers_d;
      warp_q           <= warp_d;
      waiting_q        <= waiting_d;
      reg_q            <= reg_d;
      half_q           <= half_d;
      bank_q           <= bank_d;
      side_q           <= side_d;
    end
  end
  always_ff @(posedge clk_i) begin : data
    younger_q       <= younger_d;
    read_row_q      <= read_row_d;
    read_none_q     <= read_none_d;
    read_unit_q     <= read_unit_d;
    read_to_q       <= read_to_d;
    read_half_q     <= read_half_d;
    numbers_bank_q  <= numbers_bank_d;
    numbers_row_q   <= numbers_row_d;
    numbers_low_q   <= numbers_low_d;
    numbers_high_q  <= numbers_high_d;
    numbers_value_q <= numbers_value_d;
    numbers_none_q  <= numbers_none_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      IssueTakesAFreeUnit: assert (!issue_i.valid || waiting_q[unit_i] == '0);
      StartingWarpReadsNothing: assert (!(start_i.valid && issue_i.valid && start_i.warp == issue_i.warp));
      WrittenBankIsNotRead: assert ((written_banks & read_banks_q) == '0);
      LastLanesAreThere: assert (port_misses == '0);
    end
  end
endmodule
