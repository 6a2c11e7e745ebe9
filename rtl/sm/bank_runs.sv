// SPDX-License-Identifier: Apache-2.0
// Part of writeback: banks that were written in too many slots in a row. They are left to SP results and loads, then to
// SP results alone, which take every second slot at most. A run ends with a slot in which none of its banks is written.
module bank_runs #(
  localparam int unsigned Banks = g80_pkg::MaxRegisterBanks,
  localparam int unsigned RunW  = $clog2(g80_pkg::LongRun + 5)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic [Banks-1:0] busy_banks_i,  // whose next slot is taken, a cycle ago
  output logic [Banks-1:0] loads_only_o,  // no result that waited goes there
  output logic [Banks-1:0] sp_only_o      // and no load either
);
  logic [Banks-1:0] run_banks_d, run_banks_q, still_written;  // written in each of the last slots
  logic [RunW-1:0]  run_d, run_q;                             // so many slots, and one

  assign still_written = run_banks_q & busy_banks_i;
  assign run_banks_d   = still_written != '0 ? still_written : busy_banks_i;
  assign run_d         = still_written != '0 ? run_q + RunW'(1) : '0;
  assign loads_only_o  = run_q >= RunW'(g80_pkg::LongRun) ? run_banks_q : '0;
  assign sp_only_o     = run_q >= RunW'(g80_pkg::LongRun + 2) ? run_banks_q : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      run_banks_q <= '0;
      run_q       <= '0;
    end else begin
      run_banks_q <= run_banks_d;
      run_q       <= run_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) RunsEnd: assert (still_written == '0 || run_q < RunW'(g80_pkg::LongRun + 4));
  end
endmodule
