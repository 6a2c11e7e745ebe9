// SPDX-License-Identifier: Apache-2.0
// Whether rounding moves a magnitude away from zero. Twin of RoundingMode of hw/exec/arithmetic.h.
module rounding (
  input  logic [1:0] round_i,  // round_e
  input  logic       sign_i,
  input  logic       odd_i,    // the lowest bit kept
  input  logic       guard_i,  // the first bit dropped
  input  logic       sticky_i, // any one below it
  output logic       up_o,
  output logic       away_o,   // the mode is directed and points away from zero
  output logic       nearest_o
);
  assign nearest_o = round_i == g80_pkg::RoundRn;
  assign away_o    = sign_i ? round_i == g80_pkg::RoundRm : round_i == g80_pkg::RoundRp;
  assign up_o      = (nearest_o && guard_i && (sticky_i || odd_i)) || (away_o && (guard_i || sticky_i));
endmodule
