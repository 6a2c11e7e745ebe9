// SPDX-License-Identifier: Apache-2.0
// Stage 2 of a scalar processor: the high half of the product, logic, and by how much a word will be shifted.
// Twin of sp_multiply() of hw/exec/sp_product.cpp.
module sp_multiply (
  input  logic                         enable_i,
  input  g80_pkg::sp_control_t         control_i,
  input  g80_pkg::sp_unpacked_lane_t   unpacked_i,
  input  g80_pkg::sp_multiplied_lane_t held_i,
  output g80_pkg::sp_multiplied_lane_t next_o
);
  localparam int unsigned LowDigits  = g80_pkg::SpDigits / 2;
  localparam int unsigned HighDigits = g80_pkg::SpDigits - LowDigits;

  logic [47:0] product_sum, product_carry;
  booth_rows #(
    .First (LowDigits),
    .Digits(HighDigits)
  ) u_high_half (
    .multiplicand_i(unpacked_i.x[25:0]),
    .multiplier_i  (unpacked_i.y[25:0]),
    .sum_i         (unpacked_i.sum),
    .carry_i       (unpacked_i.product_carry),
    .sum_o         (product_sum),
    .carry_o       (product_carry)
  );

  // Floats: the distance of the exponents.
  logic        behind;  // the addend has the larger exponent
  logic [10:0] difference;
  logic [9:0]  distance;
  assign difference = {1'b0, unpacked_i.exponent} - {1'b0, unpacked_i.exponent_z};
  assign behind     = difference[10];
  assign distance   = (difference[9:0] ^ {10{behind}}) + 10'(behind);

  logic [9:0] plan_count, plan_exponent;
  logic [2:0] plan_special;
  sp_plan_conversion u_plan (
    .control_i,
    .exponent_i(unpacked_i.exponent),
    .special_i (unpacked_i.special),
    .count_o   (plan_count),
    .exponent_o(plan_exponent),
    .special_o (plan_special)
  );

  logic [31:0] x, y, logic_result, width;
  assign x     = unpacked_i.x;
  assign y     = unpacked_i.y;
  assign width = control_i.half ? 32'd16 : 32'd32;  // a larger count shifts everything out

  always_comb begin : bitwise
    case (control_i.logic_)
      g80_pkg::SpLogicAnd: logic_result = x & y;
      g80_pkg::SpLogicOr:  logic_result = x | y;
      g80_pkg::SpLogicXor: logic_result = x ^ y;
      default:             logic_result = y;
    endcase
  end

  always_comb begin : multiply
    next_o = held_i;
    if (enable_i) begin
      case (control_i.path)
        g80_pkg::SpPathMove:  next_o.x = x;
        g80_pkg::SpPathLogic: next_o.x = logic_result;
        g80_pkg::SpPathAdd: begin
          next_o.x     = x;
          next_o.y     = y;
          next_o.carry = unpacked_i.carry;
        end
        g80_pkg::SpPathCompare: begin
          next_o.x       = x;
          next_o.y       = y;
          next_o.special = unpacked_i.special;
        end
        g80_pkg::SpPathDistance: begin
          next_o.x = x;
          next_o.y = y;
          next_o.z = unpacked_i.z;
        end
        g80_pkg::SpPathShiftLeft, g80_pkg::SpPathShiftRight: begin
          next_o.x     = x;
          next_o.count = y < width ? y[9:0] : width[9:0];
        end
        g80_pkg::SpPathMultiply: begin
          next_o.sum           = product_sum;
          next_o.product_carry = product_carry;
        end
        g80_pkg::SpPathMultiplyAdd: begin
          next_o.sum           = product_sum;
          next_o.product_carry = product_carry;
          next_o.z             = unpacked_i.z;
          next_o.carry         = unpacked_i.carry;
        end
        g80_pkg::SpPathFloat: begin
          next_o.sum           = product_sum;
          next_o.product_carry = product_carry;
          next_o.count         = distance;
          next_o.exponent      = behind ? unpacked_i.exponent_z : unpacked_i.exponent;
          next_o.ahead         = !behind;
          next_o.z             = unpacked_i.z;
          next_o.sign          = unpacked_i.sign;
          next_o.sign_z        = unpacked_i.sign_z;
          next_o.special       = unpacked_i.special;
        end
        g80_pkg::SpPathToInteger, g80_pkg::SpPathToFloat: begin
          next_o.x        = x;
          next_o.carry    = unpacked_i.carry;
          next_o.sign     = unpacked_i.sign;
          next_o.count    = plan_count;
          next_o.exponent = plan_exponent;
          next_o.special  = plan_special;
        end
        default: ;
      endcase
      // An adder of 16 bits beside the multiplier
    end
  end
endmodule
