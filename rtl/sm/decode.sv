// SPDX-License-Identifier: Apache-2.0
// Finds the instructions in fetched words, and which of them this chip lacks: one fetch reply a scheduler cycle.
// Twin of hw/sm/decode.h, equal to it at every clock edge.
module decode (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // Straps
  input  logic [1:0]              cfg_arch_i,          // compute capability 1.x
  input  logic                    cfg_has_dp_i,        // the SM has an fp64 unit

  // Launch state, stable while a grid runs
  input  logic [31:0]             launch_code_base_i,  // virtual address of pc 0

  // From instruction_cache
  input  g80_pkg::fetch_reply_t   reply_i,

  // To instruction_buffer, scoreboard and fetch
  output g80_pkg::decoded_group_t decoded_o
);
  localparam int unsigned Words  = g80_pkg::MaxDecodeGroup;  // of a fetch
  localparam int unsigned CountW = $clog2(Words + 1);
  localparam int unsigned InsnW  = g80_pkg::FetchedInstructionWidth;

  // Register
  g80_pkg::decoded_group_t group_d, group_q;

  // Where instructions begin. A long one must not begin at an odd word.
  logic [23:0]                  pc;
  logic [31:0]                  offset;
  logic [Words-1:0]             starts, takes_two;
  logic                         second_half;            // the word before is the first half of a long instruction
  logic [Words-1:0][CountW-1:0] place;  // in the group: instructions that begin before
  logic [CountW-1:0]            count;

  assign offset = reply_i.address - launch_code_base_i;
  assign pc     = offset[23:0];

  always_comb begin : find_starts
    count       = '0;
    second_half = 1'b0;
    for (int w = 0; w < Words; w++) begin
      starts[w]    = reply_i.bytes > 5'(4 * w) && !second_half;
      second_half  = starts[w] && reply_i.data[w][0] && pc[2] == w[0];
      takes_two[w] = second_half;
      place[w]     = count;
      count        = count + CountW'(starts[w]);
    end
  end

  // What begins at each word
  logic [Words-1:0][InsnW-1:0] fetched;

  for (genvar w = 0; w < Words; w++) begin : gen_decode
    logic [31:0]                   above;
    logic [63:0]                   words;
    g80_pkg::micro_op_t            micro;
    g80_pkg::decode_error_e        error;
    logic [1:0]                    arch;
    g80_pkg::fetched_instruction_t insn;

    if (w + 1 < Words) begin : gen_above
      assign above = reply_i.data[w+1];
    end else begin : gen_last
      assign above = '0;
    end
    assign words = {takes_two[w] ? above : 32'd0, reply_i.data[w]};

    // What does not depend on where instructions begin: the upper half of a short form does not matter, and a long form
    // without its second word has an error of its own.
    instruction_decoder u_decoder (
      .words_i({above, reply_i.data[w]}),
      .micro_o(micro),
      .error_o(error),
      .arch_o (arch)
    );

    always_comb begin : judge
      insn.pc    = pc + 24'(4 * w);
      insn.words = words;
      insn.error = error;
      if (arch > cfg_arch_i ||
          (error == g80_pkg::DecodeErrorNone && micro.issued.unit == g80_pkg::UnitDp && !cfg_has_dp_i))
        insn.error = g80_pkg::DecodeErrorIllegalOpcode;
      if (reply_i.data[w][0] && !takes_two[w]) insn.error = g80_pkg::DecodeErrorUnalignedLong;
      insn.micro = insn.error == g80_pkg::DecodeErrorNone ? micro : '0;
    end
    assign fetched[w] = insn;
  end

  // One illegal instruction replaces the group of a page that is not present; it faults if a warp issues it.
  g80_pkg::fetched_instruction_t absent;
  logic                          is_absent;

  assign is_absent = reply_i.fault != g80_pkg::MemFaultNone;

  always_comb begin : no_page
    absent.pc    = pc;
    absent.error = g80_pkg::DecodeErrorIllegalOpcode;
    absent.words = '1;
    absent.micro = '0;
  end

  // The group, without gaps
  logic [Words-1:0][InsnW-1:0] packed_insns;

  for (genvar s = 0; s < Words; s++) begin : gen_slot
    always_comb begin : pick
      packed_insns[s] = g80_pkg::FetchedInstructionDefault;
      for (int w = 0; w < Words; w++) begin
        if (starts[w] && place[w] == CountW'(s)) packed_insns[s] = fetched[w];
      end
      if (is_absent) packed_insns[s] = s == 0 ? absent : g80_pkg::FetchedInstructionDefault;
    end
  end

  always_comb begin : next_group
    group_d = g80_pkg::DecodedGroupDefault;
    if (reply_i.valid) begin
      group_d.valid = 1'b1;
      group_d.warp  = reply_i.warp;
      group_d.epoch = reply_i.epoch;
      group_d.count = is_absent ? CountW'(1) : count;
      group_d.insn  = packed_insns;
    end
  end

  assign decoded_o = group_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) group_q <= g80_pkg::DecodedGroupDefault;
    else group_q <= group_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni && reply_i.valid) begin
      FetchIsNoLongerThanAGroup: assert (reply_i.bytes <= 5'(4 * Words) && reply_i.bytes != '0);
      PcHas24Bits: assert (offset[31:24] == '0);
    end
  end
endmodule
