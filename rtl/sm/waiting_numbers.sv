// SPDX-License-Identifier: Apache-2.0
// Numbers of threads that wait for their bank, oldest first. What a warp writes to its $r0 meanwhile is left out.
module waiting_numbers #(
  localparam int unsigned Depth  = g80_pkg::MaxThreadNumbers,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned Banks  = g80_pkg::MaxRegisterBanks,
  localparam int unsigned Warps  = g80_pkg::MaxWarps,
  localparam int unsigned WriteW = g80_pkg::RegisterWriteWidth,
  localparam int unsigned WordsW = g80_pkg::LaneWordsWidth,
  localparam int unsigned Lanes  = g80_pkg::WarpSize
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,

  input  logic [31:0][4:0]                  unit_i,      // from bank_residues
  input  g80_pkg::thread_numbers_t          numbers_i,

  input  logic [Banks-1:0]                  written_banks_i,
  input  logic [Banks-1:0][WriteW-1:0]      write_i,     // register_write_t

  input  logic [Banks-1:0]                  taken_i,     // banks whose next slot is not free
  output logic                              grant_o,     // the oldest gets its bank's next slot
  output logic [4:0]                        bank_o,
  output logic [4:0]                        warp_o,
  output logic [Lanes-1:0]                  low_o,       // lanes of each half of the words
  output logic [Lanes-1:0]                  high_o,
  output logic [WordsW-1:0]                 value_o,

  output logic [Warps-1:0]                  warps_o,     // whose numbers wait
  output logic [CountW-1:0]                 count_next_o
);
  logic [CountW-1:0]             count_d, count_q, left;
  logic [Depth-1:0][4:0]         warp_d, warp_q, bank_d, bank_q;
  logic [Depth-1:0][Lanes-1:0]   low_d, low_q, high_d, high_q, low, high;
  logic [Depth-1:0][WordsW-1:0]  value_d, value_q;

  // Without what is written in this cycle
  for (genvar e = 0; e < Depth; e++) begin : gen_entry
    g80_pkg::register_write_t write;
    logic                     overwrites;

    assign write      = write_i[bank_q[e]];
    assign overwrites = written_banks_i[bank_q[e]] && write.warp == warp_q[e] && write.reg_ == '0;
    assign low[e]     = overwrites && write.low ? low_q[e] & ~write.lanes : low_q[e];
    assign high[e]    = overwrites && write.high ? high_q[e] & ~write.lanes : high_q[e];
  end

  assign grant_o = count_q != '0 && !taken_i[bank_q[0]];
  assign bank_o  = bank_q[0];
  assign warp_o  = warp_q[0];
  assign low_o   = low[0];
  assign high_o  = high[0];
  assign value_o = value_q[0];
  assign left    = count_q - CountW'(grant_o);
  assign count_d = left + CountW'(numbers_i.valid);

  for (genvar e = 0; e < Depth; e++) begin : gen_next
    localparam int unsigned Behind = e + 1 < Depth ? e + 1 : e;

    always_comb begin : next_entry
      warp_d[e]  = grant_o ? warp_q[Behind] : warp_q[e];
      bank_d[e]  = grant_o ? bank_q[Behind] : bank_q[e];
      low_d[e]   = grant_o ? low[Behind] : low[e];
      high_d[e]  = grant_o ? high[Behind] : high[e];
      value_d[e] = grant_o ? value_q[Behind] : value_q[e];
      if (numbers_i.valid && left == CountW'(e)) begin
        warp_d[e]  = numbers_i.warp;
        bank_d[e]  = unit_i[numbers_i.warp];
        low_d[e]   = numbers_i.lanes;
        high_d[e]  = numbers_i.lanes;
        value_d[e] = numbers_i.value;
      end
    end
  end

  always_comb begin : find_warps
    warps_o = '0;
    for (int e = 0; e < Depth; e++) begin
      if (count_q > CountW'(e)) warps_o = warps_o | Warps'(1) << warp_q[e];
    end
  end
  assign count_next_o = count_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) count_q <= '0;
    else count_q <= count_d;
  end
  always_ff @(posedge clk_i) begin : data
    warp_q  <= warp_d;
    bank_q  <= bank_d;
    low_q   <= low_d;
    high_q  <= high_d;
    value_q <= value_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) NumbersHaveRoom: assert (!numbers_i.valid || left < CountW'(Depth));
  end
endmodule
