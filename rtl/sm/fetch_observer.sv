// SPDX-License-Identifier: Apache-2.0
// Signals of fetch for the simulator only: its registers as a C++ struct, and whether the clock may stop.
module fetch_observer (
  input logic                 idle_i,
  input g80_pkg::fetch_regs_t registers_i
);
  // The adapter reads these.
  g80_pkg::fetch_regs_t registers /*verilator public_flat_rd*/;
  logic                 sleep     /*verilator public_flat_rd*/;

  assign registers = registers_i;
  assign sleep     = idle_i;
endmodule

bind fetch fetch_observer u_observer (
  .idle_i     (!send && (keep || arrives == '0)),
  .registers_i('{request: request_q, last_warp: last_warp_q, active: active_q, address: address_q, epoch: epoch_q,
                 in_flight: in_flight_q, stale: stale_q, oldest: oldest_q})
);
