// SPDX-License-Identifier: Apache-2.0
// Instructions of every warp that wait to issue; hands the picked warp's head to the operand collector.
// Twin of hw/sm/instruction_buffer.h, equal to it at every clock edge.
//
// Slot s of all warps is one bank of memory, so a group of four is written to four banks in one cycle.
module instruction_buffer (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // Straps
  input  logic [7:0]              cfg_sm_id_i,
  input  logic [3:0]              cfg_most_with_room_i,  // waiting instructions with which a whole fetch still fits

  // From decode
  input  g80_pkg::decoded_group_t decoded_i,

  // From cta_launcher
  input  g80_pkg::redirect_t      start_i,

  // From reconvergence_stack
  input  g80_pkg::redirect_t      redirect_i,

  // From warp_scheduler
  input  g80_pkg::pick_t          pick_i,

  // To operand_collector
  output g80_pkg::issue_t         issue_o,

  // To fetch
  output g80_pkg::buffer_level_t  level_o
);
  localparam int unsigned Warps  = g80_pkg::MaxWarps;
  localparam int unsigned WarpW  = $clog2(Warps);
  localparam int unsigned Slots  = g80_pkg::MaxBufferEntries;
  localparam int unsigned SlotW  = $clog2(Slots);
  localparam int unsigned CountW = $clog2(Slots + 1);
  localparam int unsigned InsnW  = g80_pkg::FetchedInstructionWidth;

  // Registers
  g80_pkg::issue_t              issue_d, issue_q;
  logic [Warps-1:0]             room_d, room_q;    // a whole fetch fits
  logic [Warps-1:0][CountW-1:0] count_d, count_q;
  logic [Warps-1:0][SlotW-1:0]  head_d, head_q;
  logic [Warps-1:0][7:0]        epoch_d, epoch_q;
  logic [23:0]                  sequence_d, sequence_q;  // of the next instruction that the SM issues; never 0

  // Levels
  logic             arriving;
  logic [Warps-1:0] pops, pushes, flushes;

  assign arriving = decoded_i.valid && decoded_i.epoch == epoch_q[decoded_i.warp];

  for (genvar w = 0; w < Warps; w++) begin : gen_warp
    logic starts, jumps;
    assign starts     = start_i.valid && start_i.warp == WarpW'(w);
    assign jumps      = redirect_i.valid && redirect_i.warp == WarpW'(w);
    assign flushes[w] = starts || jumps;
    assign pops[w]    = pick_i.valid && pick_i.warp == WarpW'(w);
    assign pushes[w]  = arriving && decoded_i.warp == WarpW'(w);
    assign epoch_d[w] = epoch_q[w] + {7'd0, starts} + {7'd0, jumps};
    assign head_d[w]  = flushes[w] ? '0 : head_q[w] + SlotW'(pops[w]);
    assign count_d[w] = flushes[w] ? '0
                                   : count_q[w] - CountW'(pops[w]) + (pushes[w] ? CountW'(decoded_i.count) : '0);
    assign room_d[w]  = count_d[w] <= cfg_most_with_room_i;
  end

  // The banks
  logic [SlotW-1:0]            tail, read_slot;
  logic [Slots-1:0][InsnW-1:0] read_data;

  assign tail      = head_q[decoded_i.warp] + SlotW'(count_q[decoded_i.warp]);
  assign read_slot = head_q[pick_i.warp];

  for (genvar s = 0; s < Slots; s++) begin : gen_bank
    logic [SlotW-1:0] behind;  // of the group, counted from its first instruction
    logic [InsnW-1:0] arrival;

    assign behind  = SlotW'(s) - tail;
    assign arrival = decoded_i.insn[behind[$clog2(g80_pkg::MaxDecodeGroup)-1:0]];

    sram_1r1w #(
      .Words(Warps),
      .Width(InsnW)
    ) u_bank (
      .clk_i,
      .write_i        (arriving && {1'b0, behind} < CountW'(decoded_i.count)),
      .write_address_i(decoded_i.warp),
      .write_data_i   (arrival),
      .read_address_i (pick_i.warp),
      .read_data_o    (read_data[s])
    );
  end

  always_comb begin : next_issue
    issue_d = g80_pkg::IssueDefault;
    if (pick_i.valid) begin
      issue_d.valid          = 1'b1;
      issue_d.warp           = pick_i.warp;
      issue_d.to_multipliers = pick_i.to_multipliers;
      issue_d.uid            = {cfg_sm_id_i, sequence_q};
      issue_d.insn           = read_data[read_slot];
    end
  end
  assign sequence_d = sequence_q + 24'(pick_i.valid) + 24'(pick_i.valid && &sequence_q);

  assign issue_o       = issue_q;
  assign level_o.room  = room_q;
  assign level_o.count = count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      issue_q    <= g80_pkg::IssueDefault;
      room_q     <= '1;
      count_q    <= '0;
      head_q     <= '0;
      epoch_q    <= '0;
      sequence_q <= 24'd1;
    end else begin
      issue_q    <= issue_d;
      room_q     <= room_d;
      count_q    <= count_d;
      head_q     <= head_d;
      epoch_q    <= epoch_d;
      sequence_q <= sequence_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PickedWarpHasAnInstruction: assert (!pick_i.valid || count_q[pick_i.warp] != '0);
      GroupHasRoom: assert (!arriving || count_q[decoded_i.warp] - CountW'(pops[decoded_i.warp]) <=
                            CountW'(Slots) - CountW'(decoded_i.count));
    end
  end
endmodule
