// SPDX-License-Identifier: Apache-2.0
// However results come, no bank is written in more than MostWritesInARow slots in a row (hw/sm/writeback.h), if SP
// results take every second slot at most.
module bank_runs_props #(
  localparam int unsigned Banks = g80_pkg::MaxRegisterBanks,
  localparam int unsigned BankW = $clog2(Banks),
  localparam int unsigned Most  = g80_pkg::MostWritesInARow,
  localparam int unsigned MostW = $clog2(Most + 2)
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Banks-1:0] sp_i,      // banks that each wants
  input logic [Banks-1:0] waited_i,
  input logic [Banks-1:0] load_i
);
  logic [Banks-1:0] busy_q, loads_only, sp_only, waited, load;
  logic             sp_q;

  bank_runs u_dut (
    .clk_i,
    .rst_ni,
    .busy_banks_i(busy_q),
    .loads_only_o(loads_only),
    .sp_only_o   (sp_only)
  );

  // A result of the SFUs or the fp64 unit has all its banks or none.
  assign waited = (waited_i & (sp_i | loads_only)) == '0 ? waited_i : '0;
  assign load   = load_i & ~sp_i & ~waited & ~sp_only;

  // Any bank
  (* anyconst *) logic [BankW-1:0] one;
  logic [MostW-1:0] in_a_row_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      busy_q     <= '0;
      sp_q       <= 1'b0;
      in_a_row_q <= '0;
    end else begin
      busy_q     <= sp_i | waited | load;
      sp_q       <= sp_i != '0;
      in_a_row_q <= busy_q[one] ? in_a_row_q + MostW'(1) : '0;
    end
  end

  always_comb begin : properties
    SpsTakeEverySecondSlot: assume (!sp_q || sp_i == '0);
    RunsEnd: assert ((u_dut.run_banks_q & busy_q) == '0 || 32'(u_dut.run_q) < g80_pkg::LongRun + 4);
    EveryBankHasASlot: assert (32'(in_a_row_q) <= Most);
    WaitsForTwoRuns: cover (32'(in_a_row_q) == Most);
  end
endmodule
