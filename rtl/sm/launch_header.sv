// SPDX-License-Identifier: Apache-2.0
// Words of the header at the start of s[]: dimensions of the grid and the block, and behind them the parameters, which
// lie in a memory, the words of a cycle in banks beside each other.
module launch_header #(
  localparam int unsigned Words  = g80_pkg::NumSmemBanks,       // in a cycle
  localparam int unsigned WordW  = $clog2(Words),
  localparam int unsigned Params = g80_pkg::MaxUserParams,
  localparam int unsigned Rows   = Params / Words,
  localparam int unsigned RowW   = $clog2(Rows),
  localparam int unsigned Sizes  = 4,                           // words in front of the parameters
  localparam int unsigned HeadW  = $clog2(Sizes + Params + 1)
) (
  input  logic                   clk_i,

  // Parameters
  input  logic                   row_valid_i,
  input  g80_pkg::launch_beat_t  row_i,

  // The block
  input  g80_pkg::launch_state_t launch_i,
  input  logic [15:0]            cta_x_i,
  input  logic [15:0]            cta_y_i,

  // From this word on
  input  logic [HeadW-1:0]       first_i,
  output logic [Words-1:0][31:0] words_o
);
  localparam int unsigned PairW = $clog2(Params / 2);

  // A row has two parameters.
  logic             write;
  logic [PairW-1:0] pair;

  assign write = row_valid_i && row_i.row >= 8'(g80_pkg::LaunchRowParam) && row_i.row < 8'(g80_pkg::LaunchRowLimits);
  assign pair  = PairW'(row_i.row - 8'(g80_pkg::LaunchRowParam));

  // The parameter of the first word; below the sizes it wraps, and row 0 comes behind the last one.
  logic [RowW+WordW-1:0]  param;
  logic [Words-1:0][31:0] data, params;

  assign param = first_i[RowW+WordW-1:0] - (RowW + WordW)'(Sizes);

  for (genvar b = 0; b < Words; b++) begin : gen_bank
    sram_1r1w #(
      .Words(Rows),
      .Width(32)
    ) u_param (
      .clk_i,
      .write_i        (write && pair[WordW-2:0] == (WordW - 1)'(b / 2)),
      .write_address_i(pair[PairW-1:WordW-1]),
      .write_data_i   (row_i.data[32*(b%2)+:32]),
      .read_address_i (param[RowW+WordW-1:WordW] + RowW'((WordW+1)'(b) < {1'b0, param[WordW-1:0]})),
      .read_data_o    (data[b])
    );
  end

  // Turned, so that the first word is the lowest
  assign params = (32*Words)'({data, data} >> {param[WordW-1:0], 5'd0});

  logic [Sizes-1:0][31:0] size, sizes_left;
  logic [Sizes-1:0]       is_size;

  assign size       = {cta_y_i, cta_x_i, launch_i.grid_y, launch_i.grid_x, launch_i.block_z, launch_i.block_y,
                       launch_i.block_x, launch_i.grid_id};
  assign is_size    = first_i < HeadW'(Sizes) ? 4'b1111 >> first_i[1:0] : '0;
  assign sizes_left = size >> {first_i[1:0], 5'd0};

  always_comb begin : choose
    words_o = params;
    for (int unsigned w = 0; w < Sizes; w++)
      if (is_size[w]) words_o[w] = sizes_left[w];
  end
endmodule
