// SPDX-License-Identifier: Apache-2.0
// A queue into which several entries can go in a cycle, the lowest input first. An entry pushed in a cycle can leave in
// the same cycle.
//
// The user pushes only when there is room for all, and pops only when head_valid_o is high.
module merging_queue #(
  parameter int unsigned Depth  = 64,  // a power of two
  parameter int unsigned Width  = 6,
  parameter int unsigned Inputs = 3,
  localparam int unsigned IndexW = $clog2(Depth),
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  logic [Inputs-1:0]            push_i,
  input  logic [Inputs-1:0][Width-1:0] data_i,
  input  logic                         pop_i,

  output logic                         head_valid_o,  // includes this cycle's pushes
  output logic [Width-1:0]             head_o,
  output logic [CountW-1:0]            count_next_o   // entries after the coming edge
);
  // Registers
  logic [Depth-1:0][Width-1:0] entry_d, entry_q;
  logic [IndexW-1:0]           head_d, head_q;
  logic [CountW-1:0]           count_d, count_q;

  // The entries, including this cycle's pushes
  logic [CountW-1:0] count;
  logic [IndexW-1:0] tail;

  always_comb begin : push
    entry_d = entry_q;
    count   = count_q;
    tail    = head_q + count_q[IndexW-1:0];
    for (int i = 0; i < Inputs; i++) begin
      if (push_i[i]) entry_d[tail] = data_i[i];
      tail  = tail + IndexW'(push_i[i]);
      count = count + CountW'(push_i[i]);
    end
  end

  assign head_d  = head_q + IndexW'(pop_i);
  assign count_d = count - CountW'(pop_i);

  assign head_valid_o = count_q != '0 || push_i != '0;
  assign head_o       = entry_d[head_q];
  assign count_next_o = count_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      entry_q <= '0;
      head_q  <= '0;
      count_q <= '0;
    end else begin
      entry_q <= entry_d;
      head_q  <= head_d;
      count_q <= count_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PushHasRoom: assert (count <= CountW'(Depth));
      PopHasAnEntry: assert (!pop_i || head_valid_o);
    end
  end
endmodule
