// SPDX-License-Identifier: Apache-2.0
// The banks of an SM's shared memory, and the locks of its words. Twin of hw/smem/shared_memory.h, equal to it at every
// clock edge.
//
// A bank serves one word in a pass: its lowest lane names it, and the other lanes of the bank read the same word.
module shared_memory #(
  localparam int unsigned Lanes     = g80_pkg::HalfWarp,
  localparam int unsigned Banks     = g80_pkg::NumSmemBanks,
  localparam int unsigned BankW     = $clog2(Banks),
  localparam int unsigned Words     = g80_pkg::MaxSharedBytes / 4,
  localparam int unsigned WordW     = $clog2(Words),
  localparam int unsigned Rows      = Words / Banks,  // of a bank
  localparam int unsigned FlagW     = $clog2(g80_pkg::MaxSmLockFlags),
  localparam int unsigned HeldW     = $clog2(g80_pkg::MaxSmLocksPerWarp + 1),
  localparam int unsigned MaxStages = (g80_pkg::MaxSmSmemLatency - 28) / 2,  // sm.alu_latency is 18 at least
  localparam int unsigned StagesW   = $clog2(MaxStages + 1)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  // Straps
  input  logic [StagesW-1:0]           cfg_stages_i,          // registers between the banks and operand_collector
  input  logic [FlagW-1:0]             cfg_flag_mask_i,       // sm.lock_flags - 1
  input  logic [HeldW-1:0]             cfg_locks_per_warp_i,
  input  logic [31:0]                  cfg_init_word_i,       // sm.init
  input  logic                         cfg_init_differs_i,

  // From bank_conflict
  input  g80_pkg::smem_pass_t          pass_i,

  // From cta_launcher
  input  g80_pkg::smem_start_t         start_i,               // words that a new block has not written
  input  logic [g80_pkg::MaxWarps-1:0] ended_i,               // warps of blocks that have ended

  // To operand_collector and address_unit
  output g80_pkg::smem_reply_t         reply_o,
  output logic                         stored_o               // the last pass of a store was performed
);
  // Registers
  g80_pkg::smem_reply_t   reply_d, reply_q;
  logic                   stored_d, stored_q;
  logic [Lanes-1:0]       granted_d, granted_q;  // of the half-warp's read so far: lanes that got the lock
  logic [Lanes-1:0][31:0] data_d, data_q;        // ... and what they read

  // The pass
  g80_pkg::smem_request_t       request;
  logic                         reads, writes, last;
  logic [Lanes-1:0][BankW-1:0]  bank_of;
  logic [Lanes-1:0][WordW-1:0]  word_of;
  logic [Lanes-1:0][1:0]        byte_of;

  assign request = pass_i.request;
  assign reads   = pass_i.valid && !request.write;
  assign writes  = pass_i.valid && request.write;
  assign last    = pass_i.valid && pass_i.last;

  // Which word each bank serves, and what it writes
  logic [Banks-1:0]            used, several;  // by lanes of the pass
  logic [Banks-1:0][WordW-1:0] word;
  logic [Banks-1:0][3:0]       part;
  logic [Banks-1:0][3:0][7:0]  written, read;

  for (genvar l = 0; l < Lanes; l++) begin : gen_address
    assign {word_of[l], byte_of[l]} = request.address[l];
    assign bank_of[l]               = word_of[l][BankW-1:0];
  end

  // Its lanes name the same word, and one that is written has one lane: the lanes of a bank need no choice.
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic [Lanes-1:0]       lanes;
    logic [WordW-BankW-1:0] row;
    logic [1:0]             first_byte;
    logic [31:0]            data;

    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      assign lanes[l] = pass_i.lanes[l] && bank_of[l] == BankW'(b);
    end
    assign used[b]    = |lanes;
    assign several[b] = (lanes & (lanes - Lanes'(1))) != '0;
    assign word[b]    = {row, BankW'(b)};

    always_comb begin : of_lanes
      row        = '0;
      first_byte = '0;
      data       = '0;
      for (int l = 0; l < Lanes; l++) begin
        row        = row | (lanes[l] ? word_of[l][WordW-1:BankW] : '0);
        first_byte = first_byte | (lanes[l] ? byte_of[l] : '0);
        data       = data | (lanes[l] ? request.data[l] : '0);
      end
    end

    always_comb begin : bytes
      unique case (request.bytes)
        3'd1: begin
          part[b]    = 4'b0001 << first_byte;
          written[b] = {4{data[7:0]}};
        end
        3'd2: begin
          part[b]    = 4'b0011 << first_byte;
          written[b] = {2{data[15:0]}};
        end
        default: begin
          part[b]    = 4'b1111;
          written[b] = data;
        end
      endcase
    end
  end

  // The words that a new block has not written: of the rows in which some are, all but the first ones of the first row
  // and the last ones of the last row.
  logic [WordW:0]   clear_end;
  logic [Rows-1:0]  from_row, behind_row, to_row, before_row;  // rows
  logic [Banks-1:0] after_first, before_last;                  // words of the first row, and of the last row

  assign clear_end   = {1'b0, start_i.first} + start_i.count;
  assign from_row    = {Rows{1'b1}} << start_i.first[WordW-1:BankW];
  assign behind_row  = {from_row[Rows-2:0], 1'b0};
  assign before_row  = start_i.valid ? ~({Rows{1'b1}} << clear_end[WordW:BankW]) : '0;
  assign to_row      = {before_row[Rows-2:0], start_i.valid};
  assign after_first = {Banks{1'b1}} << start_i.first[BankW-1:0];
  assign before_last = ~({Banks{1'b1}} << clear_end[BankW-1:0]);

  for (genvar b = 0; b < Banks; b++) begin : gen_memory
    logic            was_written, fresh;
    logic [3:0]      parts;
    logic [3:0][7:0] unwritten, data, kept;

    written_bits #(.Rows(Rows)) u_written (
      .clk_i,
      .rst_ni,
      .clear_i    ((after_first[b] ? from_row : behind_row) & (before_last[b] ? to_row : before_row)),
      .write_i    (writes && used[b]),
      .write_row_i(word[b][WordW-1:BankW]),
      .row_i      (word[b][WordW-1:BankW]),
      .written_o  (was_written)
    );
    assign fresh = pass_i.valid && used[b] && !was_written;

    initial_words u_word (
      .cfg_word_i  (cfg_init_word_i),
      .cfg_differ_i(cfg_init_differs_i),
      .enable_i    (used[b]),
      .place_i     ({1'b1, 14'(word[b])}),
      .word_o      (unwritten)
    );

    // The first write fills the other parts.
    assign parts = part[b] | {4{fresh}};
    for (genvar p = 0; p < 4; p++) begin : gen_part
      assign data[p] = part[b][p] ? written[b][p] : unwritten[p];
    end

    sram_1rw_masked #(
      .Words    (Rows),
      .Parts    (4),
      .PartWidth(8)
    ) u_memory (
      .clk_i,
      .address_i(word[b][WordW-1:BankW]),
      .write_i  (writes && used[b]),
      .part_i   (parts),
      .data_i   (data),
      .data_o   (kept)
    );
    assign read[b] = fresh ? unwritten : kept;
  end

  // What each lane reads
  logic [Lanes-1:0][31:0] value;

  for (genvar l = 0; l < Lanes; l++) begin : gen_value
    logic [31:0] whole;
    logic [15:0] half;
    logic [7:0]  single;

    assign whole  = read[bank_of[l]];
    assign half   = byte_of[l][1] ? whole[31:16] : whole[15:0];
    assign single = byte_of[l][0] ? half[15:8] : half[7:0];

    always_comb begin : extend
      unique case (request.bytes)
        3'd1: value[l] = {{24{request.sign_extend && single[7]}}, single};
        3'd2: value[l] = {{16{request.sign_extend && half[15]}}, half};
        default: value[l] = whole;
      endcase
    end
  end

  // Locks
  logic [Lanes-1:0][FlagW-1:0] flag_of;
  logic [Lanes-1:0]            granted;

  for (genvar l = 0; l < Lanes; l++) begin : gen_flag
    assign flag_of[l] = word_of[l][FlagW-1:0];
  end

  lock_table u_locks (
    .clk_i,
    .rst_ni,
    .cfg_flag_mask_i,
    .cfg_locks_per_warp_i,
    .lock_i   (reads && request.lock),
    .unlock_i (writes && request.lock),
    .warp_i   (request.warp),
    .lanes_i  (pass_i.lanes),
    .word_i   (flag_of),
    .granted_o(granted),
    .ended_i
  );

  // The passes of a half-warp's read are put together, and the last one answers.
  logic [Lanes-1:0]       all_granted;
  logic [Lanes-1:0][31:0] all_data;
  g80_pkg::smem_reply_t   done;
  logic                   way_back_empty;

  assign all_granted = granted_q | granted;
  for (genvar l = 0; l < Lanes; l++) begin : gen_gather
    assign all_data[l] = reads && pass_i.lanes[l] ? value[l] : data_q[l];
  end
  assign granted_d = last ? '0 : all_granted;
  assign data_d    = last ? '0 : all_data;
  assign stored_d  = writes && last;

  always_comb begin : answer
    done = g80_pkg::SmemReplyDefault;
    if (reads && last) begin
      done.valid   = 1'b1;
      done.unit    = request.unit;
      done.half    = request.half;
      done.lanes   = request.lanes;
      done.granted = all_granted;
      done.origin  = request.origin;
      done.data    = all_data;
    end
  end

  delay_memory #(
    .Depth(MaxStages),
    .Width(g80_pkg::SmemReplyWidth)
  ) u_way_back (
    .clk_i,
    .rst_ni,
    .cfg_stages_i,
    .data_i (done),
    .data_o (reply_d),
    .empty_o(way_back_empty)
  );

  assign reply_o  = reply_q;
  assign stored_o = stored_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      reply_q   <= g80_pkg::SmemReplyDefault;
      stored_q  <= 1'b0;
      granted_q <= '0;
      data_q    <= '0;
    end else begin
      reply_q   <= reply_d;
      stored_q  <= stored_d;
      granted_q <= granted_d;
      data_q    <= data_d;
    end
  end

  // Lanes whose bank serves another word, and those whose words are not at their place
  logic [Lanes-1:0] other_word, misaligned;

  for (genvar l = 0; l < Lanes; l++) begin : gen_check
    assign other_word[l] = pass_i.lanes[l] && word[bank_of[l]] != word_of[l];
    assign misaligned[l] = pass_i.lanes[l] && ((request.bytes == 3'd2 && byte_of[l][0]) ||
                                               (request.bytes == 3'd4 && byte_of[l] != '0));
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      BankServesOneWord: assert (!pass_i.valid || other_word == '0);
      WordIsWrittenByOneLane: assert (!writes || several == '0);
      AccessIsAligned: assert (!pass_i.valid || misaligned == '0);
    end
  end
endmodule
