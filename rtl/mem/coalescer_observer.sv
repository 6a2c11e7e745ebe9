// SPDX-License-Identifier: Apache-2.0
// Signals of coalescer for the simulator only: event counters, the registers as their C++ struct, and whether the clock
// may stop. It is bound to the datapath, which does not refer to it.
module coalescer_observer #(
  localparam int unsigned Lanes = g80_pkg::HalfWarp
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic                       segment_rule_i,
  input logic                       step_i,       // the front access is served at the coming edge
  input logic                       send_i,       // ... by a transaction
  input logic                       pop_i,        // ... and leaves
  input logic                       coalesced_i,  // under the strict rule
  input logic [7:0]                 bytes_i,      // of the transaction
  input g80_pkg::half_warp_access_t access_i,
  input logic                       idle_i,       // after the coming edge, nothing changes until an input does

  // Registers
  input logic                       offered_i,
  input logic                       is_idle_i,
  input logic                       busy_i,
  input logic [Lanes-1:0]           pending_i,
  input logic [7:0]                 wait_i
);
  logic [4:0] made_d, made_q;  // transactions of the front access so far
  logic       read, atomic, on_stack, is_local, coherent;

  g80_pkg::coalescer_counters_t counters_d;

  // The adapter reads these.
  g80_pkg::coalescer_counters_t counters_q /*verilator public_flat_rd*/;
  g80_pkg::coalescer_regs_t     registers  /*verilator public_flat_rd*/;
  logic                         sleep      /*verilator public_flat_rd*/;

  assign made_d    = step_i ? (busy_i ? made_q : 5'd0) + 5'(send_i) : made_q;
  assign registers = '{offered: offered_i, idle: is_idle_i, busy: busy_i, pending: pending_i, made: made_q,
                       wait_: wait_i};
  assign sleep     = idle_i;

  assign read     = access_i.op == g80_pkg::MemOpRead;
  assign atomic   = access_i.op inside {g80_pkg::MemOpReduce, g80_pkg::MemOpAtomic};
  assign on_stack = access_i.client == g80_pkg::MemClientStack;
  assign is_local = access_i.client == g80_pkg::MemClientLocal;
  // The segment rule serves it with as few transactions as a coalesced access.
  assign coherent = segment_rule_i ? made_d <= (access_i.bytes == 5'd16 ? 5'd2 : 5'd1) : coalesced_i;

  always_comb begin : count
    counters_d = counters_q;
    if (send_i) begin
      counters_d.transactions += 64'd1;
      counters_d.bytes        += 64'(bytes_i);
      if (atomic) counters_d.atomic_transactions += 64'd1;
      else if (on_stack) counters_d.stack_transactions += 64'd1;
      else if (is_local && read) counters_d.local_load_transactions += 64'd1;
      else if (is_local) counters_d.local_store_transactions += 64'd1;
      else begin
        case ({read, bytes_i})
          {1'b1, 8'd32}: counters_d.gld_32b += 64'd1;
          {1'b1, 8'd64}: counters_d.gld_64b += 64'd1;
          {1'b0, 8'd32}: counters_d.gst_32b += 64'd1;
          {1'b0, 8'd64}: counters_d.gst_64b += 64'd1;
          default: begin
            if (read) counters_d.gld_128b += 64'd1;
            else counters_d.gst_128b += 64'd1;
          end
        endcase
      end
    end
    if (pop_i) begin
      counters_d.half_warps += 64'd1;
      if (atomic) counters_d.atomics += 64'd1;
      else if (is_local && read) counters_d.local_load += 64'd1;
      else if (is_local) counters_d.local_store += 64'd1;
      else if (!on_stack) begin
        case ({read, coherent})
          2'b11:   counters_d.gld_coherent += 64'd1;
          2'b10:   counters_d.gld_incoherent += 64'd1;
          2'b01:   counters_d.gst_coherent += 64'd1;
          default: counters_d.gst_incoherent += 64'd1;
        endcase
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_of_counters
    if (!rst_ni) begin
      made_q     <= '0;
      counters_q <= '0;
    end else begin
      made_q     <= made_d;
      counters_q <= counters_d;
    end
  end
endmodule

bind coalescer coalescer_observer u_observer (
  .clk_i,
  .rst_ni,
  .segment_rule_i(cfg_segment_rule_i),
  .step_i        (step),
  .send_i        (send),
  .pop_i         (access_pop_o),
  .coalesced_i   (coalesced),
  .bytes_i       (bytes),
  .access_i      (access_i),
  .idle_i        (!taken && !waiting && wait_d == '0 && offered_d == offered_q && idle_d == idle_q),
  .offered_i     (offered_q),
  .is_idle_i     (idle_q),
  .busy_i        (busy_q),
  .pending_i     (pending_q),
  .wait_i        (8'(wait_q))
);
