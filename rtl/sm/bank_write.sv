// SPDX-License-Identifier: Apache-2.0
// What the port of a bank of the register file writes: writeback's word, with the lanes that leave their unit in this
// cycle, or numbers of threads; and the row that the port is at. Without a clock.
module bank_write #(
  localparam int unsigned Lanes   = g80_pkg::WarpSize,
  localparam int unsigned Half    = g80_pkg::HalfWarp,
  localparam int unsigned Sources = g80_pkg::ExecUnits,
  localparam int unsigned Warps   = g80_pkg::MaxWarps,
  localparam int unsigned RowW    = $clog2(g80_pkg::MaxRegistersPerSm / g80_pkg::WarpSize)
) (
  input  logic                                  write_i,
  input  g80_pkg::register_write_t              word_i,
  input  logic [Sources-1:0][Half-1:0]          late_lanes_i,  // last lanes of the units that are there
  input  logic [2*Sources-1:0][Half-1:0][31:0]  late_value_i,  // low and high word of each unit

  input  logic [Warps-1:0][RowW-1:0]            base_i,        // first row of each warp
  input  logic [Warps-1:0][7:0]                 registers_i,   // and how many it has

  input  logic                                  numbers_i,     // numbers of threads have the slot
  input  logic [RowW-1:0]                       numbers_row_i,
  input  logic [Lanes-1:0]                      numbers_low_i,
  input  logic [Lanes-1:0]                      numbers_high_i,
  input  logic [2*Lanes-1:0][15:0]              numbers_data_i,

  input  logic                                  read_i,        // the port reads
  input  logic [RowW-1:0]                       read_row_i,

  output logic                                  write_o,
  output logic [RowW-1:0]                       row_o,
  output logic [2*Lanes-1:0]                    part_o,        // halves of lanes
  output logic [2*Lanes-1:0][15:0]              data_o,
  output logic                                  misses_o       // its last lanes are not there
);
  logic [Lanes-1:0][31:0] word;  // with the late lanes
  logic [Half-1:0]        late;  // which
  logic [Half-1:0][31:0]  late_word;

  always_comb begin : complete
    late      = '0;
    late_word = '0;
    misses_o  = 1'b0;
    if (write_i && word_i.late.valid) begin
      late      = late_lanes_i[word_i.late.unit];
      late_word = late_value_i[{word_i.late.unit, word_i.late.word}];
      misses_o  = late == '0;
    end
    word = word_i.value;
    for (int l = 0; l < Half; l++) begin
      if (late[l]) word[Half+l] = late_word[l];
    end
  end

  always_comb begin : choose
    write_o = 1'b0;
    row_o   = read_row_i;
    part_o  = '0;
    data_o  = '0;
    if (write_i) begin
      write_o = {1'b0, word_i.reg_} < registers_i[word_i.warp];
      for (int l = 0; l < Lanes; l++) begin
        part_o[2*l]   = word_i.low && word_i.lanes[l];
        part_o[2*l+1] = word_i.high && word_i.lanes[l];
        data_o[2*l]   = word[l][15:0];
        data_o[2*l+1] = word_i.low ? word[l][31:16] : word[l][15:0];
      end
      if (!read_i) row_o = base_i[word_i.warp] + RowW'(word_i.reg_);
    end else if (numbers_i) begin
      write_o = 1'b1;
      for (int l = 0; l < Lanes; l++) part_o[2*l+:2] = {numbers_high_i[l], numbers_low_i[l]};
      data_o = numbers_data_i;
      if (!read_i) row_o = numbers_row_i;
    end
  end
endmodule
