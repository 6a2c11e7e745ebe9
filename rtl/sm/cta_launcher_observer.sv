// SPDX-License-Identifier: Apache-2.0
// Signals of cta_launcher for the simulator only: its registers as a C++ struct, event counters, and whether the clock
// may stop.
module cta_launcher_observer #(
  localparam int unsigned Slots  = g80_pkg::MaxCtasPerSm,
  localparam int unsigned Warps  = g80_pkg::MaxWarps,
  localparam int unsigned WarpW  = $clog2(Warps),
  localparam int unsigned CountW = $clog2(g80_pkg::MaxWarpsPerCta + 1),
  // Of the launch state without the banks of c[] and the spaces of g[]
  localparam int unsigned DrawnW = $bits(g80_pkg::launch_state_t) -
                                   g80_pkg::NumConstBanks * $bits(g80_pkg::const_bank_binding_t) -
                                   g80_pkg::NumGlobalSpaces * $bits(g80_pkg::global_space_t)
) (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic                         idle_i,       // after the coming edge, nothing changes until an input does
  input logic                         one_ends_i,   // a block
  input g80_pkg::cta_launcher_regs_t  registers_i,  // without 'slot'
  input g80_pkg::launch_state_t       launch_i,
  input logic [Slots-1:0]             valid_i,
  input logic [Slots-1:0][15:0]       x_i,
  input logic [Slots-1:0][15:0]       y_i,
  input logic [Slots-1:0][WarpW-1:0]  first_warp_i,
  input logic [Slots-1:0][CountW-1:0] num_warps_i,
  input logic [Slots-1:0][15:0]       base_i,
  input logic [Slots-1:0][Warps-1:0]  live_i
);
  g80_pkg::cta_launcher_counters_t counters_d;

  // The adapter reads these.
  g80_pkg::cta_launcher_counters_t counters_q /*verilator public_flat_rd*/;
  g80_pkg::cta_launcher_regs_t     registers  /*verilator public_flat_rd*/;
  logic [DrawnW-1:0]               drawn      /*verilator public_flat_rd*/;
  logic                            sleep      /*verilator public_flat_rd*/;

  assign drawn = launch_i[$high(launch_i)-:DrawnW];
  assign sleep = idle_i;

  always_comb begin : complete
    registers = registers_i;
    for (int unsigned s = 0; s < Slots; s++)
      registers.slot[s] = {valid_i[s], x_i[s], y_i[s], first_warp_i[s], num_warps_i[s], base_i[s], live_i[s]};
  end

  assign counters_d.blocks = counters_q.blocks + 64'(one_ends_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_of_counters
    if (!rst_ni) counters_q <= '0;
    else counters_q <= counters_d;
  end
endmodule

bind cta_launcher cta_launcher_observer u_observer (
  .clk_i,
  .rst_ni,
  .idle_i      (!launching_q && !cta_valid_i && !row_valid_i && fresh_q == '0 && ended_d == '0 &&
                (told_idle_q || !idle || fetch_waits_i || accesses_busy_i)),
  .one_ends_i  (one_ends),
  .registers_i ('{start: start_q, redirect: redirect_q, kernel: kernel_q, slot: '0, launching: launching_q,
                  launching_slot: launching_slot_q, next_warp: next_warp_q, smem_start: smem_start_q, fill: fill_q,
                  registers: registers_q, numbers: numbers_q, next_lane: next_lane_q, first_thread: first_thread_q,
                  ended: ended_q, header_words: 16'(header_words_q), told_idle: told_idle_q, fresh: fresh_q}),
  .launch_i    (launch),
  .valid_i     (valid_q),
  .x_i         (x_q),
  .y_i         (y_q),
  .first_warp_i(first_warp_q),
  .num_warps_i (num_warps_q),
  .base_i      (base_q),
  .live_i      (live_q)
);
