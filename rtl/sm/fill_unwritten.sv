// SPDX-License-Identifier: Apache-2.0
// A write to a row of registers: the first one of a warp writes its other parts as sm.init says. Without a clock.
module fill_unwritten #(
  localparam int unsigned Lanes = g80_pkg::WarpSize,
  localparam int unsigned RowW  = $clog2(g80_pkg::MaxRegistersPerSm / Lanes)
) (
  input  logic [31:0]              cfg_init_word_i,
  input  logic                     cfg_init_differs_i,
  input  logic                     fresh_i,  // the row was not written
  input  logic [RowW-1:0]          row_i,
  input  logic [2*Lanes-1:0]       part_i,   // halves of lanes
  input  logic [2*Lanes-1:0][15:0] data_i,
  output logic [2*Lanes-1:0]       part_o,
  output logic [2*Lanes-1:0][15:0] data_o
);
  logic [2*Lanes-1:0][15:0] unwritten;

  initial_words #(.Places(Lanes)) u_words (
    .cfg_word_i  (cfg_init_word_i),
    .cfg_differ_i(cfg_init_differs_i),
    .enable_i    (fresh_i),
    .place_i     (15'({row_i, 5'd0})),
    .word_o      (unwritten)
  );
  assign part_o = part_i | {2*Lanes{fresh_i}};
  for (genvar p = 0; p < 2 * Lanes; p++) begin : gen_part
    assign data_o[p] = part_i[p] ? data_i[p] : unwritten[p];
  end
endmodule
