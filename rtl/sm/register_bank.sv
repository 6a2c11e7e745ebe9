// SPDX-License-Identifier: Apache-2.0
// Which bank holds a register of a warp: the remainder of their sum. Twin of register_bank() of
// hw/bundles/register_bundles.h. The number of banks is a strap: the remainders of the warp and of both halves of the
// register's number come from tables, and the sum of the three is less than three times the number of banks.
module register_bank (
  input  logic [5:0]       cfg_num_banks_i,
  input  logic [31:0][4:0] unit_i,          // from bank_residues
  input  logic [15:0][4:0] sixteen_i,
  input  logic [4:0]       warp_i,
  input  logic [7:0]       index_i,
  output logic [4:0]       bank_o
);
  logic [6:0] sum;
  logic       once, twice;  // the number of banks is in the sum

  assign sum    = {2'd0, sixteen_i[index_i[7:4]]} + {2'd0, unit_i[{1'b0, index_i[3:0]}]} + {2'd0, unit_i[warp_i]};
  assign once   = sum >= {1'b0, cfg_num_banks_i};
  assign twice  = sum >= {cfg_num_banks_i, 1'b0};
  assign bank_o = twice ? sum[4:0] - {cfg_num_banks_i[3:0], 1'b0} : once ? sum[4:0] - cfg_num_banks_i[4:0] : sum[4:0];
endmodule
