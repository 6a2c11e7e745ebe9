// SPDX-License-Identifier: Apache-2.0
#include "tb/check/watchdog.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/isa/disassembler.h"

namespace g80 {
namespace {

/// A step of work from one block to the next takes a few edges of their clocks; then neither of them says that it holds
/// it. So only what lasts for this many edges of the slowest clock is rest.
constexpr unsigned kRestEdges = 64;

Cycle rest_cycles(const Config& config) {
  const auto& clock = config.clock;
  const double slowest = std::min({clock.shader_mhz, clock.core_mhz, clock.dram_mhz});
  return static_cast<Cycle>(kRestEdges * clock.shader_mhz / slowest);
}

std::string text_of(const DecodedInstruction* decoded) {
  if (decoded == nullptr) return "-";
  return decoded->error == isa::DecodeError::kNone ? isa::disassemble(decoded->insn)
                                                   : std::string("illegal instruction");
}

/// "0 to 3, 6": the warps' numbers in their block; the block's first warp slot is `first`.
std::string warp_list(WarpMask warps, unsigned first) {
  std::string out;
  for (unsigned w = 0; w < kMaxWarps; ++w) {
    if ((warps >> w & 1) == 0) continue;
    unsigned last = w;
    while (last + 1 < kMaxWarps && (warps >> (last + 1) & 1) != 0) ++last;
    out += fmt::format("{}{}", out.empty() ? "" : ", ", w - first);
    if (last != w) out += fmt::format("{}{}", last == w + 1 ? ", " : " to ", last - first);
    w = last;
  }
  return out.empty() ? "none" : out;
}

/// "warp 3", "warps 0 to 3".
std::string warps_text(WarpMask warps, unsigned first) {
  return fmt::format("warp{} {}", (warps & (warps - 1)) == 0 ? "" : "s", warp_list(warps, first));
}

WarpMask warps_of(const CtaSlot& slot) { return ((WarpMask{2} << (slot.num_warps - 1)) - 1) << slot.first_warp; }

/// " and has s[0x40] locked" for each word that a warp has locked.
std::string words_locked(const Sm& sm, unsigned warp) {
  std::string out;
  const unsigned base = sm.address_unit.places()[warp].shared_base;
  sm.shared_memory.locks().for_each_word(
      warp, [&](unsigned address) { out += fmt::format(" and has s[0x{:x}] locked", address - base); });
  return out;
}

std::uint64_t locks_of_other_blocks(const Sm& sm, const CtaSlot& slot) {
  std::uint64_t sum = 0;
  for (WarpMask rest = ~warps_of(slot); rest != 0; rest &= rest - 1) {
    sum += sm.shared_memory.locks().granted(static_cast<unsigned>(__builtin_ctz(rest)));
  }
  return sum;
}

}  // namespace

Watchdog::Watchdog(Gpu& gpu)
    : config_(gpu.config),
      shader_(gpu.shader),
      activity_(gpu),
      stuck_cycles_(std::max<Cycle>(Cycle{kInFlightPatience} * config_.gpu.hang_cycles, longest_step(config_))),
      rest_cycles_(rest_cycles(config_)) {
  for (unsigned i = 0; i < gpu.num_sms(); ++i) sms_.push_back(&gpu.sm(i));
  begin();
}

void Watchdog::begin(const Kernel* kernel, std::uint32_t start) {
  kernel_ = kernel;
  start_ = start;
  last_issue_edge_ = last_move_edge_ = last_held_edge_ = last_block_edge_ = now();
  last_issued_ = issued();
  last_moves_ = activity_.moves();
  last_blocks_ = blocks_ended();
  patience_ = 4 * config_.gpu.hang_cycles;
  states_.clear();
  stays_.assign(sms_.size(), {});
}

std::uint64_t Watchdog::issued() const {
  std::uint64_t sum = 0;
  for (const Sm* sm : sms_) sum += sm->warp_scheduler.issued();
  return sum;
}

std::uint64_t Watchdog::blocks_ended() const {
  std::uint64_t sum = 0;
  for (const Sm* sm : sms_) sum += sm->launcher.ended();
  return sum;
}

std::string Watchdog::line_of(std::uint32_t pc) const {
  return kernel_ != nullptr ? kernel_->lines.remark(pc - start_) : std::string();
}

// The source line of the instruction before `pc`: a warp that waits at a barrier has the pc behind its bar.
std::string Watchdog::line_before(std::uint32_t pc) const {
  const auto bar = kernel_ != nullptr ? address_before(*kernel_, pc - start_) : std::nullopt;
  return bar ? kernel_->lines.remark(*bar) : std::string();
}

// Names the block and the barrier, the warps that arrived, those that never can, and the pcs of their lanes.
std::string Watchdog::explain_barrier(const Sm& sm, const CtaSlot& slot, unsigned slot_index) const {
  const BarrierRegs& barrier = sm.barrier.registers();
  const WarpMask block_warps = warps_of(slot);
  std::string out;
  for (unsigned id = 0; id < kMaxBarriers; ++id) {
    const BarrierState& state = barrier.barrier[slot_index][id];
    if (state.arrived == 0) continue;
    const WarpMask missing = block_warps & ~state.waiting;
    const WarpMask ended = missing & ~slot.live;
    const unsigned expected = sm.barrier.expected(slot_index);
    const unsigned first = state.waiting != 0 ? static_cast<unsigned>(__builtin_ctz(state.waiting)) : slot.first_warp;
    out +=
        fmt::format("barrier {} of block ({},{}) on SM {}{} can never open:\n    {} of {} expected warps arrived: {}\n",
                    id, slot.x, slot.y, sm.name(), line_before(sm.next_pc(first)), state.arrived, expected,
                    warp_list(state.waiting, slot.first_warp));
    if (ended != 0) {
      out += fmt::format("    ended without reaching it, but still count (sm.barrier_expected = {}): {}\n",
                         to_text(config_.sm.barrier_expected), warps_text(ended, slot.first_warp));
    }
    if (const WarpMask elsewhere = missing & slot.live; elsewhere != 0) {
      out += fmt::format("    still running, waiting for something else: {}\n", warps_text(elsewhere, slot.first_warp));
    }
    for (WarpMask rest = state.waiting; rest != 0; rest &= rest - 1) {
      const unsigned w = static_cast<unsigned>(__builtin_ctz(rest));
      const LaneStates& lanes = sm.reconvergence_stack.warp(w).lanes();
      const LaneMask populated = sm.launcher.populated(w);
      if (lanes.active == populated) continue;
      out += fmt::format(
          "    warp {} arrived with lanes {:08x} only; lanes {:08x} took another path and cannot arrive before it "
          "opens\n",
          w - slot.first_warp, lanes.active, populated & ~lanes.active);
    }
    out += "  ";
  }
  return out;
}

std::string Watchdog::describe_warps() const {
  std::string out;
  // Adjacent warps of a block with the same text share a line.
  const Sm* group_sm = nullptr;
  const CtaSlot* group_slot = nullptr;
  WarpMask group = 0;
  std::string group_text;
  const auto end_group = [&] {
    if (group == 0) return;
    out +=
        fmt::format("  {} block ({},{}) {}:{} {}\n", group_sm->name(), group_slot->x, group_slot->y,
                    warps_text(group, group_slot->first_warp), (group & (group - 1)) == 0 ? "" : " each", group_text);
    group = 0;
  };
  for (const Sm* sm : sms_) {
    const WarpReady& ready = sm->scoreboard.registers().ready;
    for (unsigned w = 0; w < kMaxWarps; ++w) {
      const CtaSlot* slot = sm->launcher.slot_of(w);
      const WarpMask bit = WarpMask{1} << w;
      if (slot == nullptr || (slot->live & bit) == 0) continue;
      const char* reason = (ready.wait_barrier & bit)   ? "waits at a barrier"
                           : (ready.wait_control & bit) ? "waits for a branch to resolve"
                           : (ready.wait_memory & bit)  ? "waits for memory"
                           : (ready.wait_drain & bit)   ? "waits before a barrier for its own instructions in flight"
                           : (ready.wait_alu & bit)     ? "waits for a result"
                           : (ready.ready & bit)        ? "is ready"
                           : (ready.has_head & bit)     ? "is blocked"
                                                        : "waits for instructions";
      const std::uint32_t pc = sm->next_pc(w);
      std::string text =
          fmt::format("{}{}{}; lanes {:08x}, next `{}`{}", reason,
                      (ready.wait_barrier & bit) != 0 ? line_before(pc) : "", words_locked(*sm, w),
                      sm->reconvergence_stack.warp(w).lanes().active, text_of(sm->scoreboard.head(w)), line_of(pc));
      if (group_slot != slot || group_text != text) end_group();
      group_sm = sm;
      group_slot = slot;
      group_text = std::move(text);
      group |= bit;
    }
  }
  end_group();
  return out;
}

HangReport Watchdog::poll() {
  const Cycle now = this->now();
  if (const std::uint64_t count = issued(); count != last_issued_) {
    last_issued_ = count;
    last_issue_edge_ = now;
  }
  if (const std::uint64_t count = blocks_ended(); count != last_blocks_) {
    last_blocks_ = count;
    last_block_edge_ = now;
    states_.clear();
  }
  HangReport report;
  const std::uint64_t moves = activity_.moves();
  const bool moved = moves != last_moves_;  // since the poll before
  if (moved) {
    last_moves_ = moves;
    last_move_edge_ = now;
  }
  const Cycle still = now - last_issue_edge_;
  const bool looks = !moved && still >= config_.gpu.hang_cycles / 2;
  const bool in_flight = looks && activity_.anything_in_flight();
  if (!looks || in_flight) last_held_edge_ = now;
  if (moved || still < config_.gpu.hang_cycles) return report;
  if (in_flight ? now - last_move_edge_ < stuck_cycles_ : now - last_held_edge_ < rest_cycles_) return report;
  for (const Sm* sm : sms_) {
    if (in_flight) break;  // the barrier may only wait for the stuck work
    const CtaLauncherRegs& launcher = sm->launcher.registers();
    for (unsigned s = 0; s < kMaxCtasPerSm; ++s) {
      if (launcher.slot[s].valid) report.text += explain_barrier(*sm, launcher.slot[s], s);
    }
  }
  report.kind = report.text.empty() ? HangKind::kDeadlock : HangKind::kBarrierDeadlock;
  if (report.text.empty()) report.text = in_flight ? "the machine is stuck: " : "no warp can ever issue again: ";
  report.text += fmt::format("nothing has issued since cycle {} ({} cycles ago) and ", last_issue_edge_, still);
  if (in_flight) {
    report.text += fmt::format("nothing has moved since cycle {}\n    in flight, held by {}\n", last_move_edge_,
                               activity_.in_flight_text(kMostNames));
  } else {
    report.text += "nothing is in flight\n";
  }
  report.text += describe_warps();
  return report;
}

bool Watchdog::suspicious() const { return now() - last_block_edge_ > patience_ && anything_runs(); }

// If nothing issues at all, there is no livelock; poll() detects that deadlock.
bool Watchdog::anything_runs() const { return now() - last_issue_edge_ < config_.gpu.hang_cycles / 2; }

void Watchdog::relax() {
  patience_ = (now() - last_block_edge_) * 2;
  states_.clear();
}

bool Watchdog::executes(const Sm& sm, const CtaSlot& slot) {
  const ScoreboardRegs& scoreboard = sm.scoreboard.registers();
  for (WarpMask rest = slot.live; rest != 0; rest &= rest - 1) {
    if (scoreboard.in_flight[static_cast<unsigned>(__builtin_ctz(rest))] != 0) return true;
  }
  return false;
}

// True if no live warp of the block has an instruction in flight.
bool Watchdog::block_at_rest(const Sm& sm, const CtaSlot& slot) const {
  const ScoreboardRegs& scoreboard = sm.scoreboard.registers();
  for (WarpMask rest = slot.live; rest != 0; rest &= rest - 1) {
    const unsigned w = static_cast<unsigned>(__builtin_ctz(rest));
    if (scoreboard.in_flight[w] != 0 || sm.scoreboard.head(w) == nullptr) return false;
  }
  const InstructionBufferRegs& buffer = sm.instruction_buffer.registers();
  if (buffer.issue.valid && (slot.live >> buffer.issue.warp & 1) != 0) return false;
  const Pick& pick = sm.warp_scheduler.registers().pick;
  return !(pick.valid && (slot.live >> pick.warp & 1) != 0);
}

std::uint64_t Watchdog::block_state(const Sm& sm, const CtaSlot& slot) const {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3ull, hash ^= hash >> 29; };
  mix(slot.x), mix(slot.y), mix(slot.live);
  for (WarpMask rest = slot.live; rest != 0; rest &= rest - 1) {
    const unsigned w = static_cast<unsigned>(__builtin_ctz(rest));
    mix(sm.reconvergence_stack.warp(w).digest());
    const DecodedInstruction* head = sm.scoreboard.head(w);
    mix(head->words);
    mix(sm.instruction_buffer.head_pc(w));
    for (unsigned r = 0; r < sm.registers.registers(w); ++r) {
      for (const std::uint32_t value : sm.registers.read(w, r).lane) mix(value);
    }
    for (unsigned i = 0; i < 4; ++i) {
      for (const std::uint8_t value : sm.registers.flags(w, i).lane) mix(value);
      for (const std::uint32_t value : sm.registers.addr(w, i + 1).lane) mix(value);
    }
  }
  const WarpPlace& place = sm.address_unit.places()[slot.first_warp];
  for (unsigned word = 0; word < (place.shared_limit + 3u) / 4; ++word)
    mix(sm.shared_memory.read_word(place.shared_base / 4 + word));
  for (WarpMask rest = slot.live; rest != 0; rest &= rest - 1) {
    const unsigned w = static_cast<unsigned>(__builtin_ctz(rest));
    sm.shared_memory.locks().for_each_word(w, [&](unsigned address) { mix(w), mix(address); });
  }
  return hash;
}

// The state of the other blocks that hold locks: the blocks of an SM share its lock flags, so these decide what a block
// does next. No value if one of them is not at rest.
std::optional<std::uint64_t> Watchdog::state_of_lock_holders(const Sm& sm, const CtaSlot& slot) const {
  std::uint64_t state = 0;
  const WarpMask holders = sm.shared_memory.locks().holders() & ~warps_of(slot);
  for (const CtaSlot& other : sm.launcher.registers().slot) {
    if (!other.valid || (holders & warps_of(other)) == 0) continue;
    if (!block_at_rest(sm, other)) return std::nullopt;
    state += block_state(sm, other);
  }
  return state;
}

std::uint64_t Watchdog::memory_instructions(const Sm& sm) { return sm.address_unit.accesses(); }

HangReport Watchdog::look_for_livelock() {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const Sm* const sm = sms_[i];
    const CtaLauncherRegs& launcher = sm->launcher.registers();
    for (unsigned s = 0; s < kMaxCtasPerSm; ++s) {
      const CtaSlot& slot = launcher.slot[s];
      if (!slot.valid || slot.live == 0) continue;
      Stay& stay = stays_[i][s];
      if (executes(*sm, slot)) stay.executed = true;
      if (!block_at_rest(*sm, slot)) continue;
      const std::optional<std::uint64_t> holders = state_of_lock_holders(*sm, slot);
      if (!holders) continue;
      const std::uint64_t state =
          (block_state(*sm, slot) + *holders) ^ (std::uint64_t{s} << 56) ^ (std::uint64_t{i} << 48);
      // Nothing has executed since: the warps may just wait to be picked.
      if (state == stay.state && !stay.executed) continue;
      stay = {state, false};
      const std::uint64_t memory = memory_instructions(*sm);
      const std::uint64_t locks = locks_of_other_blocks(*sm, slot);
      const auto [found, inserted] = states_.try_emplace(state, Seen{shader_.edge(), memory, locks});
      if (inserted || found->second.memory != memory || found->second.locks != locks ||
          shader_.edge() - found->second.edge < 16) {
        found->second.memory = memory;
        found->second.locks = locks;
        continue;
      }
      const unsigned w = static_cast<unsigned>(__builtin_ctz(slot.live));
      HangReport report;
      report.kind = HangKind::kLivelock;
      report.text = fmt::format(
          "block ({},{}) on {} repeats {} cycles forever, around pc 0x{:x} `{}`{}\n"
          "    in cycle {} it is in the same architectural state as in cycle {}\n"
          "    it has nothing in flight, and made no access to device memory in between\n",
          slot.x, slot.y, sm->name(), shader_.edge() - found->second.edge, sm->instruction_buffer.head_pc(w) - start_,
          text_of(sm->scoreboard.head(w)), line_of(sm->instruction_buffer.head_pc(w)), shader_.edge(),
          found->second.edge);
      report.text += describe_warps();
      return report;
    }
  }
  return {};
}

}  // namespace g80
