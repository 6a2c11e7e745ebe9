// SPDX-License-Identifier: Apache-2.0
// Picks the warp that issues in each scheduler cycle (two shader cycles), or reports why none can.
// Twin of hw/sm/warp_scheduler.h, equal to it at every clock edge.
module warp_scheduler
  import g80_pkg::*;
#(
  localparam int unsigned WarpW = $clog2(MaxWarps)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [63:0]         now_i,  // number of this edge of the shader clock

  // Straps
  input  logic [1:0]          cfg_policy_i,           // scheduler_policy_e
  input  logic [7:0]          cfg_collector_units_i,
  input  logic [7:0]          cfg_memory_units_i,     // collector units that memory instructions may use
  input  logic [7:0]          cfg_load_entries_i,
  input  logic [7:0]          cfg_sfu_cycles_i,       // shader cycles that an instruction occupies the SFUs
  input  logic [7:0]          cfg_dp_cycles_i,        // ... the fp64 unit
  input  logic [7:0]          cfg_control_cycles_i,   // ... the control unit
  input  logic [7:0]          cfg_replay_cycles_i,    // ... the port, for each further pass of a bank conflict
  input  logic [7:0]          cfg_multiply_cycles_i,  // ... the SFUs, if it is an fp32 multiply
  input  logic [7:0]          cfg_shared_cycles_i,    // ... the port of s[] operands

  // From scoreboard
  input  logic [MaxWarps-1:0] ready_resident_i,
  input  logic [MaxWarps-1:0] ready_has_head_i,
  input  logic [MaxWarps-1:0] ready_ready_i,
  input  logic [MaxWarps-1:0] ready_sfu_i,
  input  logic [MaxWarps-1:0] ready_dp_i,
  input  logic [MaxWarps-1:0] ready_memory_i,
  input  logic [MaxWarps-1:0] ready_texture_i,
  input  logic [MaxWarps-1:0] ready_control_i,
  input  logic [MaxWarps-1:0] ready_multiply_i,  // may go to the SFUs' multipliers
  input  logic [MaxWarps-1:0] ready_shared_i,    // takes the port of s[] operands
  input  logic [MaxWarps-1:0] ready_load_i,
  input  logic [MaxWarps-1:0] ready_wait_control_i,
  input  logic [MaxWarps-1:0] ready_wait_barrier_i,
  input  logic [MaxWarps-1:0] ready_wait_memory_i,
  input  logic [MaxWarps-1:0] ready_wait_alu_i,
  input  logic [MaxWarps-1:0] ready_wait_drain_i,

  // From cta_launcher: ages follow the order of warp starts
  input  logic                start_valid_i,
  input  logic [WarpW-1:0]    start_warp_i,

  // From operand_collector, address_unit and load_table: number of entries freed so far, modulo 256
  input  logic [7:0]          collector_credit_collector_i,
  input  logic [7:0]          memory_credit_memory_i,
  input  logic [7:0]          load_credit_load_i,

  // From bank_conflict: this pass is not the last of its request
  input  logic                replay_i,

  // To instruction_buffer and scoreboard
  output logic                pick_valid_o,
  output logic [WarpW-1:0]    pick_warp_o,
  output logic                pick_to_multipliers_o,  // an fp32 multiply that goes to the SFUs' multipliers
  output logic [3:0]          pick_stall_o,           // stall_reason_e

  // To the clock gate: after this edge, nothing changes until an input does, or until edge wake_edge_o
  output logic                sleep_o,
  output logic                wake_valid_o,
  output logic [63:0]         wake_edge_o
);
  localparam int unsigned PortCycles = WarpSize / NumSpLanes;  // 32 lanes over 8 SPs

  typedef logic [MaxWarps-1:0] warp_mask_t;
  typedef logic [WarpW-1:0]    warp_id_t;
  typedef logic [63:0]         cycle_t;
  typedef struct packed {
    logic          valid;
    warp_id_t      warp;
    logic          to_multipliers;
    stall_reason_e stall;
  } pick_t;

  // Registers; the testbench reads those that the C++ block shows too
  pick_t       pick_d, pick_q;
  warp_mask_t  hidden_d, hidden_q /*verilator public_flat_rd*/;  // the last pick: the scoreboard does not know it yet
  warp_id_t    last_d, last_q /*verilator public_flat_rd*/;      // issued last
  logic [31:0] age_d [MaxWarps], age_q [MaxWarps] /*verilator public_flat_rd*/;  // start number of each warp
  logic [31:0] starts_d, starts_q /*verilator public_flat_rd*/;
  // First edge at which each unit can accept an instruction
  cycle_t      port_free_d, port_free_q /*verilator public_flat_rd*/;
  cycle_t      sfu_free_d, sfu_free_q /*verilator public_flat_rd*/;
  cycle_t      dp_free_d, dp_free_q /*verilator public_flat_rd*/;
  cycle_t      control_free_d, control_free_q /*verilator public_flat_rd*/;
  cycle_t      shared_free_d, shared_free_q /*verilator public_flat_rd*/;
  // Picked so far, modulo 256; compared with the credits
  logic [7:0]  collector_used_d, collector_used_q /*verilator public_flat_rd*/;
  logic [7:0]  memory_used_d, memory_used_q /*verilator public_flat_rd*/;
  logic [7:0]  load_used_d, load_used_q /*verilator public_flat_rd*/;
  cycle_t      charged_d, charged_q /*verilator public_flat_rd*/;  // scheduler cycles charged so far
  logic [63:0] counter_d [NumStallReasons];
  logic [63:0] counter_q [NumStallReasons] /*verilator public_flat_rd*/;

  function automatic warp_id_t lowest(warp_mask_t mask);
    warp_id_t warp = '0;
    for (int w = MaxWarps - 1; w >= 0; w--) if (mask[w]) warp = warp_id_t'(w);
    return warp;
  endfunction

  function automatic warp_id_t first_after(warp_mask_t mask, warp_id_t last);
    warp_mask_t after = mask & ~((warp_mask_t'(2) << last) - warp_mask_t'(1));
    return lowest(after != '0 ? after : mask);
  endfunction

  // Of warps with equal age, the one in the lowest slot.
  function automatic warp_id_t oldest(warp_mask_t mask, logic [31:0] age [MaxWarps]);
    warp_id_t    warp = '0;
    logic        found = 1'b0;
    logic [31:0] least = '0;
    for (int w = 0; w < MaxWarps; w++) begin
      if (mask[w] && (!found || age[w] < least)) begin
        found = 1'b1;
        least = age[w];
        warp  = warp_id_t'(w);
      end
    end
    return warp;
  endfunction

  // The warp that issues, of those in `eligible` (not empty). This is where the issuing warp is decided.
  function automatic warp_id_t pick_warp(scheduler_policy_e policy, warp_mask_t eligible, warp_id_t last,
                                         logic [31:0] age [MaxWarps]);
    unique case (policy)
      PolicyLooseRoundRobin:  return first_after(eligible, last);
      PolicyGreedyThenOldest: return eligible[last] ? last : oldest(eligible, age);
      default:                return oldest(eligible, age);
    endcase
  endfunction

  // The stall reason of a cycle: of all reasons of the warps, the one closest to progress. This is where the stall
  // reason is decided.
  function automatic stall_reason_e stall_reason(logic blocked_by_memory_queue, warp_mask_t hidden);
    if (ready_resident_i == '0) return StallNoWarp;
    if (blocked_by_memory_queue) return StallMemoryQueue;
    if (ready_ready_i != '0 || hidden != '0) return StallUnitBusy;
    if (ready_wait_alu_i != '0) return StallAlu;
    if (ready_wait_control_i != '0) return StallControl;
    if ((ready_resident_i & ~(ready_has_head_i | ready_wait_barrier_i)) != '0) return StallFetch;
    if (ready_wait_drain_i != '0) return StallDrain;
    if (ready_wait_memory_i != '0) return StallMemory;
    return StallBarrier;
  endfunction

  logic [7:0] collector_in_use, memory_in_use, load_in_use;
  assign collector_in_use = collector_used_q - collector_credit_collector_i;
  assign memory_in_use    = memory_used_q - memory_credit_memory_i;
  assign load_in_use      = load_used_q - load_credit_load_i;

  logic       collector_free, memory_free, load_free;
  warp_mask_t judged, memory_class, queue_blocked, on_port, eligible;
  always_comb begin : judge
    collector_free = collector_in_use < cfg_collector_units_i;
    memory_free    = memory_in_use < cfg_memory_units_i;
    load_free      = load_in_use < cfg_load_entries_i;

    judged        = ready_ready_i & ~hidden_q;
    on_port       = judged & ~(ready_sfu_i | ready_dp_i | ready_control_i);
    memory_class  = ready_memory_i | ready_texture_i;
    queue_blocked = ((memory_free ? '0 : memory_class) | (load_free ? '0 : ready_load_i)) & on_port;
    on_port       = on_port & ~queue_blocked;
    if (now_i < shared_free_q) on_port &= ~ready_shared_i;
    if ((on_port & ~ready_multiply_i) != '0) on_port &= ~ready_multiply_i;  // a multiply can go to the SFUs instead
    if (now_i < port_free_q) on_port = '0;
    eligible      = on_port;
    if (now_i >= sfu_free_q) eligible |= judged & (ready_sfu_i | ready_multiply_i);
    if (now_i >= dp_free_q) eligible |= judged & ready_dp_i;
    if (now_i >= control_free_q) eligible |= judged & ready_control_i;
    if (!collector_free) eligible = '0;
  end

  warp_id_t warp;
  cycle_t   scheduler_cycle;
  always_comb begin : next
    age_d    = age_q;
    starts_d = starts_q;
    if (start_valid_i) begin
      age_d[start_warp_i] = starts_q;
      starts_d = starts_q + 32'd1;
    end

    last_d           = last_q;
    pick_d           = '{valid: 1'b0, warp: '0, to_multipliers: 1'b0, stall: StallNoWarp};
    hidden_d         = '0;
    collector_used_d = collector_used_q;
    memory_used_d    = memory_used_q;
    load_used_d      = load_used_q;
    port_free_d      = port_free_q;
    sfu_free_d       = sfu_free_q;
    dp_free_d        = dp_free_q;
    control_free_d   = control_free_q;
    shared_free_d    = shared_free_q;
    warp             = '0;
    if (eligible != '0) begin
      warp         = pick_warp(scheduler_policy_e'(cfg_policy_i), eligible, last_q, age_d);
      pick_d.valid = 1'b1;
      pick_d.warp  = warp;
      pick_d.stall = StallIssued;
      last_d       = warp;
      hidden_d[warp]   = 1'b1;
      collector_used_d = collector_used_q + 8'd1;
      memory_used_d    = memory_used_q + 8'(memory_class[warp]);
      load_used_d      = load_used_q + 8'(ready_load_i[warp]);
      pick_d.to_multipliers = ready_multiply_i[warp] && !on_port[warp];
      if (ready_sfu_i[warp])          sfu_free_d  = now_i + 64'(cfg_sfu_cycles_i);
      else if (pick_d.to_multipliers) sfu_free_d  = now_i + 64'(cfg_multiply_cycles_i);
      else if (ready_dp_i[warp])      dp_free_d   = now_i + 64'(cfg_dp_cycles_i);
      else if (ready_control_i[warp]) control_free_d = now_i + 64'(cfg_control_cycles_i);
      else begin
        port_free_d = now_i + 64'(PortCycles);
        if (ready_shared_i[warp]) begin
          shared_free_d = shared_free_q + 64'(cfg_shared_cycles_i);
          if (shared_free_d < now_i) shared_free_d = now_i;
        end
      end
    end else begin
      pick_d.stall = stall_reason(judged != '0 && judged == queue_blocked, hidden_q);
    end
    if (replay_i) begin
      port_free_d = (port_free_d > now_i ? port_free_d : now_i) + 64'(cfg_replay_cycles_i);
    end

    // Each scheduler cycle has one reason. The cycles of a sleep have the reason of the cycle before it.
    scheduler_cycle = now_i >> 1;
    charged_d       = scheduler_cycle;
    counter_d       = counter_q;
    if (scheduler_cycle > charged_q + 64'd1) begin
      counter_d[pick_q.stall] = counter_q[pick_q.stall] + scheduler_cycle - charged_q - 64'd1;
    end
    counter_d[pick_d.stall] = counter_d[pick_d.stall] + 64'd1;
  end

  // If no input changes, the next pick is possible when a unit becomes free. The scheduler runs at even edges.
  always_comb begin : clock_gate
    sleep_o      = eligible == '0 && hidden_q == '0 && !pick_q.valid && !start_valid_i && !replay_i;
    wake_valid_o = 1'b0;
    wake_edge_o  = '0;
    if (port_free_q > now_i) begin
      wake_valid_o = 1'b1;
      wake_edge_o  = port_free_q;
    end
    if (sfu_free_q > now_i && (!wake_valid_o || sfu_free_q < wake_edge_o)) begin
      wake_valid_o = 1'b1;
      wake_edge_o  = sfu_free_q;
    end
    if (dp_free_q > now_i && (!wake_valid_o || dp_free_q < wake_edge_o)) begin
      wake_valid_o = 1'b1;
      wake_edge_o  = dp_free_q;
    end
    if (control_free_q > now_i && (!wake_valid_o || control_free_q < wake_edge_o)) begin
      wake_valid_o = 1'b1;
      wake_edge_o  = control_free_q;
    end
    if (shared_free_q > now_i && (!wake_valid_o || shared_free_q < wake_edge_o)) begin
      wake_valid_o = 1'b1;
      wake_edge_o  = shared_free_q;
    end
    wake_edge_o = wake_edge_o + 64'(wake_edge_o[0]);
  end

  assign pick_valid_o = pick_q.valid;
  assign pick_warp_o  = pick_q.warp;
  assign pick_stall_o = pick_q.stall;
  assign pick_to_multipliers_o = pick_q.to_multipliers;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pick_q           <= '{valid: 1'b0, warp: '0, to_multipliers: 1'b0, stall: StallNoWarp};
      hidden_q         <= '0;
      last_q           <= '0;
      age_q            <= '{default: '0};
      starts_q         <= '0;
      port_free_q      <= '0;
      sfu_free_q       <= '0;
      dp_free_q        <= '0;
      control_free_q   <= '0;
      shared_free_q    <= '0;
      collector_used_q <= '0;
      memory_used_q    <= '0;
      load_used_q      <= '0;
      charged_q        <= '0;
      counter_q        <= '{default: '0};
    end else begin
      pick_q           <= pick_d;
      hidden_q         <= hidden_d;
      last_q           <= last_d;
      age_q            <= age_d;
      starts_q         <= starts_d;
      port_free_q      <= port_free_d;
      sfu_free_q       <= sfu_free_d;
      dp_free_q        <= dp_free_d;
      control_free_q   <= control_free_d;
      shared_free_q    <= shared_free_d;
      collector_used_q <= collector_used_d;
      memory_used_q    <= memory_used_d;
      load_used_q      <= load_used_d;
      charged_q        <= charged_d;
      counter_q        <= counter_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      IssuedIsNoStall: assert (pick_q.valid == (pick_q.stall == StallIssued));
      PickIsHiddenOneCycle: assert (hidden_q == (pick_q.valid ? warp_mask_t'(1) << pick_q.warp : '0));
      NeverPicksTwiceInARow: assert ((eligible & hidden_q) == '0);
      CollectorNotOverbooked: assert (collector_in_use <= cfg_collector_units_i);
      PolicyIsKnown:
        assert (cfg_policy_i inside {PolicyLooseRoundRobin, PolicyOldestFirst, PolicyGreedyThenOldest});
    end
  end
endmodule
