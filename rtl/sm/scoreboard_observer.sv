// SPDX-License-Identifier: Apache-2.0
// Signals of scoreboard for the simulator only: its registers as a C++ struct, what waves show of pending writes and of
// the oldest instruction of each warp, and whether the clock may stop. It keeps the program counters of the waiting
// instructions, because the datapath needs none.
module scoreboard_observer #(
  localparam int unsigned Warps  = g80_pkg::MaxWarps,
  localparam int unsigned WarpW  = $clog2(Warps),
  localparam int unsigned Slots  = g80_pkg::MaxBufferEntries,
  localparam int unsigned SlotW  = $clog2(Slots),
  localparam int unsigned CountW = $clog2(Slots + 1),
  localparam int unsigned InsnW  = g80_pkg::FetchedInstructionWidth,
  localparam int unsigned StateW = g80_pkg::ThreadStateWidth
) (
  input logic                         clk_i,
  input logic                         idle_i,
  input g80_pkg::scoreboard_regs_t    registers_i,
  input logic [Warps-1:0][StateW-1:0] pending_i,
  input logic [Warps-1:0][StateW-1:0] pending_memory_i,
  input logic [Warps-1:0][CountW-1:0] count_i,
  input logic [Warps-1:0][SlotW-1:0]  slot_i,
  input logic [WarpW-1:0]             warp_i,     // whose instructions arrive
  input logic [Slots-1:0]             write_i,
  input logic [Slots-1:0][InsnW-1:0]  arrival_i
);
  // The adapter reads these.
  g80_pkg::scoreboard_regs_t registers /*verilator public_flat_rd*/;
  logic                      sleep     /*verilator public_flat_rd*/;
  struct packed {
    logic [Warps-1:0][StateW-1:0]       pending;
    logic [Warps-1:0][StateW-1:0]       pending_memory;
    logic [Warps-1:0][CountW+InsnW-1:0] waiting;
  } drawn /*verilator public_flat_rd*/;

  assign registers            = registers_i;
  assign sleep                = idle_i;
  assign drawn.pending        = pending_i;
  assign drawn.pending_memory = pending_memory_i;

  /* verilator tracing_off */
  logic [Slots-1:0][Warps-1:0][InsnW-1:0] insn;
  /* verilator tracing_on */

  always_ff @(posedge clk_i) begin : keep
    for (int s = 0; s < Slots; s++) begin
      if (write_i[s]) insn[s][warp_i] <= arrival_i[s];
    end
  end

  for (genvar w = 0; w < Warps; w++) begin : gen_front
    assign drawn.waiting[w] = {count_i[w], count_i[w] == '0 ? g80_pkg::FetchedInstructionDefault : insn[slot_i[w]][w]};
  end
endmodule

bind scoreboard scoreboard_observer u_observer (
  .clk_i,
  .idle_i          (!pick_i.valid && !decoded_i.valid && resolve_i.warps == '0 && !resolve_i.ended &&
                    barrier_open_i == '0 && !start_i.valid && !redirect_i.valid && !gen_release[0].entry.valid &&
                    barrier_waiting_i == ready_q.wait_barrier),
  .registers_i     ('{ready: ready_q, drained: drained_q, ended: ended_q, control: control_q, in_flight: in_flight_q,
                      epoch: epoch_q}),
  .pending_i       (pending_q),
  .pending_memory_i(pending_memory_q),
  .count_i         (count_q),
  .slot_i          (slot_q),
  .warp_i          (decoded_i.warp),
  .write_i         ({gen_bank[7].write, gen_bank[6].write, gen_bank[5].write, gen_bank[4].write, gen_bank[3].write,
                     gen_bank[2].write, gen_bank[1].write, gen_bank[0].write}),
  .arrival_i       ({gen_bank[7].arrival, gen_bank[6].arrival, gen_bank[5].arrival, gen_bank[4].arrival,
                     gen_bank[3].arrival, gen_bank[2].arrival, gen_bank[1].arrival, gen_bank[0].arrival})
);
