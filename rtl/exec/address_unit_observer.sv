// SPDX-License-Identifier: Apache-2.0
// Signals of address_unit for the simulator only: its registers as a C++ struct, event counters, the queues for waves,
// and whether the clock may stop. It is bound to the datapath, which does not refer to it.
module address_unit_observer #(
  localparam int unsigned OnChipW  = $clog2(2 * g80_pkg::MaxCollectorUnits + 1),
  localparam int unsigned OffChipW = $clog2(g80_pkg::MaxCollectorUnits + 1),
  localparam int unsigned ShownW   = g80_pkg::SmemRequestWidth + g80_pkg::ConstRequestWidth + g80_pkg::LoadOpenWidth +
                                     g80_pkg::LoadLanesWidth + g80_pkg::AddrIncrementWidth +
                                     g80_pkg::StoreDoneWidth + g80_pkg::KernelFaultWidth
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic                        sleep_i,       // after the coming edge, until an input changes
  input g80_pkg::address_unit_regs_t registers_i,
  input logic                        access_i,      // to device memory

  // The queues: entries, and the oldest
  input logic [OnChipW-1:0]          on_chip_count_i,
  input g80_pkg::address_job_t       on_chip_i,
  input logic [OffChipW-1:0]         off_chip_count_i,
  input g80_pkg::address_job_t       off_chip_i,
  input logic [1:0]                  stack_count_i,
  input g80_pkg::stack_access_t      stack_i,
  input logic [1:0]                  head_count_i,
  input g80_pkg::smem_fill_t         head_i,
  input logic [3:0]                  store_count_i,
  input g80_pkg::sent_store_t        store_i,

  // What the ports show
  input logic [ShownW-1:0]           shown_i
);
  localparam int unsigned QueuesW = OnChipW + OffChipW + 8 + 2 * g80_pkg::AddressJobWidth +
                                    g80_pkg::StackAccessWidth + g80_pkg::SmemFillWidth + g80_pkg::SentStoreWidth +
                                    ShownW;

  g80_pkg::address_unit_counters_t counters_d;

  // The adapter reads these.
  g80_pkg::address_unit_counters_t counters_q /*verilator public_flat_rd*/;
  g80_pkg::address_unit_regs_t     registers  /*verilator public_flat_rd*/;
  logic                            sleep      /*verilator public_flat_rd*/;
  logic [QueuesW-1:0]              queues     /*verilator public_flat_rd*/;

  assign registers = registers_i;
  assign sleep     = sleep_i;
  assign queues    = {
    on_chip_count_i,  on_chip_count_i == '0 ? g80_pkg::AddressJobDefault : on_chip_i,
    off_chip_count_i, off_chip_count_i == '0 ? g80_pkg::AddressJobDefault : off_chip_i,
    stack_count_i,    stack_count_i == '0 ? g80_pkg::StackAccessDefault : stack_i,
    head_count_i,     head_count_i == '0 ? g80_pkg::SmemFillDefault : head_i,
    store_count_i,    store_count_i == '0 ? g80_pkg::SentStoreDefault : store_i,
    shown_i
  };

  always_comb begin : count
    counters_d          = counters_q;
    counters_d.accesses = counters_q.accesses + 64'(access_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_of_counters
    if (!rst_ni) counters_q <= '0;
    else         counters_q <= counters_d;
  end
endmodule

bind address_unit address_unit_observer u_observer (
  .clk_i,
  .rst_ni,
  .sleep_i         (u_on_chip.u_accesses.empty_next_o && u_on_chip.u_sent_stores.count_d == '0 &&
                    u_on_chip.u_head.empty_next_o &&
                    !u_on_chip.smem_d.valid && !u_on_chip.const_d.valid && u_on_chip.answered_d == '0 &&
                    (u_off_chip.empties || (u_off_chip.valid && !u_off_chip.faulted && !u_off_chip.room)) &&
                    u_off_chip.stack_empty_next && !u_off_chip.open_d.valid && !u_off_chip.lanes_d.valid &&
                    !u_former.increment_d.valid && !u_former.second_on_chip_d && !u_former.second_off_chip_d &&
                    !done_d.valid && freed_d == '0 && !smem_stored_i && !dispatch_i.valid && !load_freed_i.valid),
  .registers_i     ('{freed: freed_q[15:0], answered: u_on_chip.answered_q[15:0],
                      credit: '{collector: '0, memory: credit_q, load: '0, wide: '0},
                      stack_ready: u_off_chip.stack_ready_q, fill_ready: u_on_chip.fill_ready_q,
                      busy: u_off_chip.busy_q, receives_on_chip: u_former.second_on_chip_q,
                      receives_off_chip: u_former.second_off_chip_q, on_chip_upper: u_on_chip.upper_q,
                      stack_went: u_off_chip.stack_went_q, off_chip_progress: u_off_chip.progress_q,
                      stores_sent: u_on_chip.stores_sent_q, stores_performed: u_on_chip.stores_performed_q,
                      loads: u_off_chip.loads_q}),
  .access_i        (push_off_chip),
  .on_chip_count_i (u_on_chip.u_accesses.count_q),
  .on_chip_i       (u_on_chip.u_accesses.front[$bits(u_on_chip.order) +: g80_pkg::AddressJobWidth]),
  .off_chip_count_i(u_off_chip.u_accesses.count_q),
  .off_chip_i      (u_off_chip.u_accesses.front[$bits(u_off_chip.order) +: g80_pkg::AddressJobWidth]),
  .stack_count_i   (2'($countones(u_off_chip.u_stack.valid_q))),
  .stack_i         (u_off_chip.u_stack.entry_q[0]),
  .head_count_i    (2'($countones(u_on_chip.u_head.valid_q))),
  .head_i          (u_on_chip.u_head.entry_q[0]),
  .store_count_i   (u_on_chip.u_sent_stores.count_q),
  .store_i         (u_on_chip.oldest_store),
  .shown_i         ({u_on_chip.smem_q, u_on_chip.const_q, u_off_chip.open_q, u_off_chip.lanes_q, u_former.increment_q,
                     done_q, u_former.fault_q})
);
