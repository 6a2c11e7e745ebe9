// SPDX-License-Identifier: Apache-2.0
// Warps: the instructions they issue, their hazards, control flow and results.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hw/common/set_bits.h"
#include "hw/config/initial_word.h"
#include "tb/check/lockstep_state.h"

namespace g80 {

using golden::StepStatus;

namespace {

/// Names the registers, flags and address registers that are in both sets, for the message.
std::string common_state(const ThreadState& a, const ThreadState& b) {
  for (unsigned r = 0; r < kMaxRegistersPerThread; ++r) {
    if ((a.registers.bits[r / 64] & b.registers.bits[r / 64]) >> (r % 64) & 1) return fmt::format("$r{}", r);
  }
  for (unsigned i = 0; i < 8; ++i) {
    if ((a.flags & b.flags) >> i & 1) return fmt::format("$c{}", i);
    if ((a.addrs & b.addrs) >> i & 1) return fmt::format("$a{}", i);
  }
  return "?";
}

}  // namespace

void LockStep::read_sm_log(Sm& sm) {
  SmLog& log = sm.log;
  std::size_t start = 0, issue = 0, retire = 0, smem = 0, operands = 0, control = 0, access = 0, release = 0, open = 0,
              ended = 0;
  for (const SmLog::Kind kind : log.order) {
    switch (kind) {
      case SmLog::Kind::kWarpStart: start_warp(sm, log.start[start++]); break;
      case SmLog::Kind::kIssue: issued(sm, log.issue[issue++]); break;
      case SmLog::Kind::kOperands: collected(sm, log.operands[operands++]); break;
      case SmLog::Kind::kControl: controlled(sm, log.control[control++]); break;
      case SmLog::Kind::kAccess: sent(sm, log.access[access++]); break;
      case SmLog::Kind::kSmem: shared_pass(sm, log.smem[smem++]); break;
      case SmLog::Kind::kRetire: retired(sm, log.retire[retire++]); break;
      case SmLog::Kind::kRelease: released(sm, log.release[release++]); break;
      case SmLog::Kind::kOpen: opened(sm, log.open[open++]); break;
      case SmLog::Kind::kEnded:
        for (const unsigned slot : set_bits(log.ended[ended++].warps)) sm.locks.release(slot);
        break;
    }
  }
  log.clear();
}

// What the machine's memories hold in the places that the block, or the warp in `slot`, gets: sm.init.
void LockStep::give_initial_words(golden::BlockState& block, unsigned shared_base) const {
  const InitialWords initial(config_);
  const std::size_t words = block.shared.size() / 4;
  for (std::size_t i = std::min<std::size_t>(golden::kHeaderWords + launch_.params.size(), words); i < words; ++i) {
    const std::uint32_t word = initial.of_shared(static_cast<unsigned>(shared_base / 4 + i));
    std::memcpy(&block.shared[i * 4], &word, sizeof word);
  }
}

void LockStep::give_initial_words(golden::WarpState& warp, unsigned slot) const {
  const InitialWords initial(config_);
  const auto registers = static_cast<unsigned>(warp.r.size());
  for (unsigned r = 0; r < registers; ++r) {
    for (unsigned l = 0; l < kWarpSize; ++l) {
      const bool thread_id = r == 0 && (warp.populated >> l & 1) != 0;
      if (!thread_id) warp.r[r][l] = initial.of_register(slot * registers + r, l);
    }
  }
}

void LockStep::start_warp(Sm& sm, const SmLog::WarpStart& start) {
  if (start.warp_in_cta == 0) {
    // Only now the state of the block that had this slot before is dropped.
    for (unsigned slot = 0; slot < kMaxWarps; ++slot) {
      const Warp& old = sm.warps[slot];
      if (old.block == nullptr || old.block != sm.blocks[start.cta_slot].get() || old.faulted) continue;
      expect_ended(sm, slot, "the block");
    }
    sm.blocks[start.cta_slot] = std::make_unique<golden::BlockState>();
    sm.blocks[start.cta_slot]->start(launch_, start.cta_x + launch_.grid_x * start.cta_y);
    give_initial_words(*sm.blocks[start.cta_slot], start.shared_base);
  }
  Warp& warp = sm.warps[start.warp];
  CHECK(warp.events.empty(), "lock-step: {} restarted warp slot {} with unfinished instructions", sm.path, start.warp);
  CHECK(start.warp_in_cta < sm.blocks[start.cta_slot]->warps.size(),
        "lock-step: {} started warp {} of a block with fewer warps", sm.path, start.warp_in_cta);
  warp.block = sm.blocks[start.cta_slot].get();
  warp.state = &warp.block->warps[start.warp_in_cta];
  give_initial_words(*warp.state, start.warp);
  warp.shared_base = start.shared_base;
  warp.faulted = false;
  warp.in_flight.clear();
  warp.control_open = warp.at_barrier = false;
}

// Checks hazards against the instructions that the model has in flight, because the reference may lag behind.
void LockStep::issued(Sm& sm, const SmLog::Issue& issue) {
  Warp& warp = sm.warps[issue.warp];
  CHECK(warp.state != nullptr, "lock-step: {} issued for warp slot {}, which has not started", sm.path, issue.warp);
  const DecodedInstruction& decoded = issue.fetched.decoded();
  if (!warp.faulted) {
    if (warp.control_open) {
      differ(where_of(sm, issue),
             fmt::format("issued before the control instruction at pc 0x{:x} was resolved", warp.control.fetched.pc),
             sm.block("scoreboard"), "a warp must not issue before its control instruction is resolved");
    }
    if (warp.at_barrier) {
      differ(where_of(sm, issue), "issued before the barrier released the warp", sm.block("scoreboard"),
             "the barrier has not opened");
    }
    for (const InFlight& earlier : warp.in_flight) {
      const ThreadState& pending = earlier.fetched.decoded().writes;
      if (decoded.reads.intersects(pending) || decoded.writes.intersects(pending)) {
        const bool reads = decoded.reads.intersects(pending);
        differ(where_of(sm, issue),
               fmt::format("{} {} while the instruction at pc 0x{:x}, issued in cycle {}, has not written it",
                           reads ? "reads" : "writes", common_state(reads ? decoded.reads : decoded.writes, pending),
                           earlier.fetched.pc, earlier.issued),
               sm.block("scoreboard"), "it let an instruction with a pending register issue");
      }
      if (decoded.drains) {
        differ(where_of(sm, issue),
               fmt::format("issued while the instruction at pc 0x{:x} was in flight", earlier.fetched.pc),
               sm.block("scoreboard"), "barriers and exits wait for every earlier instruction of their warp");
      }
    }
  }
  warp.in_flight.push_back({issue.tag, issue.fetched, issue.lanes, issue.cycle, false});
  if (decoded.control && decoded.insn.op != isa::Op::kBar) {
    warp.control_open = true;
    warp.control = warp.in_flight.back();
  }
  warp.at_barrier = decoded.insn.op == isa::Op::kBar;
  if (decoded.reads_shared_operand || decoded.insn.op == isa::Op::kStShared ||
      decoded.insn.op == isa::Op::kStSharedUnlock)
    sm.add_shared_access(issue);
  const bool collects = decoded.unit != isa::Unit::kControl;
  warp.events.add() = {SmLog::Kind::kIssue, collects ? Warp::kNotCollected : Warp::kNone, issue};
  advance(sm, issue.warp);
}

void LockStep::collected(Sm& sm, const SmLog::Operands& operands) {
  Warp& warp = sm.warps[operands.warp];
  for (InFlight& instruction : warp.in_flight) instruction.collected |= instruction.tag.bits == operands.tag.bits;
  const auto event = std::find_if(warp.events.begin(), warp.events.end(), [&](const Warp::Event& e) {
    return e.kind == SmLog::Kind::kIssue && e.issue.tag.bits == operands.tag.bits;
  });
  if (event == warp.events.end()) return;  // the reference has faulted in this warp
  sm.in_log = {sm.log.words.begin() + operands.first, operands.count, operands.as_stored};
  event->operands = Warp::kInLog;
  const bool first = event == warp.events.begin();
  if (first) advance(sm, operands.warp);
  if (first && (warp.events.empty() || warp.events.front().operands != Warp::kInLog)) return;
  // The reference has not executed the instruction yet: keep the result for later.
  Warp::Event& waiting = first ? warp.events.front() : *event;
  if (sm.free_kept.empty()) {
    sm.free_kept.push_back(static_cast<int>(sm.kept.size()));
    sm.kept.emplace_back();
  }
  waiting.operands = sm.free_kept.back();
  sm.free_kept.pop_back();
  Sm::KeptOperands& kept = sm.kept[static_cast<unsigned>(waiting.operands)];
  kept.words.assign(sm.in_log.words, sm.in_log.words + sm.in_log.count);
  kept.as_stored = sm.in_log.as_stored;
}

void LockStep::controlled(Sm& sm, const SmLog::Control& control) {
  Warp& warp = sm.warps[control.warp];
  if (warp.faulted || warp.state == nullptr) return;
  if (!warp.control_open || warp.control.tag.bits != control.tag.bits) {
    differ({sm.index, control.warp, control.cycle, warp.control.fetched.pc, 0, 0},
           "a control instruction was executed that this warp did not issue", sm.block("operand_collector"),
           "this block sends the control events");
  }
  warp.control_open = false;
  if (warp.events.empty()) return compare_control(sm, control);
  warp.controls.add() = control;
  warp.add_event(SmLog::Kind::kControl);
  advance(sm, control.warp);
}

void LockStep::retired(Sm& sm, const SmLog::Retire& retire) {
  Warp& warp = sm.warps[retire.warp];
  CHECK(warp.state != nullptr, "lock-step: {} finished an instruction of warp slot {}, which has not started", sm.path,
        retire.warp);
  const Where where{sm.index, retire.warp, retire.cycle, retire.fetched.pc, retire.fetched.w0(), retire.fetched.w1()};
  if (SharedAccess* const access = sm.shared_access(retire.tag); access != nullptr) {
    access->finished = true;
    if (warp.faulted) access->passes.clear(), access->unstored = 0;  // the reference takes nothing any more
    sm.drop_if_done(*access);
  }
  if (sm.released.empty()) {
    differ(where, "finished, but the scoreboard got no release", sm.block("writeback"), "the release is missing");
  }
  const SmLog::Release release = sm.released.front();
  sm.released.pop();
  if (release.warp != retire.warp || release.fetched.words != retire.fetched.words) {
    differ({sm.index, release.warp, release.cycle, 0, release.fetched.w0(), release.fetched.w1()},
           fmt::format("the scoreboard got its release, expected warp slot {}", retire.warp), sm.block("writeback"),
           "the release names another instruction than the one that finished");
  }
  const auto instruction = std::find_if(warp.in_flight.begin(), warp.in_flight.end(),
                                        [&](const InFlight& i) { return i.tag.bits == retire.tag.bits; });
  if (warp.faulted) {
    if (instruction != warp.in_flight.end()) warp.in_flight.erase(instruction);
    return;
  }
  if (instruction == warp.in_flight.end()) {
    differ(where, "finished, but it is not in flight", sm.block("writeback"), "finished twice, or for another warp");
  }
  if (instruction->lanes != retire.lanes) {
    differ(where, fmt::format("executed in lanes {:08x}, expected {:08x}", retire.lanes, instruction->lanes),
           sm.block(retire.fetched.decoded().uses_load_table ? "load_table" : "operand_collector"),
           "it was issued with the correct lanes");
  }
  warp.in_flight.erase(instruction);
  if (warp.events.empty()) return compare_result(sm, retire);
  SmLog::Retire& kept = warp.retires.add();
  kept.take(retire);
  kept.cycle = retire.cycle;
  warp.add_event(SmLog::Kind::kRetire);
  advance(sm, retire.warp);
}

// A release goes ahead of the result; retired() requires that both come in the same order.
void LockStep::released(Sm& sm, const SmLog::Release& release) { sm.released.add() = release; }

// step() detects a barrier that opened too early, when the warp continues.
void LockStep::opened(Sm& sm, const SmLog::Open& open) {
  for (const unsigned slot : set_bits(open.warps)) {
    Warp& warp = sm.warps[slot];
    if (warp.faulted) continue;
    if (!warp.at_barrier) {
      differ({sm.index, slot, open.cycle, warp.state != nullptr ? warp.state->pc : 0, 0, 0},
             "a barrier releases the warp, which waits at none", sm.block("barrier"), "released warps");
    }
    warp.at_barrier = false;
  }
}

// Processes the warp's events until the reference must wait.
void LockStep::advance(Sm& sm, unsigned slot) {
  Warp& warp = sm.warps[slot];
  if (warp.faulted) {
    warp.events.clear();
    warp.retires.clear();
    warp.controls.clear();
  }
  while (!warp.events.empty()) {
    const Warp::Event& event = warp.events.front();
    if (event.kind == SmLog::Kind::kIssue) {
      if (event.operands == Warp::kNotCollected) return;
      OperandView operands;
      if (event.operands == Warp::kInLog) operands = sm.in_log;
      if (event.operands >= 0) {
        const Sm::KeptOperands& kept = sm.kept[static_cast<unsigned>(event.operands)];
        operands = {kept.words.data(), static_cast<unsigned>(kept.words.size()), kept.as_stored};
      }
      if (!step(sm, slot, event.issue, operands)) return;
      if (event.operands >= 0) sm.free_kept.push_back(event.operands);
    } else if (event.kind == SmLog::Kind::kControl) {
      compare_control(sm, warp.controls.front());
      warp.controls.pop();
    } else {
      compare_result(sm, warp.retires.front());
      warp.retires.pop();
    }
    warp.events.pop();
  }
}

// Steps the reference over an issued instruction; false if it waits for memory.
bool LockStep::step(Sm& sm, unsigned slot, const SmLog::Issue& issue, const OperandView& operands) {
  const auto fail = [&](const std::string& what, const char* block, const char* reason) {
    differ(where_of(sm, issue), what, sm.block(block), reason);
  };
  Warp& warp = sm.warps[slot];
  golden::WarpState& state = *warp.state;
  if (state.finished)
    fail("the model issued an instruction of a warp that has ended", "reconvergence_stack", "the end was missed");
  if (state.pc != issue.fetched.pc) {
    fail(fmt::format("pc is 0x{:x}, expected 0x{:x}", issue.fetched.pc, state.pc), "fetch",
         "the reconvergence stack has the correct pc: the error is in fetch or instruction_buffer");
  }
  if (state.active != issue.active) {
    fail(fmt::format("active mask is {:08x}, expected {:08x}", issue.active, state.active), "reconvergence_stack",
         "the mask changed without a control instruction");
  }
  if (state.waiting != golden::kNoBarrier) {
    fail(fmt::format("the warp passed barrier {} before it opened", state.waiting), "barrier",
         "not every expected warp has arrived");
  }
  const golden::DecodedInstruction* const expected = program_.at(state.pc);
  const FetchedInstruction& fetched = issue.fetched;
  // A short instruction has no second word; neither has a long one at an odd word, which faults.
  const bool two_words = isa::is_long(fetched.w0()) && fetched.error != isa::DecodeError::kUnalignedLong;
  if (expected != nullptr && (expected->w0 != fetched.w0() || (two_words && expected->w1 != fetched.w1()))) {
    fail(fmt::format("the instruction words are {:08x} {:08x}, expected {:08x} {:08x}", fetched.w0(), fetched.w1(),
                     expected->w0, expected->w1),
         "instruction_cache", "the pc is correct: the error is in this cache, a later one, or the address translation");
  }
  sm.executor->special.clock = issue.clock;
  sm.executor->special.physid = issue.physid;
  Port port(*this, sm, issue, operands);
  golden::StepRecord record;
  switch (sm.executor->step(*warp.block, state, port, &record)) {
    case StepStatus::kNotReady: return false;
    case StepStatus::kFault: warp.faulted = true; return false;  // the model must report it too: see finish()
    case StepStatus::kWaiting:
    case StepStatus::kFinished:
    case StepStatus::kStepped: break;
  }
  if (record.lanes != issue.lanes) {
    fail(fmt::format("executes in lanes {:08x}, expected {:08x}", issue.lanes, record.lanes), "operand_collector",
         "the active mask is correct: the guard or its flags are wrong");
  }
  compare_operands(sm, issue, record, operands);
  ++counters_.instructions;
  return true;
}

void LockStep::compare_control(const Sm& sm, const SmLog::Control& control) {
  const golden::WarpState& state = *sm.warps[control.warp].state;
  const InFlight& instruction = sm.warps[control.warp].control;
  const Where where{sm.index,
                    control.warp,
                    control.cycle,
                    instruction.fetched.pc,
                    instruction.fetched.w0(),
                    instruction.fetched.w1()};
  const auto fail = [&](const std::string& what) {
    differ(where, what, sm.block("reconvergence_stack"), "control instruction");
  };
  if (control.ended != state.finished)
    fail(control.ended ? "the warp ended, but should continue" : "the warp continues, but should end");
  if (control.ended) return;
  if (control.pc != state.pc) fail(fmt::format("the next pc is 0x{:x}, expected 0x{:x}", control.pc, state.pc));
  if (control.active != state.active)
    fail(fmt::format("leaves lanes {:08x} active, expected {:08x}", control.active, state.active));
}

void LockStep::compare_result(const Sm& sm, const SmLog::Retire& retire) {
  ++counters_.results;
  golden::WarpState& state = *sm.warps[retire.warp].state;
  const DecodedInstruction& decoded = retire.fetched.decoded();
  const bool reads_shared = decoded.insn.op == isa::Op::kLdShared || decoded.insn.op == isa::Op::kLdSharedLock;
  const auto fail = [&](unsigned lane, const std::string& what, std::uint32_t expected, std::uint32_t seen) {
    const char* block = decoded.unit == isa::Unit::kTexture                                   ? "load_table"
                        : decoded.uses_load_table                                             ? "load_table"
                        : decoded.reads_const_operand && decoded.insn.op == isa::Op::kLdConst ? "constant_cache"
                        : reads_shared                                                        ? "operand_collector"
                        : decoded.unit == isa::Unit::kSfu                                     ? "sfu"
                        : decoded.unit == isa::Unit::kDp                                      ? "dp"
                        : decoded.unit == isa::Unit::kMemory                                  ? "address_unit"
                                                                                              : "sp_array";
    const char* reason =
        decoded.unit == isa::Unit::kTexture    ? "or the texture unit: the texels differ"
        : decoded.insn.op == isa::Op::kLdLocal ? "or the memory path of l[], which lock-step does not follow"
        : decoded.insn.op == isa::Op::kLdConst || reads_shared ? "or the collector, which takes the word"
        : decoded.uses_load_table ? "memory returned the correct bytes for the lanes' addresses"
                                  : "its operands are correct";
    differ({sm.index, retire.warp, retire.cycle, retire.fetched.pc, retire.fetched.w0(), retire.fetched.w1()},
           fmt::format("lane {}: {} is 0x{:08x}, expected 0x{:08x}", lane, what, seen, expected), sm.block(block),
           reason);
  };
  for (unsigned i = 0; i < retire.num_registers; ++i) {
    const unsigned reg = retire.first_register + i;
    if (reg >= state.r.size()) continue;  // not allocated: reads 0, writes are dropped
    const isa::Operand& dst = decoded.insn.dst;
    const bool half = dst.kind == isa::OperandKind::kHalf;
    const unsigned shift = half && dst.index % 2 != 0 ? 16 : 0;
    const std::uint32_t mask = half ? 0xffffu : ~0u;
    std::uint32_t difference = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) difference |= (state.r[reg][l] >> shift ^ retire.value[i][l]) & mask;
    if (difference == 0) continue;  // in any lane: lanes one by one take ten times as long
    const bool is_stale = decoded.unit == isa::Unit::kTexture && may_texels_be_stale();
    for (const unsigned l : set_bits(retire.loaded)) {
      if (is_stale) state.r[reg][l] = retire.value[i][l];
      const std::uint32_t expected = state.r[reg][l] >> shift & mask, seen = retire.value[i][l] & mask;
      if (seen != expected) fail(l, fmt::format("$r{}{}", reg, !half ? "" : shift != 0 ? "h" : "l"), expected, seen);
    }
  }
  // Also in any lane at first.
  if (decoded.insn.writes_flags) {
    const LaneFlags& expected = state.c[decoded.insn.flag_dst];
    unsigned difference = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) difference |= expected[l] ^ (retire.flags[l] & 0xfu);
    for (const unsigned l : set_bits(difference == 0 ? 0 : retire.lanes)) {
      const auto seen = static_cast<std::uint8_t>(retire.flags[l] & 0xf);
      if (seen != expected[l]) fail(l, fmt::format("$c{}", decoded.insn.flag_dst), expected[l], seen);
    }
  }
  if (decoded.writes.addrs != 0) {
    const unsigned a = static_cast<unsigned>(__builtin_ctz(decoded.writes.addrs));
    std::uint32_t difference = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) difference |= state.a[a][l] ^ (retire.addr[l] & 0xffffu);
    for (const unsigned l : set_bits(difference == 0 ? 0 : retire.lanes)) {
      const std::uint32_t seen = retire.addr[l] & 0xffffu;
      if (seen != state.a[a][l]) fail(l, fmt::format("$a{}", a), state.a[a][l], seen);
    }
  }
}

}  // namespace g80
