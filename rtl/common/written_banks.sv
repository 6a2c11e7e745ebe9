// SPDX-License-Identifier: Apache-2.0
// A memory in banks (sram_banks.sv) whose rows have a bit each that says whether it was written since a reset or since
// it was cleared. A row that was not reads as its user says, and the first write to it writes its other parts so. Rows
// in a row are cleared together; that wins over a write. Which bank holds a row is up to the user, who reaches each row
// through one port only.
module written_banks #(
  parameter int unsigned Banks     = 16,
  parameter int unsigned Rows      = 32,
  parameter int unsigned Parts     = 2,   // of a row
  parameter int unsigned PartWidth = 16,
  parameter bit Interleaved        = 1'b0,  // bank b holds the rows b, b + Banks, ...: else it has a place for each
  localparam int unsigned RowW     = $clog2(Rows),
  localparam int unsigned Skip     = Interleaved ? $clog2(Banks) : 0,
  localparam int unsigned Sets     = Interleaved ? Banks : 1,  // of bits: one for each bank, or one for all
  localparam int unsigned Places   = Rows >> Skip
) (
  input  logic                                       clk_i,
  input  logic                                       rst_ni,

  input  logic                                       clear_i,
  input  logic [RowW-1:0]                            clear_first_i,
  input  logic [RowW:0]                              clear_count_i,

  input  logic [Banks-1:0]                           read_i,
  input  logic [Banks-1:0]                           write_i,
  input  logic [Banks-1:0][RowW-1:0]                 row_i,
  input  logic [Banks-1:0][Parts-1:0]                part_i,      // parts that are written
  input  logic [Banks-1:0][Parts-1:0][PartWidth-1:0] data_i,
  output logic [Banks-1:0]                           fresh_o,     // the row was not written; it holds ...
  input  logic [Banks-1:0][Parts-1:0][PartWidth-1:0] unwritten_i, // ... this
  output logic [Banks-1:0][Parts-1:0][PartWidth-1:0] data_o       // 0 of a bank that does not read
);
  /* verilator tracing_off */  // waves show no words of memories
  logic [Sets-1:0][Places-1:0] written_d;
  logic [Sets-1:0][Places-1:0] written_q /*verilator public_flat_rd*/;
  /* verilator tracing_on */

  logic [Banks-1:0][Parts-1:0]                part;
  logic [Banks-1:0][Parts-1:0][PartWidth-1:0] data, kept;
  logic [RowW:0]                              clear_end;

  assign clear_end = {1'b0, clear_first_i} + clear_count_i;

  logic [Banks-1:0][RowW-Skip-1:0] place;    // in the bank
  logic [Sets-1:0][Places-1:0]     cleared;

  for (genvar b = 0; b < Banks; b++) begin : gen_place
    assign place[b] = row_i[b][RowW-1:Skip];
  end
  for (genvar s = 0; s < Sets; s++) begin : gen_cleared
    logic [RowW-Skip:0] first, last;  // of the set's places; the last one is behind them

    assign first = (RowW-Skip+1)'(({1'b0, clear_first_i} + (RowW+1)'(Sets - 1 - s)) >> Skip);
    assign last  = (RowW-Skip+1)'((clear_end + (RowW+1)'(Sets - 1 - s)) >> Skip);
    assign cleared[s] = clear_i ? ({Places{1'b1}} << first) & ~({Places{1'b1}} << last) : '0;
  end

  // A decoder for each bank: writes to one bit of a vector after the other would be a chain of choices among all bits.
  always_comb begin : bits
    written_d = written_q;
    for (int b = 0; b < Banks; b++) written_d[b%Sets] = written_d[b%Sets] | (Places'(write_i[b]) << place[b]);
    written_d &= ~cleared;
  end

  always_comb begin : look_up
    for (int b = 0; b < Banks; b++) fresh_o[b] = (read_i[b] || write_i[b]) && !written_q[b%Sets][place[b]];
  end

  always_comb begin : fill
    for (int b = 0; b < Banks; b++) begin
      part[b]  = part_i[b];
      data[b]  = data_i[b];
      if (fresh_o[b]) begin
        part[b] = '1;
        for (int p = 0; p < Parts; p++) begin
          if (!part_i[b][p]) data[b][p] = unwritten_i[b][p];
        end
      end
      data_o[b] = read_i[b] && fresh_o[b] ? unwritten_i[b] : kept[b];
    end
  end

  sram_banks #(
    .Banks    (Banks),
    .Rows     (Places),
    .Parts    (Parts),
    .PartWidth(PartWidth)
  ) u_memory (
    .clk_i,
    .read_i,
    .write_i,
    .row_i (place),
    .part_i(part),
    .data_i(data),
    .data_o(kept)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) written_q <= '0;
    else written_q <= written_d;
  end
endmodule
