// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the partition's atomic unit: atomic_sums() and atomic_result() of hw/mem/atomic_unit.h, at an edge
// each. The operation rests until both are done.
module atomic_operation (
  input  logic        clk_i,
  input  logic [3:0]  op_i,
  input  logic        is_signed_i,
  input  logic        wide_i,       // a word of 8 bytes
  input  logic [63:0] b_i,
  input  logic [63:0] c_i,
  input  logic [63:0] old_value_i,
  output logic [63:0] sum_o,
  output logic        less_o,       // the old value than b
  output logic        equal_o,
  output logic [63:0] result_o      // an edge later
);
  // isa::AtomOp
  localparam logic [3:0] Add  = 4'd0;
  localparam logic [3:0] Exch = 4'd1;
  localparam logic [3:0] Cas  = 4'd2;
  localparam logic [3:0] Inc  = 4'd4;
  localparam logic [3:0] Dec  = 4'd5;
  localparam logic [3:0] Max  = 4'd6;
  localparam logic [3:0] Min  = 4'd7;
  localparam logic [3:0] And  = 4'd10;
  localparam logic [3:0] Or   = 4'd11;
  localparam logic [3:0] Xor  = 4'd12;

  logic [63:0] all, x, y, added, flip, sum, result;
  logic        orders;

  assign all    = {{32{wide_i}}, 32'hffffffff};
  assign x      = old_value_i & all;
  assign y      = b_i & all;
  assign added  = op_i == Add ? y : op_i == Dec ? all : '0;
  assign sum    = x + added + 64'(op_i == Inc);
  // Signed numbers are ordered as unsigned ones when both sign bits are inverted.
  assign orders = is_signed_i && (op_i == Max || op_i == Min);
  assign flip   = {wide_i && orders, 31'd0, !wide_i && orders, 31'd0};

  always_comb begin : choose
    result = x;
    case (op_i)
      Add:  result = sum_o;
      Exch: result = y;
      Cas:  if (equal_o) result = c_i & all;
      Inc:  if (!wide_i) result = less_o ? sum_o : '0;
      Dec:  if (!wide_i) result = x == '0 || !(less_o || equal_o) ? y : sum_o;
      Max:  if (!wide_i && less_o) result = y;
      Min:  if (!wide_i && !less_o) result = y;
      And:  if (!wide_i) result = x & y;
      Or:   if (!wide_i) result = x | y;
      Xor:  if (!wide_i) result = x ^ y;
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin : registers
    sum_o    <= sum & all;
    less_o   <= (x ^ flip) < (y ^ flip);
    equal_o  <= x == y;
    result_o <= result;
  end
endmodule
