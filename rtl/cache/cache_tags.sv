// SPDX-License-Identifier: Apache-2.0
// The tags of a set-associative cache, as hw/cache/cache_tags.h: which line is in which slot, and which line leaves.
//
// A slot is the number of the set, then that of the way in as many bits as the ways need. The memories have a row for
// sixteen slots: one set of sixteen ways, or several of fewer. A look-up compares a row, and only the lanes of its set
// count. The order in which lanes were used is kept for a row; only comparisons within a set are asked for.
module cache_tags #(
  parameter int unsigned Slots = 2048,
  parameter int unsigned LineW = 27,
  localparam int unsigned Lanes   = 16,
  localparam int unsigned LaneW   = $clog2(Lanes),
  localparam int unsigned SlotW   = $clog2(Slots),
  localparam int unsigned Rows    = Slots / Lanes,
  localparam int unsigned RowW    = $clog2(Rows),
  localparam int unsigned Pairs   = Lanes * (Lanes - 1) / 2
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  // Straps
  input  logic [SlotW-1:0]               cfg_set_mask_i,  // number of sets - 1
  input  logic [LaneW:0]                 cfg_ways_i,
  input  logic [2:0]                     cfg_way_bits_i,  // of the number of a way
  input  g80_pkg::replacement_policy_e   cfg_policy_i,

  input  logic                           clear_i,         // all lines leave, before the look-up
  input  logic [LineW-1:0]               line_i,
  input  logic                           use_i,           // counts as a use if it is a hit
  input  logic                           insert_i,        // the line gets a slot, if it has none, and counts as used
  output logic                           hit_o,
  output logic [SlotW-1:0]               hit_slot_o,      // that the line has
  output logic [SlotW-1:0]               slot_o           // ... or would get
);
  localparam logic [31:0] FirstRandom = 32'd1;

  // Registers
  logic [Rows-1:0][Lanes-1:0] valid_d, valid_q;
  logic [31:0]                random_d, random_q;  // a linear feedback shift register, x^32 + x^22 + x^2 + x + 1

  // The lanes of the set
  logic [SlotW-1:0] first_slot;
  logic [RowW-1:0]  row;
  logic [LaneW-1:0] way_mask;
  logic [Lanes-1:0] in_set, valid, same, free;
  logic             has_free;
  logic [LaneW-1:0] match_lane, free_lane, lane;

  assign first_slot = (line_i[SlotW-1:0] & cfg_set_mask_i) << cfg_way_bits_i;
  assign row        = first_slot[SlotW-1:LaneW];
  assign way_mask   = ~(LaneW'('1) << cfg_way_bits_i);
  assign valid      = clear_i ? '0 : valid_q[row];

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [LineW-1:0] tag;

    sram_1rw #(
      .Words(Rows),
      .Width(LineW)
    ) u_tag (
      .clk_i,
      .address_i(row),
      .write_i  (insert_i && lane == LaneW'(l)),
      .data_i   (line_i),
      .data_o   (tag)
    );
    assign in_set[l]  = (LaneW'(l) & ~way_mask) == first_slot[LaneW-1:0] && {1'b0, LaneW'(l) & way_mask} < cfg_ways_i;
    assign same[l] = in_set[l] && valid[l] && tag == line_i;
    assign free[l]    = in_set[l] && !valid[l];
  end

  // The victim of a full set
  logic [Pairs-1:0]  younger, younger_next;
  logic [Lanes-1:1]  upper, upper_next;
  logic [LaneW-1:0]  oldest, tree_victim, victim;
  logic [31:0]       random_now;
  logic [LaneW+15:0] scaled;      // a random number below the number of ways, and a fraction

  assign random_now = clear_i ? FirstRandom : random_q;

  sram_1rw #(
    .Words(Rows),
    .Width(Pairs)
  ) u_younger (
    .clk_i,
    .address_i(row),
    .write_i  (insert_i || (use_i && hit_o && cfg_policy_i != g80_pkg::ReplaceFifo)),
    .data_i   (younger_next),
    .data_o   (younger)
  );
  age_matrix #(.Lanes(Lanes)) u_age (
    .younger_i   (younger),
    .candidates_i(in_set),
    .oldest_o    (oldest),
    .used_i      (lane),
    .younger_o   (younger_next)
  );

  sram_1rw #(
    .Words(Rows),
    .Width(Lanes - 1)
  ) u_upper (
    .clk_i,
    .address_i(row),
    .write_i  (insert_i || (use_i && hit_o)),
    .data_i   (upper_next),
    .data_o   (upper)
  );
  use_tree #(.Lanes(Lanes)) u_tree (
    .upper_i     (upper),
    .candidates_i(in_set),
    .victim_o    (tree_victim),
    .used_i      (lane),
    .upper_o     (upper_next)
  );

  assign scaled = (LaneW+16)'(random_now[15:0]) * (LaneW+16)'(cfg_ways_i);

  always_comb begin : choose_victim
    case (cfg_policy_i)
      g80_pkg::ReplaceRandom:    victim = first_slot[LaneW-1:0] | scaled[LaneW+15:16];
      g80_pkg::ReplacePseudoLru: victim = tree_victim;
      default:                   victim = oldest;  // by use or, under fifo, by arrival
    endcase
  end

  // The lane of the line
  lowest_set #(.Width(Lanes)) u_match (
    .mask_i (same),
    .found_o(hit_o),
    .index_o(match_lane)
  );
  lowest_set #(.Width(Lanes)) u_free (
    .mask_i (free),
    .found_o(has_free),
    .index_o(free_lane)
  );
  assign lane       = hit_o ? match_lane : has_free ? free_lane : victim;
  assign slot_o     = {row, lane};
  assign hit_slot_o = {row, match_lane};

  always_comb begin : next_valid
    valid_d = clear_i ? '0 : valid_q;
    if (insert_i) valid_d[row][lane] = 1'b1;
  end

  // Eight steps for each line that comes in
  always_comb begin : next_random
    random_d = random_now;
    if (insert_i && !hit_o) begin
      for (int i = 0; i < 8; i++)
        random_d = {random_d[30:0], random_d[31] ^ random_d[21] ^ random_d[1] ^ random_d[0]};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      valid_q  <= '0;
      random_q <= FirstRandom;
    end else begin
      valid_q  <= valid_d;
      random_q <= random_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      LineHasOneSlot: assert ((same & (same - Lanes'(1))) == '0);
      LineStaysInItsSet: assert (!insert_i || in_set[lane]);
    end
  end
endmodule
