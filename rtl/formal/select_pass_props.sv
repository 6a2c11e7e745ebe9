// SPDX-License-Identifier: Apache-2.0
// The passes of a request serve each of its lanes exactly once. A pass serves the lanes that read the broadcast word,
// and of each bank the lowest lane that wants it.
module select_pass_props #(
  localparam int unsigned Lanes = g80_pkg::HalfWarp,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned WordW = $clog2(g80_pkg::MaxSharedBytes) - 2,
  localparam int unsigned BankW = $clog2(g80_pkg::NumSmemBanks)
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic [Lanes-1:0]            lanes_i,
  input logic [Lanes-1:0][WordW-1:0] word_i,
  input logic                        write_i
);
  // A request, until no lane is left
  logic [Lanes-1:0]            pending_q, served, left;
  logic [Lanes-1:0][WordW-1:0] word_q;
  logic                        write_q;

  select_pass u_dut (
    .pending_i(pending_q),
    .word_i   (word_q),
    .write_i  (write_q),
    .served_o (served)
  );
  assign left = pending_q & ~served;

  // Any two lanes, and what became of the first
  (* anyconst *) logic [LaneW-1:0] lane, other;
  logic           wanted_q;  // the request has it
  logic           served_q;  // an earlier pass has served it
  logic [LaneW:0] passes_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      pending_q <= '0;
      word_q    <= '0;
      write_q   <= 1'b0;
      wanted_q  <= 1'b0;
      served_q  <= 1'b0;
      passes_q  <= '0;
    end else begin
      pending_q <= left;
      served_q  <= served_q || served[lane];
      passes_q  <= passes_q + (LaneW+1)'(pending_q != '0);
      if (left == '0) begin
        pending_q <= lanes_i;
        word_q    <= word_i;
        write_q   <= write_i;
        wanted_q  <= lanes_i[lane];
        served_q  <= 1'b0;
        passes_q  <= '0;
      end
    end
  end

  // The lowest pending lane, and whether a lane reads its word or is the first for its bank
  logic [WordW-1:0] broadcast;
  logic             reads_broadcast, first_of_bank;

  always_comb begin : specification
    broadcast     = '0;
    first_of_bank = pending_q[lane];
    for (int l = Lanes - 1; l >= 0; l--) begin
      if (pending_q[l]) broadcast = word_q[l];
      if (pending_q[l] && LaneW'(l) < lane && word_q[l][BankW-1:0] == word_q[lane][BankW-1:0]) first_of_bank = 1'b0;
    end
    reads_broadcast = pending_q[lane] && !write_q && word_q[lane] == broadcast;
  end

  logic both, one_bank, one_word;
  assign both     = served[lane] && served[other] && lane != other;
  assign one_bank = word_q[lane][BankW-1:0] == word_q[other][BankW-1:0];
  assign one_word = word_q[lane] == word_q[other];

  always_comb begin : properties
    MeetsItsSpecification: assert (served[lane] == (reads_broadcast || first_of_bank));
    BankServesOneWord: assert (!(both && one_bank) || (one_word && !write_q));
    EveryPassServesALane: assert (pending_q == '0 || served != '0);
    ServesWhoIsWanted: assert (!served[lane] || wanted_q);
    ServesNoneTwice: assert (!(served[lane] && served_q));
    EndsInTime: assert (pending_q == '0 || passes_q < (LaneW+1)'(Lanes));
    WorstConflict: cover (left == '0 && passes_q == (LaneW+1)'(Lanes - 1));
    BroadcastBesideOtherBanks: cover (both && one_word && !first_of_bank && left != '0 && passes_q != '0);
  end
endmodule
