// SPDX-License-Identifier: Apache-2.0
// The numbers of the threads up to a warp behind the first one of a block. Nothing is divided: of the sizes of a block,
// those above a warp are alike, so each digit is chosen from constants.
module thread_offsets #(
  localparam int unsigned DigitW  = 10,
  localparam int unsigned Threads = g80_pkg::WarpSize,
  localparam int unsigned OffsetW = $clog2(Threads + 1),
  localparam int unsigned Sizes   = Threads + 1  // the last one stands for all that are larger
) (
  input  logic [DigitW-1:0]             block_x_i,
  input  logic [DigitW-1:0]             block_y_i,
  output logic [Threads:1][OffsetW-1:0] x_o,
  output logic [Threads:1][OffsetW-1:0] y_o,
  output logic [Threads:1][OffsetW-1:0] z_o
);
  // Sizes for which a bit of number % size is 1, for which a bit of number / size is, and for which the quotient is
  // this value
  function automatic logic [Sizes:1] remainder_has(input int unsigned number, input int unsigned place);
    for (int unsigned n = 1; n <= Sizes; n++) remainder_has[n] = 1'((number % n) >> place);
  endfunction
  function automatic logic [Sizes:1] quotient_has(input int unsigned number, input int unsigned place);
    for (int unsigned n = 1; n <= Sizes; n++) quotient_has[n] = 1'((number / n) >> place);
  endfunction
  function automatic logic [Sizes:1] quotient_is(input int unsigned number, input int unsigned value);
    for (int unsigned n = 1; n <= Sizes; n++) quotient_is[n] = number / n == value;
  endfunction

  logic [Sizes:1] width, height;  // one bit is set

  for (genvar n = 1; n < Sizes; n++) begin : gen_size
    assign width[n]  = block_x_i == DigitW'(n);
    assign height[n] = block_y_i == DigitW'(n);
  end
  assign width[Sizes]  = block_x_i >= DigitW'(Sizes);
  assign height[Sizes] = block_y_i >= DigitW'(Sizes);

  // y and z of the threads at the start of a row
  logic [Threads:0][OffsetW-1:0] row_y, row_z;

  for (genvar r = 0; r <= Threads; r++) begin : gen_row
    for (genvar b = 0; b < OffsetW; b++) begin : gen_bit
      localparam logic [Sizes:1] IsInY = remainder_has(r, b);
      localparam logic [Sizes:1] IsInZ = quotient_has(r, b);
      assign row_y[r][b] = |(height & IsInY);
      assign row_z[r][b] = |(height & IsInZ);
    end
  end

  for (genvar t = 1; t <= Threads; t++) begin : gen_thread
    logic [t:0] in_row;

    for (genvar b = 0; b < OffsetW; b++) begin : gen_bit
      localparam logic [Sizes:1] IsInX = remainder_has(t, b);
      assign x_o[t][b] = |(width & IsInX);
    end
    for (genvar r = 0; r <= t; r++) begin : gen_row
      localparam logic [Sizes:1] HasRow = quotient_is(t, r);
      assign in_row[r] = |(width & HasRow);
    end
    always_comb begin : choose_row
      y_o[t] = '0;
      z_o[t] = '0;
      for (int unsigned r = 0; r <= t; r++) begin
        y_o[t] = y_o[t] | (in_row[r] ? row_y[r] : '0);
        z_o[t] = z_o[t] | (in_row[r] ? row_z[r] : '0);
      end
    end
  end
endmodule
