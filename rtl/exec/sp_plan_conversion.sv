// SPDX-License-Identifier: Apache-2.0
// The right shift that a float to convert needs, and the exponent that bit 31 has after it: to bit 0 for an integer or
// an integral value, to the place of denormals for an f16 too small for its exponent. Integers are not shifted.
// Twin of plan_conversion() of hw/exec/sp_product.cpp.
module sp_plan_conversion (
  input  g80_pkg::sp_control_t control_i,
  input  logic [9:0]           exponent_i,
  input  logic [2:0]           special_i,
  output logic [9:0]           count_o,
  output logic [9:0]           exponent_o,
  output logic [2:0]           special_o
);
  localparam logic [9:0] Offset = 10'(g80_pkg::SpExponentOffset);
  localparam logic [9:0] Least  = Offset + 10'd1;  // exponent of the smallest normal
  localparam logic [9:0] TopBit = 10'd31;          // where the normaliser brings the leading one

  logic       to_integer, half, shifts;
  logic [9:0] one;    // exponent of 1.0
  logic [9:0] too_large;  // from here on a value is integral as it is, or too too_large for every integer
  logic [9:0] distance;

  assign to_integer = control_i.path == g80_pkg::SpPathToInteger;
  assign half       = control_i.to.width == g80_pkg::SpWidth16;
  assign one        = to_integer ? Offset : half ? Offset + 10'd15 : Offset + 10'd127;
  assign too_large      = to_integer ? Offset + 10'd32 : half ? Offset + 10'd15 + 10'd10 : Offset + 10'd127 + 10'd23;
  assign shifts     = exponent_i < too_large;

  always_comb begin : plan
    distance   = '0;
    exponent_o = exponent_i;
    special_o  = special_i;
    if (control_i.from.is_float) begin
      if (to_integer) begin
        if (shifts) distance = one + TopBit - exponent_i;
        else special_o[0] = 1'b1;
      end else if (control_i.integral) begin
        if (shifts) begin
          distance   = one + TopBit - exponent_i;
          exponent_o = one + TopBit;
        end
      end else if (half && exponent_i < Least) begin
        distance   = Least - exponent_i;
        exponent_o = Least;
      end
    end
  end

  assign count_o = distance < 10'(g80_pkg::MaxSpShift) ? distance : 10'(g80_pkg::MaxSpShift);
endmodule
