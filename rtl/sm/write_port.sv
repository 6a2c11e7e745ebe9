// SPDX-License-Identifier: Apache-2.0
// The write port of a register bank. It keeps its contents while it is not in use.
module write_port #(
  localparam int unsigned Sources = 6,
  localparam int unsigned Units   = g80_pkg::ExecUnits,
  localparam int unsigned WordsW  = g80_pkg::LaneWordsWidth
) (
  input  logic                             clk_i,

  input  logic                             write_i,  // a write had its slot in the last cycle
  input  g80_pkg::slot_write_t             slot_i,
  input  logic [2*Sources-1:0][WordsW-1:0] value_i,  // low and high word of each value_source_e
  input  logic [Units-1:0]                 whole_i,  // the unit's row has all lanes

  output g80_pkg::register_write_t         write_o
);
  g80_pkg::late_lanes_t     late;
  g80_pkg::register_write_t write_d, write_q;

  late_lanes u_late (
    .slot_i,
    .whole_i,
    .late_o(late)
  );

  always_comb begin : next_write
    write_d = write_q;
    if (write_i) begin
      write_d.warp  = slot_i.warp;
      write_d.reg_  = slot_i.index;
      write_d.low   = slot_i.low;
      write_d.high  = slot_i.high;
      write_d.lanes = slot_i.lanes;
      write_d.value = value_i[{slot_i.from, slot_i.word}];
      write_d.late  = late;
    end
  end

  assign write_o = write_q;

  always_ff @(posedge clk_i) begin : registers
    write_q <= write_d;
  end
endmodule
