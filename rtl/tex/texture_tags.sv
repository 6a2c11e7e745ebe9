// SPDX-License-Identifier: Apache-2.0
// The tags of the first-level texture cache: TextureCache::look_up() of hw/tex/texture_cache.h, where the least
// recently used line leaves. Each port looks a line up; all of them see the tags of earlier edges. Ports are served in
// their order, up to the first one
//   whose line is the second that misses, or misses while no row is free for the line that comes,
//   whose line leaves at this edge, or whose line finds only ways in use at this edge.
//
// Each port finds the way that its line would get while it is not known yet whether it misses. The uses and the fill of
// an edge change the tags at the next one, in front of the lookups.
module texture_tags #(
  parameter int unsigned Ports  = 4,
  parameter int unsigned LineW  = 27,
  parameter int unsigned Sets   = 8,
  parameter int unsigned Ways   = 20,
  localparam int unsigned SetW  = $clog2(Sets),
  localparam int unsigned TagW  = LineW - SetW,
  localparam int unsigned WayW  = $clog2(Ways),
  localparam int unsigned SlotW = SetW + WayW,
  localparam int unsigned Pairs = Ways * (Ways - 1) / 2
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         flush_i,     // all lines leave, before the lookups
  // From texel_ports: the lines that have not been served
  input  logic [Ports-1:0]             taken_i,
  input  logic [Ports-1:0][LineW-1:0]  line_i,
  input  logic [Ports-1:0][Sets-1:0]   set_i,       // alone in a mask
  // From the rows of lines that come
  input  logic                         may_miss_i,  // one is free
  // To the queue in front of the data
  output logic [Ports-1:0]             served_o,
  output logic                         all_o,       // all that look up are served
  output logic [Ports-1:0][SlotW-1:0]  slot_o,      // set and way
  output logic                         miss_o,      // one of them brings its line in
  output logic [SlotW-1:0]             miss_slot_o
);
  // Registers
  logic [Sets-1:0][Ways-1:0]           valid_q;
  logic [Sets-1:0][Ways-1:0][TagW-1:0] tag_q;
  logic [Sets-1:0][Pairs-1:0]          younger_q;  // which way of a pair is (texture_port.sv)
  // Of the last edge: the ways that the ports used, and the line that misses
  logic [Ports-1:0]                    served, used_q;
  logic [Ports-1:0][Sets-1:0]          set, set_q;
  logic [Ports-1:0][Ways-1:0]          way, way_q;
  logic                                fills_q;
  logic [Sets-1:0]                     fill_set, fill_set_q;
  logic [Ways-1:0]                     fill_way, fill_way_q;
  logic [TagW-1:0]                     fill_tag, fill_tag_q;

  // What the lookups see
  logic [Sets-1:0][Ways-1:0]           valid, free;
  logic [Sets-1:0][Ways-1:0][TagW-1:0] tag;
  logic [Sets-1:0][Pairs-1:0]          younger;

  for (genvar s = 0; s < Sets; s++) begin : gen_set
    logic [Ways-1:0] fills, empty_below;

    assign fills    = fills_q && fill_set_q[s] ? fill_way_q : '0;
    assign valid[s] = flush_i ? '0 : valid_q[s] | fills;
    for (genvar w = 0; w < Ways; w++) begin : gen_way
      assign tag[s][w] = fills[w] ? fill_tag_q : tag_q[s][w];
    end

    always_comb begin : find_free
      empty_below = ~valid[s] << 1;
      for (int i = 1; i < Ways; i = 2 * i) empty_below = empty_below | (empty_below << i);
    end
    assign free[s] = ~valid[s] & ~empty_below;

    // The ports have used their lines one after the other.
    always_comb begin : age
      logic [Ways-1:0] used;
      younger[s] = younger_q[s];
      for (int p = 0; p < Ports; p++) begin
        used = used_q[p] && set_q[p][s] ? way_q[p] : '0;
        for (int b = 1; b < Ways; b++) begin
          for (int a = 0; a < b; a++) begin
            younger[s][b*(b-1)/2+a] = used[a] || (younger[s][b*(b-1)/2+a] && !used[b]);
          end
        end
      end
    end
  end

  // The lookups
  logic [Ports-1:0][Ways-1:0]  match, oldest, in_use, gets;
  logic [Ports-1:0]            full;
  logic [Ports-1:0][WayW-1:0]  match_number, gets_number;
  logic [Ports-1:0][Ports-1:0] same_set;

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign set[p] = taken_i[p] ? set_i[p] : '0;
    texture_port #(
      .Sets(Sets),
      .Ways(Ways),
      .TagW(TagW)
    ) u_port (
      .valid_i       (valid),
      .tag_i         (tag),
      .free_i        (free),
      .younger_i     (younger),
      .set_i         (set[p]),
      .line_i        (line_i[p][LineW-1:SetW]),
      .in_use_i      (in_use[p]),
      .full_o        (full[p]),
      .match_o       (match[p]),
      .oldest_o      (oldest[p]),
      .gets_o        (gets[p]),
      .match_number_o(match_number[p]),
      .gets_number_o (gets_number[p])
    );
    for (genvar q = 0; q < Ports; q++) begin : gen_other
      assign same_set[p][q] = (set[p] & set[q]) != '0;
    end
    always_comb begin : find_uses
      in_use[p] = '0;
      for (int q = 0; q < p; q++) begin
        if (same_set[p][q]) in_use[p] = in_use[p] | match[q];
      end
    end
  end

  // What is served
  logic [Ports-1:0] misses, first_miss, fills, refused;

  always_comb begin : serve
    for (int p = 0; p < Ports; p++) misses[p] = taken_i[p] && match[p] == '0;
    first_miss = misses & ~(misses - 1'b1);
    for (int p = 0; p < Ports; p++) begin
      // With more ways than ports one is free of them.
      fills[p]   = first_miss[p] && may_miss_i && (Ways >= Ports || gets[p] != '0);
      refused[p] = misses[p] && !fills[p];
      way[p]     = misses[p] ? gets[p] : match[p];
      // Its line leaves for one that comes.
      for (int q = 0; q < p; q++) begin
        if (first_miss[q] && same_set[p][q] && full[q] && (match[p] & oldest[q]) != '0) refused[p] = 1'b1;
      end
    end
    for (int p = 0; p < Ports; p++) served[p] = taken_i[p] && (refused & ((Ports'(2) << p) - 1'b1)) == '0;
  end

  // Slots in binary
  logic [Ports-1:0][SlotW-1:0] slot;
  logic [SlotW-1:0]            miss_slot;

  always_comb begin : encode
    miss_slot = '0;
    fill_set  = '0;
    fill_way  = '0;
    fill_tag  = '0;
    for (int p = 0; p < Ports; p++) begin
      slot[p] = {line_i[p][SetW-1:0], misses[p] ? gets_number[p] : match_number[p]};
      if (first_miss[p]) miss_slot = miss_slot | {line_i[p][SetW-1:0], gets_number[p]};
      if (first_miss[p]) fill_set = fill_set | set[p];
      if (first_miss[p]) fill_way = fill_way | gets[p];
      if (first_miss[p]) fill_tag = fill_tag | line_i[p][LineW-1:SetW];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_with_reset
    if (!rst_ni) begin
      valid_q <= '0;
      fills_q <= 1'b0;
    end else begin
      valid_q <= valid;
      fills_q <= fills != '0;
    end
  end
  always_ff @(posedge clk_i) begin : registers
    tag_q       <= tag;
    younger_q   <= younger;
    used_q      <= served;
    set_q       <= set;
    way_q       <= way;
    fill_set_q  <= fill_set;
    fill_way_q  <= fill_way;
    fill_tag_q  <= fill_tag;
    served_o    <= served;
    all_o       <= refused == '0;
    slot_o      <= slot;
    miss_o      <= fills != '0;
    miss_slot_o <= miss_slot;
  end
endmodule
