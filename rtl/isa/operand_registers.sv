// SPDX-License-Identifier: Apache-2.0
// The registers that an operand names.
module operand_registers (
  input  g80_pkg::operand_kind_e kind_i,
  input  logic [6:0]             index_i,
  output g80_pkg::thread_state_t registers_o
);
  logic [3:0]   count;  // a bit for each register, from the first on
  logic [6:0]   first;
  logic [127:0] mask;

  always_comb begin : count_registers
    unique case (kind_i)
      g80_pkg::OperandReg, g80_pkg::OperandHalf: count = 4'b0001;
      g80_pkg::OperandPair: count = 4'b0011;
      g80_pkg::OperandQuad: count = 4'b1111;
      default: count = 4'b0000;
    endcase
  end

  assign first = kind_i == g80_pkg::OperandHalf ? {1'b0, index_i[6:1]} : index_i;
  assign mask  = {124'd0, count} << first;  // registers above 127 do not exist

  always_comb begin : result
    registers_o.registers.low  = mask[63:0];
    registers_o.registers.high = mask[127:64];
    registers_o.flags = kind_i == g80_pkg::OperandFlags ? 4'd1 << index_i[1:0] : 4'd0;
    registers_o.addrs = kind_i == g80_pkg::OperandAddr ? 5'd1 << index_i[2:0] : 5'd0;
  end
endmodule
