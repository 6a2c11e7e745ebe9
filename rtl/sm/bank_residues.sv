// SPDX-License-Identifier: Apache-2.0
// Remainders by the number of banks, for register_bank. They depend on a strap alone, so a block has them once.
module bank_residues (
  input  logic [5:0]       cfg_num_banks_i,
  output logic [31:0][4:0] unit_o,    // of 0, 1, 2, ..
  output logic [15:0][4:0] sixteen_o  // of 0, 16, 32, ..
);
  logic [4:0] unit, sixteen;
  logic [5:0] next_unit, next_sixteen;

  always_comb begin : count
    unit_o    = '0;
    unit      = '0;
    next_unit = '0;
    for (int i = 0; i < 32; i++) begin
      unit_o[i] = unit;
      next_unit = {1'b0, unit} + 6'd1;
      unit      = next_unit == cfg_num_banks_i ? '0 : next_unit[4:0];
    end
  end

  always_comb begin : count_sixteens
    sixteen_o    = '0;
    sixteen      = '0;
    next_sixteen = '0;
    for (int i = 0; i < 16; i++) begin
      sixteen_o[i] = sixteen;
      next_sixteen = {1'b0, sixteen} + {1'b0, unit_o[16]};
      sixteen      = next_sixteen >= cfg_num_banks_i ? 5'(next_sixteen - cfg_num_banks_i) : next_sixteen[4:0];
    end
  end
endmodule
