// SPDX-License-Identifier: Apache-2.0
// A specification of a queue: how many entries it has, and where one of them is. track_i is a free input: in every
// proof it may choose any entry that enters, so what holds for the chosen one holds for all.
module tracked_entry #(
  parameter int unsigned Depth  = 4,
  parameter int unsigned Width  = 2,
  parameter int unsigned Inputs = 1,
  localparam int unsigned CountW = $clog2(Depth + Inputs + 1)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [Inputs-1:0]            push_i,
  input  logic [Inputs-1:0][Width-1:0] data_i,
  input  logic                         pop_i,
  input  logic [Inputs-1:0]            track_i,

  output logic [CountW-1:0]            held_o,     // entries before this cycle's pushes
  output logic [CountW-1:0]            count_o,    // ... and with them
  output logic                         tracked_o,  // the chosen entry is in the queue, this cycle's push included
  output logic [CountW-1:0]            ahead_o,    // entries that entered before it and are still there
  output logic [Width-1:0]             data_o      // what it was when it entered
);
  logic [CountW-1:0] count_q, ahead_q;
  logic              tracked_q;
  logic [Width-1:0]  data_q;

  always_comb begin : push
    count_o   = count_q;
    tracked_o = tracked_q;
    ahead_o   = ahead_q;
    data_o    = data_q;
    for (int i = 0; i < Inputs; i++) begin
      if (push_i[i] && track_i[i] && !tracked_o) begin
        tracked_o = 1'b1;
        ahead_o   = count_o;
        data_o    = data_i[i];
      end
      count_o = count_o + CountW'(push_i[i]);
    end
  end
  assign held_o = count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      count_q   <= '0;
      tracked_q <= 1'b0;
      ahead_q   <= '0;
      data_q    <= '0;
    end else begin
      count_q   <= count_o - CountW'(pop_i);
      tracked_q <= tracked_o && !(pop_i && ahead_o == '0);
      ahead_q   <= ahead_o - CountW'(pop_i);
      data_q    <= data_o;
    end
  end
endmodule
