// SPDX-License-Identifier: Apache-2.0
// Results of SFUs, multipliers and fp64 unit that have no slot yet, in the order in which they were announced. A unit
// may go on: when the last lanes of a result that waits arrive, its row goes into a memory. Each unit has one, as all
// of them may complete a result at once.
module waiting_results #(
  localparam int unsigned Units  = 3,
  localparam int unsigned Depth  = g80_pkg::MaxWaitingResults,
  localparam int unsigned IndexW = $clog2(Depth),
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned AheadW = g80_pkg::ResultAheadWidth,
  localparam int unsigned RowW   = g80_pkg::ResultRowWidth - 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  logic [Units-1:0]             push_i,
  input  logic [Units-1:0][AheadW-1:0] ahead_i,      // result_ahead_t
  input  logic [Units-1:0]             completes_i,  // the last lanes of a unit's result arrive
  input  logic [Units-1:0][RowW-1:0]   row_i,        // result_row_t without `whole`
  input  logic                         pop_i,

  // The oldest one, also if it arrives or is completed in this cycle
  output logic                         valid_o,
  output g80_pkg::result_ahead_t       ahead_o,
  output g80_pkg::exec_unit_e          unit_o,
  output logic                         whole_o,
  output logic                         empty_next_o,

  // The place of the one that was the oldest in the last cycle, and its row if it is whole
  output logic [IndexW-1:0]            place_o,
  output logic [RowW-1:0]              row_o
);
  logic [IndexW-1:0]            head_d, head_q;
  logic [CountW-1:0]            count_d, count_q;
  logic [Depth-1:0][1:0]        unit_d, unit_q;    // exec_unit_e
  logic [Depth-1:0]             whole_d, whole_q;
  logic [IndexW-1:0]            place_d, place_q;  // to be read
  logic [1:0]                   place_unit_d, place_unit_q;

  logic [AheadW-1:0]            oldest;
  logic [1:0]                   oldest_unit;

  // Those that are announced, one behind the other
  logic [Units-1:0][IndexW-1:0] place;
  logic [1:0]                   pushed;
  logic [AheadW-1:0]            first;
  logic [1:0]                   first_unit;

  always_comb begin : push
    pushed     = '0;
    first      = '0;
    first_unit = '0;
    for (int u = Units - 1; u >= 0; u--) begin
      if (push_i[u]) begin
        first      = ahead_i[u];
        first_unit = 2'(u + 1);
      end
    end
    for (int u = 0; u < Units; u++) begin
      place[u] = head_q + IndexW'(count_q) + IndexW'(pushed);
      pushed   = pushed + 2'(push_i[u]);
    end
  end

  // Those that wait
  logic [Depth-1:0]            used;
  logic [Depth-1:0][Units-1:0] completed;

  for (genvar e = 0; e < Depth; e++) begin : gen_entry
    logic [IndexW-1:0] behind;

    assign behind  = IndexW'(e) - head_q;
    assign used[e] = CountW'(behind) < count_q;

    for (genvar u = 0; u < Units; u++) begin : gen_completed
      assign completed[e][u] = completes_i[u] && used[e] && unit_q[e] == 2'(u + 1) && !whole_q[e];
    end

    always_comb begin : next_entry
      unit_d[e]  = unit_q[e];
      whole_d[e] = whole_q[e] || completed[e] != '0;
      for (int u = 0; u < Units; u++) begin
        if (push_i[u] && place[u] == IndexW'(e)) begin
          unit_d[e]  = 2'(u + 1);
          whole_d[e] = 1'b0;
        end
      end
    end
  end

  assign head_d  = head_q + IndexW'(pop_i);
  assign count_d = count_q + CountW'(pushed) - CountW'(pop_i);

  logic waits;

  assign waits        = count_q != '0;
  assign valid_o      = waits || pushed != '0;
  assign ahead_o      = waits ? oldest : first;
  assign unit_o       = g80_pkg::exec_unit_e'(waits ? unit_q[head_q] : first_unit);
  assign whole_o      = waits && whole_d[head_q];
  assign empty_next_o = count_d == '0;
  assign place_d      = valid_o ? head_q : place_q;
  assign place_unit_d = valid_o ? unit_o - 2'd1 : place_unit_q;
  assign place_o      = place_q;

  // What is announced, and the rows. Only fp64 results have two words.
  localparam int unsigned LowW  = g80_pkg::LaneWordsWidth;
  localparam int unsigned FlagW = g80_pkg::LaneFlagsWidth;
  localparam logic [Units-1:0] Exists = {g80_pkg::HasDp != 0, g80_pkg::HasMultipliers != 0, 1'b1};

  logic [Units-1:0][Depth-1:0]  completed_of;
  logic [Units-1:0][AheadW-1:0] ahead;
  logic [Units-1:0][RowW-1:0]   row;

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    logic [IndexW-1:0] place_completed;

    for (genvar e = 0; e < Depth; e++) begin : gen_turned
      assign completed_of[u][e] = completed[e][u];
    end

    always_comb begin : find_place
      place_completed = '0;
      for (int e = 0; e < Depth; e++) begin
        if (completed_of[u][e]) place_completed = place_completed | IndexW'(e);
      end
    end

    if (Exists[u]) begin : gen_memories
      localparam int unsigned HighW = u == int'(g80_pkg::ExecUnitDp) - 1 ? LowW : 0;

      logic [LowW+HighW+FlagW-1:0] kept;

      sram_1r1w #(
        .Words(Depth),
        .Width(AheadW)
      ) u_ahead (
        .clk_i,
        .write_i        (push_i[u]),
        .write_address_i(place[u]),
        .write_data_i   (ahead_i[u]),
        .read_address_i (head_q),
        .read_data_o    (ahead[u])
      );
      sram_1r1w #(
        .Words(Depth),
        .Width(LowW + HighW + FlagW)
      ) u_rows (
        .clk_i,
        .write_i        (completed_of[u] != '0),
        .write_address_i(place_completed),
        .write_data_i   ({row_i[u][RowW-1-:LowW+HighW], row_i[u][FlagW-1:0]}),
        .read_address_i (place_q),
        .read_data_o    (kept)
      );
      assign row[u] = RowW'(kept[LowW+HighW+FlagW-1:FlagW]) << (FlagW + LowW - HighW) | RowW'(kept[FlagW-1:0]);
    end else begin : gen_none
      assign ahead[u] = '0;
      assign row[u]   = '0;
    end
  end
  assign oldest_unit = unit_q[head_q] - 2'd1;
  assign oldest      = ahead[oldest_unit];
  assign row_o       = row[place_unit_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      head_q  <= '0;
      count_q <= '0;
      place_q <= '0;
    end else begin
      head_q  <= head_d;
      count_q <= count_d;
      place_q <= place_d;
    end
  end
  always_ff @(posedge clk_i) begin : entries
    unit_q       <= unit_d;
    whole_q      <= whole_d;
    place_unit_q <= place_unit_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PushHasRoom: assert (count_q + CountW'(pushed) <= CountW'(Depth));
      PopHasAnEntry: assert (!pop_i || valid_o);
      OneWaitsForItsLanes: assert ($onehot0(completed_of[0]) && $onehot0(completed_of[1]) &&
                                   $onehot0(completed_of[2]));
    end
  end
endmodule
