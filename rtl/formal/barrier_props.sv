// SPDX-License-Identifier: Apache-2.0
// A barrier at which warps wait opens exactly when as many wait there as live of the block, or as were launched, and
// lets each of them through once. Warps start, come (bar.sync) and end in any order that the multiprocessor allows.
module barrier_props #(
  localparam int unsigned Warps      = g80_pkg::MaxWarps,
  localparam int unsigned WarpW      = $clog2(Warps),
  localparam int unsigned Blocks     = g80_pkg::MaxCtasPerSm,
  localparam int unsigned BlockW     = $clog2(Blocks),
  localparam int unsigned BlockWarps = g80_pkg::MaxWarpsPerCta,
  localparam int unsigned SizeW      = $clog2(BlockWarps + 1),
  localparam int unsigned Barriers   = g80_pkg::MaxBarriers,
  localparam int unsigned IdW        = $clog2(Barriers)
) (
  input logic              clk_i,
  input logic              rst_ni,

  input logic              starts_i,
  input logic [WarpW-1:0]  starting_i,
  input logic [BlockW-1:0] block_i,
  input logic [SizeW-1:0]  size_i,

  input logic              comes_i,
  input logic [WarpW-1:0]  coming_i,
  input logic [IdW-1:0]    id_i,

  input logic              ends_i,
  input logic [WarpW-1:0]  ending_i
);
  (* anyconst *) logic all_launched;

  // The warps
  logic [Warps-1:0]             live_q, waits_q, opened_q;
  logic [Warps-1:0][BlockW-1:0] block_q;
  logic [Warps-1:0][IdW-1:0]    at_q;
  logic [Blocks-1:0][SizeW-1:0] launched_q;
  logic [Blocks-1:0][SizeW-1:0] unstarted_q;  // warps of the block that have not begun

  // How many of each block live, and wait at each barrier: counters, and what they count
  logic [Blocks-1:0][SizeW-1:0]               alive_q, live_warps;
  logic [Blocks-1:0][Barriers-1:0][SizeW-1:0] waiters, waiting_warps;

  warp_counts u_counts (
    .unstarted_i(unstarted_q),
    .live_i     (live_q),
    .waits_i    (waits_q),
    .block_i    (block_q),
    .at_i       (at_q),
    .alive_i    (alive_q),
    .waiters_i  (waiters),
    .alive_o    (live_warps),
    .waiters_o  (waiting_warps)
  );

  // A warp starts in a free slot; a block begins when nothing of the one before it is left. Only running warps come
  // and end.
  logic              begins, starts, comes, ends;
  logic [BlockW-1:0] coming_block, ending_block;

  assign begins       = unstarted_q[block_i] == '0;
  assign starts       = starts_i && starting_i < Warps && !live_q[starting_i] &&
                        (!begins || (alive_q[block_i] == '0 && size_i != '0 && size_i <= SizeW'(BlockWarps)));
  assign comes        = comes_i && coming_i < Warps && live_q[coming_i] && !waits_q[coming_i];
  assign ends         = ends_i && ending_i < Warps && live_q[ending_i] && !waits_q[ending_i] &&
                        !(comes && coming_i == ending_i);
  assign coming_block = block_q[coming_i];
  assign ending_block = block_q[ending_i];

  // What the barrier sees: bar.sync id
  g80_pkg::warp_start_t    start;
  g80_pkg::control_event_t arrival;
  g80_pkg::resolve_t       resolve;

  always_comb begin : drive
    start              = '0;
    start.valid        = starts;
    start.warp         = starting_i;
    start.cta_slot     = block_i;
    start.warp_in_cta  = {3'd0, !begins};
    start.warps_in_cta = size_i;
    arrival            = '0;
    arrival.valid      = comes;
    arrival.warp       = coming_i;
    arrival.insn.words = 64'h00000000861ffe03 | 64'(id_i) << 21;
    arrival.insn.micro.op = g80_pkg::OpBar;
    resolve            = '0;
    resolve.ended      = ends;
    resolve.ended_warp = ending_i;
  end

  logic [Warps-1:0] opened, waiting;

  barrier u_dut (
    .clk_i,
    .rst_ni,
    .cfg_expect_launched_i(all_launched),
    .start_i  (start),
    .arrival_i(arrival),
    .resolve_i(resolve),
    .opened_o (opened),
    .waiting_o(waiting)
  );

  // The warp that ends goes first: those that wait for it alone go on before another comes.
  logic [Barriers-1:0] opens_at_end;
  logic [SizeW-1:0]    expected_at_end, expected, here;
  logic                opens;
  logic [Warps-1:0]    through_end, through;

  assign expected_at_end = all_launched ? launched_q[ending_block] : alive_q[ending_block] - SizeW'(1);
  assign expected        = all_launched ? launched_q[coming_block]
                                        : alive_q[coming_block] - SizeW'(ends && ending_block == coming_block);
  for (genvar b = 0; b < Barriers; b++) begin : gen_end
    assign opens_at_end[b] = ends && waiters[ending_block][b] != '0 && waiters[ending_block][b] >= expected_at_end;
  end
  assign here  = (ending_block == coming_block && opens_at_end[id_i] ? '0 : waiters[coming_block][id_i]) + SizeW'(1);
  assign opens = comes && here >= expected;

  for (genvar w = 0; w < Warps; w++) begin : gen_through
    assign through_end[w] = waits_q[w] && block_q[w] == ending_block && opens_at_end[at_q[w]];
    assign through[w]     = through_end[w] ||
                            (opens && (coming_i == WarpW'(w) ||
                                       (waits_q[w] && block_q[w] == coming_block && at_q[w] == id_i)));
  end

  for (genvar c = 0; c < Blocks; c++) begin : gen_counter
    logic begins_here, ends_here;

    assign begins_here = starts && begins && block_i == BlockW'(c);
    assign ends_here   = ends && ending_block == BlockW'(c);

    always_ff @(posedge clk_i or negedge rst_ni) begin : count_alive
      if (!rst_ni) alive_q[c] <= '0;
      else alive_q[c] <= begins_here ? size_i : alive_q[c] - SizeW'(ends_here);
    end
    for (genvar b = 0; b < Barriers; b++) begin : gen_barrier
      logic             opens_first, comes_here;
      logic [SizeW-2:0] count_q, count;  // the last warp of the largest block does not wait

      assign opens_first   = ends_here && opens_at_end[b];
      assign comes_here    = comes && coming_block == BlockW'(c) && id_i == IdW'(b);
      assign count         = opens_first ? '0 : count_q;
      assign waiters[c][b] = SizeW'(count_q);

      always_ff @(posedge clk_i or negedge rst_ni) begin : count_waiters
        if (!rst_ni) count_q <= '0;
        else if (comes_here) count_q <= opens ? '0 : count + (SizeW-1)'(1);
        else count_q <= begins_here ? '0 : count;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      live_q      <= '0;
      waits_q     <= '0;
      opened_q    <= '0;
      block_q     <= '0;
      at_q        <= '0;
      launched_q  <= '0;
      unstarted_q <= '0;
    end else begin
      live_q   <= (live_q & ~(ends ? Warps'(1) << ending_i : '0)) | (starts ? Warps'(1) << starting_i : '0);
      waits_q  <= (waits_q | (comes ? Warps'(1) << coming_i : '0)) & ~through;
      opened_q <= through;
      if (starts) block_q[starting_i] <= block_i;
      if (comes) at_q[coming_i] <= id_i;
      if (starts) begin
        unstarted_q[block_i] <= begins ? size_i - SizeW'(1) : unstarted_q[block_i] - SizeW'(1);
        if (begins) launched_q[block_i] <= size_i;
      end
    end
  end

  always_comb begin : properties
    OpensWhenAllHaveArrived: assert (opened == opened_q);
    WaitsUntilItOpens: assert (waiting == waits_q);
    CountsAreTrue: assert (alive_q == live_warps && waiters == waiting_warps);
    OpensForThree: cover (opened == Warps'(7));
    EndOpens: cover (through_end != '0 && comes);
  end
endmodule
