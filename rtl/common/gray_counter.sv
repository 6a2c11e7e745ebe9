// SPDX-License-Identifier: Apache-2.0
// A counter, and its Gray code in registers of its own: one bit changes when it counts, so that another clock may
// sample the code at any time.
module gray_counter #(
  parameter int unsigned Width = 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             count_i,
  output logic [Width-1:0] binary_o,
  output logic [Width-1:0] gray_o
);
  logic [Width-1:0] binary_d, binary_q, gray_q;

  assign binary_d = binary_q + Width'(count_i);
  assign binary_o = binary_q;
  assign gray_o   = gray_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      binary_q <= '0;
      gray_q   <= '0;
    end else begin
      binary_q <= binary_d;
      gray_q   <= binary_d ^ (binary_d >> 1);
    end
  end
endmodule
