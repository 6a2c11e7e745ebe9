// SPDX-License-Identifier: Apache-2.0
// A port through which operands leave operand_collector, some lanes a cycle. The first of them come from the collector
// unit, and the latch takes all of them meanwhile. Without a latch (Latched = 0) two cycles are enough: a half-warp
// leaves in each.
module operand_port #(
  parameter bit          Latched = 1'b1,
  parameter int unsigned Words   = 3,
  parameter int unsigned Most    = 2 * g80_pkg::NumSpLanes,  // lanes that leave together
  localparam int unsigned Lanes   = g80_pkg::WarpSize,
  localparam int unsigned Half    = g80_pkg::HalfWarp,
  localparam int unsigned Ports   = 2 * g80_pkg::NumSpLanes,
  localparam int unsigned Sources = Words < 3 ? Words : 3,
  localparam int unsigned UnitW   = $clog2(g80_pkg::MaxCollectorUnits)
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,

  // Strap: lanes that leave together, 1 to 16
  input  logic [2:0]                         cfg_log2_lanes_i,

  input  logic                               start_i,
  input  logic [UnitW-1:0]                   unit_i,

  // The operands of the unit that the port is at
  input  logic [Words-1:0][Lanes-1:0][31:0]  word_i,
  input  logic [Sources-1:0]                 uniform_i,  // sources that are the scalar in all lanes
  input  logic [31:0]                        scalar_i,
  input  logic                               numbered_i, // ... with the lane's number
  input  logic [Lanes-1:0][3:0]              flags_i,

  output logic                               begins_o, // the first lanes leave
  output logic                               busy_o,   // also after this cycle
  output logic [UnitW-1:0]                   unit_o,
  output logic [Words-1:0][Ports-1:0][31:0]  word_o,
  output logic [Ports-1:0][3:0]              flags_o
);
  g80_pkg::port_state_t state_d, state_q;

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

  // The lanes that leave: of each the words, the flags and its number
  logic [Words-1:0][Most-1:0][31:0] word;
  logic [Most-1:0][3:0]             flags;
  logic [Most-1:0][4:0]             lane;
  logic [Sources-1:0]               uniform;
  logic [31:0]                      scalar;
  logic                             numbered;

  always_comb begin : expand
    word_o  = '0;
    flags_o = '0;
    for (int i = 0; i < Most; i++) begin
      if (state_q.sending && (!Latched || 5'(i) < 5'd1 << cfg_log2_lanes_i)) begin
        flags_o[i] = flags[i];
        for (int w = 0; w < Words; w++) word_o[w][i] = word[w][i];
        for (int w = 0; w < Sources; w++) begin
          if (uniform[w]) word_o[w][i] = scalar | (numbered ? 32'(lane[i]) : 32'd0);
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
    logic [Words-1:0][Lanes-1:0][31:0] word_q;
    logic [Lanes-1:0][3:0]             flags_q;
    logic [Sources-1:0]                uniform_q;
    logic [31:0]                       scalar_q;
    logic                              numbered_q;
    logic [4:0]                        offset;

    assign offset   = 5'(state_q.part) << cfg_log2_lanes_i;
    assign uniform  = first ? uniform_i : uniform_q;
    assign scalar   = first ? scalar_i : scalar_q;
    assign numbered = first ? numbered_i : numbered_q;

    for (genvar i = 0; i < Most; i++) begin : gen_lane
      assign lane[i]  = offset + 5'(i);
      assign flags[i] = first ? flags_i[i] : flags_q[lane[i]];
      for (genvar w = 0; w < Words; w++) begin : gen_word
        assign word[w][i] = first ? word_i[w][i] : word_q[w][lane[i]];
      end
    end

    always_ff @(posedge clk_i) begin : latch
      if (begins_o) begin
        word_q     <= word_i;
        flags_q    <= flags_i;
        uniform_q  <= uniform_i;
        scalar_q   <= scalar_i;
        numbered_q <= numbered_i;
      end
    end
  end else begin : gen_no_latch
    assign uniform  = uniform_i;
    assign scalar   = scalar_i;
    assign numbered = numbered_i;

    for (genvar i = 0; i < Most; i++) begin : gen_lane
      assign lane[i]  = {!first, 4'(i)};
      assign flags[i] = first ? flags_i[i] : flags_i[Half+i];
      for (genvar w = 0; w < Words; w++) begin : gen_word
        assign word[w][i] = first ? word_i[w][i] : word_i[w][Half+i];
      end
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      StartsWhenFree: assert (!start_i || !busy_o);
    end
  end
endmodule
