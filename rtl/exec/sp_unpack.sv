// SPDX-License-Identifier: Apache-2.0
// Stage 1 of a scalar processor: operands are taken apart, and the low half of the multiplier is multiplied.
// Twin of hw/exec/sp_unpack.cpp. Each path writes the fields that it uses; the others keep what they hold.
module sp_unpack (
  input  logic                            enable_i,
  input  g80_pkg::sp_control_t            control_i,
  input  g80_pkg::sp_operands_lane_t operands_i,
  input  g80_pkg::sp_quad_op_e            quad_op_i,
  input  logic [31:0]                     quad_first_i,
  input  g80_pkg::sp_unpacked_lane_t      held_i,
  output g80_pkg::sp_unpacked_lane_t      next_o
);
  localparam int unsigned LowDigits = g80_pkg::SpDigits / 2;

  logic [31:0] a, b, c;
  assign a = operands_i.a;
  assign b = operands_i.b;
  assign c = operands_i.c;

  logic multiplies;  // the second operand of a product has a format of its own
  assign multiplies = control_i.path == g80_pkg::SpPathMultiply || control_i.path == g80_pkg::SpPathMultiplyAdd;

  logic [31:0]         integer_a, integer_b;
  g80_pkg::sp_format_t format_b;
  assign format_b = multiplies ? control_i.second_from : control_i.from;

  sp_extend u_integer_a (
    .word_i  (a),
    .format_i(control_i.from),
    .word_o  (integer_a)
  );
  sp_extend u_integer_b (
    .word_i  (b),
    .format_i(format_b),
    .word_o  (integer_b)
  );

  logic [31:0] order_x, order_y;
  logic        unordered;
  sp_order u_order (
    .control_i,
    .a_i        (a),
    .b_i        (b),
    .x_o        (order_x),
    .y_o        (order_y),
    .unordered_o(unordered)
  );

  logic [23:0] float_x, float_y, float_z;
  logic [9:0]  float_exponent, float_exponent_z;
  logic        float_sign, float_sign_z;
  logic [2:0]  float_special;
  sp_unpack_float u_float (
    .control_i,
    .quad_op_i,
    .quad_first_i,
    .a_i         (a),
    .b_i         (b),
    .c_i         (c),
    .x_o         (float_x),
    .y_o         (float_y),
    .z_o         (float_z),
    .exponent_o  (float_exponent),
    .exponent_z_o(float_exponent_z),
    .sign_o      (float_sign),
    .sign_z_o    (float_sign_z),
    .special_o   (float_special)
  );

  logic [31:0] converted;
  logic [9:0]  converted_exponent;
  logic        converted_sign, converted_carry;
  logic [2:0]  converted_special;
  sp_unpack_conversion u_conversion (
    .control_i,
    .word_i    (a),
    .extended_i(integer_a),
    .word_o    (converted),
    .exponent_o(converted_exponent),
    .sign_o    (converted_sign),
    .carry_o   (converted_carry),
    .special_o (converted_special)
  );

  // The multiplier has 24 bits and a sign.
  logic [25:0] multiplicand, multiplier;
  logic [47:0] product_sum, product_carry;
  assign multiplicand = multiplies ? integer_a[25:0] : {2'b00, float_x};
  assign multiplier   = multiplies ? integer_b[25:0] : {2'b00, float_y};
  booth_rows #(
    .First (0),
    .Digits(LowDigits)
  ) u_low_half (
    .multiplicand_i(multiplicand),
    .multiplier_i  (multiplier),
    .sum_i         (48'd0),
    .carry_i       (48'd0),
    .sum_o         (product_sum),
    .carry_o       (product_carry)
  );

  // Two's complement to unsigned order: signed numbers lose the sign bit's negative weight.
  logic [31:0] unsigned_x, unsigned_y;
  assign unsigned_x = {integer_a[31] ^ control_i.from.is_signed, integer_a[30:0]};
  assign unsigned_y = {integer_b[31] ^ control_i.from.is_signed, integer_b[30:0]};

  // slct: a where c is not negative; a zero of either sign is not, a NaN is.
  logic select_second;
  assign select_second = c[31] ^ control_i.negate_c ? c[30:23] != '0 : c[30:23] == '1 && c[22:0] != '0;

  logic carry_in;
  always_comb begin : carry_of_sum
    case (control_i.carry)
      g80_pkg::SpCarryOne:   carry_in = 1'b1;
      g80_pkg::SpCarryFlags: carry_in = operands_i.flags[2];
      default:               carry_in = 1'b0;
    endcase
  end

  always_comb begin : unpack
    next_o = held_i;
    if (enable_i) begin
      case (control_i.path)
        g80_pkg::SpPathMove: begin
          if (control_i.selects) next_o.x = select_second ? b : a;
          else if (control_i.takes_flags) next_o.x = {28'd0, operands_i.flags};
          else next_o.x = control_i.takes_second ? b : a;
        end
        g80_pkg::SpPathLogic: begin
          next_o.x = a ^ {32{control_i.negate_a}};
          next_o.y = b ^ {32{control_i.negate_b}};
        end
        g80_pkg::SpPathAdd: begin
          // 16-bit sums use the upper half of the adder, so that carry and overflow leave it at the same place. The
          // lower half of y is all ones: it hands the carry on.
          if (control_i.half) begin
            next_o.x = {a[15:0] ^ {16{control_i.invert_x}}, 16'h0000};
            next_o.y = {b[15:0] ^ {16{control_i.invert_y}}, 16'hffff};
          end else begin
            next_o.x = a ^ {32{control_i.invert_x}};
            next_o.y = b ^ {32{control_i.invert_y}};
          end
          next_o.carry = carry_in;
        end
        g80_pkg::SpPathCompare: begin
          next_o.x = control_i.from.is_float ? order_x : unsigned_x;
          next_o.y = control_i.from.is_float ? order_y : unsigned_y;
          if (control_i.from.is_float) next_o.special = {1'b0, unordered, 1'b0};
        end
        g80_pkg::SpPathShiftLeft: begin
          next_o.x = control_i.half ? {a[15:0], 16'd0} : a;
          next_o.y = control_i.half ? {16'd0, b[15:0]} : b;
        end
        g80_pkg::SpPathShiftRight: begin
          next_o.x = integer_a;
          next_o.y = control_i.half ? {16'd0, b[15:0]} : b;
        end
        g80_pkg::SpPathMultiply, g80_pkg::SpPathMultiplyAdd: begin
          next_o.x             = integer_a;
          next_o.y             = integer_b;
          next_o.z             = c ^ {32{control_i.invert_y}};
          next_o.sum           = product_sum;
          next_o.product_carry = product_carry;
          if (control_i.path == g80_pkg::SpPathMultiplyAdd) next_o.carry = carry_in;
        end
        g80_pkg::SpPathDistance: begin
          next_o.x = unsigned_x;
          next_o.y = unsigned_y;
          next_o.z = c;
        end
        g80_pkg::SpPathFloat: begin
          next_o.x             = {8'd0, float_x};
          next_o.y             = {8'd0, float_y};
          next_o.z             = {8'd0, float_z};
          next_o.sum           = product_sum;
          next_o.product_carry = product_carry;
          next_o.exponent      = float_exponent;
          next_o.exponent_z    = float_exponent_z;
          next_o.sign          = float_sign;
          next_o.sign_z        = float_sign_z;
          next_o.special       = float_special;
        end
        g80_pkg::SpPathToInteger, g80_pkg::SpPathToFloat: begin
          next_o.x        = converted;
          next_o.exponent = converted_exponent;
          next_o.sign     = converted_sign;
          next_o.carry    = converted_carry;
          next_o.special  = converted_special;
        end
        default: ;
      endcase
    end
  end
endmodule
