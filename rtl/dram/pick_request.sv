// SPDX-License-Identifier: Apache-2.0
// The stage `command` of the DRAM controller: pick_request() of hw/dram/fr_fcfs.h. Of what the banks want and may have
// now in the direction of the data bus, a column command goes before ACT and PRE, and the oldest burst first inside
// each kind; or only what the oldest burst of all wants. All pairs of banks are compared at once. Row or column come
// from the burst's slot in the window, and the burst that follows in its sector, which may be the one that enters now.
module pick_request #(
  parameter int unsigned Banks   = 8,
  parameter int unsigned Slots   = 64,
  parameter int unsigned OrderW  = 20,
  parameter int unsigned RowW    = 22,
  parameter int unsigned ColumnW = 16,
  parameter int unsigned NextW   = 8,
  localparam int unsigned SlotW  = $clog2(Slots),
  localparam int unsigned BankW  = $clog2(Banks),
  localparam int unsigned BurstW = 2 + SlotW + OrderW
) (
  input  logic                                clk_i,
  // From choose_of_bank of each bank: valid, row_hit, slot, order of the reads that go first, of such writes, of the
  // oldest read, of the oldest write
  input  logic [3:0][Banks-1:0][BurstW-1:0]   choice_i,
  input  logic                                draining_i,  // the direction is that of writes
  // From oldest_burst
  input  logic                                oldest_only_i,
  input  logic                                oldest_valid_i,
  input  logic                                oldest_write_i,
  input  logic [BankW-1:0]                    oldest_bank_i,
  // From the window, the reads first
  input  logic [1:0][Slots-1:0][RowW-1:0]     row_i,
  input  logic [1:0][Slots-1:0][ColumnW-1:0]  column_i,
  input  logic [1:0][Slots-1:0][NextW-1:0]    next_i,  // with what youngest_of_sector finds at this edge
  // From the banks: the row is open; no timer forbids the command
  input  logic [Banks-1:0]                    open_i,
  input  logic [Banks-1:0]                    may_activate_i,
  input  logic [Banks-1:0]                    may_precharge_i,
  input  logic [1:0][Banks-1:0]               may_move_i,  // RD; WR
  input  logic [Banks-1:0]                    busy_i,      // was given a command at the last edge
  input  logic                                may_open_i,  // there is time before the next refresh
  // To the command bus
  output logic                                activate_o,
  output logic                                precharge_o,
  output logic                                move_o,  // RD or WR
  output logic                                write_o,
  output logic [BankW-1:0]                    bank_o,
  output logic [SlotW-1:0]                    slot_o,
  output logic [RowW-1:0]                     address_o,  // ACT: the row; RD, WR: the column
  // To choose_of_bank
  output logic [NextW-1:0]                    next_o
);
  logic                          write;
  logic [Banks-1:0]              offered, valid, row_hit;
  logic [Banks-1:0][SlotW-1:0]   slot_of;
  logic [Banks-1:0][OrderW-1:0]  order;
  logic [Banks-1:0]              legal, moves, competes, first;
  logic [Banks-1:0][Banks-1:0]   older;  // [a][b]: the burst of a is older
  logic                          moves_any;
  logic [BankW-1:0]              bank;
  logic [SlotW-1:0]              slot;
  logic                          activates;
  logic [Slots-1:0]              of_slot;
  logic [RowW-1:0]               row;
  logic [ColumnW-1:0]            column;
  logic [NextW-1:0]              next;

  assign write   = oldest_only_i ? oldest_write_i : draining_i;
  assign offered = !oldest_only_i ? '1 : oldest_valid_i ? Banks'(1) << oldest_bank_i : '0;

  always_comb begin : find_legal
    for (int unsigned b = 0; b < Banks; b++) begin
      {valid[b], row_hit[b], slot_of[b], order[b]} = choice_i[{oldest_only_i, write}][b];
      legal[b] = row_hit[b] ? may_move_i[write][b] : open_i[b] ? may_precharge_i[b] : may_activate_i[b] && may_open_i;
    end
    legal &= valid & offered & ~busy_i;
  end
  assign moves     = legal & row_hit;
  assign moves_any = |moves;
  assign competes  = moves_any ? moves : legal;

  for (genvar a = 0; a < Banks; a++) begin : gen_bank
    assign older[a][a] = 1'b0;
    for (genvar b = a + 1; b < Banks; b++) begin : gen_other
      logic [OrderW-1:0] distance;
      assign distance    = order[a] - order[b];
      assign older[a][b] = distance[OrderW-1];
      assign older[b][a] = !distance[OrderW-1];
    end
  end

  always_comb begin : choose
    for (int unsigned b = 0; b < Banks; b++) begin
      first[b] = competes[b];
      for (int unsigned other = 0; other < Banks; other++) first[b] &= !(competes[other] && older[other][b]);
    end
    bank = '0;
    slot = '0;
    for (int unsigned b = 0; b < Banks; b++) begin
      if (first[b]) bank |= BankW'(b);
      if (first[b]) slot |= slot_of[b];
    end
  end

  // The slot is decoded for each bank while the banks are compared.
  always_comb begin : read_slot
    row    = '0;
    column = '0;
    next   = '0;
    for (int unsigned s = 0; s < Slots; s++) begin
      of_slot[s] = 1'b0;
      for (int unsigned b = 0; b < Banks; b++) of_slot[s] |= first[b] && slot_of[b] == SlotW'(s);
      if (of_slot[s]) row |= row_i[write][s];
      if (of_slot[s]) column |= column_i[write][s];
      if (of_slot[s]) next |= next_i[write][s];
    end
  end
  assign activates = |(first & ~row_hit & ~open_i);

  always_ff @(posedge clk_i) begin : registers
    move_o      <= moves_any;
    precharge_o <= |(first & ~row_hit & open_i);
    activate_o  <= activates;
    bank_o      <= bank;
    slot_o      <= slot;
    write_o     <= write;
    address_o   <= moves_any ? RowW'(column) : activates ? row : '0;
    next_o      <= next;
  end
endmodule
