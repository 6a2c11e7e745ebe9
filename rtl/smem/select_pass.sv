// SPDX-License-Identifier: Apache-2.0
// Which pending lanes the next pass serves. This is where a bank conflict is decided.
// Twin of the function select_pass() of hw/smem/bank_conflict.h.
//
// In a pass, each bank serves the lowest pending lane that accesses it. A read also serves every lane that reads the
// broadcast word: the word of the lowest pending lane. The C++ function visits the lanes one after the other. Here all
// lanes are decided in parallel: a lane is served if no lower pending lane accesses its bank, or if its word is that of
// the lowest pending lane. Words are compared in pairs while the lowest lane is searched.
module select_pass #(
  localparam int unsigned Lanes = g80_pkg::HalfWarp,
  localparam int unsigned WordW = $clog2(g80_pkg::MaxSharedBytes) - 2,
  localparam int unsigned BankW = $clog2(g80_pkg::NumSmemBanks)
) (
  input  logic [Lanes-1:0]            pending_i,
  input  logic [Lanes-1:0][WordW-1:0] word_i,  // word address of each lane
  input  logic                        write_i,
  output logic [Lanes-1:0]            served_o
);
  logic [Lanes-1:0]            lowest;          // one-hot: the lowest pending lane
  logic [Lanes-1:0]            lowest_of_bank;  // no lower pending lane accesses this lane's bank
  logic [Lanes-1:0]            broadcast_lane;  // lanes that read the broadcast word

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [Lanes-1:0] below;      // pending lanes below this one
    logic [Lanes-1:0] same_bank;  // lanes that access the same bank
    logic [Lanes-1:0] same_word;
    assign below = pending_i & Lanes'((1 << l) - 1);
    for (genvar k = 0; k < Lanes; k++) begin : gen_other
      assign same_bank[k] = word_i[k][BankW-1:0] == word_i[l][BankW-1:0];
      assign same_word[k] = same_bank[k] && word_i[k][WordW-1:BankW] == word_i[l][WordW-1:BankW];
    end
    assign lowest[l]         = pending_i[l] && below == '0;
    assign lowest_of_bank[l] = (below & same_bank) == '0;
    assign broadcast_lane[l] = !write_i && (lowest & same_word) != '0;
  end

  assign served_o = pending_i & (lowest_of_bank | broadcast_lane);
endmodule
