// SPDX-License-Identifier: Apache-2.0
// Counts places as they are taken, and tells from the credits that come back whether one is left. Never more are taken
// than there are, so none is left exactly at one value of the credits, which is known before they come.
module credit_count (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [7:0] cfg_places_i,
  input  logic [7:0] credit_i,  // given back so far, modulo 256
  input  logic       take_i,
  output logic       free_o
);
  logic [7:0] used_d, used_q;      // taken so far, modulo 256
  logic [7:0] full_d, full_q;      // the credits with which none is left, from the first edge on
  logic       counts_d, counts_q;  // that edge has been

  assign free_o   = !counts_q || credit_i != full_q;
  assign counts_d = 1'b1;
  assign used_d   = take_i ? used_q + 8'd1 : used_q;
  assign full_d   = take_i ? used_q + 8'd1 - cfg_places_i : used_q - cfg_places_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      used_q   <= '0;
      full_q   <= '0;
      counts_q <= 1'b0;
    end else begin
      used_q   <= used_d;
      full_q   <= full_d;
      counts_q <= counts_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) NotOverbooked: assert (8'(used_q - credit_i) <= cfg_places_i);
  end
endmodule
