// SPDX-License-Identifier: Apache-2.0
// The lanes of a warp in which the condition of a guard holds. Twin of guard_lanes() in hw/sm/guard_condition.h.
module guard_lanes #(
  localparam int unsigned Lanes = g80_pkg::WarpSize
) (
  input  logic [4:0]            code_i,
  input  logic [Lanes-1:0][3:0] flags_i,  // O, C, S, Z
  output logic [Lanes-1:0]      lanes_o
);
  // Each flag as a truth table: its value for the flags 15 .. 0
  localparam logic [15:0] O = 16'hff00;
  localparam logic [15:0] C = 16'hf0f0;
  localparam logic [15:0] S = 16'hcccc;
  localparam logic [15:0] Z = 16'haaaa;

  // The lower eight codes of floating point comparisons and the upper four of flags are complements, in reverse order.
  logic        complement;
  logic [4:0]  code;
  logic [15:0] plain, truth;

  assign complement = code_i[4:3] == 2'b01 || code_i[4:2] == 3'b111;
  assign code       = {code_i[4], complement ? ~code_i[3:0] : code_i[3:0]};

  always_comb begin : look_up
    unique case (code)
      5'h01:   plain = (S & ~Z) ^ O;    // l, less
      5'h02:   plain = Z & ~S;          // e, equal
      5'h03:   plain = S ^ (Z | O);     // le
      5'h04:   plain = ~Z & ~(S ^ O);   // g, greater
      5'h05:   plain = ~Z;              // lg
      5'h06:   plain = ~(S ^ O);        // ge
      5'h07:   plain = ~Z | ~S;         // lge: ordered
      5'h10:   plain = O;               // o, overflow
      5'h11:   plain = C;               // c, carry
      5'h12:   plain = C & ~Z;          // a, above
      5'h13:   plain = S;               // s, sign
      default: plain = '0;              // never, and the codes without a meaning
    endcase
  end
  assign truth = complement ? ~plain : plain;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign lanes_o[l] = truth[flags_i[l]];
  end
endmodule
