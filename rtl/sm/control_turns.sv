// SPDX-License-Identifier: Apache-2.0
// The warps whose control instructions can be executed, in the order in which the instructions, or the entries that
// they waited for, have come. A warp has one control instruction in flight, so there is room for all. One that comes
// can have its turn in the same cycle.
module control_turns #(
  localparam int unsigned Warps  = g80_pkg::MaxWarps,
  localparam int unsigned WarpW  = $clog2(Warps),
  localparam int unsigned CountW = $clog2(Warps + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // Two may come in one cycle: the first of them goes first.
  input  logic             first_valid_i,
  input  logic [WarpW-1:0] first_i,
  input  logic             second_valid_i,
  input  logic [WarpW-1:0] second_i,

  input  logic             take_i,
  output logic             valid_o,
  output logic [WarpW-1:0] warp_o
);
  logic [Warps-1:0][WarpW-1:0] turn_d, turn_q;  // a ring
  logic [WarpW-1:0]            head_d, head_q;
  logic [CountW-1:0]           count_d, count_q;

  logic [WarpW-1:0] tail, second_place;

  assign tail         = head_q + count_q[WarpW-1:0];
  assign second_place = tail + WarpW'(first_valid_i);

  for (genvar i = 0; i < Warps; i++) begin : gen_place
    always_comb begin : next_turn
      turn_d[i] = turn_q[i];
      if (first_valid_i && tail == WarpW'(i)) turn_d[i] = first_i;
      if (second_valid_i && second_place == WarpW'(i)) turn_d[i] = second_i;
    end
  end
  assign head_d  = head_q + WarpW'(take_i);
  assign count_d = count_q + CountW'(first_valid_i) + CountW'(second_valid_i) - CountW'(take_i);

  assign valid_o = count_q != '0 || first_valid_i || second_valid_i;
  assign warp_o  = count_q != '0 ? turn_q[head_q] : first_valid_i ? first_i : second_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      turn_q  <= '0;
      head_q  <= '0;
      count_q <= '0;
    end else begin
      turn_q  <= turn_d;
      head_q  <= head_d;
      count_q <= count_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      EveryWarpHasOneTurn: assert (count_q + CountW'(first_valid_i) + CountW'(second_valid_i) <= CountW'(Warps));
      TakesWhatThereIs: assert (!take_i || valid_o);
    end
  end
endmodule
