// SPDX-License-Identifier: Apache-2.0
// No hazard gets through, and nothing else waits: a warp is ready exactly when it has an instruction that reads or
// writes nothing of what its instructions in flight write, no control instruction of it is unresolved, and it has not
// ended. Of any warp, which the solver chooses, and for any decoder; of other warps the banks may give any words.
// StateAgrees says what holds between two edges, so that one edge proves it for all; the other properties follow.
module scoreboard_props #(
  parameter int unsigned InFlight = 2,  // instructions of the warp at once
  localparam int unsigned Warps    = g80_pkg::MaxWarps,
  localparam int unsigned WarpW    = $clog2(Warps),
  localparam int unsigned Slots    = g80_pkg::MaxBufferEntries,
  localparam int unsigned SlotW    = $clog2(Slots),
  localparam int unsigned CountW   = $clog2(Slots + 1),
  localparam int unsigned StateW   = g80_pkg::ThreadStateWidth,
  localparam int unsigned HeadW    = StateW + 7,
  localparam int unsigned Releases = g80_pkg::ReleaseWidth / g80_pkg::ReleaseEntryWidth,
  localparam int unsigned IndexW   = $clog2(InFlight),
  localparam int unsigned MicroW   = g80_pkg::IssuedOpWidth + 16,  // in a bank below the words
  localparam int unsigned BankW    = MicroW + 39,
  localparam int unsigned InsnW    = 2 * StateW + 2  // what free_hazards.sv reads: drains, control, writes, reads
) (
  input logic                            clk_i,
  input logic                            rst_ni,
  input g80_pkg::decoded_group_t         decoded_i,
  input g80_pkg::redirect_t              start_i,
  input g80_pkg::redirect_t              redirect_i,
  input g80_pkg::resolve_t               resolve_i,
  input g80_pkg::pick_t                  pick_i,
  input logic [Warps-1:0]                barrier_open_i,
  input logic [Warps-1:0]                barrier_waiting_i,
  input g80_pkg::release_t               release_i,
  input logic [Releases-1:0][IndexW-1:0] finishing_i,  // which of its instructions each release is of
  input logic [IndexW-1:0]               free_i        // where the model keeps the one that is picked
);
  (* anyconst *) logic [WarpW-1:0] warp;
  g80_pkg::warp_ready_t ready;
  logic [Warps-1:0]     drained;

  scoreboard u_dut (
    .clk_i,
    .rst_ni,
    .cfg_sfu_mul_i(1'b1),
    .decoded_i,
    .start_i,
    .redirect_i,
    .resolve_i,
    .pick_i,
    .barrier_open_i,
    .barrier_waiting_i,
    .release_i,
    .ready_o  (ready),
    .drained_o(drained)
  );

  // Registers of the module and of its banks, by their names in the whole
  logic [Slots-1:0][BankW-1:0] bank_word;
  logic [Slots-1:0]            bank_written;

  for (genvar s = 0; s < Slots; s++) begin : gen_watched
    assign u_dut.gen_bank[s].u_bank.watched = warp;
    assign bank_word[s]    = u_dut.gen_bank[s].u_bank.word_q;
    assign bank_written[s] = u_dut.gen_bank[s].u_bank.written_q;
  end

  // What happens to the warp
  logic starts, jumps, picks, pushes, resolves, ends;

  // The instructions of the warp that wait: a ring of places
  logic [Slots-1:0][InsnW-1:0] waiting_q;
  logic [SlotW-1:0]            first_q;
  logic [CountW-1:0]           count_q;
  logic [7:0]                  epoch_q;
  logic [InsnW-1:0]            head;
  logic                        has_control, has_drain;

  assign starts      = start_i.valid && start_i.warp == warp;
  assign jumps       = redirect_i.valid && redirect_i.warp == warp;
  assign picks       = pick_i.valid && pick_i.warp == warp;
  assign pushes      = decoded_i.valid && decoded_i.warp == warp && decoded_i.epoch == epoch_q;  // not gone elsewhere
  assign resolves    = resolve_i.warps[warp] || barrier_open_i[warp];
  assign ends        = resolve_i.ended && resolve_i.ended_warp == warp;
  assign head        = waiting_q[first_q];
  assign has_drain   = head[InsnW-1];
  assign has_control = head[InsnW-2];

  always_ff @(posedge clk_i or negedge rst_ni) begin : places
    if (!rst_ni) begin
      first_q <= '0;
      count_q <= '0;
      epoch_q <= '0;
    end else begin
      epoch_q <= epoch_q + {7'd0, starts} + {7'd0, jumps};
      first_q <= starts || jumps ? '0 : first_q + SlotW'(picks);
      count_q <= starts || jumps ? '0 : count_q - CountW'(picks) + (pushes ? CountW'(decoded_i.count) : '0);
    end
  end

  for (genvar s = 0; s < Slots; s++) begin : gen_slot
    logic [SlotW-1:0]              behind;
    g80_pkg::fetched_instruction_t insn;

    assign behind = SlotW'(s) - first_q - SlotW'(count_q);
    assign insn   = decoded_i.insn[behind[$clog2(g80_pkg::MaxDecodeGroup)-1:0]];

    always_ff @(posedge clk_i) begin : words
      if (pushes && {1'b0, behind} < CountW'(decoded_i.count))
        waiting_q[s] <= {insn.words[18:17], insn.words[2*StateW-1:0]};
    end
  end

  // Its instructions in flight
  logic [InFlight-1:0]               flies_q, finishes;
  logic [InFlight-1:0][2*StateW-1:0] flying_q;  // what each writes and reads
  logic                              control_q, ended_q, ready_q, picked_q;

  logic [Releases-1:0]               exists, retires;
  logic [Releases-1:0][2*StateW-1:0] released;
  logic                              releases_agree;  // each is of an instruction in flight, and of another one

  for (genvar r = 0; r < Releases; r++) begin : gen_release
    g80_pkg::release_entry_t entry;
    assign entry       = release_i.entry[r];
    assign exists[r]   = entry.warp < Warps;
    assign retires[r]  = entry.valid && entry.warp == warp;
    assign released[r] = entry.insn.words[2*StateW-1:0];
  end

  always_comb begin : find_finished
    finishes       = '0;
    releases_agree = 1'b1;
    for (int r = 0; r < Releases; r++) begin
      if (retires[r]) begin
        if (!flies_q[finishing_i[r]] || finishes[finishing_i[r]] ||
            released[r] != flying_q[finishing_i[r]]) releases_agree = 1'b0;
        finishes[finishing_i[r]] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      flies_q   <= '0;
      control_q <= 1'b0;
      ended_q   <= 1'b0;
      ready_q   <= 1'b0;
      picked_q  <= 1'b0;
    end else begin
      ready_q   <= ready.ready[warp];
      picked_q  <= picks;
      control_q <= (control_q || (picks && has_control)) && !resolves && !starts;
      ended_q   <= (ended_q || ends) && !starts;
      flies_q   <= (flies_q & ~finishes) | (picks ? InFlight'(1) << free_i : '0);
    end
  end
  always_ff @(posedge clk_i) begin : in_flight
    if (picks) flying_q[free_i] <= head[2*StateW-1:0];
  end

  // What the next instruction reads or writes, and what those in flight write
  logic [StateW-1:0] needs, written;
  logic [7:0]        flying;
  logic              apart;  // no two of them write the same
  logic              clear;

  always_comb begin : specification
    needs   = head[StateW-1:0] | head[2*StateW-1:StateW];
    written = '0;
    flying  = '0;
    apart   = 1'b1;
    for (int i = 0; i < InFlight; i++) begin
      if (flies_q[i]) begin
        if ((written & flying_q[i][2*StateW-1:StateW]) != '0) apart = 1'b0;
        written = written | flying_q[i][2*StateW-1:StateW];
        flying  = flying + 8'd1;
      end
    end
    clear = count_q != '0 && !control_q && !ended_q && (needs & written) == '0 && !(has_drain && flies_q != '0);
  end

  // The module's registers of the warp beside the model's
  logic             same_registers, same_head;
  logic [Slots-1:0] waits, same_word;
  logic [HeadW-1:0] head_of_dut;

  for (genvar s = 0; s < Slots; s++) begin : gen_place
    logic [SlotW-1:0] place;
    assign place        = SlotW'(s) - first_q;
    assign waits[s]     = CountW'(place) < count_q;
    assign same_word[s] = bank_written[s] &&
                          {bank_word[s][MicroW+18:MicroW+17], bank_word[s][MicroW+2*StateW-1:MicroW]} == waiting_q[s];
  end
  assign head_of_dut    = u_dut.head_q[warp];
  assign same_head      = head_of_dut[HeadW-1:HeadW-StateW] == needs && head_of_dut[0] == has_drain;
  assign same_registers = u_dut.control_q[warp] == control_q && u_dut.ended_q[warp] == ended_q &&
                          u_dut.in_flight_q[warp] == flying && u_dut.epoch_q[warp] == epoch_q &&
                          u_dut.pending_q[warp] == written && u_dut.count_q[warp] == count_q &&
                          u_dut.slot_q[warp] == first_q;

  always_comb begin : properties
    WarpsExist: assume (decoded_i.warp < Warps && pick_i.warp < Warps && start_i.warp < Warps &&
                        redirect_i.warp < Warps && resolve_i.ended_warp < Warps && exists == '1 && warp < Warps);
    PicksWhatWasReady: assume (!picks || (ready_q && !picked_q));
    ModelHasRoom: assume (!picks || !flies_q[free_i]);
    GroupHasRoom: assume (!pushes || (decoded_i.count != '0 && decoded_i.count <= 3'(g80_pkg::MaxDecodeGroup) &&
                                      count_q - CountW'(picks) <= CountW'(Slots) - CountW'(decoded_i.count)));
    LauncherStarts: assume (!start_i.valid || start_i.kind == g80_pkg::RedirectStart);
    StackDoesNot: assume (!redirect_i.valid || redirect_i.kind != g80_pkg::RedirectStart);
    StartsAFreeSlot: assume (!starts || (flies_q == '0 && !ready.ready[warp] && !ready_q && !picks && !jumps));
    JumpsAtControl: assume (!(jumps || resolves || ends) || (control_q && !picks));
    FinishesWhatFlies: assume (releases_agree);
    StateAgrees: assert (same_registers && (count_q == '0 || same_head) && (waits & ~same_word) == '0 && apart &&
                         count_q <= CountW'(Slots) && ready.ready[warp] == clear && (!ready_q || picked_q || clear));
    NoHazardGetsThrough: assert (!ready.ready[warp] || (needs & written) == '0);
    ReadyWhenClear: assert (ready.ready[warp] == clear);
    DrainedHasNothingInFlight: assert (!drained[warp] || (ended_q && flies_q == '0));
    WaitsForAResult: cover (count_q == CountW'(Slots) && !control_q && !clear && (&flies_q));
    GoesOnWithTheResult: cover (picks && (needs & flying_q[0][2*StateW-1:StateW]) != '0 && flies_q == InFlight'(2));
  end
endmodule
