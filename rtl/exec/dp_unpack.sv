// SPDX-License-Identifier: Apache-2.0
// First stage of an fp64 lane: signs, exponents, significands, the distance of the alignment; results that need no
// arithmetic. Twin of unpack() of hw/exec/dp_datapath.cpp.
module dp_unpack (
  input  logic                       enable_i,
  input  g80_pkg::dp_control_t       control_i,
  input  logic [63:0]                a_i,
  input  logic [63:0]                b_i,
  input  logic [63:0]                c_i,
  input  g80_pkg::dp_header_lane_t   header_held_i,
  input  g80_pkg::dp_unpacked_lane_t held_i,
  output g80_pkg::dp_header_lane_t   header_o,
  output g80_pkg::dp_unpacked_lane_t next_o
);
  logic        sign, zero, infinite, nan;
  logic [10:0] exponent;
  logic [52:0] significand;
  dp_float u_a (
    .narrow_i     (control_i.source == g80_pkg::DpTypeF32),
    .bits_i       (a_i),
    .sign_o       (sign),
    .zero_o       (zero),
    .infinite_o   (infinite),
    .nan_o        (nan),
    .exponent_o   (exponent),
    .significand_o(significand)
  );

  g80_pkg::dp_header_lane_t   fma_header, comparison_header, integer_header, conversion_header;
  g80_pkg::dp_unpacked_lane_t fma, comparison, integer_, conversion;
  dp_unpack_fma u_fma (
    .control_i,
    .a_i,
    .a_sign_i       (sign),
    .a_zero_i       (zero),
    .a_infinite_i   (infinite),
    .a_nan_i        (nan),
    .a_exponent_i   (exponent),
    .a_significand_i(significand),
    .b_i,
    .c_i,
    .header_o       (fma_header),
    .unpacked_o     (fma)
  );
  dp_unpack_comparison u_comparison (
    .control_i,
    .a_i,
    .b_i,
    .header_o  (comparison_header),
    .unpacked_o(comparison)
  );
  dp_unpack_integer u_integer (
    .control_i,
    .integer_i (a_i),
    .header_o  (integer_header),
    .unpacked_o(integer_)
  );
  dp_unpack_conversion u_conversion (
    .control_i,
    .sign_i       (sign),
    .infinite_i   (infinite),
    .nan_i        (nan),
    .exponent_i   (exponent),
    .significand_i(significand),
    .header_o     (conversion_header),
    .unpacked_o   (conversion)
  );

  always_comb begin : choose
    header_o = header_held_i;
    next_o   = held_i;
    if (enable_i) begin
      case (control_i.operation)
        g80_pkg::DpOperationFma: begin
          header_o = fma_header;
          next_o   = fma;
        end
        g80_pkg::DpOperationMin, g80_pkg::DpOperationMax, g80_pkg::DpOperationSet: begin
          header_o = comparison_header;
          next_o   = comparison;
        end
        g80_pkg::DpOperationFromInteger: begin
          header_o = integer_header;
          next_o   = integer_;
        end
        default: begin
          header_o = conversion_header;
          next_o   = conversion;
        end
      endcase
    end
  end
endmodule
