// SPDX-License-Identifier: Apache-2.0
// Miss registers: a line is asked for once while it is outstanding; every waiter leaves once, with what it brought, in
// the order of its line; a miss is refused only if nothing is free.
//
// All that holds between two edges (..Agree) is said of any register, any place of a waiter or any two of them, which
// the solver chooses; so the proof knows a few registers and places, however many there are. It is one step: at the
// edge at which step_i is set, what was said is assumed of those that are chosen, and of those that the edge changes;
// after it, it is asserted of those that are chosen. As they are any, and the edge is any, it holds of all of them at
// all times. What follows at the same edge is asserted there: the labels ..AtAnEdge of what the edge does, which the
// ..Agree may assume then, and at last the properties of the whole.
module mshr_props #(
  parameter int unsigned Entries = 2,
  parameter int unsigned Places  = 4,
  parameter int unsigned LineW   = 1,
  parameter int unsigned Width   = 1,
  localparam int unsigned EntryW = $clog2(Entries),
  localparam int unsigned PlaceW = $clog2(Places),
  localparam int unsigned CountW = $clog2(Places + 1)
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              stale_i,
  input logic              miss_i,
  input logic [LineW-1:0]  line_i,
  input logic [Width-1:0]  waiter_i,
  input logic [EntryW-1:0] fill_entry_i,
  input logic              pop_i,
  input logic              send_new_i,
  input logic [EntryW-1:0] send_entry_i,
  input logic              track_i,
  input logic              step_i
);
  // Chosen: register 0, places 0 and 1, and two bounds of places. Register 1 and place 2 are those that the edge
  // changes, place 3 is the one before place 0; StepIsOfThem says so.
  localparam int unsigned Registers = 2, Watched = 4;
  (* anyconst *) logic [EntryW:0]                    entries;
  (* anyconst *) logic [Registers-1:0][EntryW-1:0]   at_entry;
  (* anyconst *) logic [Watched-1:0][PlaceW-1:0]     at_place;
  (* anyconst *) logic [1:0][CountW-1:0]             chosen_bound;
  logic              merge, allocate, fill_used, fill_stale, fill_last, empty;
  logic [EntryW-1:0] entry;
  logic [LineW-1:0]  fill_line, send_line;
  logic [Width-1:0]  fill_waiter, send_waiter;

  mshr #(
    .Entries(Entries),
    .Places (Places),
    .LineW  (LineW),
    .Width  (Width)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .cfg_entries_i(entries),
    .stale_i,
    .miss_i,
    .line_i,
    .waiter_i,
    .merge_o      (merge),
    .allocate_o   (allocate),
    .new_entry_o  (),
    .come_entry_i (fill_entry_i),
    .come_used_o  (fill_used),
    .come_stale_o (fill_stale),
    .come_line_o  (fill_line),
    .fill_entry_i,
    .fill_waiter_o(fill_waiter),
    .fill_last_o  (fill_last),
    .pop_i,
    .send_new_i,
    .send_entry_i,
    .send_line_o  (send_line),
    .send_waiter_o(send_waiter),
    .empty_o      (empty)
  );

  // Registers of the module, what an edge changes, and the watched words of its memories, by their names in the whole
  logic [PlaceW-1:0] place, front, tail;
  logic [Watched-1:0][PlaceW-1:0] next;

  assign u_dut.u_next.watched   = at_place;
  assign u_dut.u_waiter.watched = at_place;
  assign u_dut.u_first.watched  = {Watched{at_entry[0]}};
  assign entry = u_dut.entry;
  assign place = u_dut.place;
  assign front = u_dut.front;
  assign tail  = u_dut.u_next.write_address_i;
  assign next  = u_dut.u_next.word_q;

  logic waits;
  assign waits = merge || allocate;

  // Registers: how many wait for the line, and the places of the first and the last of them
  logic [Registers-1:0][CountW-1:0] count_q;
  logic [Registers-1:0][PlaceW-1:0] first_q, last_q;
  logic [Registers-1:0]             enters, leaves;
  logic [CountW-1:0]                total_q;

  for (genvar i = 0; i < Registers; i++) begin : gen_register
    assign enters[i] = waits && entry == at_entry[i];
    assign leaves[i] = pop_i && fill_entry_i == at_entry[i];

    always_ff @(posedge clk_i or negedge rst_ni) begin : list
      if (!rst_ni) begin
        count_q[i] <= '0;
        first_q[i] <= '0;
        last_q[i]  <= '0;
      end else begin
        count_q[i] <= count_q[i] + CountW'(enters[i]) - CountW'(leaves[i]);
        if (enters[i]) last_q[i] <= place;
        if (enters[i] && allocate) first_q[i] <= place;
        else if (leaves[i]) first_q[i] <= u_dut.behind;
      end
    end
  end

  // ... and of register 0 the line, whether it is stale, and what the miss that asked for it brought
  logic [LineW-1:0] line_q;
  logic [Width-1:0] asker_q;
  logic             stale_q, stale, same, free;

  assign stale = stale_i ? count_q[0] != '0 : stale_q;
  assign same  = count_q[0] != '0 && !stale && line_q == line_i;
  assign free  = count_q[0] == '0 && {1'b0, at_entry[0]} < entries;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      stale_q <= 1'b0;
      total_q <= '0;
    end else begin
      stale_q <= stale && !(enters[0] && allocate);
      total_q <= total_q + CountW'(waits) - CountW'(pop_i);
    end
  end
  always_ff @(posedge clk_i) begin : contents
    if (enters[0] && allocate) line_q <= line_i;
    if (enters[0] && allocate) asker_q <= waiter_i;
  end

  // Places: for whose line it waits, how many are in front of it, and the place of the last of them
  (* anyseq *) logic [CountW-1:0] count_of_entry;  // those that wait for the line of a miss
  logic [Watched-1:0]             taken_q;
  logic [Watched-1:0][EntryW-1:0] owner_q;
  logic [Watched-1:0][CountW-1:0] ahead_q;
  logic [Watched-1:0][PlaceW-1:0] before_q;

  for (genvar k = 0; k < Watched; k++) begin : gen_place
    logic takes;
    assign takes = waits && place == at_place[k];

    always_ff @(posedge clk_i or negedge rst_ni) begin : taken
      if (!rst_ni) taken_q[k] <= 1'b0;
      else taken_q[k] <= takes || (taken_q[k] && !(pop_i && front == at_place[k]));
    end
    always_ff @(posedge clk_i) begin : list
      if (takes) owner_q[k] <= entry;
      if (takes) before_q[k] <= tail;
      if (takes) ahead_q[k] <= count_of_entry;
      else if (pop_i && fill_entry_i == owner_q[k]) ahead_q[k] <= ahead_q[k] - CountW'(1);
    end
  end

  // A waiter that is followed: one that waits in place 0 for the line of register 0
  logic             tracked_q, tracks;
  logic [CountW-1:0] turn_q;
  logic [Width-1:0] waiter_q;

  assign tracks = enters[0] && place == at_place[0] && track_i && !tracked_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : track
    if (!rst_ni) begin
      tracked_q <= 1'b0;
      turn_q    <= '0;
    end else if (tracks) begin
      tracked_q <= 1'b1;
      turn_q    <= count_q[0];
    end else if (tracked_q && leaves[0]) begin
      tracked_q <= turn_q != '0;
      turn_q    <= turn_q - CountW'(1);
    end
  end
  always_ff @(posedge clk_i) begin : waiter
    if (tracks) waiter_q <= waiter_i;
  end

  // How many places below a bound are taken (0), and taken by those that wait for the line of register 0 (1)
  localparam int unsigned Bounds = 5;
  logic [Bounds-1:0][CountW-1:0]      bound;
  logic [1:0][Bounds-1:0][CountW-1:0] below;
  logic [1:0][Watched-1:0]            counts;  // a place is one of these

  assign bound  = {CountW'(Places), CountW'(at_place[2]) + CountW'(1), CountW'(at_place[2]), chosen_bound};
  assign counts[0] = taken_q;
  for (genvar k = 0; k < Watched; k++) begin : gen_counts
    assign counts[1][k] = taken_q[k] && owner_q[k] == at_entry[0];
  end
  logic [1:0][Bounds-2:0][CountW-1:0] below_q;

  for (genvar b = 0; b < Bounds - 1; b++) begin : gen_bound
    always_ff @(posedge clk_i or negedge rst_ni) begin : count
      if (!rst_ni) begin
        below_q[0][b] <= '0;
        below_q[1][b] <= '0;
      end else begin
        below_q[0][b] <= below_q[0][b] + CountW'(waits && CountW'(place) < bound[b]) -
                         CountW'(pop_i && CountW'(front) < bound[b]);
        below_q[1][b] <= below_q[1][b] + CountW'(enters[0] && CountW'(place) < bound[b]) -
                         CountW'(leaves[0] && CountW'(front) < bound[b]);
      end
    end
  end
  assign below[0] = {total_q, below_q[0]};
  assign below[1] = {count_q[0], below_q[1]};

  // What is the same has the same words
  logic same_words;

  always_comb begin : compare_words
    same_words = at_entry[0] != at_entry[1] ||
                 {count_q[0], first_q[0], last_q[0]} == {count_q[1], first_q[1], last_q[1]};
    if (u_dut.u_first.word_q != {Watched{u_dut.u_first.word_q[0]}}) same_words = 1'b0;
    for (int k = 0; k < Watched; k++) begin
      for (int l = 0; l < k; l++) begin
        if (at_place[k] == at_place[l] &&
            {taken_q[k], owner_q[k], ahead_q[k], before_q[k], next[k], u_dut.u_waiter.word_q[k]} !=
            {taken_q[l], owner_q[l], ahead_q[l], before_q[l], next[l], u_dut.u_waiter.word_q[l]}) same_words = 1'b0;
      end
    end
  end

  // Between two edges: the module's registers beside those of the model
  logic [Registers-1:0] register_agrees;
  logic [Watched-1:0]   taken_agrees;
  logic                 line_agrees;

  for (genvar i = 0; i < Registers; i++) begin : gen_register_agrees
    assign register_agrees[i] = u_dut.used_q[at_entry[i]] == (count_q[i] != '0) &&
                                u_dut.first_q[at_entry[i]] == first_q[i] && u_dut.last_q[at_entry[i]] == last_q[i];
  end
  for (genvar k = 0; k < Watched; k++) begin : gen_taken_agrees
    assign taken_agrees[k] = u_dut.taken_q[at_place[k]] == taken_q[k];
  end
  assign line_agrees = count_q[0] == '0 ||
                       (u_dut.line_q[at_entry[0]] == line_q && u_dut.stale_q[at_entry[0]] == stale_q &&
                        u_dut.u_first.word_q[0] == asker_q);

  // ... the lists
  logic [Registers-1:0][Watched-1:0]              ends_agree, turn_agrees;
  logic [Registers-1:0][Watched-1:0][Watched-1:0] before_agrees, behind_agrees;
  logic                                           waiter_agrees;

  for (genvar i = 0; i < Registers; i++) begin : gen_list
    for (genvar k = 0; k < Watched; k++) begin : gen_first
      logic holds, is_first, is_last;
      assign holds    = taken_q[k] && owner_q[k] == at_entry[i];
      assign is_first = first_q[i] == at_place[k];
      assign is_last  = last_q[i] == at_place[k];
      assign ends_agree[i][k] = count_q[i] == '0 ||
                                ((!is_first || (holds && ahead_q[k] == '0)) &&
                                 (!is_last || (holds && ahead_q[k] == count_q[i] - CountW'(1))));
      assign turn_agrees[i][k] = !holds || (ahead_q[k] < count_q[i] && (is_first || ahead_q[k] != '0) &&
                                            (is_last || ahead_q[k] != count_q[i] - CountW'(1)));
      for (genvar l = 0; l < Watched; l++) begin : gen_second
        logic holds_both;
        assign holds_both = taken_q[l] && owner_q[l] == at_entry[i];
        assign before_agrees[i][k][l] = !holds || is_first || before_q[k] != at_place[l] ||
                                        (holds_both && ahead_q[l] == ahead_q[k] - CountW'(1) &&
                                         next[l] == at_place[k]);
        assign behind_agrees[i][k][l] = !holds || is_last || next[k] != at_place[l] ||
                                        (holds_both && ahead_q[l] == ahead_q[k] + CountW'(1) &&
                                         before_q[l] == at_place[k]);
      end
    end
  end
  assign waiter_agrees = !tracked_q || (taken_q[0] && owner_q[0] == at_entry[0] && ahead_q[0] == turn_q &&
                                        u_dut.u_waiter.word_q[0] == waiter_q);

  // ... and the numbers of places: between two bounds no more are taken than there are, and a place counts as one
  logic [1:0][Bounds-1:0][Bounds-1:0] between_agrees;
  logic [1:0]                         one_agrees, changed_agrees, edges_agree;

  for (genvar s = 0; s < 2; s++) begin : gen_sum
    for (genvar a = 0; a < Bounds; a++) begin : gen_from
      for (genvar b = 0; b < Bounds; b++) begin : gen_to
        assign between_agrees[s][a][b] = bound[a] > bound[b] || below[s][b] - below[s][a] <= bound[b] - bound[a];
      end
    end
    assign one_agrees[s]     = bound[0] != CountW'(at_place[0]) || bound[1] != CountW'(at_place[0]) + CountW'(1) ||
                               below[s][1] == below[s][0] + CountW'(counts[s][0]);
    assign changed_agrees[s] = below[s][3] == below[s][2] + CountW'(counts[s][2]);
    assign edges_agree[s]    = (bound[0] != '0 || below[s][0] == '0) &&
                               (bound[1] != CountW'(Places) || below[s][1] == below[s][Bounds-1]);
  end

  // ... so that all places that are taken, one by one, are as many as all waiters
  logic [CountW-1:0] all_taken;

  always_comb begin : count_taken
    all_taken = '0;
    for (int p = 0; p < Places; p++) all_taken = all_taken + CountW'(u_dut.taken_q[p]);
  end

  // What the edge does to the registers and places
  logic [Registers-1:0] ends_are_read, list_fits;
  logic [Watched-1:0]   place_is_free;

  for (genvar i = 0; i < Registers; i++) begin : gen_at_register
    logic fills, waits_here;
    assign fills      = fill_entry_i == at_entry[i];
    assign waits_here = waits && entry == at_entry[i];
    assign ends_are_read[i] = (!fills || (front == first_q[i] && fill_last == (first_q[i] == last_q[i]) &&
                                          fill_used == (count_q[i] != '0))) &&
                              (!waits_here || (tail == last_q[i] && merge == (count_q[i] != '0)));
    assign list_fits[i]     = count_q[i] <= CountW'(Places) && (!waits || count_q[i] != CountW'(Places));
  end
  for (genvar k = 0; k < Watched; k++) begin : gen_at_place
    assign place_is_free[k] = !waits || place != at_place[k] || !taken_q[k];
  end

  // The step
  logic stepped_q, followed_q;  // after an edge: it was the step; what follows at the step was true
  logic agrees, of_them, follows;

  assign of_them = at_entry[1] == (miss_i ? entry : fill_entry_i) && at_place[2] == (pop_i ? front : place) &&
                   at_place[3] == before_q[0];
  assign agrees  = register_agrees == '1 && taken_agrees == '1 && line_agrees && ends_agree == '1 &&
                   turn_agrees == '1 && before_agrees == '1 && behind_agrees == '1 && waiter_agrees &&
                   between_agrees == '1 && one_agrees == '1 && changed_agrees == '1 && edges_agree == '1 &&
                   all_taken == total_q;
  assign follows = ends_are_read == '1 && list_fits == '1 && place_is_free == '1;

  always_ff @(posedge clk_i or negedge rst_ni) begin : step
    if (!rst_ni) begin
      stepped_q  <= 1'b1;
      followed_q <= 1'b1;
    end else begin
      stepped_q  <= step_i;
      followed_q <= !step_i || follows;
    end
  end

  // The lowest register in use, if there is one
  logic [EntryW-1:0] lowest_used;

  always_comb begin : find_used
    lowest_used = '0;
    for (int e = Entries - 1; e >= 0; e--) begin
      if (u_dut.used_q[e]) lowest_used = EntryW'(e);
    end
  end

  logic its_turn, fills;
  assign fills    = fill_entry_i == at_entry[0];
  assign its_turn = fills && tracked_q && turn_q == '0;

  always_comb begin : properties
    PopsAWaiter: assume ((!leaves[0] || count_q[0] != '0) && (!leaves[1] || count_q[1] != '0));
    FillsOrMisses: assume (!(pop_i && miss_i));
    EntriesFit: assume (entries <= (EntryW+1)'(Entries));
    BoundsFit: assume (chosen_bound[0] <= CountW'(Places) && chosen_bound[1] <= CountW'(Places));
    CountIsOfTheEntry: assume ((!enters[0] || count_of_entry == count_q[0]) &&
                               (!enters[1] || count_of_entry == count_q[1]));
    SameIsTheSame: assume (same_words);
    StepIsOfThem: assume (!step_i || of_them);
    AgreedBefore: assume (!step_i || agrees);
    FollowedBefore: assume (followed_q);

    RegisterAgrees: assert (!stepped_q || register_agrees[0]);
    TakenAgrees: assert (!stepped_q || taken_agrees[0]);
    LineAgrees: assert (!stepped_q || line_agrees);
    EndsAgree: assert (!stepped_q || ends_agree[0][0]);
    TurnAgrees: assert (!stepped_q || turn_agrees[0][0]);
    BeforeAgrees: assert (!stepped_q || before_agrees[0][0][1]);
    BehindAgrees: assert (!stepped_q || behind_agrees[0][0][1]);
    WaiterAgrees: assert (!stepped_q || waiter_agrees);
    NumbersAgree: assert (!stepped_q || (between_agrees[0][0][1] && between_agrees[1][0][1] && one_agrees == '1 &&
                                         edges_agree == '1));

    EndsAreReadAtAnEdge: assert (!step_i || ends_are_read[0]);
    ListFitsAtAnEdge: assert (!step_i || chosen_bound[0] != '0 || list_fits[0]);
    PlaceIsFreeAtAnEdge: assert (!step_i || place_is_free[0]);

    AsksOnce: assert (!step_i || !allocate || (!same && (!enters[0] || free)));
    MergesWhereItsLineIs: assert (!step_i || !merge || !enters[0] || same);
    RefusesOnlyWhenFull: assert (!step_i || chosen_bound[0] != '0 ||
                                 (waits ? miss_i && total_q < CountW'(Places) :
                                          !miss_i || total_q == CountW'(Places) || (!same && !free)));
    ServesInTurn: assert (!step_i || !its_turn || fill_waiter == waiter_q);
    LosesNone: assert (!step_i || !fills || !tracked_q || fill_used);
    LastIsTrue: assert (!step_i || !fills || count_q[0] == '0 || front != at_place[0] ||
                        fill_last == (count_q[0] == CountW'(1)));
    LineIsTrue: assert (!step_i || !fills || count_q[0] == '0 || (fill_line == line_q && fill_stale == stale));
    SendsItsFirst: assert (!step_i || (!send_new_i && (send_entry_i != at_entry[0] || count_q[0] == '0)) ||
                           (send_line == (send_new_i ? line_i : line_q) &&
                            send_waiter == (send_new_i ? waiter_i : asker_q)));
    EmptyIsTrue: assert (!step_i || (empty ? count_q[0] == '0 : lowest_used != at_entry[0] || count_q[0] != '0));
    AllPlacesTaken: cover (step_i && total_q == CountW'(Places) && its_turn && !fill_last);
    StaleLineIsAskedAgain: cover (step_i && allocate && fills && fill_stale && fill_line == line_i && count_q[0] != '0);
  end
endmodule
