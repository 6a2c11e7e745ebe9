// SPDX-License-Identifier: Apache-2.0
// Which bank holds a register of a warp: the remainder of their sum. Twin of register_bank() of
// hw/bundles/register_bundles.h. The number of banks is a strap: for a power of two only the addition remains.
module register_bank (
  input  logic [5:0] cfg_num_banks_i,
  input  logic [4:0] warp_i,
  input  logic [7:0] index_i,
  output logic [4:0] bank_o
);
  localparam int unsigned SumW = 8;

  logic [SumW-1:0]   rest;
  logic [2*SumW-1:0] multiple;

  always_comb begin : divide
    rest     = index_i + {3'd0, warp_i};
    multiple = '0;
    for (int k = SumW - 1; k >= 0; k--) begin
      multiple = (2*SumW)'(cfg_num_banks_i) << k;
      if ({{SumW{1'b0}}, rest} >= multiple) rest = rest - multiple[SumW-1:0];
    end
  end

  assign bank_o = rest[4:0];
endmodule
