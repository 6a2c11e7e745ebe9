// SPDX-License-Identifier: Apache-2.0
// The four flags that follow from a result: Z in bit 0, S, C and O. Twin of set_flags() of hw/exec/sp_round.cpp.
module sp_flags (
  input  g80_pkg::sp_control_t control_i,
  input  logic [31:0]          word_i,
  input  logic                 carry_i,     // of the adder or a shifter
  input  logic                 overflow_i,
  input  logic                 verdict_i,
  output logic [3:0]           flags_o
);
  localparam logic [3:0] Zero     = 4'b0001;
  localparam logic [3:0] Negative = 4'b0010;

  logic from_adder;  // paths whose carry and overflow count
  always_comb begin : carries
    case (control_i.path)
      g80_pkg::SpPathAdd, g80_pkg::SpPathMultiplyAdd, g80_pkg::SpPathDistance, g80_pkg::SpPathShiftLeft,
      g80_pkg::SpPathShiftRight: from_adder = 1'b1;
      default:                   from_adder = 1'b0;
    endcase
  end

  logic zero32, zero16, nan32, nan16;
  assign zero32 = word_i[30:0] == '0;
  assign zero16 = word_i[14:0] == '0;
  assign nan32  = word_i[30:23] == '1 && word_i[22:0] != '0;
  assign nan16  = word_i[14:10] == '1 && word_i[9:0] != '0;

  always_comb begin : flags
    case (control_i.flags)
      g80_pkg::SpFlagsFloat32: flags_o = {2'b00, (word_i[31] && !zero32) || nan32, zero32 || nan32};
      g80_pkg::SpFlagsFloat16: flags_o = {2'b00, (word_i[15] && !zero16) || nan16, zero16 || nan16};
      g80_pkg::SpFlagsSelected: flags_o = zero32 ? Zero : {2'b00, word_i[31], 1'b0};
      g80_pkg::SpFlagsWord:    flags_o = word_i[3:0];
      g80_pkg::SpFlagsVerdict: flags_o = verdict_i ? Negative : Zero;
      default: begin
        flags_o = {from_adder && overflow_i, from_adder && carry_i, control_i.half ? word_i[15] : word_i[31],
                   word_i == '0};
      end
    endcase
  end
endmodule
