// SPDX-License-Identifier: Apache-2.0
// The effect of a control instruction on the lanes and the control stack of its warp. No clock. Twin of WarpControl in
// hw/sm/warp_control.h.
module warp_control #(
  localparam int unsigned Lanes  = g80_pkg::WarpSize,
  localparam int unsigned Places = g80_pkg::MaxSmStackOnChip,
  localparam int unsigned PlaceW = $clog2(Places),
  localparam int unsigned CountW = $clog2(Places + 1),
  localparam int unsigned DepthW = $clog2(g80_pkg::MaxStackDepth + 1),
  localparam int unsigned EntryW = g80_pkg::StackEntryWidth
) (
  // The instruction, and the active lanes in which its condition holds
  input  g80_pkg::instruction_t         insn_i,
  input  logic [23:0]                   pc_i,
  input  logic [Lanes-1:0]              taken_i,

  // Rules of the chip and of the grid
  input  logic                          taken_first_i,     // of a branch that diverges
  input  logic [CountW-1:0]             on_chip_limit_i,
  input  logic [DepthW-1:0]             depth_limit_i,
  input  logic [DepthW:0]               calls_limit_i,     // limited calls

  // The warp
  input  logic [Lanes-1:0]              active_i,
  input  g80_pkg::control_state_t       state_i,
  input  logic [Places-1:0][EntryW-1:0] entry_i,

  // The warp after the instruction
  output logic [Lanes-1:0]              active_o,
  output g80_pkg::control_state_t       state_o,
  output logic                          push_o,
  output logic [PlaceW-1:0]             push_place_o,
  output g80_pkg::stack_entry_t         pushed_o,
  output g80_pkg::control_outcome_t     outcome_o
);
  // The stack
  logic [PlaceW-1:0]     tail, youngest;  // place above the youngest entry, and its own
  logic [DepthW-1:0]     depth;
  g80_pkg::stack_entry_t top, oldest;
  logic                  empty;  // on chip

  assign tail     = state_i.oldest + state_i.count[PlaceW-1:0];
  assign youngest = tail - PlaceW'(1);
  assign depth    = DepthW'(state_i.in_memory) + DepthW'(state_i.count);
  assign empty    = state_i.count == '0;
  assign top      = entry_i[youngest];
  assign oldest   = entry_i[state_i.oldest];

  // What the instruction does. One that has waited for an entry goes on where it was.
  logic             goes_on, refused, runs;
  logic             takes, plain;
  logic [23:0]      next;
  logic [Lanes-1:0] rest;
  logic             branches, diverges, calls, breaks, returns, exits, joins, starts_quads, ends_quads;

  assign goes_on = state_i.unwinding;
  assign refused = !goes_on && state_i.quad_mode && insn_i.op != g80_pkg::OpQuadpop && insn_i.op != g80_pkg::OpBrkpt;
  assign runs    = !goes_on && !refused;
  assign next    = pc_i + 24'(insn_i.bytes);
  assign rest    = active_i & ~taken_i;
  assign takes   = runs && taken_i != '0;

  always_comb begin : classify
    unique case (insn_i.op)
      g80_pkg::OpBra, g80_pkg::OpJoinat, g80_pkg::OpBreakaddr, g80_pkg::OpCall, g80_pkg::OpBreak, g80_pkg::OpRet,
      g80_pkg::OpQuadon, g80_pkg::OpQuadpop: plain = 1'b0;
      default: plain = runs;  // only its exit and join flags matter
    endcase
  end
  assign branches     = takes && insn_i.op == g80_pkg::OpBra && rest == '0;
  assign diverges     = takes && insn_i.op == g80_pkg::OpBra && rest != '0;
  assign calls        = runs && insn_i.op == g80_pkg::OpCall &&
                        !(insn_i.call_limited && {1'b0, state_i.limited_calls} >= calls_limit_i);
  assign breaks       = takes && insn_i.op == g80_pkg::OpBreak;
  assign returns      = takes && insn_i.op == g80_pkg::OpRet;
  assign exits        = plain && insn_i.exit;
  assign joins        = plain && insn_i.join_ && !insn_i.exit;
  assign starts_quads = runs && insn_i.op == g80_pkg::OpQuadon;
  assign ends_quads   = runs && insn_i.op == g80_pkg::OpQuadpop;

  // An entry for what others wait for
  logic                  wants_entry, overflow, spills;
  g80_pkg::stack_entry_t pushed;

  always_comb begin : new_entry
    pushed.pc    = insn_i.target;
    pushed.type_ = g80_pkg::StackEntryTypeJoinat;
    pushed.mask  = active_i;
    wants_entry  = runs && insn_i.op == g80_pkg::OpJoinat;
    if (diverges) begin
      pushed.pc    = taken_first_i ? next : insn_i.target;
      pushed.type_ = g80_pkg::StackEntryTypeBranch;
      pushed.mask  = taken_first_i ? rest : taken_i;
      wants_entry  = 1'b1;
    end
    if (runs && insn_i.op == g80_pkg::OpBreakaddr) begin
      pushed.type_ = g80_pkg::StackEntryTypeBreak;
      wants_entry  = 1'b1;
    end
    if (calls) begin
      pushed.pc    = next;
      pushed.type_ = insn_i.call_limited ? g80_pkg::StackEntryTypeCallLimited : g80_pkg::StackEntryTypeCall;
      wants_entry  = 1'b1;
    end
    if (starts_quads) begin
      pushed.pc    = next;
      pushed.type_ = g80_pkg::StackEntryTypeQuadon;
      wants_entry  = 1'b1;
    end
  end

  // A stack that is full on chip sends its oldest entry to memory.
  assign overflow     = wants_entry && depth >= depth_limit_i;
  assign push_o       = wants_entry && !overflow;
  assign push_place_o = tail;
  assign pushed_o     = pushed;
  assign spills       = push_o && state_i.count == on_chip_limit_i;

  // Lanes that leave: they break out of a loop, return, or end.
  logic             leaves;
  logic [Lanes-1:0] leaving, left, runnable, broke, returned;

  assign leaves   = breaks || returns || exits;
  assign leaving  = exits ? active_i : leaves ? taken_i : '0;
  assign left     = active_i & ~leaving;
  assign runnable = state_i.runnable & ~leaving;
  assign broke    = state_i.broke | (breaks ? taken_i : '0);
  assign returned = state_i.returned | (returns && state_i.calls != '0 ? taken_i : '0);

  // A join with an entry on chip
  logic finds_entry, mismatch, meets;

  assign finds_entry = joins && !empty;
  assign mismatch    = finds_entry && top.type_ != g80_pkg::StackEntryTypeBranch &&
                       top.type_ != g80_pkg::StackEntryTypeJoinat;
  assign meets       = finds_entry && top.type_ == g80_pkg::StackEntryTypeJoinat && (top.mask & runnable) != '0;

  // No lane is active: the youngest entry with lanes to run is next, and those above it are dropped.
  logic                  unwinds, found, keeps, faulty;
  logic [PlaceW-1:0]     found_place, found_number;
  logic [CountW-1:0]     dropped_calls, dropped_limited_calls;
  g80_pkg::stack_entry_t at;
  logic                  at_break, at_limited_call, at_call;
  logic [Lanes-1:0]      back;  // lanes that have waited for it

  assign unwinds = goes_on || (leaves && left == '0) || (finds_entry && !mismatch && !meets);

  unwind_search u_search (
    .entry_i,
    .oldest_i       (state_i.oldest),
    .count_i        (state_i.count),
    .runnable_i     (runnable),
    .broke_i        (broke),
    .returned_i     (returned),
    .found_o        (found),
    .place_o        (found_place),
    .number_o       (found_number),
    .calls_o        (dropped_calls),
    .limited_calls_o(dropped_limited_calls)
  );

  assign at              = entry_i[found_place];
  assign at_break        = at.type_ == g80_pkg::StackEntryTypeBreak;
  assign at_limited_call = at.type_ == g80_pkg::StackEntryTypeCallLimited;
  assign at_call         = at.type_ == g80_pkg::StackEntryTypeCall || at_limited_call;
  assign faulty          = at.type_ != g80_pkg::StackEntryTypeBranch && at.type_ != g80_pkg::StackEntryTypeJoinat &&
                           !at_break && !at_call;
  assign keeps           = faulty || at.type_ == g80_pkg::StackEntryTypeJoinat;  // the join at its target pops it
  assign back            = at.mask & (at_break ? broke : at_call ? returned : '0);

  // Lanes
  logic [Lanes-1:0] quads;

  for (genvar q = 0; q < Lanes; q += 4) begin : gen_quad
    assign quads[q+:4] = active_i[q+:4] != '0 ? 4'hf : 4'h0;
  end

  always_comb begin : next_active
    active_o = left;
    if (diverges && push_o) active_o = taken_first_i ? taken_i : rest;
    if (starts_quads && push_o) active_o = quads;
    if (ends_quads && state_i.quad_mode) active_o = top.mask;
    if (meets) active_o = top.mask & runnable;
    if (unwinds) active_o = found && !faulty ? at.mask & (runnable | back) : '0;
  end

  // The rest of the state
  logic              resumes;  // from an entry, which gives back lanes
  logic [DepthW-1:0] ended_calls, ended_limited_calls;

  assign resumes             = unwinds && found && !faulty;
  assign ended_calls         = DepthW'(dropped_calls) + DepthW'(resumes && at_call);
  assign ended_limited_calls = DepthW'(dropped_limited_calls) + DepthW'(resumes && at_limited_call);

  always_comb begin : next_state
    state_o          = state_i;
    state_o.runnable = resumes ? runnable | back : runnable;
    state_o.broke    = resumes && at_break ? broke & ~back : broke;
    state_o.returned = resumes && at_call ? returned & ~back : returned;
    if (push_o) begin
      state_o.oldest    = state_i.oldest + PlaceW'(spills);
      state_o.count     = state_i.count + CountW'(!spills);
      state_o.in_memory = state_i.in_memory + 12'(spills);
      state_o.quad_mode = starts_quads;
      // More than the stack can have if the kernel overwrites entries of calls in memory.
      if (calls && state_i.calls < DepthW'(g80_pkg::MaxStackDepth)) state_o.calls = state_i.calls + DepthW'(1);
      if (calls && insn_i.call_limited && state_i.limited_calls < DepthW'(g80_pkg::MaxStackDepth))
        state_o.limited_calls = state_i.limited_calls + DepthW'(1);
    end
    if (meets || (ends_quads && state_i.quad_mode)) begin
      state_o.count     = state_i.count - CountW'(1);
      state_o.quad_mode = 1'b0;
    end
    if (unwinds) begin
      state_o.count         = found ? {1'b0, found_number} + CountW'(keeps) : '0;
      state_o.unwinding     = !found && state_i.in_memory != '0;
      state_o.calls         = state_i.calls > ended_calls ? state_i.calls - ended_calls : '0;
      state_o.limited_calls = state_i.limited_calls > ended_limited_calls ? state_i.limited_calls - ended_limited_calls
                                                                          : '0;
    end
  end

  always_comb begin : outcome
    outcome_o          = g80_pkg::ControlOutcomeDefault;
    outcome_o.pc       = next;
    outcome_o.diverged = diverges;
    outcome_o.spills   = spills;
    if (branches || calls) begin
      outcome_o.pc     = insn_i.target;
      outcome_o.jumped = calls || insn_i.target != next;
    end
    if (diverges && taken_first_i) begin
      outcome_o.pc     = insn_i.target;
      outcome_o.jumped = 1'b1;
    end
    if (spills) begin
      outcome_o.number  = state_i.in_memory;
      outcome_o.spilled = oldest;
    end
    if (overflow) outcome_o.fault = g80_pkg::FaultStackOverflow;
    if (refused) outcome_o.fault = g80_pkg::FaultQuadonActive;
    if (mismatch || (ends_quads && !state_i.quad_mode)) outcome_o.fault = g80_pkg::FaultStackMismatch;
    if ((joins || (ends_quads && !state_i.quad_mode)) && depth == '0) outcome_o.fault = g80_pkg::FaultStackUnderflow;
    if ((unwinds && !found || joins && empty) && state_i.in_memory != '0) begin
      outcome_o.waits  = 1'b1;
      outcome_o.number = state_i.in_memory - 12'd1;
    end
    if (unwinds) begin
      outcome_o.jumped = 1'b1;
      outcome_o.pc     = found ? at.pc : '0;
      outcome_o.ended  = !found && state_i.in_memory == '0;
      if (found && faulty)
        outcome_o.fault = at.type_ == g80_pkg::StackEntryTypeQuadon ? g80_pkg::FaultQuadonActive
                                                                    : g80_pkg::FaultStackMismatch;
    end
  end
endmodule
