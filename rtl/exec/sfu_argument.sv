// SPDX-License-Identifier: Apache-2.0
// An argument of a special function: the result where it is known without arithmetic, else sign and exponent of the
// result, the entry of the ROM, and what the quadratic is taken of. Twin of argument_of() of hw/exec/sfu_datapath.cpp.
module sfu_argument (
  input  g80_pkg::sfu_function_e function_i,
  input  logic [31:0]            value_i,
  output logic                   special_o,
  output logic [31:0]            special_value_o,
  output logic                   sign_o,
  output logic [15:0]            exponent_o,       // see sfu::Header
  output logic [6:0]             index_o,
  output logic [23:0]            x_o
);
  localparam logic [31:0] Nan      = 32'h7fffffff;
  localparam logic [31:0] One      = 32'h3f800000;
  localparam logic [30:0] Infinity = 31'h7f800000;
  // NaN and infinity between range reduction and function
  localparam logic [30:0] ReducedNan      = 31'h40000000;
  localparam logic [30:0] ReducedInfinity = 31'h40800000;

  // The fields of an fp32 argument; a denormal counts as zero.
  logic        sign, zero, infinite, nan;
  logic [15:0] exponent, half;
  logic [22:0] fraction;

  assign sign     = value_i[31];
  assign fraction = value_i[22:0];
  assign zero     = value_i[30:23] == '0;
  assign infinite = value_i[30:23] == '1 && fraction == '0;
  assign nan      = value_i[30:23] == '1 && fraction != '0;
  assign exponent = {8'd0, value_i[30:23]} - 16'd127;
  assign half     = {exponent[15], exponent[15:1]};

  // 2^x: a negative number becomes the next lower integer and a positive fraction; the complement makes it one unit of
  // the fraction too small.
  logic [15:0] whole, integer_part;
  logic [22:0] positive;

  assign whole        = {9'd0, value_i[29:23]};
  assign integer_part = sign ? ~whole + 16'(fraction == '0) : whole;
  assign positive     = sign && fraction != '0 ? ~fraction : fraction;

  // Sine: odd quadrants run backwards; cosine is one quadrant ahead and does not see the sign.
  logic        cosine;
  logic [1:0]  quadrant;
  logic [22:0] angle;

  assign cosine   = function_i == g80_pkg::SfuFunctionCos;
  assign quadrant = value_i[24:23] + 2'(cosine);
  assign angle    = quadrant[0] ? ~fraction : fraction;

  // Range reduction: presin wraps around, preex2 ends at 2^7.
  logic        reduces_angle, above, nothing;
  logic [15:0] shift;

  assign reduces_angle = function_i == g80_pkg::SfuFunctionPresin;
  assign above         = reduces_angle ? infinite : value_i[30:23] >= 8'd134;
  assign shift         = exponent + (reduces_angle ? 16'd24 : 16'd32);
  assign nothing       = shift == '0 || shift[15:6] != '0;

  always_comb begin : choose
    special_o       = 1'b1;
    special_value_o = '0;
    sign_o          = 1'b0;
    exponent_o      = '0;
    index_o         = '0;
    x_o             = '0;
    case (function_i)
      g80_pkg::SfuFunctionRcp: begin
        if (nan) special_value_o = Nan;
        else if (infinite) special_value_o = {sign, 31'd0};
        else if (zero) special_value_o = {sign, Infinity};
        else begin
          special_o  = 1'b0;
          sign_o     = sign;
          exponent_o = 16'd151 - exponent;
          index_o    = fraction[22:16];
          x_o        = {8'd0, fraction[15:0]};
        end
      end
      g80_pkg::SfuFunctionRsqrt: begin
        if (nan) special_value_o = Nan;
        else if (zero) special_value_o = {sign, Infinity};
        else if (sign) special_value_o = Nan;
        else if (infinite) special_value_o = '0;
        else if (!exponent[0] && fraction == '0)  // a power of four
          special_value_o = {1'b0, 8'd127 - half[7:0], 23'd0};
        else begin
          special_o  = 1'b0;
          exponent_o = 16'd150 - half;
          index_o    = {exponent[0], fraction[22:17]};
          x_o        = {7'd0, fraction[16:0]};
        end
      end
      g80_pkg::SfuFunctionLg2: begin
        if (nan) special_value_o = Nan;
        else if (zero) special_value_o = {1'b1, Infinity};
        else if (sign) special_value_o = Nan;
        else if (infinite) special_value_o = {1'b0, Infinity};
        else if (value_i == One) special_value_o = '0;
        else begin
          special_o  = 1'b0;
          sign_o     = exponent[15];
          exponent_o = exponent;
          index_o    = {1'b0, fraction[22:17]};
          x_o        = {7'd0, fraction[16:0]};
        end
      end
      g80_pkg::SfuFunctionEx2: begin
        if (value_i[30]) begin
          if (value_i[30:23] != ReducedInfinity[30:23]) special_value_o = Nan;
          else special_value_o = sign ? '0 : {1'b0, Infinity};
        end else begin
          special_o  = 1'b0;
          exponent_o = 16'd152 + integer_part;
          index_o    = {1'b0, positive[22:17]};
          x_o        = {7'd0, positive[16:0]};
        end
      end
      g80_pkg::SfuFunctionSin, g80_pkg::SfuFunctionCos: begin
        if (value_i[30]) special_value_o = Nan;
        else begin
          special_o  = 1'b0;
          sign_o     = (!cosine && sign) != quadrant[1];
          exponent_o = 16'd153;
          index_o    = {1'b0, angle[22:17]};
          x_o        = {7'd0, angle[16:0]};
        end
      end
      default: begin
        if (nan) special_value_o = {sign, ReducedNan};
        else if (zero) special_value_o = {sign, 31'd0};
        else if (above) special_value_o = {sign, ReducedInfinity};
        else if (nothing) special_value_o = {sign, 31'd0};
        else begin
          special_o  = 1'b0;
          sign_o     = sign;
          exponent_o = shift;
          x_o        = {1'b1, fraction};
        end
      end
    endcase
  end
endmodule
