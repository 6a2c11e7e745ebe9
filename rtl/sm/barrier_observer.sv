// SPDX-License-Identifier: Apache-2.0
// Signals of barrier for the simulator only: its registers as a C++ struct, event counters, and whether the clock may
// stop. It keeps the populated lanes of the warps, because only a counter asks for them.
module barrier_observer #(
  localparam int unsigned Warps    = g80_pkg::MaxWarps,
  localparam int unsigned BlockW   = $clog2(g80_pkg::MaxCtasPerSm),
  localparam int unsigned Barriers = g80_pkg::MaxBarriers,
  localparam int unsigned CountW   = $clog2(g80_pkg::MaxWarpsPerCta + 1)
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic                    idle_i,          // after the coming edge, nothing changes until an input does
  input g80_pkg::barrier_regs_t  registers_i,     // without 'populated'
  input g80_pkg::warp_start_t    start_i,
  input logic [Barriers-1:0]     opens_at_end_i,  // because a warp of this block ends
  input logic [BlockW-1:0]       ended_cta_i,
  input g80_pkg::control_event_t arrival_i,
  input logic                    counts_i,        // whether it arrives, or only waits
  input logic                    opens_i,         // ... and opens the barrier
  input logic [BlockW-1:0]       cta_i,
  input logic [CountW-1:0]       arrived_i        // with it
);
  logic [Warps-1:0][g80_pkg::WarpSize-1:0] populated_d, populated_q;
  logic [Barriers-1:0]                     missed_at_end;  // opens without warps that had ended
  g80_pkg::barrier_counters_t              counters_d;

  // The adapter reads these.
  g80_pkg::barrier_counters_t counters_q /*verilator public_flat_rd*/;
  g80_pkg::barrier_regs_t     registers  /*verilator public_flat_rd*/;
  logic                       sleep      /*verilator public_flat_rd*/;

  assign sleep = idle_i;

  always_comb begin : complete
    registers           = registers_i;
    registers.populated = populated_q;
  end

  always_comb begin : next_populated
    populated_d = populated_q;
    if (start_i.valid) populated_d[start_i.warp] = start_i.lanes;
  end

  for (genvar b = 0; b < Barriers; b++) begin : gen_missed
    assign missed_at_end[b] = opens_at_end_i[b] && {1'b0, registers_i.arrived[ended_cta_i][b]} <
                                                       registers_i.launched[ended_cta_i];
  end

  always_comb begin : count
    counters_d = counters_q;
    counters_d.openings = counters_q.openings + 64'($countones(opens_at_end_i)) + 64'(opens_i);
    counters_d.missed = counters_q.missed + 64'($countones(missed_at_end)) +
                        64'(opens_i && arrived_i < registers_i.launched[cta_i]);
    if (arrival_i.valid && counts_i) counters_d.arrivals = counters_q.arrivals + 64'd1;
    if (arrival_i.valid && arrival_i.taken != populated_q[arrival_i.warp])
      counters_d.divergent = counters_q.divergent + 64'd1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_of_counters
    if (!rst_ni) begin
      counters_q  <= '0;
      populated_q <= '0;
    end else begin
      counters_q  <= counters_d;
      populated_q <= populated_d;
    end
  end
endmodule

bind barrier barrier_observer u_observer (
  .clk_i,
  .rst_ni,
  .idle_i        (opened_q == '0 && !start_i.valid && !resolve_i.ended && !arrival_i.valid),
  .registers_i   ('{opened: opened_q, waiting: waiting_q, launched: launched_q, live: live_q, cta_of: cta_of_q,
                    barrier_of: barrier_of_q, populated: '0, arrived: arrived_q}),
  .start_i,
  .opens_at_end_i(opens_at_end),
  .ended_cta_i   (ended_cta),
  .arrival_i,
  .counts_i      (decoded.insn.bar_arrive),
  .opens_i       (opens),
  .cta_i         (cta),
  .arrived_i     (arrived)
);
