// SPDX-License-Identifier: Apache-2.0
// The block that splits requests: every lane of every request that it accepts is served exactly once, in the order of
// the requests, by passes that say truly which is the last.
module bank_conflict_props #(
  localparam int unsigned Lanes  = g80_pkg::HalfWarp,
  localparam int unsigned LaneW  = $clog2(Lanes),
  localparam int unsigned Depth  = g80_pkg::SmemQueue + 1,  // the last pass is seen when its request has left
  localparam int unsigned CountW = $clog2(Depth + 2)
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input g80_pkg::smem_request_t request_i,
  input logic                   track_i
);
  (* anyconst *) logic [1:0] interval;
  g80_pkg::smem_pass_t       pass;
  logic                      ready, replay;

  bank_conflict u_dut (
    .clk_i,
    .rst_ni,
    .cfg_pass_interval_i(interval),
    .request_i,
    .request_ready_o(ready),
    .pass_o         (pass),
    .replay_o       (replay)
  );

  // The chosen request, as an entry of a queue that the last pass of a request leaves. A pass is seen a cycle after it
  // was made, so it belongs to the state before this cycle's request.
  (* anyconst *) logic [LaneW-1:0] lane;
  logic [CountW-1:0] held, count, ahead;
  logic              tracked, accept;
  logic [1:0]        chosen;  // the lane is in the request; it writes

  assign accept = request_i.valid && ready;

  tracked_entry #(
    .Depth(Depth),
    .Width(2)
  ) u_model (
    .clk_i,
    .rst_ni,
    .push_i   (accept),
    .data_i   ({request_i.write, request_i.lanes[lane]}),
    .pop_i    (pass.valid && pass.last),
    .track_i,
    .held_o   (held),
    .count_o  (count),
    .tracked_o(tracked),
    .ahead_o  (ahead),
    .data_o   (chosen)
  );

  // Whether an earlier pass of the request in turn has served the lane
  logic served_q, tracked_q, in_turn;

  assign in_turn = tracked_q && ahead == '0;  // the pass is one of the chosen request

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      served_q  <= 1'b0;
      tracked_q <= 1'b0;
    end else begin
      served_q  <= pass.valid && pass.last ? 1'b0 : served_q || (pass.valid && pass.lanes[lane]);
      tracked_q <= tracked && !(pass.valid && pass.last && ahead == '0);
    end
  end

  always_comb begin : properties
    IntervalIsOneOrTwo: assume (interval == 2'd1 || interval == 2'd2);
    PassBelongsToARequest: assert (!pass.valid || held != '0);
    RequestHasRoom: assert (held <= CountW'(Depth));
    ServesWhoIsWanted: assert (!(pass.valid && in_turn) || !pass.lanes[lane] || chosen[0]);
    ServesNoneTwice: assert (!(pass.valid && pass.lanes[lane]) || !served_q);
    ServesAllInTheEnd: assert (!(pass.valid && pass.last && in_turn) || !chosen[0] || served_q || pass.lanes[lane]);
    KeepsItsRequest: assert (!(pass.valid && in_turn) || pass.request.write == chosen[1]);
    ReplaysUnlessLast: assert (replay == (pass.valid && !pass.last));
    SecondPassIsTheLast: cover (pass.valid && in_turn && served_q && pass.last && held > CountW'(1));
  end
endmodule
