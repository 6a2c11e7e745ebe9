// SPDX-License-Identifier: Apache-2.0
// Round robin with the register of its users: it grants a lane that wants, grants whenever one wants, and lets no lane
// wait for more than one turn of all others.
module round_robin_props #(
  parameter int unsigned Width = 8,  // a power of two
  localparam int unsigned IndexW = $clog2(Width)
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Width-1:0] wanting_i
);
  logic              found;
  logic [IndexW-1:0] index, last_q;

  round_robin #(.Width(Width)) u_dut (
    .wanting_i,
    .last_i (last_q),
    .found_o(found),
    .index_o(index)
  );

  // Any lane, and how often others came before it while it wanted
  (* anyconst *) logic [IndexW-1:0] lane;
  logic [IndexW-1:0] turn_of_lane, turn_granted;  // 0: it is next
  logic [IndexW:0]   waited_q;

  assign turn_of_lane = lane - last_q - IndexW'(1);
  assign turn_granted = index - last_q - IndexW'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      last_q   <= '0;
      waited_q <= '0;
    end else begin
      if (found) last_q <= index;
      waited_q <= wanting_i[lane] && index != lane ? waited_q + (IndexW+1)'(1) : '0;
    end
  end

  always_comb begin : properties
    NeverIdles: assert (found == (wanting_i != '0));
    GrantsWhoWants: assert (!found || wanting_i[index]);
    NextInTurnGoesFirst: assert (!wanting_i[lane] || turn_granted <= turn_of_lane);
    StarvesNone: assert (waited_q < (IndexW+1)'(Width));
    WaitsForAllOthers: cover (waited_q == (IndexW+1)'(Width - 1) && index == lane);
  end
endmodule
