// SPDX-License-Identifier: Apache-2.0
// One unit of operand_collector: an instruction, the operands that have arrived, and what it waits for. Twin of
// OperandCollector::Unit in hw/sm/operand_collector.h.
//
// Words 3 and more of the operands rest beside the units. The words are read a cycle after they arrived; everything
// else counts at once.
module collector_unit #(
  localparam int unsigned Lanes = g80_pkg::WarpSize,
  localparam int unsigned Half  = g80_pkg::HalfWarp,
  localparam int unsigned Reads = g80_pkg::OperandPorts,
  localparam int unsigned Words = g80_pkg::HighWords,
  localparam int unsigned WordW = $clog2(g80_pkg::OperandWords),
  localparam int unsigned UnitW = $clog2(g80_pkg::MaxCollectorUnits)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  input  logic [UnitW-1:0]                number_i,

  // Takes an instruction
  input  logic                            accept_i,
  input  g80_pkg::issue_t                 issue_i,
  input  g80_pkg::decoded_instruction_t   decoded_i,
  input  logic [Lanes-1:0]                active_i,
  input  logic [2:0]                      uniform_i,    // sources that are one word in all lanes: what, and whether the
  input  logic [31:0]                     scalar_i,     // lane's number is added
  input  logic                            numbered_i,

  // Its $c and $a, and with them the lanes in which it executes
  input  logic                            side_i,
  input  g80_pkg::side_read_t             read_side_i,
  input  logic [Lanes-1:0]                condition_i,
  input  logic [Lanes-1:0]                lanes_i,

  // Its operands
  input  logic [Reads-1:0]                read_i,       // registers that come: to a unit, for a word of it
  input  logic [Reads-1:0][UnitW-1:0]     read_unit_i,
  input  logic [Reads-1:0][WordW-1:0]     read_to_i,
  input  logic [Reads-1:0][Lanes-1:0][31:0] read_value_i,
  input  g80_pkg::smem_reply_t            smem_i,
  input  g80_pkg::const_reply_t           const_i,
  input  logic [1:0][Half-1:0][31:0]      const_word_i, // its words as the operand wants them
  input  logic                            answered_i,   // the c[] operand lies outside its bank

  // Leaves
  input  logic                            control_i,    // its control event
  input  logic                            send_i,

  output logic [4:0]                      warp_o,
  output logic [g80_pkg::FetchedInstructionWidth-1:0] insn_o,
  output logic [31:0]                     uid_o,
  output g80_pkg::unit_e                  unit_o,
  output logic                            to_multipliers_o,
  output logic                            takes_shared_port_o,
  output logic                            wide_o,             // it has words beside the units
  output logic                            addressed_o,        // lanes have operands for the address unit
  output logic                            const_addressed_o,  // ... for its c[] operand
  output logic                            wants_control_o,    // ... to send its control event
  output logic                            waits_o,            // for an operand from s[] or c[], or to send it
  output logic                            sent_o,
  output logic [Lanes-1:0]                active_o,
  output logic [Lanes-1:0]                lanes_o,
  output logic [Lanes-1:0]                granted_o,
  output logic                            vote_o,
  output logic                            extend_o,           // c[]: from 16 bits, with their sign
  output logic                            misses_answer_o,    // one came that it does not wait for
  output logic [Lanes-1:0]                executes_o,         // lanes, once they are known
  output logic [g80_pkg::MostDataWords-1:0] data_words_o,     // that an operand is
  output logic [Words-1:0][Lanes-1:0][31:0] word_o,
  output logic [2:0]                      uniform_o,
  output logic [31:0]                     scalar_o,
  output logic                            numbered_o,
  output logic [Lanes-1:0][3:0]           flags_o,
  output logic [Lanes-1:0][15:0]          addr_o
);
  // Registers
  logic [4:0]                      warp_d, warp_q;
  logic [g80_pkg::FetchedInstructionWidth-1:0] insn_d, insn_q;
  logic [31:0]                     uid_d, uid_q;
  logic                            to_multipliers_d, to_multipliers_q;
  logic [2:0]                      unit_d, unit_q;  // unit_e
  logic                            control_d, control_q;
  logic                            takes_shared_port_d, takes_shared_port_q;
  logic                            wide_d, wide_q;
  logic                            reads_shared_d, reads_shared_q;
  logic                            reads_const_d, reads_const_q;
  logic                            addressed_d, addressed_q;
  logic                            const_addressed_d, const_addressed_q;
  logic                            uses_addr_d, uses_addr_q;
  logic                            moves_addr_d, moves_addr_q;  // $a is its first operand
  logic [1:0]                      vote_d, vote_q;              // it votes; all must agree
  logic [g80_pkg::MostDataWords-1:0] data_words_d, data_words_q;
  logic                            in_shared_d, in_shared_q;    // the first operand comes from s[]
  logic [2:0]                      in_const_d, in_const_q;
  logic                            extend_d, extend_q;          // c[]: from 16 bits, with their sign
  logic [2:0]                      uniform_d, uniform_q;
  logic                            numbered_d, numbered_q;
  logic [31:0]                     scalar_d, scalar_q;
  logic [Lanes-1:0]                active_d, active_q;
  logic [Lanes-1:0]                lanes_d, lanes_q;
  logic [Lanes-1:0]                condition_d, condition_q;
  logic [Lanes-1:0]                granted_d, granted_q;
  logic [1:0]                      halves_d, halves_q;          // half-warps of the s[] operand to come
  logic [1:0]                      consts_d, consts_q;          // answers for the c[] operand to come
  logic                            control_sent_d, control_sent_q;
  logic                            sent_d, sent_q;
  logic [Lanes-1:0][3:0]           flags_d, flags_q;
  logic [Lanes-1:0][15:0]          addr_d, addr_q;
  logic [Words-1:0][Lanes-1:0][31:0] word_d, word_q;

  // The instruction
  g80_pkg::operand_t src0, src1, src2;
  logic              texture, memory;

  assign {src2, src1, src0} = decoded_i.insn.src;
  assign texture = decoded_i.unit == g80_pkg::UnitTexture;
  assign memory  = decoded_i.unit == g80_pkg::UnitMemory;

  logic [2:0]             in_const, signed_halves;
  logic                   in_shared, uses_addr, const_addressed;

  assign uses_addr = decoded_i.insn.addr_reg != '0;
  assign in_shared = src0.kind == g80_pkg::OperandShared;
  assign in_const  = {src2.kind == g80_pkg::OperandConst, src1.kind == g80_pkg::OperandConst,
                      src0.kind == g80_pkg::OperandConst};
  assign signed_halves = {src2.type_ == g80_pkg::MemTypeS16, src1.type_ == g80_pkg::MemTypeS16,
                          src0.type_ == g80_pkg::MemTypeS16};
  // Beside an s[] operand, c[] is addressed by the instruction alone.
  assign const_addressed = uses_addr && !in_shared;

  // Of a memory instruction, the second operand is data, or b of an atomic, and the third one c.
  function automatic logic [3:0] data_words(input g80_pkg::operand_kind_e kind);
    unique case (kind)
      g80_pkg::OperandNone: return 4'b0000;
      g80_pkg::OperandPair: return 4'b0011;
      g80_pkg::OperandQuad: return 4'b1111;
      default:              return 4'b0001;
    endcase
  endfunction

  always_comb begin : accept
    warp_d              = warp_q;
    insn_d              = insn_q;
    uid_d               = uid_q;
    to_multipliers_d    = to_multipliers_q;
    unit_d              = unit_q;
    control_d           = control_q;
    takes_shared_port_d = takes_shared_port_q;
    wide_d              = wide_q;
    reads_shared_d      = reads_shared_q;
    reads_const_d       = reads_const_q;
    addressed_d         = addressed_q;
    const_addressed_d   = const_addressed_q;
    uses_addr_d         = uses_addr_q;
    moves_addr_d        = moves_addr_q;
    vote_d              = vote_q;
    data_words_d        = data_words_q;
    in_shared_d         = in_shared_q;
    in_const_d          = in_const_q;
    extend_d            = extend_q;
    uniform_d           = uniform_q;
    numbered_d          = numbered_q;
    active_d            = active_q;
    if (accept_i) begin
      warp_d              = issue_i.warp;
      insn_d              = issue_i.insn;
      uid_d               = issue_i.uid;
      to_multipliers_d    = issue_i.to_multipliers;
      unit_d              = decoded_i.unit;
      control_d           = decoded_i.control;
      takes_shared_port_d = decoded_i.takes_shared_port;
      wide_d              = decoded_i.wide;
      reads_shared_d      = decoded_i.reads_shared_operand;
      reads_const_d       = decoded_i.reads_const_operand;
      // A register or $a that addresses, data to store, coordinates
      addressed_d         = texture || uses_addr || (memory && (src0.kind == g80_pkg::OperandReg ||
                                                                src1.kind != g80_pkg::OperandNone));
      const_addressed_d   = const_addressed;
      uses_addr_d         = uses_addr;
      moves_addr_d        = src0.kind == g80_pkg::OperandAddr;
      vote_d              = {decoded_i.insn.op == g80_pkg::OpVote, decoded_i.insn.vote_all};
      data_words_d        = texture ? 4'((5'd1 << decoded_i.insn.tex_sources) - 5'd1) :
                            memory  ? data_words(src1.kind) | data_words(src2.kind) << 2 : '0;
      in_shared_d         = in_shared;
      in_const_d          = in_const;
      extend_d            = (in_const & signed_halves) != '0;
      uniform_d           = uniform_i;
      numbered_d          = numbered_i;
      active_d            = active_i;
    end
  end

  // What has arrived
  logic smem_here, const_here;

  assign smem_here  = smem_i.valid && smem_i.unit == number_i;
  assign const_here = const_i.valid && const_i.id == 8'(number_i);

  logic [1:0] halves, halves_left, consts_left;  // that have lanes; that are to come

  assign halves      = {1'b0, |lanes_i[Half-1:0]} + {1'b0, |lanes_i[Lanes-1:Half]};
  assign halves_left = side_i ? (reads_shared_q ? halves : 2'd0) : halves_q - {1'b0, smem_here};
  always_comb begin : count_answers
    consts_left = consts_q - {1'b0, const_here} - {1'b0, answered_i};
    if (side_i) consts_left = !reads_const_q || lanes_i == '0 ? 2'd0 : const_addressed_q ? halves : 2'd1;
  end
  assign halves_d = accept_i ? 2'd0 : halves_left;
  assign consts_d = accept_i ? 2'd0 : consts_left;
  assign misses_answer_o = (smem_here && halves_q == 2'd0) ||
                           consts_q < {1'b0, const_here} + {1'b0, answered_i};

  assign lanes_d     = side_i ? lanes_i : lanes_q;
  assign condition_d = side_i ? condition_i : condition_q;
  assign flags_d     = side_i ? read_side_i.flags : flags_q;

  always_comb begin : grant
    granted_d = granted_q;
    if (smem_here) granted_d = granted_q | (smem_i.half ? {smem_i.granted, {Half{1'b0}}} : Lanes'(smem_i.granted));
    if (accept_i) granted_d = '0;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_addr
    assign addr_d[l] = side_i && uses_addr_q ? read_side_i.addr.lane[l][15:0] : addr_q[l];
  end

  assign scalar_d = accept_i ? scalar_i : const_here && const_i.direct ? const_word_i[0][0] : scalar_q;

  // The words. Of a half-warp's word, one thing at most arrives at a time.
  logic [Words-1:0][Reads-1:0]      reads;
  logic [Words-1:0]                 takes_const, clears;
  logic                             takes_addr, takes_shared;
  logic [Words-1:0][1:0]            takes;
  logic [Half-1:0][31:0]            arriving;

  assign takes_addr   = side_i && moves_addr_q;
  assign takes_shared = smem_here && in_shared_q;

  always_comb begin : find_arriving
    takes_const = '0;
    clears      = '0;
    for (int w = 0; w < Words; w++) begin
      takes_const[w] = const_here && !const_i.direct && in_const_q[w];
      clears[w]      = accept_i && in_const[w] && const_addressed && decoded_i.reads_const_operand;
      for (int r = 0; r < Reads; r++)
        reads[w][r] = read_i[r] && read_unit_i[r] == number_i && read_to_i[r] == WordW'(w);
      for (int h = 0; h < 2; h++)
        takes[w][h] = reads[w] != '0 || clears[w] || (takes_const[w] && const_i.lanes[h*Half+:Half] != '0) ||
                      (w == 0 && (takes_addr || (takes_shared && smem_i.half == 1'(h))));
    end
  end
  always_comb begin : take_words
    word_d   = word_q;
    arriving = '0;
    for (int w = 0; w < Words; w++) begin
      for (int h = 0; h < 2; h++) begin
        if (takes[w][h]) begin
          arriving = '0;
          for (int r = 0; r < Reads; r++)
            arriving = arriving | ({Half*32{reads[w][r]}} & read_value_i[r][h*Half+:Half]);
          arriving = arriving | ({Half*32{takes_const[w]}} & const_word_i[h]);
          if (w == 0) arriving = arriving | ({Half*32{takes_addr}} & read_side_i.addr.lane[h*Half+:Half]) |
                                 ({Half*32{takes_shared}} & smem_i.data);
          word_d[w][h*Half+:Half] = arriving;
        end
      end
    end
  end

  // Leaving
  assign control_sent_d = !accept_i && (control_sent_q || control_i);
  assign sent_d         = !accept_i && (sent_q || send_i);

  // Only active lanes vote; all of them get the result.
  logic [Lanes-1:0] votes;

  assign votes  = condition_q & active_q;
  assign vote_o = vote_q[1] && (vote_q[0] ? votes == active_q : votes != '0);

  assign warp_o              = warp_q;
  assign insn_o              = insn_q;
  assign uid_o               = uid_q;
  assign unit_o              = g80_pkg::unit_e'(unit_q);
  assign to_multipliers_o    = to_multipliers_q;
  assign takes_shared_port_o = takes_shared_port_q;
  assign wide_o              = wide_q;
  assign addressed_o         = addressed_q;
  assign const_addressed_o   = const_addressed_q;
  assign wants_control_o     = control_q && !control_sent_q;
  assign waits_o             = halves_left != 2'd0 || consts_left != 2'd0 ||
                               (control_q && !control_sent_q && !control_i);
  assign sent_o              = sent_q;
  assign extend_o            = extend_q;
  assign active_o            = active_q;
  assign lanes_o             = lanes_d;
  assign granted_o           = granted_q;
  assign executes_o          = lanes_q;
  assign data_words_o        = data_words_q;
  assign word_o              = word_q;
  assign uniform_o           = uniform_q;
  assign scalar_o            = scalar_q;
  assign numbered_o          = numbered_q;
  assign flags_o             = flags_q;
  assign addr_o              = addr_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      halves_q       <= '0;
      consts_q       <= '0;
    end else begin
      halves_q       <= halves_d;
      consts_q       <= consts_d;
    end
  end
  always_ff @(posedge clk_i) begin : data
    warp_q              <= warp_d;
    insn_q              <= insn_d;
    uid_q               <= uid_d;
    to_multipliers_q    <= to_multipliers_d;
    unit_q              <= unit_d;
    control_q           <= control_d;
    takes_shared_port_q <= takes_shared_port_d;
    wide_q              <= wide_d;
    reads_shared_q      <= reads_shared_d;
    reads_const_q       <= reads_const_d;
    addressed_q         <= addressed_d;
    const_addressed_q   <= const_addressed_d;
    uses_addr_q         <= uses_addr_d;
    moves_addr_q        <= moves_addr_d;
    vote_q              <= vote_d;
    data_words_q        <= data_words_d;
    in_shared_q         <= in_shared_d;
    in_const_q          <= in_const_d;
    extend_q            <= extend_d;
    uniform_q           <= uniform_d;
    numbered_q          <= numbered_d;
    scalar_q            <= scalar_d;
    active_q            <= active_d;
    lanes_q             <= lanes_d;
    condition_q         <= condition_d;
    granted_q           <= granted_d;
    control_sent_q      <= control_sent_d;
    sent_q              <= sent_d;
    flags_q             <= flags_d;
    addr_q              <= addr_d;
    word_q              <= word_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int w = 0; w < Words; w++)
        OneThingArrives: assert ($onehot0({reads[w], takes_const[w], clears[w], w == 0 && takes_addr,
                                           w == 0 && takes_shared}));
    end
  end
endmodule
