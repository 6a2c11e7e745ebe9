// SPDX-License-Identifier: Apache-2.0
// Signals of register_file for the simulator only: its registers as their C++ struct, the reads that wait, event
// counters, how many registers each warp has, and whether the clock may stop.
module register_file_observer #(
  localparam int unsigned Units   = g80_pkg::MaxCollectorUnits,
  localparam int unsigned Words   = g80_pkg::OperandWords,
  localparam int unsigned Banks   = g80_pkg::MaxRegisterBanks,
  localparam int unsigned Warps   = g80_pkg::MaxWarps,
  localparam int unsigned RowW    = $clog2(g80_pkg::MaxRegistersPerSm / g80_pkg::WarpSize),
  localparam int unsigned ReaderW = 5 + Words + Words * (8 + 2 + 5)
) (
  input logic                             clk_i,
  input logic                             rst_ni,
  input g80_pkg::register_file_regs_t     registers_i,
  input logic [Units-1:0][4:0]            warp_i,
  input logic [Units-1:0][Words-1:0]      waiting_i,
  input logic [Units-1:0][Words-1:0][7:0] reg_i,
  input logic [Units-1:0][Words-1:0][1:0] half_i,
  input logic [Units-1:0][Words-1:0][4:0] bank_i,
  input logic [Units-1:0][Words-1:0]      waiting_next_i,  // reads that do not take place
  input logic [Units-1:0][Words-1:0]      wants_i,         // reads of registers whose contents are there
  input logic [Units-1:0][Words-1:0][4:0] bank_next_i,
  input logic [Banks-1:0]                 taken_i,         // banks that are written or read, or all
  input logic [Warps-1:0][RowW-1:0]       base_i,
  input logic [Warps-1:0][7:0]            allocated_i,
  input logic                             idle_i
);
  g80_pkg::register_file_counters_t counters_d;

  // The adapter reads these.
  g80_pkg::register_file_counters_t counters_q  /*verilator public_flat_rd*/;
  g80_pkg::register_file_regs_t     registers   /*verilator public_flat_rd*/;
  logic [Units-1:0][ReaderW-1:0]    readers     /*verilator public_flat_rd*/;
  logic [Warps-1:0][RowW-1:0]       base        /*verilator public_flat_rd*/;
  logic [Warps-1:0][7:0]            allocated   /*verilator public_flat_rd*/;
  logic                             sleep       /*verilator public_flat_rd*/;

  assign registers = registers_i;
  assign base      = base_i;
  assign allocated = allocated_i;
  assign sleep     = idle_i;

  for (genvar u = 0; u < Units; u++) begin : gen_reader
    logic [Words-1:0][14:0] reads;

    for (genvar w = 0; w < Words; w++) begin : gen_word
      assign reads[w] = {reg_i[u][w], half_i[u][w], bank_i[u][w]};
    end
    assign readers[u] = {warp_i[u], waiting_i[u], reads};
  end

  always_comb begin : count
    counters_d = counters_q;
    for (int u = 0; u < Units; u++) begin
      for (int w = 0; w < Words; w++) begin
        if (waiting_next_i[u][w] && (!wants_i[u][w] || taken_i[bank_next_i[u][w]]))
          counters_d.bank_conflicts = counters_d.bank_conflicts + 64'd1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_of_counters
    if (!rst_ni) counters_q <= '0;
    else counters_q <= counters_d;
  end
endmodule

bind register_file register_file_observer u_observer (
  .clk_i,
  .rst_ni,
  .registers_i   ('{reading: reading_q, read_banks: read_banks_q, numbers_room: numbers_room_q,
                    writes_numbers: writes_numbers_q, numbers_age: u_numbers.age_q}),
  .warp_i        (warp_q),
  .waiting_i     (waiting_q),
  .reg_i         (reg_q),
  .half_i        (half_q),
  .bank_i        (bank_q),
  .waiting_next_i(waiting_d),
  .wants_i       (wants),
  .bank_next_i   (bank_d),
  .taken_i       (unread | read_banks_d),
  .base_i        (base_q),
  .allocated_i   (registers_q),
  .idle_i        (busy_banks_i == '0 && written_ports_i == '0 && flag_writes == '0 && !addr_write_i.valid &&
                   !increment_i.valid && !start_i.valid && !numbers_i.valid && !issue_i.valid && reading_d == '0 &&
                   read_banks_d == '0 && numbers_next == '0 && !writes_numbers_d)
);
