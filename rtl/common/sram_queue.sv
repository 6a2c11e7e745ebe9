// SPDX-License-Identifier: Apache-2.0
// A queue in a small memory. An entry pushed in a cycle can leave in the same cycle.
//
// The user pushes only when there is room or an entry leaves in the same cycle, and pops only when head_valid_o is
// high.
module sram_queue #(
  parameter int unsigned Depth = 32,
  parameter int unsigned Width = 32,
  localparam int unsigned IndexW = $clog2(Depth),
  localparam int unsigned Rows   = 1 << IndexW,
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,

  output logic             empty_o,       // these three ignore this cycle's push, and the two below include it
  output logic             full_o,
  output logic [Width-1:0] front_o,
  output logic             head_valid_o,
  output logic [Width-1:0] head_o
);
  logic [IndexW-1:0] head_d, head_q;
  logic [CountW-1:0] count_d, count_q;

  sram_1r1w #(
    .Words(Rows),
    .Width(Width)
  ) u_entries (
    .clk_i,
    .write_i        (push_i),
    .write_address_i(head_q + count_q[IndexW-1:0]),
    .write_data_i   (data_i),
    .read_address_i (head_q),
    .read_data_o    (front_o)
  );

  assign head_d  = head_q + IndexW'(pop_i);
  assign count_d = count_q + CountW'(push_i) - CountW'(pop_i);

  assign empty_o      = count_q == '0;
  assign full_o       = count_q == CountW'(Depth);
  assign head_valid_o = !empty_o || push_i;
  assign head_o       = empty_o ? data_i : front_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      head_q  <= '0;
      count_q <= '0;
    end else begin
      head_q  <= head_d;
      count_q <= count_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PushHasRoom: assert (!push_i || !full_o || pop_i);
      PopHasAnEntry: assert (!pop_i || head_valid_o);
    end
  end
endmodule
