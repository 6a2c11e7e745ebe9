// SPDX-License-Identifier: Apache-2.0
// The stall reason of a scheduler cycle without a pick: of all reasons of the warps, the one closest to progress. This
// is where the stall reason is decided.
module stall_reason (
  input  g80_pkg::warp_ready_t           ready_i,
  input  logic [g80_pkg::MaxWarps-1:0]   hidden_i,         // picked in the cycle before
  input  logic                           queue_blocked_i,  // every ready warp waits for the memory path alone
  output g80_pkg::stall_reason_e         reason_o
);
  always_comb begin : choose
    if (ready_i.resident == '0) begin
      reason_o = g80_pkg::StallNoWarp;
    end else if (queue_blocked_i) begin
      reason_o = g80_pkg::StallMemoryQueue;
    end else if (ready_i.ready != '0 || hidden_i != '0) begin
      reason_o = g80_pkg::StallUnitBusy;
    end else if (ready_i.wait_alu != '0) begin
      reason_o = g80_pkg::StallAlu;
    end else if (ready_i.wait_control != '0) begin
      reason_o = g80_pkg::StallControl;
    end else if ((ready_i.resident & ~(ready_i.has_head | ready_i.wait_barrier)) != '0) begin
      reason_o = g80_pkg::StallFetch;
    end else if (ready_i.wait_drain != '0) begin
      reason_o = g80_pkg::StallDrain;
    end else if (ready_i.wait_memory != '0) begin
      reason_o = g80_pkg::StallMemory;
    end else begin
      reason_o = g80_pkg::StallBarrier;
    end
  end
endmodule
