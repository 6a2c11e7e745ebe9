// SPDX-License-Identifier: Apache-2.0
// Signals of writeback for the simulator only: event counters, the registers as their C++ struct, the queues for waves,
// more of the instructions that finish and their results for the retirement port, and whether the clock may stop.
module writeback_observer #(
  localparam int unsigned Finishing = 5,
  localparam int unsigned Entries   = g80_pkg::ReleaseWidth / g80_pkg::ReleaseEntryWidth,
  localparam int unsigned EntryW    = g80_pkg::RetiredEntryWidth,
  localparam int unsigned RowW      = g80_pkg::ResultRowWidth,
  localparam int unsigned WaitingW  = $clog2(g80_pkg::MaxWaitingResults + 1),
  localparam int unsigned LoadsW    = $clog2(g80_pkg::LoadRows + 1)
) (
  input logic                                 clk_i,
  input logic                                 rst_ni,
  input logic [Finishing-1:0]                 finishes_i,
  input logic [Finishing-1:0][2:0]            place_i,     // in the release
  input logic [Finishing-1:0][EntryW-1:0]     finished_i,  // retired_entry_t
  input logic [1:0]                           load_word_i,
  input logic [1:0]                           collides_i,  // a result, a load's register waits for its bank
  input logic                                 idle_i,
  input g80_pkg::writeback_regs_t             registers_i,
  input logic [g80_pkg::ExecUnits-1:0][RowW-1:0] rows_i,
  input logic [RowW-2:0]                      waited_i,    // without `whole`
  input logic [g80_pkg::LaneWordsWidth-1:0]   loaded_i,
  input logic [WaitingW-1:0]                  waiting_count_i,
  input g80_pkg::waiting_result_t             waiting_front_i,
  input logic [LoadsW-1:0]                    loads_count_i,
  input g80_pkg::load_row_t                   loads_front_i
);
  g80_pkg::writeback_counters_t counters_d;
  g80_pkg::retired_t            retired_d;
  logic [Entries-1:0][EntryW-1:0] entries;

  // The adapter reads these.
  g80_pkg::writeback_counters_t counters_q /*verilator public_flat_rd*/;
  g80_pkg::writeback_regs_t     registers  /*verilator public_flat_rd*/;
  g80_pkg::retired_t            retired_q  /*verilator public_flat_rd*/;
  logic                         sleep      /*verilator public_flat_rd*/;
  logic [g80_pkg::ExecUnits-1:0][RowW-1:0]             rows   /*verilator public_flat_rd*/;
  logic [RowW-1:0]                                     waited /*verilator public_flat_rd*/;
  logic [g80_pkg::LaneWordsWidth-1:0]                  loaded /*verilator public_flat_rd*/;
  logic [WaitingW+g80_pkg::WaitingResultWidth+LoadsW+g80_pkg::LoadRowWidth-1:0] queues /*verilator public_flat_rd*/;

  assign registers = registers_i;
  assign sleep     = idle_i;
  assign rows      = rows_i;
  assign waited    = {1'b1, waited_i};
  assign loaded    = loaded_i;

  assign queues    = {waiting_count_i, waiting_count_i == '0 ? g80_pkg::WaitingResultDefault : waiting_front_i,
                      loads_count_i, loads_count_i == '0 ? g80_pkg::LoadRowDefault : loads_front_i};

  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    always_comb begin : pick
      entries[e] = g80_pkg::RetiredEntryDefault;
      for (int f = 0; f < Finishing; f++) begin
        if (finishes_i[f] && place_i[f] == 3'(e)) entries[e] = finished_i[f];
      end
    end
  end
  assign retired_d.entry     = entries;
  assign retired_d.load_word = load_word_i;

  always_comb begin : count
    counters_d                = counters_q;
    counters_d.bank_conflicts = counters_q.bank_conflicts + 64'($countones(collides_i));
    for (int f = 0; f < Finishing; f++) begin
      automatic int unsigned lanes = $countones(finished_i[f][EntryW-1-:32]);  // the first field
      if (finishes_i[f]) begin
        counters_d.instructions                += 64'd1;
        counters_d.thread_instructions         += 64'(lanes);
        counters_d.active_lanes[4 - lanes / 8] += 64'd1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_of_counters
    if (!rst_ni) counters_q <= '0;
    else counters_q <= counters_d;
  end
  always_ff @(posedge clk_i) begin : retire
    retired_q <= retired_d;
  end
endmodule

bind writeback writeback_observer u_observer (
  .clk_i,
  .rst_ni,
  .finishes_i     (finishes),
  .place_i        (place),
  .finished_i     ({{control_i.taken, 32'd0, g80_pkg::ValueSourceNone},
                    {store_i.lanes, 32'd0, g80_pkg::ValueSourceNone},
                    {load.lanes, load.lanes, g80_pkg::ValueSourceLoad},
                    {waited.lanes, waited.loaded, waited_from},
                    {sp_ahead_i.lanes, sp_ahead_i.loaded, g80_pkg::ValueSourceSp}}),
  .load_word_i    (load.word),
  .collides_i     ({load_collides, waited_collides}),
  .idle_i         (finishes == '0 && !release_q.entry[0].valid && waiting_empty && !load_i.valid && loads_empty_next &&
                    (next_ports_d | next_ports_q) == '0 && next_flag_writes_d == '0 && next_flag_writes_q == '0 &&
                    !next_addr_write_d && !next_addr_write_q),
  .registers_i    ('{release_: release_q, load_rows: load_rows_q, sfu_dp_results: sfu_dp_results_q,
                     busy_banks: busy_banks_q, next_ports: next_ports_q, written_ports: written_ports_q,
                     next_flag_writes: next_flag_writes_q,
                     next_addr_write: next_addr_write_q, flag_writes: flag_writes_q, addr_write: addr_write_q,
                     waiting_written: {1'b0, waiting_written_q}, waited_place: waited_place,
                     loaded_place: loaded_place_q, run_banks: u_runs.run_banks_q, run: u_runs.run_q}),
  .rows_i         ({u_dp_row.row_q, u_multiply_row.row_q, u_sfu_row.row_q, u_sp_row.row_q}),
  .waited_i       (waited_d),
  .loaded_i       (loaded_d),
  .waiting_count_i(u_waiting.count_q),
  .waiting_front_i({u_waiting.oldest, u_waiting.unit_q[u_waiting.head_q],
                    u_waiting.whole_q[u_waiting.head_q]}),
  .loads_count_i  (($clog2(g80_pkg::LoadRows + 1))'($countones(u_loads.valid_q))),
  .loads_front_i  (u_loads.entry_q[0])
);
