// SPDX-License-Identifier: Apache-2.0
// A write port's word, with the lanes that leave their unit in this cycle, and the row that it goes to. Without a
// clock.
module completed_write #(
  parameter logic [g80_pkg::ExecUnits-1:0] LateUnits = '1,  // whose last lanes may be late
  parameter int unsigned                   Word      = 0,   // of their result
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

  output logic                                  write_o,       // to a register that the warp has
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
    for (int u = 0; u < Sources; u++) begin
      if (LateUnits[u] && word_i.late.unit == 2'(u)) begin
        late      = late_lanes_i[u];
        late_word = late_value_i[2*u+Word];
      end
    end
    if (!write_i || !word_i.late.valid) late = '0;
    misses_o = write_i && word_i.late.valid && late == '0;
    word     = word_i.value;
    for (int l = 0; l < Half; l++) begin
      if (late[l]) word[Half+l] = late_word[l];
    end
  end

  assign write_o = write_i && {1'b0, word_i.reg_} < registers_i[word_i.warp];
  assign row_o   = base_i[word_i.warp] + RowW'(word_i.reg_);

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign part_o[2*l]   = word_i.low && word_i.lanes[l];
    assign part_o[2*l+1] = word_i.high && word_i.lanes[l];
    assign data_o[2*l]   = word[l][15:0];
    assign data_o[2*l+1] = word_i.low ? word[l][31:16] : word[l][15:0];
  end
endmodule
