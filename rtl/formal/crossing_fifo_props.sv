// SPDX-License-Identifier: Apache-2.0
// Entries cross between any two clocks in order and unchanged, none is lost or made up, and each side knows of the
// other's last move in time. Edges of the two clocks come in any order, and together.
module crossing_fifo_props #(
  parameter int unsigned Depth     = 2,
  parameter int unsigned Width     = 1,
  parameter int unsigned Edges     = 2,
  parameter int unsigned FreeEdges = 3,
  localparam int unsigned IndexW   = $clog2(Depth),
  localparam int unsigned CountW   = IndexW + 3,
  localparam int unsigned WaitW    = 4
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             write_clk_i,
  input logic             push_i,
  input logic [Width-1:0] data_i,
  input logic             track_i,
  input logic             read_clk_i,
  input logic             pop_i
);
  logic             can_push, all_free, available;
  logic [Width-1:0] front;

  crossing_fifo #(
    .Depth    (Depth),
    .Width    (Width),
    .Edges    (Edges),
    .FreeEdges(FreeEdges)
  ) u_dut (
    .rst_ni,
    .write_clk_i,
    .push_i,
    .data_i,
    .can_push_o (can_push),
    .all_free_o (all_free),
    .read_clk_i,
    .pop_i,
    .available_o(available),
    .front_o    (front)
  );

  // What was pushed and popped, and an entry, chosen freely. Its place is the one that the memory remembers.
  logic [CountW-1:0] pushed_q, popped_q, count, number_q;
  logic              tracked_q, gone_q;
  logic [Width-1:0]  data_q;
  (* anyconst *) logic [IndexW-1:0] place;

  assign count = pushed_q - popped_q;
  assign u_dut.u_entries.watched = place;

  // Edges of a side since the first one that saw the last move of the other
  logic [CountW-1:0] popped_seen_q, pushed_seen_q;
  logic [WaitW-1:0]  write_quiet_q, read_quiet_q;
  logic              write_knows, read_knows;

  assign write_knows = FreeEdges == 1 || (popped_q == popped_seen_q && write_quiet_q + 4'd2 >= WaitW'(FreeEdges));
  assign read_knows  = Edges == 1 || (pushed_q == pushed_seen_q && read_quiet_q + 4'd2 >= WaitW'(Edges));

  always_ff @(posedge write_clk_i or negedge rst_ni) begin : writer
    if (!rst_ni) begin
      pushed_q      <= '0;
      tracked_q     <= 1'b0;
      number_q      <= '0;
      data_q        <= '0;
      popped_seen_q <= '0;
      write_quiet_q <= '0;
    end else begin
      pushed_q      <= pushed_q + CountW'(push_i);
      popped_seen_q <= popped_q;
      write_quiet_q <= popped_q != popped_seen_q ? '0 : write_quiet_q + WaitW'(write_quiet_q < 4'd8);
      if (push_i && track_i && !tracked_q && pushed_q[IndexW-1:0] == place) begin
        tracked_q <= 1'b1;
        number_q  <= pushed_q;
        data_q    <= data_i;
      end
    end
  end

  always_ff @(posedge read_clk_i or negedge rst_ni) begin : reader
    if (!rst_ni) begin
      popped_q      <= '0;
      gone_q        <= 1'b0;
      pushed_seen_q <= '0;
      read_quiet_q  <= '0;
    end else begin
      popped_q      <= popped_q + CountW'(pop_i);
      gone_q        <= gone_q || (pop_i && tracked_q && popped_q == number_q);
      pushed_seen_q <= pushed_q;
      read_quiet_q  <= pushed_q != pushed_seen_q ? '0 : read_quiet_q + WaitW'(read_quiet_q < 4'd8);
    end
  end

  // The pointer that crosses to the reader, and what it was before the last edge
  logic [IndexW:0] before_q, changed;

  assign changed = u_dut.write_gray ^ before_q;

  always_ff @(posedge write_clk_i or negedge rst_ni) begin : previous
    if (!rst_ni) before_q <= '0;
    else before_q <= u_dut.write_gray;
  end

  always_comb begin : properties
    PushHasRoom: assume (!push_i || (rst_ni && can_push));
    PopHasAnEntry: assume (!pop_i || (rst_ni && available));
    OneBitChanges: assert ((changed & (changed - (IndexW + 1)'(1))) == '0);
    HoldsNoMoreThanItsDepth: assert (count <= CountW'(Depth));
    RoomIsThere: assert (!can_push || count < CountW'(Depth));
    AllFreeIsTrue: assert (!all_free || count == '0);
    MakesUpNoEntry: assert (!available || count != '0);
    KeepsOrderAndData: assert (!(available && tracked_q && !gone_q && popped_q == number_q) || front == data_q);
    RoomIsKnownInTime: assert (!write_knows || can_push == (count < CountW'(Depth)));
    EntryIsKnownInTime: assert (!read_knows || available == (count != '0));
    Fills: cover (count == CountW'(Depth) && available && !can_push && tracked_q);
    Passes: cover (gone_q && push_i && pop_i);
  end
endmodule
