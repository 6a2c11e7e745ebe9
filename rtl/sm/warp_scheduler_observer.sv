// SPDX-License-Identifier: Apache-2.0
// Signals of warp_scheduler for the simulator only: its registers as a C++ struct, and whether the clock may stop.
module warp_scheduler_observer #(
  localparam int unsigned Warps = g80_pkg::MaxWarps,
  localparam int unsigned WarpW = $clog2(Warps),
  localparam int unsigned Pairs = Warps * (Warps - 1) / 2
) (
  input logic                           idle_i,       // nothing changes until an input does
  input g80_pkg::warp_scheduler_regs_t  registers_i,  // without 'age'
  input logic [Pairs-1:0]               younger_i     // pair (a, b), a < b, is bit b * (b - 1) / 2 + a
);
  // The adapter reads these.
  g80_pkg::warp_scheduler_regs_t registers /*verilator public_flat_rd*/;
  logic                          sleep     /*verilator public_flat_rd*/;

  logic [Warps-1:0][Warps-1:0] older;  // [w][o]: warp o started before warp w

  assign sleep = idle_i;

  for (genvar w = 0; w < Warps; w++) begin : gen_warp
    for (genvar o = 0; o < Warps; o++) begin : gen_other
      if (o < w) begin : gen_below
        assign older[w][o] = !younger_i[w*(w-1)/2+o];
      end else if (o > w) begin : gen_above
        assign older[w][o] = younger_i[o*(o-1)/2+w];
      end else begin : gen_itself
        assign older[w][o] = 1'b0;
      end
    end
  end

  always_comb begin : complete
    registers = registers_i;
    for (int w = 0; w < Warps; w++) registers.age[w] = WarpW'($countones(older[w]));
  end
endmodule

bind warp_scheduler warp_scheduler_observer u_observer (
  .idle_i     (!picks && hidden_q == '0 && !pick_q.valid && !start_i.valid && !replay_i && port_wait_q == '0 &&
               sfu_wait_q == '0 && dp_wait_q == '0 && control_wait_q == '0 && shared_work_q == '0),
  .registers_i('{pick: pick_q, hidden: hidden_q, last: last_q, age: '0, watched: u_watched.watched_q,
                 passed_over: u_watched.passed_over_q, port_wait: port_wait_q, sfu_wait: sfu_wait_q, dp_wait: dp_wait_q,
                 control_wait: control_wait_q, shared_work: shared_work_q, collector_used: u_collector.used_q,
                 memory_used: u_memory.used_q, load_used: u_load.used_q, wide_used: u_wide.used_q}),
  .younger_i  (younger_q)
);
