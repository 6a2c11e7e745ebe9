// SPDX-License-Identifier: Apache-2.0
// A short queue whose entries shift towards entry 0, the head. An entry pushed in a cycle is visible at the outputs in
// the same cycle.
//
// The user pushes only when there is room and pops only when head_valid_o is high.
module shift_queue #(
  parameter int unsigned Depth = 2,
  parameter int unsigned Width = 1,
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              push_i,
  input  logic [Width-1:0]  data_i,
  input  logic              pop_i,

  output logic              empty_o,       // ignores this cycle's push; all outputs below include it
  output logic              head_valid_o,
  output logic [Width-1:0]  head_o,
  output logic [CountW-1:0] count_next_o   // entries after the coming edge
);
  // Registers
  logic [Depth-1:0][Width-1:0] entry_d, entry_q;
  logic [CountW-1:0]           count_d, count_q;

  // The entries, including this cycle's push
  logic [Depth-1:0][Width-1:0] entry;
  logic [CountW-1:0]           count;

  assign count = count_q + CountW'(push_i);

  for (genvar i = 0; i < Depth; i++) begin : gen_entry
    assign entry[i] = push_i && count_q == CountW'(i) ? data_i : entry_q[i];
    if (i + 1 < Depth) begin : gen_shift
      assign entry_d[i] = pop_i ? entry[i+1] : entry[i];
    end else begin : gen_last
      assign entry_d[i] = entry[i];
    end
  end
  assign count_d = count - CountW'(pop_i);

  assign empty_o        = count_q == '0;
  assign head_valid_o   = count != '0;
  assign head_o         = entry[0];
  assign count_next_o   = count_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      entry_q <= '0;
      count_q <= '0;
    end else begin
      entry_q <= entry_d;
      count_q <= count_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PushHasRoom: assert (!push_i || count_q < CountW'(Depth));
      PopHasAnEntry: assert (!pop_i || head_valid_o);
    end
  end
endmodule
