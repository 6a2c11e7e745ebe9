// SPDX-License-Identifier: Apache-2.0
// Whatever banks are read, numbers of threads wait for NumbersPatience cycles and then for as many as writeback writes
// their bank without a pause, which bank_runs_props.sv proves to be MostWritesInARow at most.
module waiting_numbers_props #(
  localparam int unsigned Banks = g80_pkg::MaxRegisterBanks,
  localparam int unsigned Most  = g80_pkg::MostWritesInARow,
  localparam int unsigned MostW = $clog2(Most + 2),
  localparam int unsigned Limit = g80_pkg::NumbersPatience + Most,
  localparam int unsigned WaitW = $clog2(Limit + 2)
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [31:0][4:0]         unit_i,
  input g80_pkg::thread_numbers_t numbers_i,
  input logic [Banks-1:0]         written_i,  // banks that writeback writes in the next cycle
  input logic [Banks-1:0]         read_i      // that others would read
);
  logic                                      grant, urgent;
  logic [4:0]                                bank;
  logic [g80_pkg::MaxWarps-1:0]              warps;
  logic [$clog2(g80_pkg::MaxThreadNumbers+1)-1:0] count;
  logic [Banks-1:0]                          taken;

  assign taken = written_i | (urgent ? '0 : read_i);  // as in register_file.sv

  waiting_numbers u_dut (
    .clk_i,
    .rst_ni,
    .unit_i,
    .numbers_i,
    .written_ports_i('0),
    .write_i        ('0),
    .taken_i        (taken),
    .grant_o        (grant),
    .bank_o         (bank),
    .warp_o         (),
    .low_o          (),
    .high_o         (),
    .value_o        (),
    .urgent_o       (urgent),
    .warps_o        (warps),
    .count_next_o   (count)
  );

  logic [MostW-1:0] in_a_row_q;  // slots in which the bank of the oldest was written
  logic [WaitW-1:0] waited_q;    // cycles without a slot

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      in_a_row_q <= '0;
      waited_q   <= '0;
    end else begin
      in_a_row_q <= warps != '0 && !grant && written_i[bank] ? in_a_row_q + MostW'(1) : '0;
      waited_q   <= warps != '0 && !grant ? waited_q + WaitW'(1) : '0;
    end
  end

  always_comb begin : properties
    HasRoom: assume (32'(count) <= g80_pkg::MaxThreadNumbers);
    BanksExist: assume (32'(bank) < Banks);
    WritesPause: assume (32'(in_a_row_q) <= Most);
    NoneWaitsLonger: assert (32'(waited_q) <= Limit);
    WaitsAsLong: cover (32'(waited_q) == Limit && grant);
  end
endmodule
