// SPDX-License-Identifier: Apache-2.0
// The RTL block of the wave tests: adds up what it is given, and has a signal of every kind.
module wave_probe (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  input  logic [31:0] value_i,
  output logic [31:0] sum_o
);
  typedef enum logic [1:0] {Waiting, Adding, Full} state_e;
  typedef enum logic [3:0] {Low = 4'd1, High = 4'd8} sparse_e;
  typedef struct packed {
    logic        seen;
    state_e      state;
    logic [6:0]  low;
  } last_t;

  last_t            last_d, last_q;
  sparse_e          sparse_q;
  logic [31:0]      sum_d, sum_q;
  logic [39:0]      seen_d, seen_q;
  logic [99:0]      wide_d, wide_q;                   // more than 64 bits
  logic [3:0][15:0] packed_d, packed_q;               // the last four values
  logic [4:0]       rows_d [2][3], rows_q [2][3];     // the last one in every place
  logic [7:0]       memory_q [64];                    // more entries than are drawn

  always_comb begin : next
    sum_d    = valid_i ? sum_q + value_i : sum_q;
    seen_d   = valid_i ? seen_q + 40'd1 : seen_q;
    packed_d = valid_i ? {packed_q[2:0], value_i[15:0]} : packed_q;
    wide_d   = {value_i[3:0], 32'hcafe0000 | value_i, 32'h0, value_i};
    last_d   = '{seen: valid_i, state: seen_q > 40'd4 ? Full : valid_i ? Adding : Waiting, low: value_i[6:0]};
    for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) rows_d[i][j] = 5'(value_i) + 5'(3 * i + j);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sum_q    <= '0;
      seen_q   <= '0;
      packed_q <= '0;
      wide_q   <= '0;
      rows_q   <= '{default: '{default: '0}};
      last_q   <= '{seen: 1'b0, state: Waiting, low: '0};
      sparse_q <= Low;
    end else begin
      sum_q    <= sum_d;
      seen_q   <= seen_d;
      packed_q <= packed_d;
      wide_q   <= wide_d;
      rows_q   <= rows_d;
      last_q   <= last_d;
      sparse_q <= valid_i ? High : Low;
    end
  end
  always_ff @(posedge clk_i) memory_q[value_i[5:0]] <= value_i[7:0];
  assign sum_o = sum_q + 32'(memory_q[0]);
endmodule
