// SPDX-License-Identifier: Apache-2.0
// What the DRAM controller searches: the sector of a burst that enters, the choice of one bank with the ages of the
// window, and the command.
module fr_fcfs_stages (
  input  logic              clk_i,
  input  logic [26:0]       sector_i,
  input  logic [127:0]      youngest_i,
  input  logic [6:0]        written_slot_i,
  input  logic [26:0]       written_sector_i,
  output logic              found_o,
  output logic [6:0]        found_slot_o,

  input  logic              enter_i,
  input  logic [5:0]        enter_slot_i,
  input  logic [19:0]       enter_order_i,
  input  logic [63:0]       of_bank_i,
  input  logic [63:0]       ordered_i,
  input  logic [63:0]       row_hit_i,
  input  logic [63:0][21:0] row_i,
  input  logic              activates_i,
  input  logic              precharges_i,
  input  logic [21:0]       activated_row_i,
  input  logic              next_i,
  input  logic [5:0]        next_slot_i,
  output logic [63:0]       row_hit_o,
  output logic              first_valid_o,
  output logic              first_row_hit_o,
  output logic [5:0]        first_slot_o,
  output logic [19:0]       first_order_o,
  output logic              oldest_valid_o,
  output logic              oldest_row_hit_o,
  output logic [5:0]        oldest_slot_o,
  output logic [19:0]       oldest_order_o,

  input  logic              rst_ni,
  input  logic              issued_i,
  input  logic              issued_write_i,
  input  logic [5:0]        issued_slot_i,
  output logic              followed_o,
  output logic [3:0]        place_o,
  output logic [5:0]        oldest_of_all_o,
  output logic              alone_o,
  output logic [15:0]       bypassed_o,

  input  logic [3:0][7:0][27:0] choice_i,
  input  logic              draining_i,
  input  logic              oldest_only_i,
  input  logic              followed_i,
  input  logic              followed_write_i,
  input  logic [2:0]        followed_bank_i,
  input  logic [1:0][63:0][21:0] rows_i,
  input  logic [1:0][63:0][15:0] column_i,
  input  logic [1:0][63:0][7:0] next_of_i,
  input  logic [7:0]        open_i,
  input  logic [7:0]        may_activate_i,
  input  logic [7:0]        may_precharge_i,
  input  logic [1:0][7:0]   may_move_i,
  input  logic [7:0]        busy_i,
  input  logic              may_open_i,
  output logic              activate_o,
  output logic              precharge_o,
  output logic              move_o,
  output logic              write_o,
  output logic [2:0]        bank_o,
  output logic [5:0]        slot_o,
  output logic [21:0]       address_o,
  output logic [7:0]        next_o
);
  logic [63:0][63:0] older;
  logic [63:0][19:0] order;

  logic [127:0][26:0] sector_of;
  always_ff @(posedge clk_i) sector_of[written_slot_i] <= written_sector_i;

  youngest_of_sector u_sector (
    .clk_i,
    .sector_i,
    .issued_i,
    .issued_slot_i({issued_write_i, issued_slot_i}),
    .youngest_i,
    .sector_of_i(sector_of),
    .found_o,
    .slot_o     (found_slot_o)
  );
  burst_ages u_ages (
    .clk_i,
    .enter_i,
    .slot_i (enter_slot_i),
    .order_i(enter_order_i),
    .older_o(older),
    .order_o(order)
  );
  choose_of_bank u_choose (
    .clk_i,
    .older_i(older),
    .order_i(order),
    .of_bank_i,
    .ordered_i,
    .row_hit_i,
    .row_i,
    .issued_i,
    .issued_slot_i,
    .next_i,
    .next_slot_i,
    .activates_i,
    .precharges_i,
    .activated_row_i,
    .row_hit_o,
    .first_valid_o,
    .first_row_hit_o,
    .first_slot_o,
    .first_order_o,
    .oldest_valid_o,
    .oldest_row_hit_o,
    .oldest_slot_o,
    .oldest_order_o
  );
  logic [15:0]       oldest_valid;
  logic [15:0][5:0]  oldest_slot;
  logic [15:0][19:0] oldest_order;
  for (genvar place = 0; place < 16; place++) begin : gen_place
    localparam int unsigned Choice = 2 + place / 8;
    assign oldest_valid[place] = choice_i[Choice][place%8][27];
    assign oldest_slot[place]  = choice_i[Choice][place%8][25:20];
    assign oldest_order[place] = choice_i[Choice][place%8][19:0];
  end
  oldest_burst #(
    .Limit(5)
  ) u_oldest (
    .clk_i,
    .rst_ni,
    .valid_i(oldest_valid),
    .slot_i (oldest_slot),
    .order_i(oldest_order),
    .issued_i,
    .issued_write_i,
    .issued_slot_i,
    .valid_o(followed_o),
    .place_o,
    .slot_o (oldest_of_all_o),
    .alone_o,
    .bypassed_o
  );
  pick_request u_pick (
    .clk_i,
    .choice_i,
    .draining_i,
    .oldest_only_i,
    .oldest_valid_i(followed_i),
    .oldest_write_i(followed_write_i),
    .oldest_bank_i (followed_bank_i),
    .row_i         (rows_i),
    .column_i,
    .next_i        (next_of_i),
    .open_i,
    .may_activate_i,
    .may_precharge_i,
    .may_move_i,
    .busy_i,
    .may_open_i,
    .activate_o,
    .precharge_o,
    .move_o,
    .write_o,
    .bank_o,
    .slot_o,
    .address_o,
    .next_o
  );
endmodule
