// SPDX-License-Identifier: Apache-2.0
// Control instructions have their turns in the order in which they came; none is lost, none has two.
module control_turns_props #(
  localparam int unsigned Warps  = g80_pkg::MaxWarps,
  localparam int unsigned WarpW  = $clog2(Warps),
  localparam int unsigned CountW = $clog2(Warps + 3)
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             first_valid_i,
  input logic [WarpW-1:0] first_i,
  input logic             second_valid_i,
  input logic [WarpW-1:0] second_i,
  input logic             take_i,
  input logic [1:0]       track_i
);
  logic              valid, tracked;
  logic [WarpW-1:0]  warp, chosen;
  logic [CountW-1:0] held, count, ahead;

  control_turns u_dut (
    .clk_i,
    .rst_ni,
    .first_valid_i,
    .first_i,
    .second_valid_i,
    .second_i,
    .take_i,
    .valid_o(valid),
    .warp_o (warp)
  );
  tracked_entry #(
    .Depth (Warps),
    .Width (WarpW),
    .Inputs(2)
  ) u_model (
    .clk_i,
    .rst_ni,
    .push_i   ({second_valid_i, first_valid_i}),
    .data_i   ({second_i, first_i}),
    .pop_i    (take_i),
    .track_i,
    .held_o   (held),
    .count_o  (count),
    .tracked_o(tracked),
    .ahead_o  (ahead),
    .data_o   (chosen)
  );

  always_comb begin : properties
    EveryWarpHasOneTurn: assume (count <= CountW'(Warps));
    TakesWhatThereIs: assume (!take_i || count != '0);
    NeverIdles: assert (valid == (count != '0));
    TurnsAreInOrder: assert (!(tracked && ahead == '0) || warp == chosen);
    AllWait: cover (held == CountW'(Warps) && tracked && ahead == CountW'(Warps - 1));
    TurnInTheSameCycle: cover (held == '0 && second_valid_i && first_valid_i && take_i);
  end
endmodule
