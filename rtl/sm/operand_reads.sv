// SPDX-License-Identifier: Apache-2.0
// The registers that an instruction reads for the words of its operands, and its $c and $a. Without a clock.
module operand_reads #(
  localparam int unsigned Words    = g80_pkg::OperandWords,
  localparam int unsigned OperandW = g80_pkg::OperandWidth
) (
  input  logic [5:0]                    cfg_num_banks_i,
  input  logic [31:0][4:0]              unit_i,    // from bank_residues
  input  logic [15:0][4:0]              sixteen_i,
  input  g80_pkg::issue_t               issue_i,

  output logic [Words-1:0]              word_o,  // that come from a register
  output logic [Words-1:0][7:0]         reg_o,
  output logic [Words-1:0][1:0]         half_o,  // -1: the whole register
  output logic [Words-1:0][4:0]         bank_o,
  output logic [1:0]                    flag_o,
  output logic                          reads_addr_o,
  output logic [2:0]                    addr_o
);
  g80_pkg::decoded_instruction_t decoded;
  g80_pkg::operand_t             src0;
  logic [2:0][OperandW-1:0]      source;
  logic [Words-1:0]              reads;
  logic [Words-1:0][7:0]         register;
  logic [Words-1:0][4:0]         bank;

  micro_op_fields u_fields (
    .insn_i   (issue_i.insn),
    .decoded_o(decoded)
  );

  assign source = decoded.insn.src;

  // Memory instructions: the first source is the address, the second one data or operand b, the third one operand c.
  logic [2:0][Words-1:0]      word;    // of each source
  logic [2:0][Words-1:0][7:0] number;
  logic [2:0][Words-1:0][1:0] half;

  for (genvar s = 0; s < 3; s++) begin : gen_source
    localparam int unsigned DataWord = s == 0 ? 0 : g80_pkg::DataWords + 2 * (s - 1);

    g80_pkg::operand_t      operand;
    logic                   data, pair;
    logic [7:0]             first;

    assign operand = source[s];
    assign data    = s != 0 && decoded.unit == g80_pkg::UnitMemory;
    assign pair    = operand.kind == g80_pkg::OperandPair;
    assign first   = operand.kind == g80_pkg::OperandHalf ? {2'b00, operand.index[6:1]} : {1'b0, operand.index};

    always_comb begin : find_words
      word[s]   = '0;
      number[s] = '0;
      half[s]   = '0;
      if (operand.kind == g80_pkg::OperandQuad) begin
        for (int i = 0; i < 4; i++) begin
          word[s][g80_pkg::DataWords + i]   = 1'b1;
          number[s][g80_pkg::DataWords + i] = first + 8'(i);
          half[s][g80_pkg::DataWords + i]   = '1;
        end
      end else if (operand.kind == g80_pkg::OperandReg || operand.kind == g80_pkg::OperandHalf || pair) begin
        for (int i = 0; i < 2; i++) begin
          if (i == 0 || pair) begin
            if (data) begin
              word[s][DataWord + i]   = 1'b1;
              number[s][DataWord + i] = first + 8'(i);
              half[s][DataWord + i]   = operand.kind == g80_pkg::OperandHalf ? {1'b0, operand.index[0]} : '1;
            end else if (s + i * g80_pkg::HighWords < Words) begin
              word[s][s + i * g80_pkg::HighWords]   = 1'b1;
              number[s][s + i * g80_pkg::HighWords] = first + 8'(i);
              half[s][s + i * g80_pkg::HighWords]   =
                  operand.kind == g80_pkg::OperandHalf ? {1'b0, operand.index[0]} : '1;
            end
          end
        end
      end
    end
  end

  always_comb begin : choose
    reads    = word[0] | word[1] | word[2];
    register = number[0] | number[1] | number[2];
    half_o   = '1;
    if (decoded.unit == g80_pkg::UnitTexture) begin
      reads    = '0;
      register = '0;
      for (int i = 0; i < 4; i++) begin
        if (decoded.insn.tex_sources > 3'(i)) begin
          reads[g80_pkg::DataWords + i]    = 1'b1;
          register[g80_pkg::DataWords + i] = {1'b0, decoded.insn.dst.index} + 8'(i);
        end
      end
    end else begin
      for (int w = 0; w < Words; w++) begin
        if (reads[w]) half_o[w] = half[0][w] | half[1][w] | half[2][w];
      end
    end
  end

  for (genvar w = 0; w < Words; w++) begin : gen_bank
    register_bank u_bank (
      .cfg_num_banks_i,
      .unit_i,
      .sixteen_i,
      .warp_i (issue_i.warp),
      .index_i(register[w]),
      .bank_o (bank[w])
    );
    assign word_o[w] = reads[w];
    assign reg_o[w]  = register[w];
    assign bank_o[w] = word_o[w] ? bank[w] : '0;
  end

  assign src0         = source[0];
  assign flag_o       = decoded.insn.flag_src;
  assign reads_addr_o = decoded.insn.addr_reg != '0 || src0.kind == g80_pkg::OperandAddr;
  assign addr_o       = decoded.insn.addr_reg != '0 ? decoded.insn.addr_reg : src0.index[2:0];
endmodule
