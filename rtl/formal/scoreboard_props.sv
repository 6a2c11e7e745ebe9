// SPDX-License-Identifier: Apache-2.0
// No hazard gets through, and nothing else waits: a warp is ready exactly when it has an instruction that reads or
// writes nothing of what its instructions in flight write, no control instruction of it is unresolved, and it has not
// ended. Of any warp, which the solver chooses, and for any decoder.
module scoreboard_props #(
  parameter int unsigned InFlight = 2,  // instructions of the warp at once
  localparam int unsigned Warps    = g80_pkg::MaxWarps,
  localparam int unsigned WarpW    = $clog2(Warps),
  localparam int unsigned Slots    = g80_pkg::MaxBufferEntries,
  localparam int unsigned SlotW    = $clog2(Slots),
  localparam int unsigned CountW   = $clog2(Slots + 1),
  localparam int unsigned StateW   = g80_pkg::ThreadStateWidth,
  localparam int unsigned Releases = g80_pkg::ReleaseWidth / g80_pkg::ReleaseEntryWidth,
  localparam int unsigned IndexW   = $clog2(InFlight),
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

  // The instructions of every warp that wait: a ring of places
  logic [Warps-1:0][Slots-1:0][InsnW-1:0] waiting_q;
  logic [Warps-1:0][SlotW-1:0]            first_q;
  logic [Warps-1:0][CountW-1:0]           count_q;
  logic [Warps-1:0][7:0]                  epoch_q;

  logic [g80_pkg::MaxDecodeGroup-1:0][InsnW-1:0] arriving;
  logic                                          accepted;  // of a warp that has not gone elsewhere meanwhile

  for (genvar i = 0; i < g80_pkg::MaxDecodeGroup; i++) begin : gen_arriving
    g80_pkg::fetched_instruction_t insn;
    assign insn        = decoded_i.insn[i];
    assign arriving[i] = {insn.words[50:49], insn.words[2*StateW-1:0]};
  end
  assign accepted = decoded_i.valid && decoded_i.epoch == epoch_q[decoded_i.warp[WarpW-1:0]];

  for (genvar w = 0; w < Warps; w++) begin : gen_warp
    logic its_start, its_jump, its_pick, its_group;
    assign its_start = start_i.valid && start_i.warp == WarpW'(w);
    assign its_jump  = redirect_i.valid && redirect_i.warp == WarpW'(w);
    assign its_pick  = pick_i.valid && pick_i.warp == WarpW'(w);
    assign its_group = accepted && decoded_i.warp == WarpW'(w);

    always_ff @(posedge clk_i or negedge rst_ni) begin : places
      if (!rst_ni) begin
        first_q[w] <= '0;
        count_q[w] <= '0;
        epoch_q[w] <= '0;
      end else begin
        epoch_q[w] <= epoch_q[w] + {7'd0, its_start} + {7'd0, its_jump};
        first_q[w] <= its_start || its_jump ? '0 : first_q[w] + SlotW'(its_pick);
        count_q[w] <= count_q[w] - CountW'(its_pick) + (its_group ? CountW'(decoded_i.count) : '0);
        if (its_start || its_jump) count_q[w] <= '0;
      end
    end
    for (genvar s = 0; s < Slots; s++) begin : gen_slot
      logic [SlotW-1:0] behind;
      assign behind = SlotW'(s) - first_q[w] - SlotW'(count_q[w]);

      always_ff @(posedge clk_i) begin : words
        if (its_group && {1'b0, behind} < CountW'(decoded_i.count))
          waiting_q[w][s] <= arriving[behind[$clog2(g80_pkg::MaxDecodeGroup)-1:0]];
      end
    end
  end

  // The chosen warp
  logic              starts, jumps, picks, pushes, resolves, ends;
  logic [CountW-1:0] count;
  logic [InsnW-1:0]  head;
  logic              has_control, has_drain;

  assign starts      = start_i.valid && start_i.warp == warp;
  assign jumps       = redirect_i.valid && redirect_i.warp == warp;
  assign picks       = pick_i.valid && pick_i.warp == warp;
  assign pushes      = accepted && decoded_i.warp == warp;
  assign resolves    = resolve_i.warps[warp] || barrier_open_i[warp];
  assign ends        = resolve_i.ended && resolve_i.ended_warp == warp;
  assign count       = count_q[warp];
  assign head        = waiting_q[warp][first_q[warp]];
  assign has_drain   = head[InsnW-1];
  assign has_control = head[InsnW-2];

  // Its instructions in flight
  logic [InFlight-1:0]              flies_q, finishes;
  logic [InFlight-1:0][2*StateW-1:0] flying_q;  // what each writes and reads
  logic                             control_q, ended_q, ready_q, picked_q;

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
  logic              clear;

  always_comb begin : specification
    needs   = head[StateW-1:0] | head[2*StateW-1:StateW];
    written = '0;
    for (int i = 0; i < InFlight; i++) begin
      if (flies_q[i]) written = written | flying_q[i][2*StateW-1:StateW];
    end
    clear = count != '0 && !control_q && !ended_q && (needs & written) == '0 && !(has_drain && flies_q != '0);
  end

  always_comb begin : properties
    WarpsExist: assume (decoded_i.warp < Warps && pick_i.warp < Warps && start_i.warp < Warps &&
                        redirect_i.warp < Warps && resolve_i.ended_warp < Warps && exists == '1 && warp < Warps);
    PicksWhatWasReady: assume (!picks || (ready_q && !picked_q));
    ModelHasRoom: assume (!picks || !flies_q[free_i]);
    GroupHasRoom: assume (!pushes || (decoded_i.count != '0 && decoded_i.count <= 3'(g80_pkg::MaxDecodeGroup) &&
                                      count - CountW'(picks) <= CountW'(Slots) - CountW'(decoded_i.count)));
    LauncherStarts: assume (!start_i.valid || start_i.kind == g80_pkg::RedirectStart);
    StackDoesNot: assume (!redirect_i.valid || redirect_i.kind != g80_pkg::RedirectStart);
    StartsAFreeSlot: assume (!starts || (flies_q == '0 && !ready.ready[warp] && !ready_q && !picks && !jumps));
    JumpsAtControl: assume (!(jumps || resolves || ends) || (control_q && !picks));
    FinishesWhatFlies: assume (releases_agree);
    NoHazardGetsThrough: assert (!ready.ready[warp] || (needs & written) == '0);
    ReadyWhenClear: assert (ready.ready[warp] == clear);
    DrainedHasNothingInFlight: assert (!drained[warp] || (ended_q && flies_q == '0));
    WaitsForAResult: cover (count == CountW'(Slots) && !control_q && !clear && (&flies_q));
    GoesOnWithTheResult: cover (picks && (needs & flying_q[0][2*StateW-1:StateW]) != '0 && flies_q == InFlight'(2));
  end
endmodule
