// SPDX-License-Identifier: Apache-2.0
// What crosses to one output of the crossbar at an edge: crossbar_word() of hw/mem/crossbar.h. The packet that the
// output takes goes on by a word; if that leaves the output free and with flits of the word left, the next packet
// begins in it: of the inputs that ask, the first behind the one that was served last.
module crossbar_word #(
  parameter int unsigned Output        = 0,
  parameter int unsigned Inputs        = 9,
  parameter int unsigned Outputs       = 7,
  parameter int unsigned FlitsPerCycle = 2,
  parameter int unsigned Largest       = 5,  // flits of the largest packet
  parameter int unsigned CreditW       = 6,
  localparam int unsigned InputW  = $clog2(Inputs),
  localparam int unsigned OutputW = $clog2(Outputs),
  localparam int unsigned FlitsW  = $clog2(Largest + 1),
  localparam int unsigned RoomW   = $clog2(FlitsPerCycle + 1)
) (
  input  logic                            clk_i,
  // Registers of the inputs: of the packet in front
  input  logic [Inputs-1:0]               asking_i,
  input  logic [Inputs-1:0][OutputW-1:0]  wanted_i,
  input  logic [Inputs-1:0][FlitsW-1:0]   flits_i,
  // Registers of all outputs
  input  logic [Outputs-1:0]              taken_i,
  input  logic [Outputs-1:0][InputW-1:0]  last_i,
  input  logic [Outputs-1:0][FlitsW-1:0]  flits_left_i,
  // Of this one
  input  logic [CreditW-1:0]              credits_i,
  input  logic [FlitsW-1:0]               returned_i,  // credits that have come back
  // The same behind the edge, and the input whose packet begins
  output logic [Inputs-1:0]               granted_o,
  output logic                            taken_o,
  output logic [InputW-1:0]               last_o,
  output logic [FlitsW-1:0]               flits_left_o,
  output logic [CreditW-1:0]              credits_o
);
  logic [Outputs-1:0]            ends;  // its packet does, in this word
  logic [Outputs-1:0][RoomW-1:0] rest;  // flits that it leaves of the word
  logic [Inputs-1:0][RoomW-1:0]  room;  // of the word of an input
  logic [Inputs-1:0]             sends, asks, whole, late;
  logic                          may_grant, any, grants, goes_on;
  logic [InputW-1:0]             chosen;
  logic [Inputs-1:0]             granted;
  logic [FlitsW-1:0]             count, left;  // flits of the packet that begins, and those behind this word
  logic [Inputs-1:0][FlitsW-1:0] left_of;

  for (genvar o = 0; o < Outputs; o++) begin : gen_output
    assign ends[o] = taken_i[o] && flits_left_i[o] <= FlitsW'(FlitsPerCycle);
    assign rest[o] = !taken_i[o] ? RoomW'(FlitsPerCycle) :
                     ends[o]     ? RoomW'(FlitsPerCycle) - RoomW'(flits_left_i[o]) : '0;
  end

  // An input sends to one output at most.
  always_comb begin : find_rooms
    for (int i = 0; i < Inputs; i++) begin
      sends[i] = 1'b0;
      room[i]  = '0;
      for (int o = 0; o < Outputs; o++) begin
        if (taken_i[o] && last_i[o] == InputW'(i)) begin
          sends[i] = 1'b1;
          room[i]  = room[i] | rest[o];
        end
      end
      if (!sends[i]) room[i] = RoomW'(FlitsPerCycle);
    end
  end

  // Before one is chosen it is known of each input what its packet would do in this word.
  always_comb begin : look_ahead
    for (int i = 0; i < Inputs; i++) begin
      logic [RoomW-1:0] sent;
      sent       = room[i] < rest[Output] ? room[i] : rest[Output];
      asks[i]    = asking_i[i] && wanted_i[i] == OutputW'(Output) && room[i] != '0;
      whole[i]   = flits_i[i] <= FlitsW'(sent);
      left_of[i] = whole[i] ? '0 : flits_i[i] - FlitsW'(sent);
      late[i]    = whole[i] && ends[Output];  // a second tail in a word
    end
  end

  round_robin #(.Width(Inputs)) u_choose (
    .wanting_i(asks),
    .last_i   (last_i[Output]),
    .found_o  (any),
    .index_o  (chosen)
  );
  assign may_grant = rest[Output] != '0 && credits_i >= CreditW'(Largest);

  always_comb begin : grant
    granted = '0;
    count   = '0;
    left    = '0;
    for (int i = 0; i < Inputs; i++) begin
      if (chosen == InputW'(i)) begin
        granted[i] = any && may_grant && !late[i];
        count     |= flits_i[i];
        left      |= left_of[i];
      end
    end
  end
  assign grants  = |granted;
  assign goes_on = taken_i[Output] && !ends[Output];

  always_ff @(posedge clk_i) begin : registers
    granted_o    <= granted;
    taken_o      <= grants ? left != '0 : goes_on;
    last_o       <= grants ? chosen : last_i[Output];
    flits_left_o <= grants ? left : goes_on ? flits_left_i[Output] - FlitsW'(FlitsPerCycle) : '0;
    credits_o    <= credits_i + CreditW'(returned_i) - (grants ? CreditW'(count) : '0);
  end
endmodule
