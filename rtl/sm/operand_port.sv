// SPDX-License-Identifier: Apache-2.0
// A port through which operands leave operand_collector, some lanes a cycle. The first of them come from the collector
// unit, and the latch takes all of them meanwhile. Without a latch (Latched = 0) two cycles are enough.
module operand_port #(
  parameter bit          Latched = 1'b1,
  parameter int unsigned Words   = 3,
  localparam int unsigned Lanes = g80_pkg::WarpSize,
  localparam int unsigned Ports = 2 * g80_pkg::NumSpLanes,
  localparam int unsigned UnitW = $clog2(g80_pkg::MaxCollectorUnits)
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,

  // Strap: lanes that leave together, 1 to 16
  input  logic [2:0]                         cfg_log2_lanes_i,

  input  logic                               start_i,
  input  logic [UnitW-1:0]                   unit_i,

  // The operands of the unit that the port is at
  input  logic [Words-1:0][Lanes-1:0][31:0]  word_i,
  input  logic [Lanes-1:0][3:0]              flags_i,

  output logic                               begins_o, // the first lanes leave
  output logic                               busy_o,   // also after this cycle
  output logic [UnitW-1:0]                   unit_o,
  output logic [Words-1:0][Ports-1:0][31:0]  word_o,
  output logic [Ports-1:0][3:0]              flags_o
);
  g80_pkg::port_state_t              state_d, state_q;
  logic [Words-1:0][Lanes-1:0][31:0] word_q;
  logic [Lanes-1:0][3:0]             flags_q;

  logic       first;
  logic [5:0] parts;

  assign parts    = 6'd32 >> cfg_log2_lanes_i;
  assign first    = state_q.part == '0;
  assign begins_o = state_q.sending && first;
  assign busy_o   = state_q.sending && 6'(state_q.part) + 6'd1 < parts;

  always_comb begin : advance
    state_d = '0;
    if (busy_o) begin
      state_d.sending = 1'b1;
      state_d.part    = state_q.part + 4'd1;
      state_d.unit    = state_q.unit;
    end
    if (start_i) begin
      state_d.sending = 1'b1;
      state_d.part    = '0;
      state_d.unit    = unit_i;
    end
  end

  // The lanes that leave
  logic [Words-1:0][Lanes-1:0][31:0] from;
  logic [Lanes-1:0][3:0]             from_flags;
  logic [4:0]                        offset;
  logic [Ports-1:0]                  leaves;

  assign from       = first || !Latched ? word_i : word_q;
  assign from_flags = first || !Latched ? flags_i : flags_q;
  assign offset     = 5'(state_q.part) << cfg_log2_lanes_i;

  always_comb begin : choose
    word_o  = '0;
    flags_o = '0;
    leaves  = '0;
    if (state_q.sending) begin
      for (int i = 0; i < Ports; i++) begin
        leaves[i] = 5'(i) < 5'd1 << cfg_log2_lanes_i;
        if (leaves[i]) begin
          for (int w = 0; w < Words; w++) word_o[w][i] = from[w][offset + 5'(i)];
          flags_o[i] = from_flags[offset + 5'(i)];
        end
      end
    end
  end

  assign unit_o = state_q.unit;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) state_q <= '0;
    else state_q <= state_d;
  end
  if (Latched) begin : gen_latch
    always_ff @(posedge clk_i) begin : latch
      if (begins_o) begin
        word_q  <= word_i;
        flags_q <= flags_i;
      end
    end
  end else begin : gen_no_latch
    assign word_q  = '0;
    assign flags_q = '0;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      StartsWhenFree: assert (!start_i || !busy_o);
    end
  end
endmodule
