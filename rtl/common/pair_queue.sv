// SPDX-License-Identifier: Apache-2.0
// A queue of two entries that stay where they are: a pop only moves the head, so it may be decided late in a cycle. An
// entry pushed in a cycle is visible at the outputs in the same cycle.
//
// The user pushes only when there is room and pops only when head_valid_o is high.
module pair_queue #(
  parameter int unsigned Width = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,

  output logic             empty_o,       // ignores this cycle's push; all outputs below include it
  output logic             head_valid_o,
  output logic [Width-1:0] head_o,
  output logic             second_valid_o,
  output logic [Width-1:0] second_o,
  output logic [1:0]       count_next_o   // entries after the coming edge
);
  // Registers
  logic [1:0][Width-1:0] entry_d, entry_q;
  logic                  head_d, head_q;    // where the head lies
  logic [1:0]            count_d, count_q;
  logic                  empty_d, empty_q;  // count_q == 0, with few sinks

  logic tail, full;  // `tail`: where a push goes

  assign tail = head_q ^ count_q[0];
  assign full = count_q[1];

  for (genvar i = 0; i < 2; i++) begin : gen_entry
    assign entry_d[i] = push_i && tail == 1'(i) ? data_i : entry_q[i];
  end
  assign head_d  = head_q ^ pop_i;
  assign count_d = {second_valid_o && !pop_i, count_q[0] ^ push_i ^ pop_i};

  assign empty_d = !second_valid_o && (pop_i || !head_valid_o);

  assign empty_o        = empty_q;
  assign head_valid_o   = !empty_q || push_i;
  assign head_o         = count_q == '0 ? data_i : entry_q[head_q];
  assign second_valid_o = full || (!empty_q && push_i);
  assign second_o       = full ? entry_q[!head_q] : data_i;
  assign count_next_o   = count_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      entry_q <= '0;
      head_q  <= '0;
      count_q <= '0;
      empty_q <= 1'b1;
    end else begin
      entry_q <= entry_d;
      head_q  <= head_d;
      count_q <= count_d;
      empty_q <= empty_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PushHasRoom: assert (!push_i || !full);
      PopHasAnEntry: assert (!pop_i || head_valid_o);
    end
  end
endmodule
