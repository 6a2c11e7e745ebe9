// SPDX-License-Identifier: Apache-2.0
// The write ports of the register banks. Each keeps its contents while it is not in use.
module write_ports #(
  parameter int unsigned Banks = 32,
  localparam int unsigned Sources = 6,
  localparam int unsigned Units   = g80_pkg::ExecUnits,
  localparam int unsigned WordsW  = g80_pkg::LaneWordsWidth,
  localparam int unsigned SlotW   = g80_pkg::SlotWriteWidth,
  localparam int unsigned WriteW  = g80_pkg::RegisterWriteWidth
) (
  input  logic                             clk_i,

  input  logic [Banks-1:0]                 write_i,  // a write had its slot in the last cycle
  input  logic [Banks-1:0][SlotW-1:0]      slot_i,   // slot_write_t
  input  logic [2*Sources-1:0][WordsW-1:0] value_i,  // low and high word of each value_source_e
  input  logic [Units-1:0]                 whole_i,  // the unit's row has all lanes

  output logic [Banks-1:0][WriteW-1:0]     write_o   // register_write_t
);
  logic [Banks-1:0][WriteW-1:0] write_d, write_q;

  for (genvar b = 0; b < Banks; b++) begin : gen_port
    g80_pkg::slot_write_t     slot;
    g80_pkg::late_lanes_t     late;
    g80_pkg::register_write_t write;

    assign slot = slot_i[b];

    late_lanes u_late (
      .slot_i(slot),
      .whole_i,
      .late_o(late)
    );

    always_comb begin : next_write
      write.warp  = slot.warp;
      write.reg_  = slot.index;
      write.low   = slot.low;
      write.high  = slot.high;
      write.lanes = slot.lanes;
      write.value = value_i[{slot.from, slot.word}];
      write.late  = late;
      write_d[b]  = write_i[b] ? write : write_q[b];
    end
  end

  assign write_o = write_q;

  always_ff @(posedge clk_i) begin : registers
    write_q <= write_d;
  end
endmodule
