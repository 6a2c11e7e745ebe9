// SPDX-License-Identifier: Apache-2.0
// Signals of shared_memory for the simulator only: its registers as a C++ struct, event counters, the way back for
// waves, what the retirement port hears of a pass, the words that are locked, and whether the clock may stop.
module shared_memory_observer #(
  localparam int unsigned Lanes     = g80_pkg::HalfWarp,
  localparam int unsigned Warps     = g80_pkg::MaxWarps,
  localparam int unsigned WarpW     = $clog2(Warps),
  localparam int unsigned Flags     = g80_pkg::MaxSmLockFlags,
  localparam int unsigned FlagW     = $clog2(Flags),
  localparam int unsigned WordW     = $clog2(g80_pkg::MaxSharedBytes / 4),
  localparam int unsigned MaxStages = (g80_pkg::MaxSmSmemLatency - 28) / 2
) (
  input logic                             clk_i,
  input logic                             rst_ni,
  input logic                             sleep_i,         // after the coming edge, until an input changes
  input g80_pkg::shared_memory_regs_t     registers_i,
  input logic [MaxStages-1:0]             way_back_i,
  input logic [WarpW-1:0]                 warp_i,          // of the pass
  input logic [Lanes-1:0]                 granted_i,       // locks
  input logic [Lanes-1:0][31:0]           data_i,          // what the half-warp has read
  input logic [Lanes-1:0][FlagW-1:0]      flag_i,          // of each lane's word
  input logic [Lanes-1:0][WordW-1:0]      word_i,
  input logic [Flags-1:0]                 held_i,
  input logic [Flags-1:0][WarpW-1:0]      owner_i
);
  logic [Flags-1:0][WordW-1:0]      word_d, word_q;  // for which a flag was taken
  g80_pkg::shared_memory_counters_t counters_d;
  logic [Lanes-1:0]                 granted_d;
  logic [Lanes-1:0][31:0]           data_d;

  // The adapter reads these.
  g80_pkg::shared_memory_counters_t       counters_q  /*verilator public_flat_rd*/;
  g80_pkg::shared_memory_regs_t           registers   /*verilator public_flat_rd*/;
  logic [MaxStages-1:0]                   way_back    /*verilator public_flat_rd*/;
  logic [Lanes-1:0]                       granted_q   /*verilator public_flat_rd*/;
  logic [Lanes-1:0][31:0]                 data_q      /*verilator public_flat_rd*/;
  logic [Flags-1:0][g80_pkg::LockFlagWidth-1:0] flags /*verilator public_flat_rd*/;
  logic                                   sleep       /*verilator public_flat_rd*/;

  assign registers = registers_i;
  assign way_back  = way_back_i;
  assign sleep     = sleep_i;
  assign granted_d = granted_i;
  assign data_d    = data_i;

  always_comb begin : list_flags
    for (int unsigned f = 0; f < Flags; f++) flags[f] = {held_i[f], owner_i[f], word_q[f]};
  end

  always_comb begin : locked_words
    word_d = word_q;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (granted_i[l]) word_d[flag_i[l]] = word_i[l];
    end
  end

  always_comb begin : count
    counters_d = counters_q;
    counters_d.granted[warp_i] = counters_q.granted[warp_i] + 64'($countones(granted_i));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_of_counters
    if (!rst_ni) counters_q <= '0;
    else counters_q <= counters_d;
  end
  always_ff @(posedge clk_i) begin : of_the_pass
    word_q    <= word_d;
    granted_q <= granted_d;
    data_q    <= data_d;
  end
endmodule

bind shared_memory shared_memory_observer u_observer (
  .clk_i,
  .rst_ni,
  .sleep_i    (way_back_empty && !reply_d.valid && !pass_i.valid && ended_i == '0),
  .registers_i('{reply: reply_q, gather: '{granted: granted_q, data: data_q}, stored: stored_q}),
  .way_back_i (u_way_back.valid_q),
  .warp_i     (request.warp),
  .granted_i  (granted),
  .data_i     (all_data),
  .flag_i     (u_locks.flag),
  .word_i     (word_of),
  .held_i     (u_locks.held_q),
  .owner_i    (u_locks.warp_q)
);
