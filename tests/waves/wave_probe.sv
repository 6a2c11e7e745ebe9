// The RTL block of the wave tests: counts what it is given and keeps a state the outside never sees.
module wave_probe (
  input  logic        clk_i,
  input  logic        valid_i,
  input  logic [31:0] value_i,
  output logic [31:0] sum_o
);
  typedef enum logic [1:0] {Waiting, Adding, Full} state_e;
  state_e      state_q;
  logic [31:0] sum_q;
  logic [39:0] seen_q;

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      sum_q  <= sum_q + value_i;
      seen_q <= seen_q + 40'd1;
    end
    if (seen_q > 40'd4) state_q <= Full;
    else                state_q <= valid_i ? Adding : Waiting;
  end
  assign sum_o = sum_q;
endmodule
