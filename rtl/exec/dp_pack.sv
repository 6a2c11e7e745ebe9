// SPDX-License-Identifier: Apache-2.0
// Last stage of an fp64 lane: overflow, special results, minimum and maximum, the value of set, flags. Twin of pack()
// of hw/exec/dp_datapath.cpp.
module dp_pack (
  input  g80_pkg::dp_control_t      control_i,
  input  g80_pkg::dp_header_lane_t  header_i,
  input  g80_pkg::dp_rounded_lane_t rounded_i,
  output g80_pkg::dp_result_lane_t  result_o
);
  localparam logic [62:0] Infinity64 = {11'h7ff, 52'd0};
  localparam logic [62:0] Infinity32 = 63'h7f800000;

  logic narrow, to_float;
  assign narrow   = control_i.result == g80_pkg::DpTypeF32 || control_i.result == g80_pkg::DpTypeU32 ||
                    control_i.result == g80_pkg::DpTypeS32;
  assign to_float = control_i.result == g80_pkg::DpTypeF32 || control_i.result == g80_pkg::DpTypeF64;

  // Comparison. -0 is just below +0 for minimum and maximum, and equal to it for set.
  logic a_sign, b_sign, less, zeros, equal, holds;
  assign a_sign = header_i.value[63];
  assign b_sign = header_i.other[63];
  assign less   = a_sign != b_sign ? a_sign : a_sign != rounded_i.below;
  assign zeros  = header_i.value[62:0] == '0 && header_i.other[62:0] == '0;
  assign equal  = zeros || (rounded_i.equal && a_sign == b_sign);
  assign holds  = equal ? control_i.compare[1] : less ? control_i.compare[0] : control_i.compare[2];

  // An exact difference of zero is negative only where all is rounded down.
  logic        cancelled, sign, away;
  logic [62:0] infinity, magnitude;
  assign cancelled = control_i.operation == g80_pkg::DpOperationFma && rounded_i.equal && header_i.subtract;
  assign sign      = cancelled ? control_i.round == g80_pkg::RoundRm : header_i.sign;
  assign away      = control_i.round == g80_pkg::RoundRn ||
                     control_i.round == (sign ? g80_pkg::RoundRm : g80_pkg::RoundRp);
  assign infinity  = narrow ? Infinity32 : Infinity64;
  assign magnitude = rounded_i.overflow ? infinity - 63'(!away) : rounded_i.magnitude[62:0];

  logic [63:0] limit, value, integer_;
  dp_limit u_limit (
    .type_i    (control_i.result),
    .negative_i(header_i.sign),
    .limit_o   (limit)
  );
  assign integer_ = header_i.clamped ? limit : rounded_i.magnitude;

  always_comb begin : choose
    if (header_i.special) value = header_i.value;
    else begin
      case (control_i.operation)
        g80_pkg::DpOperationMin:       value = less ? header_i.value : header_i.other;
        g80_pkg::DpOperationMax:       value = less ? header_i.other : header_i.value;
        g80_pkg::DpOperationSet:       value = {32'd0, {32{holds}}};
        g80_pkg::DpOperationToInteger: value = {narrow ? '0 : integer_[63:32], integer_[31:0]};
        default:                       value = narrow ? {32'd0, sign, magnitude[30:0]} : {sign, magnitude};
      endcase
    end
  end

  // A number too large for u64 is the only one that is clamped without setting O.
  logic        top, zero, nan, silent;
  logic [62:0] absolute;
  assign top      = narrow ? value[31] : value[63];
  assign absolute = narrow ? {32'd0, value[30:0]} : value[62:0];
  assign zero     = absolute == '0;
  assign nan      = absolute > infinity;
  assign silent   = control_i.result == g80_pkg::DpTypeU64 && value == '1;

  assign result_o.value = value;
  assign result_o.flags = to_float ? {2'd0, (top && !zero) || nan, zero || nan} :
                                     {header_i.clamped && !silent, 1'b0, top, value == '0};
endmodule
