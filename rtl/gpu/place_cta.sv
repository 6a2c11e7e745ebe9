// SPDX-License-Identifier: Apache-2.0
// The choice of the CTA scheduler (hw/gpu/cta_scheduler.h): end_ctas() and place_cta(), with the policy round_robin.
// SMs in which a CTA has ended have room again. Of those with room, one gets the next CTA: TPCs take turns, and in each
// TPC its SMs do. All TPCs choose their SM while the TPC is chosen.
module place_cta #(
  parameter int unsigned NumTpcs     = 8,
  parameter int unsigned SmsPerTpc   = 2,
  parameter int unsigned MaxCtas     = 8,  // of an SM
  localparam int unsigned NumSms  = NumTpcs * SmsPerTpc,
  localparam int unsigned TpcW    = $clog2(NumTpcs),
  localparam int unsigned SmOfTpcW = $clog2(SmsPerTpc),
  localparam int unsigned CountW  = $clog2(MaxCtas + 1)
) (
  input  logic                              clk_i,
  // From the way of the SMs' words
  input  logic [NumSms-1:0]                 ended_i,
  // Registers of the scheduler
  input  logic                              place_i,        // a CTA is to be placed
  input  logic [CountW-1:0]                 ctas_per_sm_i,
  input  logic [NumSms-1:0]                 candidates_i,   // SMs with room
  input  logic [NumSms-1:0][CountW-1:0]     resident_i,
  input  logic [TpcW-1:0]                   turn_tpc_i,     // that was served last
  input  logic [NumTpcs-1:0][SmOfTpcW-1:0]  turn_sm_i,      // and in each TPC the SM
  // The same behind the edge, and the SM that gets the CTA
  output logic                              placed_o,
  output logic [NumSms-1:0]                 sm_o,
  output logic [NumSms-1:0]                 candidates_o,
  output logic [NumSms-1:0][CountW-1:0]     resident_o,
  output logic [TpcW-1:0]                   turn_tpc_o,
  output logic [NumTpcs-1:0][SmOfTpcW-1:0]  turn_sm_o
);
  logic [NumSms-1:0]                room, picked, fills, placed;
  logic [NumTpcs-1:0]               has_room, takes;
  logic [NumTpcs-1:0][SmOfTpcW-1:0] sm;
  logic [TpcW-1:0]                  tpc;
  logic                             found;

  assign room = candidates_i | ended_i;

  for (genvar t = 0; t < NumTpcs; t++) begin : gen_tpc
    round_robin #(.Width(SmsPerTpc)) u_sm (
      .wanting_i(room[t*SmsPerTpc+:SmsPerTpc]),
      .last_i   (turn_sm_i[t]),
      .found_o  (has_room[t]),
      .index_o  (sm[t])
    );
    assign takes[t] = tpc == TpcW'(t);
    for (genvar k = 0; k < SmsPerTpc; k++) begin : gen_sm
      localparam int unsigned Sm = t * SmsPerTpc + k;

      assign picked[Sm] = takes[t] && sm[t] == SmOfTpcW'(k);
      // Known before the choice is: whether a CTA more takes the last place.
      assign fills[Sm]  = resident_i[Sm] == ctas_per_sm_i - CountW'(!ended_i[Sm]);
    end
  end

  round_robin #(.Width(NumTpcs)) u_tpc (
    .wanting_i(has_room),
    .last_i   (turn_tpc_i),
    .found_o  (found),
    .index_o  (tpc)
  );
  assign placed = found && place_i ? picked : '0;

  always_ff @(posedge clk_i) begin : registers
    placed_o     <= found && place_i;
    sm_o         <= placed;
    candidates_o <= room & ~(placed & fills);
    for (int i = 0; i < NumSms; i++) resident_o[i] <= resident_i[i] + CountW'(placed[i]) - CountW'(ended_i[i]);
    turn_tpc_o   <= found && place_i ? tpc : turn_tpc_i;
    for (int t = 0; t < NumTpcs; t++) turn_sm_o[t] <= found && place_i && takes[t] ? sm[t] : turn_sm_i[t];
  end
endmodule
