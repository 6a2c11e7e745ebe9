// SPDX-License-Identifier: Apache-2.0
// Decides which warps may issue: tracks the registers that instructions in flight write and waiting ones need.
// Twin of hw/sm/scoreboard.h, equal to it at every clock edge.
//
// Slot s of all warps is one bank of memory: a group of four is written to four banks in one cycle, and a picked
// instruction is read together with the one behind it. What the head of each warp needs stands in a register, so it is
// found only for the two, for the first instruction of a group, and for those that finish.
module scoreboard (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // Strap
  input  logic                    cfg_sfu_mul_i,       // the SFUs' multipliers take fp32 multiplies

  // From decode
  input  g80_pkg::decoded_group_t decoded_i,

  // From cta_launcher
  input  g80_pkg::redirect_t      start_i,

  // From reconvergence_stack
  input  g80_pkg::redirect_t      redirect_i,
  input  g80_pkg::resolve_t       resolve_i,

  // From warp_scheduler
  input  g80_pkg::pick_t          pick_i,

  // From barrier
  input  logic [g80_pkg::MaxWarps-1:0] barrier_open_i,  // warps let through
  input  logic [g80_pkg::MaxWarps-1:0] barrier_waiting_i,

  // From writeback
  input  g80_pkg::release_t       release_i,

  // To warp_scheduler
  output g80_pkg::warp_ready_t    ready_o,

  // To cta_launcher
  output logic [g80_pkg::MaxWarps-1:0] drained_o        // warps that ended, with nothing in flight
);
  localparam int unsigned Warps     = g80_pkg::MaxWarps;
  localparam int unsigned WarpW     = $clog2(Warps);
  localparam int unsigned Slots     = g80_pkg::MaxBufferEntries;
  localparam int unsigned SlotW     = $clog2(Slots);
  localparam int unsigned CountW    = $clog2(Slots + 1);
  localparam int unsigned StateW    = g80_pkg::ThreadStateWidth;
  localparam int unsigned MicroW    = g80_pkg::MicroOpWidth;
  localparam int unsigned HazardW   = g80_pkg::IssuedOpWidth + 16;  // of a micro-op, down to flag_src
  localparam int unsigned RestW     = MicroW - g80_pkg::IssuedOpWidth;
  localparam int unsigned InsnW     = HazardW + 39;
  localparam int unsigned Releases  = g80_pkg::ReleaseWidth / g80_pkg::ReleaseEntryWidth;
  localparam int unsigned RetiredW  = $clog2(Releases + 1);
  localparam int unsigned InFlightW = 8;  // of a warp: 64 loads, and what collector, pipes and queues hold

  // What the scheduler and the hazards ask of a waiting instruction
  typedef struct packed {
    logic [StateW-1:0] needs;  // what it reads or writes
    g80_pkg::unit_e    unit;
    logic              multiplies;
    logic              takes_shared_port;
    logic              uses_load_table;
    logic              wide;
    logic              drains;
  } head_t;
  localparam int unsigned HeadW = StateW + 8;

  // Registers
  g80_pkg::warp_ready_t            ready_d, ready_q;
  logic [Warps-1:0]                drained_d, drained_q;
  logic [Warps-1:0]                ended_d, ended_q;
  logic [Warps-1:0]                control_d, control_q;  // an unresolved control instruction is in flight
  logic [Warps-1:0][InFlightW-1:0] in_flight_d, in_flight_q;
  logic [Warps-1:0][7:0]           epoch_d, epoch_q;
  logic [Warps-1:0][StateW-1:0]    pending_d, pending_q;  // written by instructions in flight
  logic [Warps-1:0][StateW-1:0]    pending_memory_d, pending_memory_q;  // the part of it that comes from memory
  logic [Warps-1:0][CountW-1:0]    count_d, count_q;      // waiting instructions
  logic [Warps-1:0][SlotW-1:0]     slot_d, slot_q;        // of the head
  logic [Warps-1:0][HeadW-1:0]     head_d, head_q;

  // The banks. Of the words they keep what numbers of registers can be in, and the form.
  logic                        arriving;
  logic [SlotW-1:0]            tail, picked_slot, next_slot;
  logic [Slots-1:0][InsnW-1:0] read_data;

  assign arriving    = decoded_i.valid && decoded_i.epoch == epoch_q[decoded_i.warp];
  assign tail        = slot_q[decoded_i.warp] + SlotW'(count_q[decoded_i.warp]);
  assign picked_slot = slot_q[pick_i.warp];
  assign next_slot   = picked_slot + SlotW'(1);

  for (genvar s = 0; s < Slots; s++) begin : gen_bank
    logic [SlotW-1:0]              behind;  // of the group, counted from its first instruction
    logic                          write;
    g80_pkg::fetched_instruction_t arrival;
    logic [InsnW-1:0]              stored;

    assign behind  = SlotW'(s) - tail;
    assign write   = arriving && {1'b0, behind} < CountW'(decoded_i.count);
    assign arrival = decoded_i.insn[behind[$clog2(g80_pkg::MaxDecodeGroup)-1:0]];
    assign stored  = {arrival.error != g80_pkg::DecodeErrorNone, arrival.words[52:46], arrival.words[34:32],
                      arrival.words[27:0], HazardW'(arrival.micro >> (MicroW - HazardW))};

    sram_1r1w #(
      .Words(Warps),
      .Width(InsnW)
    ) u_bank (
      .clk_i,
      .write_i        (write),
      .write_address_i(decoded_i.warp),
      .write_data_i   (stored),
      .read_address_i (pick_i.warp),
      .read_data_o    (read_data[s])
    );
  end

  // The picked instruction, and the one behind it
  logic [1:0][InsnW-1:0]                            read_word;
  logic [1:0][g80_pkg::FetchedInstructionWidth-1:0] read_insn;
  logic [StateW-1:0]                                picked_writes, picked_writes_late;
  logic                                             picked_is_control;

  assign read_word = {read_data[next_slot], read_data[picked_slot]};

  for (genvar n = 0; n < 2; n++) begin : gen_read
    assign read_insn[n] = {24'd0, {3{read_word[n][InsnW-1]}}, 11'd0, read_word[n][HazardW+31+:7], 11'd0,
                           read_word[n][HazardW+28+:3], 4'd0, read_word[n][HazardW+:28], read_word[n][HazardW-1:0],
                           (MicroW - HazardW)'(0)};
  end

  hazards u_picked (
    .insn_i             (read_insn[0]),
    .needs_o            (),
    .writes_o           (picked_writes),
    .writes_late_o      (picked_writes_late),
    .unit_o             (),
    .control_o          (picked_is_control),
    .drains_o           (),
    .multiplies_o       (),
    .takes_shared_port_o(),
    .uses_load_table_o  (),
    .wide_o             ()
  );

  // New heads: the one behind the picked instruction, and the first of the group
  localparam int unsigned Behind  = 0;
  localparam int unsigned Arrival = 1;

  logic [1:0][HeadW-1:0]                            new_head;
  logic [1:0][g80_pkg::FetchedInstructionWidth-1:0] new_insn;

  assign new_insn[Behind]  = read_insn[1];
  assign new_insn[Arrival] = decoded_i.insn[0];

  for (genvar n = 0; n < 2; n++) begin : gen_new_head
    head_t             head;
    logic [StateW-1:0] needs;
    g80_pkg::unit_e    unit;
    logic              multiplies, takes_shared_port, uses_load_table, wide, drains;

    hazards u_hazards (
      .insn_i             (new_insn[n]),
      .needs_o            (needs),
      .writes_o           (),
      .writes_late_o      (),
      .unit_o             (unit),
      .control_o          (),
      .drains_o           (drains),
      .multiplies_o       (multiplies),
      .takes_shared_port_o(takes_shared_port),
      .uses_load_table_o  (uses_load_table),
      .wide_o             (wide)
    );
    assign head.needs             = needs;
    assign head.unit              = unit;
    assign head.multiplies        = multiplies && cfg_sfu_mul_i;
    assign head.takes_shared_port = takes_shared_port;
    assign head.uses_load_table   = uses_load_table;
    assign head.wide              = wide;
    assign head.drains            = drains;
    assign new_head[n] = head;
  end

  // Instructions that finish
  logic [Releases-1:0]             retires;
  logic [Releases-1:0][WarpW-1:0]  retired_warp;
  logic [Releases-1:0][StateW-1:0] retired_writes;

  for (genvar r = 0; r < Releases; r++) begin : gen_release
    g80_pkg::release_entry_t entry;

    assign entry = release_i.entry[r];

    hazards u_hazards (
      .insn_i             ({entry.insn, RestW'(0)}),
      .needs_o            (),
      .writes_o           (retired_writes[r]),
      .writes_late_o      (),
      .unit_o             (),
      .control_o          (),
      .drains_o           (),
      .multiplies_o       (),
      .takes_shared_port_o(),
      .uses_load_table_o  (),
      .wide_o             ()
    );
    assign retires[r]      = entry.valid;
    assign retired_warp[r] = entry.warp;
  end

  // The warps
  logic [Warps-1:0] renewed;  // a new warp starts in the slot
  logic [Warps-1:0] picked;
  logic [Warps-1:0] has_head, clear, clear_of_memory, drains, sp, sfu, dp, memory, texture, control, multiply, shared,
                    load, wide;
  logic [Warps-1:0] busy;       // something is in flight
  logic [Warps-1:0] overdrawn;  // more finish than are in flight

  for (genvar w = 0; w < Warps; w++) begin : gen_warp
    logic                 starts, jumps, pushes;
    logic [RetiredW-1:0]  retired;
    logic [StateW-1:0]    written;
    logic [CountW-1:0]    left;
    logic [InFlightW-1:0] in_flight;  // before some finish
    head_t                head;

    assign starts     = start_i.valid && start_i.warp == WarpW'(w);
    assign jumps      = redirect_i.valid && redirect_i.warp == WarpW'(w);
    assign renewed[w] = (starts && start_i.kind == g80_pkg::RedirectStart) ||
                        (jumps && redirect_i.kind == g80_pkg::RedirectStart);
    assign picked[w]  = pick_i.valid && pick_i.warp == WarpW'(w);
    assign pushes     = arriving && decoded_i.warp == WarpW'(w);
    assign epoch_d[w] = epoch_q[w] + {7'd0, starts} + {7'd0, jumps};

    // Waiting instructions
    assign left       = count_q[w] - CountW'(picked[w]);
    assign count_d[w] = starts || jumps ? '0 : left + (pushes ? CountW'(decoded_i.count) : '0);
    assign slot_d[w]  = starts || jumps ? '0 : slot_q[w] + SlotW'(picked[w]);
    assign head_d[w]  = pushes && left == '0 ? new_head[Arrival] : picked[w] ? new_head[Behind] : head_q[w];

    // Instructions in flight
    always_comb begin : find_retired
      retired = '0;
      written = '0;
      for (int r = 0; r < Releases; r++) begin
        if (retires[r] && retired_warp[r] == WarpW'(w)) begin
          retired = retired + RetiredW'(1);
          written = written | retired_writes[r];
        end
      end
    end
    assign in_flight           = in_flight_q[w] + InFlightW'(picked[w]);
    assign in_flight_d[w]      = in_flight - InFlightW'(retired);
    assign busy[w]             = in_flight_d[w] != '0;
    assign overdrawn[w]        = in_flight < InFlightW'(retired);
    assign pending_d[w]        = renewed[w] ? '0 : (pending_q[w] | (picked[w] ? picked_writes : '0)) & ~written;
    assign pending_memory_d[w] = renewed[w] ? '0 : (pending_memory_q[w] | (picked[w] ? picked_writes_late : '0)) &
                                                   ~written;

    // The head: is_clear() of everything in flight, and of what comes from memory
    assign head               = head_d[w];
    assign has_head[w]        = count_d[w] != '0 && !control_d[w] && !ended_d[w];
    assign drains[w]          = head.drains && busy[w];
    assign clear[w]           = (head.needs & pending_d[w]) == '0;
    assign clear_of_memory[w] = (head.needs & pending_memory_d[w]) == '0;
    assign sp[w]              = has_head[w] && head.unit == g80_pkg::UnitSp;
    assign sfu[w]             = has_head[w] && head.unit == g80_pkg::UnitSfu;
    assign dp[w]              = has_head[w] && head.unit == g80_pkg::UnitDp;
    assign memory[w]          = has_head[w] && head.unit == g80_pkg::UnitMemory;
    assign texture[w]         = has_head[w] && head.unit == g80_pkg::UnitTexture;
    assign control[w]         = has_head[w] && head.unit == g80_pkg::UnitControl;
    assign multiply[w]        = has_head[w] && head.multiplies;
    assign shared[w]          = has_head[w] && head.takes_shared_port;
    assign load[w]            = has_head[w] && head.uses_load_table;
    assign wide[w]            = has_head[w] && head.wide;
  end

  logic [Warps-1:0] picked_control, resolved, ends;

  assign picked_control = picked_is_control ? picked : '0;
  assign resolved       = resolve_i.warps | barrier_open_i;
  assign ends           = resolve_i.ended ? Warps'(1) << resolve_i.ended_warp : '0;
  assign control_d      = (control_q | picked_control) & ~resolved & ~renewed;
  assign ended_d        = (ended_q | ends) & ~renewed;
  assign drained_d      = ended_d & ~busy;

  // The next instruction of a warp is ready, or waits for exactly one reason.
  assign ready_d.resident     = (ready_q.resident | renewed) & ~ended_d;
  assign ready_d.has_head     = has_head;
  assign ready_d.ready        = has_head & ~drains & clear;
  assign ready_d.sp           = sp;
  assign ready_d.sfu          = sfu;
  assign ready_d.dp           = dp;
  assign ready_d.memory       = memory;
  assign ready_d.texture      = texture;
  assign ready_d.control      = control;
  assign ready_d.multiply     = multiply;
  assign ready_d.shared       = shared;
  assign ready_d.load         = load;
  assign ready_d.wide         = wide;
  assign ready_d.wait_control = control_d & ~ended_d & ~barrier_waiting_i;
  assign ready_d.wait_barrier = barrier_waiting_i;
  assign ready_d.wait_memory  = has_head & ~drains & ~clear & ~clear_of_memory;
  assign ready_d.wait_alu     = has_head & ~drains & ~clear & clear_of_memory;
  assign ready_d.wait_drain   = has_head & drains;

  assign ready_o   = ready_q;
  assign drained_o = drained_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      ready_q          <= g80_pkg::WarpReadyDefault;
      drained_q        <= '0;
      ended_q          <= '0;
      control_q        <= '0;
      in_flight_q      <= '0;
      epoch_q          <= '0;
      pending_q        <= '0;
      pending_memory_q <= '0;
      count_q          <= '0;
      slot_q           <= '0;
    end else begin
      ready_q          <= ready_d;
      drained_q        <= drained_d;
      ended_q          <= ended_d;
      control_q        <= control_d;
      in_flight_q      <= in_flight_d;
      epoch_q          <= epoch_d;
      pending_q        <= pending_d;
      pending_memory_q <= pending_memory_d;
      count_q          <= count_d;
      slot_q           <= slot_d;
    end
  end

  always_ff @(posedge clk_i) begin : heads
    head_q <= head_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PickedWarpHasAnInstruction: assert (!pick_i.valid || count_q[pick_i.warp] != '0);
      GroupHasRoom: assert (!arriving || count_q[decoded_i.warp] - CountW'(picked[decoded_i.warp]) <=
                            CountW'(Slots) - CountW'(decoded_i.count));
      NothingIsInFlightAtAStart: assert ((renewed & busy) == '0);
      NoMoreFinishThanIssued: assert (overdrawn == '0);
    end
  end
endmodule
