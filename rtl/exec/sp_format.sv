// SPDX-License-Identifier: Apache-2.0
// Width of a number format, and how its bits are read. Twin of format_of() of hw/exec/sp_control.cpp.
module sp_format (
  input  logic [3:0]          type_i,   // num_type_e
  output g80_pkg::sp_format_t format_o
);
  always_comb begin : format
    case (type_i)
      g80_pkg::NumTypeU8, g80_pkg::NumTypeS8: format_o.width = g80_pkg::SpWidth8;
      g80_pkg::NumTypeU16, g80_pkg::NumTypeS16, g80_pkg::NumTypeB16, g80_pkg::NumTypeF16:
        format_o.width = g80_pkg::SpWidth16;
      g80_pkg::NumTypeU24, g80_pkg::NumTypeS24: format_o.width = g80_pkg::SpWidth24;
      default: format_o.width = g80_pkg::SpWidth32;
    endcase
    case (type_i)
      g80_pkg::NumTypeS8, g80_pkg::NumTypeS16, g80_pkg::NumTypeS24, g80_pkg::NumTypeS32, g80_pkg::NumTypeF16,
      g80_pkg::NumTypeF32: format_o.is_signed = 1'b1;
      default:             format_o.is_signed = 1'b0;
    endcase
    format_o.is_float = type_i == g80_pkg::NumTypeF16 || type_i == g80_pkg::NumTypeF32;
  end
endmodule
