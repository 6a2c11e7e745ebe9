// SPDX-License-Identifier: Apache-2.0
// Numbers of threads that wait for their bank, in a ring. What a warp writes to its $r0 meanwhile is left out. The
// oldest goes when nobody else wants its bank, which is known last in the cycle; so only the ring's pointers wait. One
// that has waited for too long keeps the others off.
module waiting_numbers #(
  localparam int unsigned Depth  = g80_pkg::MaxThreadNumbers,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned IndexW = $clog2(Depth),  // Depth is a power of two
  localparam int unsigned Banks  = g80_pkg::MaxRegisterBanks,
  localparam int unsigned Ports  = g80_pkg::WritePorts,
  localparam int unsigned Warps  = g80_pkg::MaxWarps,
  localparam int unsigned WriteW = g80_pkg::RegisterWriteWidth,
  localparam int unsigned WordsW = g80_pkg::LaneWordsWidth,
  localparam int unsigned Lanes  = g80_pkg::WarpSize,
  localparam int unsigned AgeW   = $clog2(g80_pkg::NumbersPatience + 1)
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,

  input  logic [31:0][4:0]                  unit_i,      // from bank_residues
  input  g80_pkg::thread_numbers_t          numbers_i,

  input  logic [Ports-1:0]                  written_ports_i,
  input  logic [Ports-1:0][WriteW-1:0]      write_i,     // register_write_t

  input  logic [Banks-1:0]                  taken_i,     // banks whose next slot is not free
  output logic                              grant_o,     // the oldest gets its bank's next slot
  output logic [4:0]                        bank_o,
  output logic [4:0]                        warp_o,
  output logic [Lanes-1:0]                  low_o,       // lanes of each half of the words
  output logic [Lanes-1:0]                  high_o,
  output logic [WordsW-1:0]                 value_o,

  output logic                              urgent_o,    // the oldest has waited for too long
  output logic [Warps-1:0]                  warps_o,     // whose numbers wait
  output logic [CountW-1:0]                 count_next_o
);
  logic [CountW-1:0]           count_d, count_q, count;
  logic [IndexW-1:0]           head_d, head_q, tail;
  logic [AgeW-1:0]             age_d, age_q;
  logic [Depth-1:0][4:0]       warp_d, warp_q, bank_d, bank_q;
  logic [Depth-1:0][Lanes-1:0] low_d, low_q, high_d, high_q, low, high;

  // Without what is written in this cycle
  for (genvar e = 0; e < Depth; e++) begin : gen_entry
    logic [Lanes-1:0] low_written, high_written;

    always_comb begin : find_written
      g80_pkg::register_write_t write;

      write        = '0;
      low_written  = '0;
      high_written = '0;
      for (int p = 0; p < Ports; p++) begin
        write = write_i[p];
        if (written_ports_i[p] && write.warp == warp_q[e] && write.reg_ == '0) begin
          if (write.low) low_written |= write.lanes;
          if (write.high) high_written |= write.lanes;
        end
      end
    end
    assign low[e]  = low_q[e] & ~low_written;
    assign high[e] = high_q[e] & ~high_written;
  end

  assign tail    = head_q + IndexW'(count_q);
  assign bank_o  = bank_q[head_q];
  assign warp_o  = warp_q[head_q];
  assign low_o   = low[head_q];
  assign high_o  = high[head_q];
  assign grant_o = count_q != '0 && !taken_i[bank_o];
  assign count   = count_q + CountW'(numbers_i.valid);  // before the oldest goes
  assign count_d = grant_o ? count - CountW'(1) : count;
  assign head_d  = head_q + IndexW'(grant_o);

  assign urgent_o = age_q == AgeW'(g80_pkg::NumbersPatience);

  always_comb begin : next_age
    age_d = urgent_o ? age_q : age_q + AgeW'(1);
    if (count_q == '0 || grant_o) age_d = '0;
  end

  sram_1r1w #(
    .Words(Depth),
    .Width(WordsW)
  ) u_value (
    .clk_i,
    .write_i        (numbers_i.valid),
    .write_address_i(tail),
    .write_data_i   (numbers_i.value),
    .read_address_i (head_q),
    .read_data_o    (value_o)
  );

  for (genvar e = 0; e < Depth; e++) begin : gen_next
    logic comes;

    assign comes     = numbers_i.valid && tail == IndexW'(e);
    assign warp_d[e] = comes ? numbers_i.warp : warp_q[e];
    assign bank_d[e] = comes ? unit_i[numbers_i.warp] : bank_q[e];
    assign low_d[e]  = comes ? numbers_i.lanes : low[e];
    assign high_d[e] = comes ? numbers_i.lanes : high[e];
  end

  logic [IndexW-1:0] place;  // of an entry, counted from the oldest

  always_comb begin : find_warps
    warps_o = '0;
    place   = '0;
    for (int e = 0; e < Depth; e++) begin
      place = IndexW'(e) - head_q;
      if (count_q > CountW'(place)) warps_o = warps_o | Warps'(1) << warp_q[e];
    end
  end
  assign count_next_o = count_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      count_q <= '0;
      head_q  <= '0;
      age_q   <= '0;
    end else begin
      count_q <= count_d;
      head_q  <= head_d;
      age_q   <= age_d;
    end
  end
  always_ff @(posedge clk_i) begin : data
    warp_q <= warp_d;
    bank_q <= bank_d;
    low_q  <= low_d;
    high_q <= high_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) NumbersHaveRoom: assert (!numbers_i.valid || count_d <= CountW'(Depth));
  end
endmodule
