// SPDX-License-Identifier: Apache-2.0
// The port through which operands of accesses leave operand_collector: a half-warp a cycle, of those with lanes.
module address_port #(
  localparam int unsigned Lanes = g80_pkg::WarpSize,
  localparam int unsigned Half  = g80_pkg::HalfWarp,
  localparam int unsigned Words = g80_pkg::DataWords + g80_pkg::MostDataWords,
  localparam int unsigned Data  = g80_pkg::DataWords,
  localparam int unsigned Most  = g80_pkg::MostDataWords,
  localparam int unsigned UnitW = $clog2(g80_pkg::MaxCollectorUnits)
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,

  input  logic                              start_i,
  input  logic [UnitW-1:0]                  unit_i,
  input  logic [Lanes-1:0]                  lanes_i,

  // What the unit that the port is at holds
  input  logic [Words-1:0][Lanes-1:0][31:0] word_i,
  input  logic [Most-1:0]                   data_words_i,  // that an operand is; the others leave as 0
  input  logic [Lanes-1:0][15:0]            addr_i,
  input  logic [Lanes-1:0]                  executes_i,    // its lanes

  output logic                              busy_o,        // also after this cycle
  output logic [UnitW-1:0]                  unit_o,
  output g80_pkg::address_lanes_t           operands_o
);
  g80_pkg::port_state_t state_d, state_q;
  logic                 upper;

  assign busy_o = state_q.sending && state_q.part == '0 && executes_i[Lanes-1:Half] != '0;
  assign unit_o = state_q.unit;
  assign upper  = state_q.part[0];

  always_comb begin : advance
    state_d = '0;
    if (busy_o) begin
      state_d.sending = 1'b1;
      state_d.part    = 4'd1;
      state_d.unit    = state_q.unit;
    end
    if (start_i && lanes_i != '0) begin
      state_d.sending = 1'b1;
      state_d.part    = {3'd0, lanes_i[Half-1:0] == '0};
      state_d.unit    = unit_i;
    end
  end

  always_comb begin : choose
    operands_o = '0;
    if (state_q.sending) begin
      operands_o.base = upper ? word_i[0][Lanes-1:Half] : word_i[0][Half-1:0];
      operands_o.addr = upper ? addr_i[Lanes-1:Half] : addr_i[Half-1:0];
      for (int w = 0; w < Most; w++) begin
        if (data_words_i[w]) operands_o.data[w] = upper ? word_i[Data+w][Lanes-1:Half] : word_i[Data+w][Half-1:0];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) state_q <= '0;
    else         state_q <= state_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) StartsWhenFree: assert (!start_i || lanes_i == '0 || !busy_o);
  end
endmodule
