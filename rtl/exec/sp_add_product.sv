// SPDX-License-Identifier: Apache-2.0
// Stage 3 of a scalar processor: the two words of the product are added, with the operands of sad subtracted in the
// same adder. The product of floats is truncated to 24 bits, and becomes the larger or the smaller operand of the sum.
// Twin of sp_add_product() of hw/exec/sp_product.cpp.
module sp_add_product (
  input  logic                         enable_i,
  input  g80_pkg::sp_control_t         control_i,
  input  g80_pkg::sp_multiplied_lane_t multiplied_i,
  input  g80_pkg::sp_product_lane_t    held_i,
  output g80_pkg::sp_product_lane_t    next_o
);
  localparam int unsigned Bits = g80_pkg::SpProductBits;
  localparam logic [9:0]  MaxAlignment = 10'd32;  // all bits are out of the word, but none beyond those kept as sticky

  // The adder
  logic            subtracts;  // sad: x - y; no carry out of bit 32 says x < y
  logic [Bits-1:0] addend_x, addend_y, sum;
  logic [31:0]     x, y, z;
  assign x         = multiplied_i.x;
  assign y         = multiplied_i.y;
  assign z         = multiplied_i.z;
  assign subtracts = control_i.path == g80_pkg::SpPathDistance;
  assign addend_x  = subtracts ? Bits'(x) : multiplied_i.sum;
  assign addend_y  = subtracts ? {{Bits-32{1'b0}}, ~y} : multiplied_i.product_carry;
  adder #(
    .Width(Bits)
  ) u_add (
    .a_i    (addend_x),
    .b_i    (addend_y),
    .carry_i(subtracts),
    .sum_o  (sum),
    .carry_o()
  );

  // Floats: the product has 47 or 48 bits. It goes on with its leading one in bit 26: 24 bits and, where no addend
  // follows, three more with the rest of it or-ed into the last.
  logic        wide, alone, ahead;
  logic [47:0] top;
  logic [31:0] kept, addend;
  assign wide   = sum[47];
  assign top    = wide ? sum : {sum[46:0], 1'b0};
  assign alone  = z == '0;
  assign ahead  = multiplied_i.ahead;
  assign kept   = {5'd0, top[47:24], {3{alone}} & {top[23:22], top[21] || top[20:0] != '0}};
  assign addend = {z[28:0], 3'b000};

  logic [9:0] distance;  // of the exponents, with the carry of the product
  assign distance = multiplied_i.count + (ahead ? 10'(wide) : {10{wide}});

  always_comb begin : add_product
    next_o = held_i;
    if (enable_i) begin
      case (control_i.path)
        g80_pkg::SpPathMove, g80_pkg::SpPathLogic: next_o.x = x;
        g80_pkg::SpPathAdd: begin
          next_o.x     = x;
          next_o.y     = y;
          next_o.carry = multiplied_i.carry;
        end
        g80_pkg::SpPathCompare: begin
          next_o.x       = x;
          next_o.y       = y;
          next_o.special = multiplied_i.special;
        end
        g80_pkg::SpPathDistance: begin
          next_o.x    = sum[31:0];
          next_o.sign = !sum[32];
          next_o.y    = z;
        end
        g80_pkg::SpPathShiftLeft, g80_pkg::SpPathShiftRight: begin
          next_o.x     = x;
          next_o.count = multiplied_i.count[5:0];
        end
        g80_pkg::SpPathMultiply, g80_pkg::SpPathMultiplyAdd: begin
          next_o.x = (control_i.high ? sum[47:16] : sum[31:0]) ^ {32{control_i.invert_x}};
          if (control_i.path == g80_pkg::SpPathMultiplyAdd) begin
            next_o.y     = z;
            next_o.carry = multiplied_i.carry;
          end
        end
        g80_pkg::SpPathFloat: begin
          next_o.x         = ahead ? kept : addend;
          next_o.y         = ahead ? addend : kept;
          next_o.count     = distance > MaxAlignment ? MaxAlignment[5:0] : distance[5:0];
          next_o.exponent  = multiplied_i.exponent + 10'(wide && ahead);
          next_o.sign      = ahead ? multiplied_i.sign : multiplied_i.sign_z;
          next_o.zero_sign = multiplied_i.sign && multiplied_i.sign_z;
          next_o.limited   = !alone;
          next_o.carry     = multiplied_i.sign ^ multiplied_i.sign_z;
          next_o.special   = multiplied_i.special;
        end
        g80_pkg::SpPathToInteger, g80_pkg::SpPathToFloat: begin
          next_o.x        = x;
          next_o.count    = multiplied_i.count[5:0];
          next_o.exponent = multiplied_i.exponent;
          next_o.sign     = multiplied_i.sign;
          next_o.special  = multiplied_i.special;
          next_o.carry    = multiplied_i.carry;
        end
        default: ;
      endcase
    end
  end
endmodule
