// SPDX-License-Identifier: Apache-2.0
// A short queue whose entries shift towards entry 0, the head. An entry pushed in a cycle is visible at the outputs in
// the same cycle.
//
// The user pushes only when there is room and pops only when head_valid_o is high.
module shift_queue #(
  parameter int unsigned Depth = 2,
  parameter int unsigned Width = 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              push_i,
  input  logic [Width-1:0]  data_i,
  input  logic              pop_i,

  output logic              empty_o,       // ignores this cycle's push; all outputs below include it
  output logic              head_valid_o,
  output logic [Width-1:0]  head_o,
  output logic              empty_next_o,  // after the coming edge
  output logic              full_next_o
);
  // Registers
  logic [Depth-1:0][Width-1:0] entry_d, entry_q;
  logic [Depth-1:0]            valid_d, valid_q;

  // The entries, including this cycle's push
  logic [Depth-1:0][Width-1:0] entry;
  logic [Depth-1:0]            valid;

  // An entry that leaves in the cycle in which it comes moves nothing.
  for (genvar i = 0; i < Depth; i++) begin : gen_entry
    assign entry[i] = push_i && !valid_q[i] ? data_i : entry_q[i];
    if (i == 0) begin : gen_head
      assign valid[i] = valid_q[i] || push_i;
    end else begin : gen_behind
      assign valid[i] = valid_q[i] || (push_i && valid_q[i-1]);
    end
    if (i + 1 < Depth) begin : gen_shift
      assign entry_d[i] = pop_i && valid_q[0] ? entry[i+1] : entry[i];
      assign valid_d[i] = pop_i ? valid[i+1] : valid[i];
    end else begin : gen_last
      assign entry_d[i] = entry[i];
      assign valid_d[i] = valid[i] && !pop_i;
    end
  end

  assign empty_o      = !valid_q[0];
  assign head_valid_o = valid[0];
  assign head_o       = valid_q[0] ? entry_q[0] : data_i;  // known before the push is
  assign empty_next_o = !valid_d[0];
  assign full_next_o  = valid_d[Depth-1];

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      entry_q <= '0;
      valid_q <= '0;
    end else begin
      entry_q <= entry_d;
      valid_q <= valid_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PushHasRoom: assert (!(push_i && valid_q[Depth-1]));
      PopHasAnEntry: assert (!pop_i || head_valid_o);
    end
  end
endmodule
