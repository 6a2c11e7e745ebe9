// SPDX-License-Identifier: Apache-2.0
// The queue loses no entry, doubles none, and keeps their order.
module shift_queue_props #(
  parameter int unsigned Depth = 3,
  parameter int unsigned Width = 2
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             push_i,
  input logic [Width-1:0] data_i,
  input logic             pop_i,
  input logic             track_i
);
  logic             empty, head_valid, empty_next, full_next;
  logic [Width-1:0] head;

  shift_queue #(
    .Depth(Depth),
    .Width(Width)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .push_i,
    .data_i,
    .pop_i,
    .empty_o      (empty),
    .head_valid_o (head_valid),
    .head_o       (head),
    .empty_next_o (empty_next),
    .full_next_o  (full_next)
  );

  localparam int unsigned ModelW = $clog2(Depth + 2);
  logic [ModelW-1:0] held, count, left, ahead;
  logic              tracked;
  logic [Width-1:0]  data;

  tracked_entry #(
    .Depth(Depth),
    .Width(Width)
  ) u_model (
    .clk_i,
    .rst_ni,
    .push_i,
    .data_i,
    .pop_i,
    .track_i,
    .held_o   (held),
    .count_o  (count),
    .tracked_o(tracked),
    .ahead_o  (ahead),
    .data_o   (data)
  );

  assign left = count - ModelW'(pop_i);

  always_comb begin : properties
    PushesWhenThereIsRoom: assume (!push_i || held < ModelW'(Depth));
    PopsWhenThereIsAnEntry: assume (!pop_i || count != '0);
    EmptyIsTrue: assert (empty == (held == '0));
    HeadIsValid: assert (head_valid == (count != '0));
    NextIsTrue: assert ((empty_next == (left == '0) && full_next == (left == ModelW'(Depth))) || !rst_ni);
    HeadIsTheOldest: assert (!(tracked && ahead == '0) || head == data);
    Fills: cover (held == ModelW'(Depth) && tracked && ahead == ModelW'(Depth - 1));
    EmptiesAgain: cover (tracked && ahead == '0 && pop_i && count == ModelW'(1) && !push_i);
  end
endmodule
