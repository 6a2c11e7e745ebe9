// SPDX-License-Identifier: Apache-2.0
// A part of a vector at a variable place: one row of multiplexers for each bit of the place, the highest first, so that
// each row is as short as can be. yosys 0.23 shifts the whole vector in each row, in an `always` block, which takes
// minutes for a vector of 18 entries of 665 bits.
(* techmap_celltype = "$shiftx" *)
module shiftx (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  parameter [B_WIDTH-1:0] _TECHMAP_CONSTMSK_B_ = 0;
  parameter [B_WIDTH-1:0] _TECHMAP_CONSTVAL_B_ = 0;
  (* force_downto *) input  [A_WIDTH-1:0] A;
  (* force_downto *) input  [B_WIDTH-1:0] B;
  (* force_downto *) output [Y_WIDTH-1:0] Y;

  localparam [B_WIDTH-1:0] Zero = _TECHMAP_CONSTMSK_B_ & ~_TECHMAP_CONSTVAL_B_;
  localparam Top    = B_SIGNED ? B_WIDTH - 2 : B_WIDTH - 1;     // the highest bit of the place
  localparam Beyond = Top > 24 || 2**Top >= A_WIDTH;            // behind the vector
  localparam Last   = &(Zero | ({B_WIDTH{1'b1}} << Top));       // all other bits are 0
  localparam Left   = (Beyond ? A_WIDTH : 2**Top) + Y_WIDTH;    // what the other bits can reach

  // A place that can be negative, or has one bit that is its sign, is left to yosys.
  wire _TECHMAP_FAIL_ = B_SIGNED && (B_WIDTH == 1 || !Zero[B_WIDTH-1]);

  wire [Left-1:0] near = {{Left{1'bx}}, A};
  wire [Left-1:0] next;
  generate
    if (Zero[Top]) assign next = near;
    else if (Beyond) assign next = B[Top] ? {Left{1'bx}} : near;
    else assign next = B[Top] ? {{Left{1'bx}}, A[A_WIDTH-1:2**Top]} : near;

    if (Last) assign Y = next[Y_WIDTH-1:0];
    else \$shiftx #(.A_SIGNED(0), .B_SIGNED(0), .A_WIDTH(Left), .B_WIDTH(Top), .Y_WIDTH(Y_WIDTH)) other_bits (.A(next), .B(B[Top-1:0]), .Y(Y));
  endgenerate
endmodule
