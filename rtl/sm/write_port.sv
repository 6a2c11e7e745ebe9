// SPDX-License-Identifier: Apache-2.0
// The write port of a register bank. It holds where its word is, and shows it from there: the word of a write whose
// slot is over may be any.
module write_port #(
  localparam int unsigned Sources = 6,
  localparam int unsigned Units   = g80_pkg::ExecUnits,
  localparam int unsigned WordsW  = g80_pkg::LaneWordsWidth
) (
  input  logic                             clk_i,

  input  logic                             write_i,  // a write had its slot in the last cycle
  input  g80_pkg::slot_write_t             slot_i,
  input  logic [Units-1:0]                 whole_i,  // the unit's row has all lanes

  input  logic [2*Sources-1:0][WordsW-1:0] value_i,  // low and high word of each value_source_e, a cycle later
  output g80_pkg::register_write_t         write_o
);
  // Registers
  g80_pkg::slot_write_t slot_d, slot_q;
  g80_pkg::late_lanes_t late, late_d, late_q;

  late_lanes u_late (
    .slot_i,
    .whole_i,
    .late_o(late)
  );

  assign slot_d = write_i ? slot_i : slot_q;
  assign late_d = write_i ? late : late_q;

  assign write_o.warp  = slot_q.warp;
  assign write_o.reg_  = slot_q.index;
  assign write_o.low   = slot_q.low;
  assign write_o.high  = slot_q.high;
  assign write_o.lanes = slot_q.lanes;
  assign write_o.value = value_i[{slot_q.from, slot_q.word}];
  assign write_o.late  = late_q;

  always_ff @(posedge clk_i) begin : registers
    slot_q <= slot_d;
    late_q <= late_d;
  end
endmodule
