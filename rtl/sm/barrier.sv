// SPDX-License-Identifier: Apache-2.0
// The barriers of the blocks in an SM: counters of warps, opened when the last expected warp arrives.
// Twin of hw/sm/barrier.h, equal to it at every clock edge.
//
// A warp waits at one barrier at a time, so each warp has the number of its barrier; a barrier has no mask of its
// warps.
module barrier (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // Strap
  input  logic                    cfg_expect_launched_i,  // also warps that have ended

  // From cta_launcher
  input  g80_pkg::warp_start_t    start_i,

  // From reconvergence_stack
  input  g80_pkg::control_event_t arrival_i,
  input  g80_pkg::resolve_t       resolve_i,

  // To scoreboard
  output logic [g80_pkg::MaxWarps-1:0] opened_o,          // warps let through
  output logic [g80_pkg::MaxWarps-1:0] waiting_o
);
  localparam int unsigned Warps    = g80_pkg::MaxWarps;
  localparam int unsigned WarpW    = $clog2(Warps);
  localparam int unsigned Blocks   = g80_pkg::MaxCtasPerSm;
  localparam int unsigned BlockW   = $clog2(Blocks);
  localparam int unsigned Barriers = g80_pkg::MaxBarriers;
  localparam int unsigned BarrierW = $clog2(Barriers);
  localparam int unsigned CountW   = $clog2(g80_pkg::MaxWarpsPerCta + 1);
  localparam int unsigned ArrivedW = $clog2(g80_pkg::MaxWarpsPerCta);  // the last warp of a block opens the barrier

  // Registers
  logic [Warps-1:0]                              opened_d, opened_q;
  logic [Warps-1:0]                              waiting_d, waiting_q;
  logic [Warps-1:0][BlockW-1:0]                  cta_of_d, cta_of_q;
  logic [Warps-1:0][BarrierW-1:0]                barrier_of_d, barrier_of_q;  // to which the warp has come last
  logic [Blocks-1:0][CountW-1:0]                 launched_d, launched_q;      // warps
  logic [Blocks-1:0][CountW-1:0]                 live_d, live_q;
  logic [Blocks-1:0][Barriers-1:0][ArrivedW-1:0] arrived_d, arrived_q;

  // The warp that ends, and the one that arrives, after the one that ends in the same cycle
  g80_pkg::decoded_instruction_t decoded;
  logic [BlockW-1:0]             ended_cta, cta;
  logic [BarrierW-1:0]           id;

  issued_fields u_fields (
    .insn_i   (arrival_i.insn),
    .decoded_o(decoded)
  );

  assign ended_cta = cta_of_q[resolve_i.ended_warp];
  assign cta       = cta_of_q[arrival_i.warp];
  assign id        = decoded.insn.barrier;

  // Which blocks they belong to is known late. So the barriers of all blocks are compared as if it were theirs.
  logic [Blocks-1:0]               ends;              // the warp that ends is of this block
  logic [Blocks-1:0][CountW-1:0]   live_after_end;
  logic [Blocks-1:0][Barriers-1:0] complete_at_end;   // barriers that have waited for a warp that ends alone
  logic [Blocks-1:0][CountW-1:0]   arrived_here;      // at `id`, with the one that arrives
  logic [Blocks-1:0]               complete_here;

  for (genvar c = 0; c < Blocks; c++) begin : gen_compare
    logic [CountW-1:0] expected, expected_at_end, arrived_before;
    logic              complete, complete_after_end, complete_again, opens_first;

    assign ends[c]           = resolve_i.ended && ended_cta == BlockW'(c);
    assign live_after_end[c] = live_q[c] - CountW'(1);
    assign expected          = cfg_expect_launched_i ? launched_q[c] : live_q[c];
    assign expected_at_end   = cfg_expect_launched_i ? launched_q[c] : live_after_end[c];

    for (genvar b = 0; b < Barriers; b++) begin : gen_end
      all_arrived #(.Width(CountW)) u_all_arrived (
        .arrived_i ({1'b0, arrived_q[c][b]}),
        .expected_i(expected_at_end),
        .open_o    (complete_at_end[c][b])
      );
    end

    // The arrival: without an end, behind one, and behind one that has opened its barrier
    assign arrived_before = {1'b0, arrived_q[c][id]} + CountW'(decoded.insn.bar_arrive);

    all_arrived #(.Width(CountW)) u_alone (
      .arrived_i (arrived_before),
      .expected_i(expected),
      .open_o    (complete)
    );
    all_arrived #(.Width(CountW)) u_after_end (
      .arrived_i (arrived_before),
      .expected_i(expected_at_end),
      .open_o    (complete_after_end)
    );
    all_arrived #(.Width(CountW)) u_again (
      .arrived_i (CountW'(decoded.insn.bar_arrive)),
      .expected_i(expected_at_end),
      .open_o    (complete_again)
    );
    assign opens_first      = ends[c] && complete_at_end[c][id];
    assign arrived_here[c]  = opens_first ? CountW'(decoded.insn.bar_arrive) : arrived_before;
    assign complete_here[c] = opens_first ? complete_again : ends[c] ? complete_after_end : complete;
  end

  logic [Barriers-1:0] opens_at_end;
  logic [CountW-1:0]   arrived;
  logic                opens, waits;

  assign opens_at_end = resolve_i.ended ? complete_at_end[ended_cta] : '0;
  assign arrived      = arrived_here[cta];
  assign opens        = arrival_i.valid && complete_here[cta];
  assign waits        = decoded.insn.bar_wait && arrived != '0 && !complete_here[cta];  // not where no warp has arrived

  for (genvar w = 0; w < Warps; w++) begin : gen_warp
    logic starts, arrives, released;

    assign starts   = start_i.valid && start_i.warp == WarpW'(w);
    assign arrives  = arrival_i.valid && arrival_i.warp == WarpW'(w);
    assign released = waiting_q[w] && ((cta_of_q[w] == ended_cta && opens_at_end[barrier_of_q[w]]) ||
                                       (cta_of_q[w] == cta && barrier_of_q[w] == id && opens));

    assign opened_d[w]     = released || (arrives && !waits);
    assign waiting_d[w]    = (waiting_q[w] && !released) || (arrives && waits);
    assign cta_of_d[w]     = starts ? start_i.cta_slot : cta_of_q[w];
    assign barrier_of_d[w] = arrives ? id : barrier_of_q[w];
  end

  for (genvar c = 0; c < Blocks; c++) begin : gen_block
    logic begins;

    assign begins = start_i.valid && start_i.warp_in_cta == '0 && start_i.cta_slot == BlockW'(c);

    assign launched_d[c] = begins ? start_i.warps_in_cta : launched_q[c];
    assign live_d[c]     = begins ? start_i.warps_in_cta : ends[c] ? live_after_end[c] : live_q[c];

    for (genvar b = 0; b < Barriers; b++) begin : gen_barrier
      logic arrives;

      assign arrives = arrival_i.valid && cta == BlockW'(c) && id == BarrierW'(b);

      always_comb begin : count
        arrived_d[c][b] = arrived_q[c][b];
        if (begins || (ends[c] && complete_at_end[c][b])) arrived_d[c][b] = '0;
        if (arrives) arrived_d[c][b] = complete_here[c] ? '0 : arrived_here[c][ArrivedW-1:0];
      end
    end
  end

  assign opened_o  = opened_q;
  assign waiting_o = waiting_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      opened_q     <= '0;
      waiting_q    <= '0;
      cta_of_q     <= '0;
      barrier_of_q <= '0;
      launched_q   <= '0;
      live_q       <= '0;
      arrived_q    <= '0;
    end else begin
      opened_q     <= opened_d;
      waiting_q    <= waiting_d;
      cta_of_q     <= cta_of_d;
      barrier_of_q <= barrier_of_d;
      launched_q   <= launched_d;
      live_q       <= live_d;
      arrived_q    <= arrived_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      OnlyBarriersArrive: assert (!arrival_i.valid || decoded.insn.op == g80_pkg::OpBar);
      WaitingWarpDoesNothing: assert (!(arrival_i.valid && waiting_q[arrival_i.warp]) &&
                                      !(resolve_i.ended && waiting_q[resolve_i.ended_warp]));
      LiveWarpEnds: assert (!resolve_i.ended || live_q[ended_cta] != '0);
      BlockThatBeginsHasItsSlotAlone: assert (!start_i.valid || start_i.warp_in_cta != '0 ||
                                              live_q[start_i.cta_slot] == '0);
    end
  end
endmodule
