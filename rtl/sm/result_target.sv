// SPDX-License-Identifier: Apache-2.0
// Where the result of an instruction goes: registers, a flag register, an address register. Of a pair both registers
// are written together if there are two banks, else one after the other.
module result_target (
  input  logic [5:0]                       cfg_num_banks_i,
  input  logic [31:0][4:0]                 unit_i,     // from bank_residues
  input  logic [15:0][4:0]                 sixteen_i,

  input  g80_pkg::result_ahead_t           result_i,
  input  logic                             second_i,   // of a pair, the first register is written

  output logic [1:0]                       word_o,     // which words are written now
  output logic                             last_o,     // nothing else remains
  output logic [1:0][6:0]                  index_o,    // of each word: its register
  output logic [1:0][4:0]                  bank_o,
  output logic [g80_pkg::MaxRegisterBanks-1:0] banks_o,
  output logic                             low_o,      // halves of the register
  output logic                             high_o,
  output logic [31:0]                      lanes_o,    // of the registers
  output logic                             to_addr_o,
  output logic [2:0]                       addr_o,
  output logic                             to_flags_o,
  output logic [1:0]                       flag_o
);
  g80_pkg::decoded_instruction_t decoded;  // what has a result is an instruction
  g80_pkg::operand_t             dst;
  logic                          full, half, pair, one_bank;

  issued_fields u_fields (
    .insn_i   (result_i.insn),
    .decoded_o(decoded)
  );

  assign dst      = decoded.insn.dst;
  assign full     = dst.kind == g80_pkg::OperandReg;
  assign half     = dst.kind == g80_pkg::OperandHalf;
  assign pair     = dst.kind == g80_pkg::OperandPair;
  assign one_bank = cfg_num_banks_i == 6'd1;

  assign word_o[0]  = full || half || (pair && !second_i);
  assign word_o[1]  = pair && (second_i || !one_bank);
  assign last_o     = !pair || second_i || !one_bank;
  assign index_o[0] = half ? {1'b0, dst.index[6:1]} : dst.index;
  assign index_o[1] = dst.index + 7'd1;
  assign low_o      = !half || !dst.index[0];
  assign high_o     = !half || dst.index[0];
  assign lanes_o    = pair ? result_i.lanes : result_i.loaded;

  for (genvar w = 0; w < 2; w++) begin : gen_word
    register_bank u_bank (
      .cfg_num_banks_i,
      .unit_i,
      .sixteen_i,
      .warp_i         (result_i.warp),
      .index_i        ({1'b0, index_o[w]}),
      .bank_o         (bank_o[w])
    );
  end
  assign banks_o = (g80_pkg::MaxRegisterBanks'(word_o[0]) << bank_o[0]) |
                   (g80_pkg::MaxRegisterBanks'(word_o[1]) << bank_o[1]);

  assign to_addr_o  = dst.kind == g80_pkg::OperandAddr;
  assign addr_o     = dst.index[2:0];
  assign to_flags_o = decoded.insn.writes_flags;
  assign flag_o     = decoded.insn.flag_dst;
endmodule
