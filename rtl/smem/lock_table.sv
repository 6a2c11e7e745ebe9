// SPDX-License-Identifier: Apache-2.0
// The lock flags of shared memory: which lanes get the lock they request, and which flags are released.
// Twin of hw/smem/lock_table.h.
//
// Lanes that request one flag are compared in pairs, and those that may get a lock are counted in trees.
module lock_table #(
  localparam int unsigned Lanes = g80_pkg::HalfWarp,
  localparam int unsigned Warps = g80_pkg::MaxWarps,
  localparam int unsigned WarpW = $clog2(Warps),
  localparam int unsigned Flags = g80_pkg::MaxSmLockFlags,
  localparam int unsigned FlagW = $clog2(Flags),
  localparam int unsigned HeldW = $clog2(g80_pkg::MaxSmLocksPerWarp + 1)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // Straps
  input  logic [FlagW-1:0]            cfg_flag_mask_i,       // sm.lock_flags - 1, a power of two less 1
  input  logic [HeldW-1:0]            cfg_locks_per_warp_i,

  // A pass: it locks, or unlocks, or does neither
  input  logic                        lock_i,
  input  logic                        unlock_i,
  input  logic [WarpW-1:0]            warp_i,
  input  logic [Lanes-1:0]            lanes_i,
  input  logic [Lanes-1:0][FlagW-1:0] word_i,                // low bits of the number of each lane's word
  output logic [Lanes-1:0]            granted_o,

  // Warps of blocks that have ended
  input  logic [Warps-1:0]            ended_i
);
  localparam int unsigned LaneW = $clog2(Lanes + 1);
  localparam int unsigned MostW = LaneW > HeldW ? LaneW : HeldW;

  // Registers. Whose flag it is matters only while it is held, so that has no reset.
  logic [Flags-1:0]            held_d, held_q;
  logic [Flags-1:0][WarpW-1:0] warp_d, warp_q;
  logic [Warps-1:0][HeldW-1:0] count_d, count_q;  // flags that each warp holds

  // The lowest lane of each flag that is free, or of each that the warp holds
  logic [Lanes-1:0][FlagW-1:0] flag;
  logic [Lanes-1:0]            candidate, first, allowed, granted, released;
  logic [HeldW-1:0]            held_by_warp, left, held_behind;  // by the warp of the pass
  logic [LaneW-1:0]            num_first;

  // Flags that the warp holds
  logic [Flags-1:0] own;

  always_comb begin : find_own
    for (int unsigned f = 0; f < Flags; f++) own[f] = held_q[f] && warp_q[f] == warp_i;
  end

  assign held_by_warp = count_q[warp_i];
  assign left         = cfg_locks_per_warp_i - held_by_warp;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [Lanes-1:0] below;  // lower lanes of the same flag
    logic [LaneW-1:0] rank;   // lower lanes that come first for their flags

    assign flag[l]      = word_i[l] & cfg_flag_mask_i;
    assign candidate[l] = lanes_i[l] && (unlock_i ? own[flag[l]] : lock_i && !held_q[flag[l]]);
    for (genvar k = 0; k < Lanes; k++) begin : gen_other
      assign below[k] = k < l && candidate[k] && flag[k] == flag[l];
    end
    assign first[l] = candidate[l] && below == '0;

    popcount #(.Width(Lanes)) u_rank (
      .mask_i (first & Lanes'((1 << l) - 1)),
      .count_o(rank)
    );
    assign allowed[l] = MostW'(rank) < MostW'(left);
  end
  assign granted   = lock_i ? first & allowed : '0;
  assign released  = unlock_i ? first : '0;
  assign granted_o = granted;

  // Where more lanes want a lock than may have one, the warp holds as many behind it as it may.
  popcount #(.Width(Lanes)) u_first (
    .mask_i (first),
    .count_o(num_first)
  );
  always_comb begin : hold
    if (unlock_i) held_behind = held_by_warp - HeldW'(num_first);
    else if (MostW'(num_first) < MostW'(left)) held_behind = held_by_warp + HeldW'(num_first);
    else held_behind = cfg_locks_per_warp_i;
  end

  // Flags that change
  logic [Flags-1:0] changed;

  always_comb begin : decode
    changed = '0;
    for (int unsigned l = 0; l < Lanes; l++) changed = changed | Flags'(granted[l] || released[l]) << flag[l];
  end

  // A flag that changes is then held by the warp of the pass, or by none; any other one remains with its owner.
  logic             locks;
  logic [Flags-1:0] remains;

  assign locks = lock_i && !ended_i[warp_i];

  always_comb begin : next_flags
    for (int unsigned f = 0; f < Flags; f++) begin
      remains[f] = held_q[f] && !ended_i[warp_q[f]];
      held_d[f]  = changed[f] ? locks : remains[f];
      warp_d[f]  = changed[f] && lock_i ? warp_i : warp_q[f];
    end
  end

  for (genvar w = 0; w < Warps; w++) begin : gen_warp
    logic passes;

    assign passes     = (lock_i || unlock_i) && warp_i == WarpW'(w);
    assign count_d[w] = ended_i[w] ? '0 : passes ? held_behind : count_q[w];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      held_q  <= '0;
      count_q <= '0;
    end else begin
      held_q  <= held_d;
      count_q <= count_d;
    end
  end
  always_ff @(posedge clk_i) begin : owners
    warp_q <= warp_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PassDoesOneThing: assert (!(lock_i && unlock_i));
      WarpHoldsNoMoreThanItMay: assert (!lock_i || held_by_warp <= cfg_locks_per_warp_i);
      WarpHoldsWhatItReleases: assert (!unlock_i || MostW'(num_first) <= MostW'(held_by_warp));
    end
  end
endmodule
