// SPDX-License-Identifier: Apache-2.0
#include "tb/check/watchdog.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/common/set_bits.h"

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

/// Calls f(byte address in the SM) for each word that a warp has locked.
template <class F>
void for_words_locked(const SmPins& sm, const SmState& state, unsigned warp, const F& f) {
  for (unsigned i = 0; i < state.warp[warp].locks_held; ++i) f(sm.peek(SmMemory::kLock, warp, i)[0]);
}

/// "; it has s[0x40] locked" for each word that a warp has locked.
std::string words_locked(const SmPins& sm, const SmState& state, unsigned warp) {
  std::string out;
  for_words_locked(sm, state, warp, [&](std::uint32_t address) {
    out += fmt::format("; it has s[0x{:x}] locked", address - state.warp[warp].shared_base);
  });
  return out;
}

/// The lanes of a warp that wait for those that run.
LaneMask parked_lanes(const SmState::Warp& warp) { return (warp.runnable | warp.broke | warp.returned) & ~warp.active; }

struct Hash {
  std::uint64_t value = 0xcbf29ce484222325ull;
  void mix(std::uint64_t item) { value = (value ^ item) * 0x100000001b3ull, value ^= value >> 29; }
};

// Who gets a lock depends on the timing, so a state in which it is free again need not lead to the same one.
std::uint64_t locks_granted(const SmState& state) {
  std::uint64_t sum = 0;
  for (const SmState::Warp& warp : state.warp) sum += warp.locks_granted;
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
  last_issue_edge_ = last_move_edge_ = last_block_edge_ = last_change_edge_ = now();
  rest_since_.reset();
  last_issued_ = issued();
  last_moves_ = activity_.moves();
  last_blocks_ = blocks_ended();
  patience_ = 4 * config_.gpu.hang_cycles;
  states_.clear();
  stays_.assign(sms_.size(), {});
  spinning_.begin(sms_.size());
  effects_.clear();
}

std::uint64_t Watchdog::issued() const {
  std::uint64_t sum = 0;
  for (const SmPins* sm : sms_) sum += sm->counters(now()).issued();
  return sum;
}

std::uint64_t Watchdog::blocks_ended() const {
  std::uint64_t sum = 0;
  for (const SmPins* sm : sms_) sum += sm->counters(now()).blocks;
  return sum;
}

std::string Watchdog::line_of(std::uint32_t pc) const {
  return kernel_ != nullptr ? kernel_->lines.remark(pc - start_) : std::string();
}

// Names the barrier, the warps that arrived, those that never can, and the pcs of their lanes.
void Watchdog::explain_barriers(const SmPins& sm, const SmState& sm_state, unsigned slot_index,
                                std::vector<Told>& list) const {
  const CtaSlot& slot = sm_state.slot[slot_index];
  const WarpMask block_warps = slot.warps();
  for (unsigned id = 0; id < kMaxBarriers; ++id) {
    const BarrierState& state = sm_state.barrier[slot_index][id];
    if (state.arrived == 0) continue;
    const WarpMask missing = block_warps & ~state.waiting;
    const WarpMask ended = missing & ~slot.live;
    const unsigned expected = sm_state.barrier_expected[slot_index];
    const unsigned first = state.waiting != 0 ? static_cast<unsigned>(__builtin_ctz(state.waiting)) : slot.first_warp;
    Told told{fmt::format("barrier {} of ", id), {block_text(sm, slot)}, ""};
    told.what =
        fmt::format("{} can never open:\n    {} of {} expected warps arrived: {}\n", line_of(sm_state.warp[first].pc),
                    state.arrived, expected, warp_list(state.waiting, slot.first_warp));
    if (ended != 0) {
      told.what += fmt::format("    ended without reaching it, but still count (sm.barrier_expected = {}): {}\n",
                               to_text(config_.sm.barrier_expected), warps_text(ended, slot.first_warp));
    }
    if (const WarpMask elsewhere = missing & slot.live; elsewhere != 0) {
      told.what +=
          fmt::format("    still running, waiting for something else: {}\n", warps_text(elsewhere, slot.first_warp));
    }
    for (const unsigned w : set_bits(state.waiting)) {
      const LaneMask active = sm_state.warp[w].active, populated = sm_state.warp[w].populated;
      if (active == populated) continue;
      told.what += fmt::format(
          "    warp {} arrived with lanes {:08x} only; lanes {:08x} took another path and cannot arrive before it "
          "opens\n",
          w - slot.first_warp, active, populated & ~active);
    }
    tell(list, std::move(told));
  }
}

/// "(0,0) on gpu.tpc0.sm0"
std::string Watchdog::block_text(const SmPins& sm, const CtaSlot& slot) {
  return fmt::format("({},{}) on {}", slot.x, slot.y, sm.name());
}

// Blocks to which the same happens, together: of a large grid only the first ones are named.
void Watchdog::tell(std::vector<Told>& list, Told told) {
  const auto same = std::find_if(list.begin(), list.end(),
                                 [&](const Told& other) { return other.head == told.head && other.what == told.what; });
  if (same == list.end()) {
    list.push_back(std::move(told));
  } else {
    same->blocks.insert(same->blocks.end(), told.blocks.begin(), told.blocks.end());
  }
}

std::string Watchdog::told_text(const std::vector<Told>& list) {
  constexpr std::size_t kMostNamed = 4;
  std::string out;
  for (const Told& told : list) {
    const std::size_t count = told.blocks.size(), named = std::min(count, kMostNamed);
    out += "  " + told.head + (count == 1 ? "block" : fmt::format("{} blocks:", count));
    for (std::size_t i = 0; i < named; ++i) out += (i == 0 ? " " : ", ") + told.blocks[i];
    out += (named < count ? ", ..." : "") + told.what;
  }
  return out;
}

WarpPlaces::Warp Watchdog::place_of(const SmPins& sm, const SmState& state, const CtaSlot& slot, unsigned w) const {
  const SmState::Warp& warp = state.warp[w];
  WarpPlaces::Warp place{"block " + block_text(sm, slot), w - slot.first_warp, warp.pc - start_, warp.active};
  place.at_barrier = (state.barrier_waiting >> w & 1) != 0;
  place.locks = words_locked(sm, state, w);
  for (unsigned i = warp.stack_depth; i-- > warp.stack_in_memory && place.parked == 0;) {
    const LaneWords entry = sm.peek(SmMemory::kControlStack, w, i);
    place.parked = entry[1] & parked_lanes(warp);
    place.parked_pc = entry[2] - start_;
  }
  return place;
}

WarpPlaces Watchdog::places(const SmPins* only, unsigned only_slot) const {
  WarpPlaces places = empty_places();
  SmState state;
  for (const SmPins* sm : sms_) {
    if (only != nullptr && sm != only) continue;
    sm->read_state(state);
    for (unsigned s = 0; s < kMaxCtasPerSm; ++s) {
      const CtaSlot& slot = state.slot[s];
      if (!slot.valid || (only != nullptr && s != only_slot)) continue;
      for (const unsigned w : set_bits(slot.live)) places.add(place_of(*sm, state, slot, w));
    }
  }
  return places;
}

std::string Watchdog::describe_warps() const {
  const WarpPlaces places = empty_places();
  std::vector<Told> list;
  SmState state;
  for (const SmPins* sm : sms_) {
    sm->read_state(state);
    const WarpReady& ready = state.ready;
    for (const CtaSlot& slot : state.slot) {
      if (!slot.valid) continue;
      Told told{"", {block_text(*sm, slot)}, "\n"};
      // Adjacent warps with the same text share a line.
      WarpMask group = 0;
      std::string group_text;
      const auto end_group = [&] {
        if (group == 0) return;
        told.what += fmt::format("    {}:{} {}\n", warps_text(group, slot.first_warp),
                                 (group & (group - 1)) == 0 ? "" : " each", group_text);
        group = 0;
      };
      for (const unsigned w : set_bits(slot.live)) {
        const WarpMask bit = WarpMask{1} << w;
        const char* reason = (ready.wait_barrier & bit)    ? "waits at a barrier"
                             : (state.stack_waiting & bit) ? "waits for an entry of its control stack from memory"
                             : (ready.wait_control & bit)  ? "waits for a branch to resolve"
                             : (ready.wait_memory & bit)   ? "waits for memory"
                             : (ready.wait_drain & bit)    ? "waits before a barrier for its own instructions in flight"
                             : (ready.wait_alu & bit)      ? "waits for a result"
                             : (ready.ready & bit)         ? "is ready"
                             : (ready.has_head & bit)      ? "is blocked"
                                                           : "waits for instructions";
        std::string text = fmt::format("{}; {}", reason, places.lanes_text(place_of(*sm, state, slot, w)));
        if (group_text != text) end_group();
        group_text = std::move(text);
        group |= bit;
      }
      end_group();
      if (told.what != "\n") tell(list, std::move(told));
    }
  }
  return told_text(list);
}

// True if anything has moved since the last time.
bool Watchdog::note_progress() {
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
  note_changes();
  const std::uint64_t moves = activity_.moves();
  if (moves == last_moves_) return false;
  last_moves_ = moves;
  last_move_edge_ = now;
  rest_since_.reset();
  return true;
}

HangReport Watchdog::poll() {
  const bool moved = note_progress();
  const Cycle now = this->now();
  HangReport report;
  const Cycle still = now - last_issue_edge_;
  const bool looks = !moved && still >= config_.gpu.hang_cycles / 2;
  const bool in_flight = looks && activity_.anything_in_flight();
  if (!looks || in_flight) {
    rest_since_.reset();
  } else if (!rest_since_) {
    rest_since_ = now;
  }
  if (moved || still < config_.gpu.hang_cycles) return report;
  if (in_flight ? now - last_move_edge_ < stuck_cycles_ : !rest_since_ || now - *rest_since_ < rest_cycles_)
    return report;
  SmState state;
  std::vector<Told> barriers;
  for (const SmPins* sm : sms_) {
    if (in_flight) break;  // the barrier may only wait for the stuck work
    sm->read_state(state);
    for (unsigned s = 0; s < kMaxCtasPerSm; ++s) {
      if (state.slot[s].valid) explain_barriers(*sm, state, s, barriers);
    }
  }
  report.text = told_text(barriers);
  if (!barriers.empty()) report.text = report.text.substr(2) + "  ";  // behind the kernel's name
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

void Watchdog::note_changes() {
  const std::uint64_t changes = activity_.memory_changes();
  if (changes == last_changes_) return;
  last_changes_ = changes;
  last_change_edge_ = now();
  spinning_.begin(sms_.size());
}

bool Watchdog::suspicious() const { return now() - last_block_edge_ > patience_ && anything_runs(); }

// If nothing moves at all, there is no livelock; poll() detects that deadlock. A turn of a loop may take any time while
// atomics of one word queue up.
bool Watchdog::anything_runs() const {
  return now() - std::max(last_issue_edge_, last_move_edge_) < config_.gpu.hang_cycles / 2;
}

bool Watchdog::has_looked_enough() const {
  const Cycle first = std::min<Cycle>(config_.gpu.hang_cycles / 2, kLongestFirstLook);
  if (now() - look_edge_ < std::max(first, (now() - last_block_edge_) / kPartLooked)) return false;
  std::uint64_t warps = 0;
  SmState state;
  for (const SmPins* sm : sms_) {
    sm->read_state(state);
    for (const CtaSlot& slot : state.slot) warps += slot.valid ? __builtin_popcountll(slot.live) : 0;
  }
  return issued() - issued_before_ >= kLookedAt * warps;
}

void Watchdog::relax() {
  patience_ = std::max(patience_, (now() - last_block_edge_) * 2);
  states_.clear();
  stays_.assign(sms_.size(), {});
  spinning_.begin(sms_.size());
  effects_.clear();
}

bool Watchdog::executes(const SmState& sm, const CtaSlot& slot) {
  for (const unsigned w : set_bits(slot.live)) {
    if (sm.warp[w].in_flight != 0) return true;
  }
  return false;
}

// True if no live warp of the block has an instruction in flight, or a branch that is not resolved.
bool Watchdog::block_at_rest(const SmState& sm, const CtaSlot& slot) {
  for (const unsigned w : set_bits(slot.live)) {
    const SmState::Warp& warp = sm.warp[w];
    if (warp.in_flight != 0 || !warp.has_head) return false;
  }
  return (slot.live & (sm.leaving | (sm.control & ~sm.barrier_waiting))) == 0;
}

std::uint64_t Watchdog::warp_place(std::size_t index, const SmState& sm_state, unsigned w) const {
  const SmPins& sm = *sms_[index];
  Hash hash;
  const SmState::Warp& warp = sm_state.warp[w];
  hash.mix(warp.active), hash.mix(warp.runnable), hash.mix(warp.broke), hash.mix(warp.returned);
  hash.mix(warp.stack_in_memory), hash.mix(warp.stack_digest);
  for (unsigned i = warp.stack_in_memory; i < warp.stack_depth; ++i) {
    const LaneWords entry = sm.peek(SmMemory::kControlStack, w, i);
    hash.mix(entry[0]), hash.mix(entry[1]), hash.mix(entry[2]);
  }
  hash.mix(warp.head.words);
  hash.mix(warp.pc);
  return hash.value;
}

std::uint64_t Watchdog::warp_state(std::size_t index, const SmState& sm_state, unsigned w,
                                   const RestingWarp& place) const {
  Hash hash;
  hash.mix(place.state);
  using Kind = golden::DecidingRegisters::Kind;
  effects_[index]->deciding().for_each(place.pc, place.active, [&](Kind kind, unsigned number, LaneMask lanes) {
    const SmMemory memory = kind == Kind::kRegister ? SmMemory::kRegister
                            : kind == Kind::kFlags  ? SmMemory::kFlags
                                                    : SmMemory::kAddress;
    if (kind == Kind::kRegister && number >= sm_state.warp[w].registers) return;
    hash.mix(std::uint64_t{lanes} << 16 | number << 8 | static_cast<unsigned>(kind));
    const LaneWords words = sms_[index]->peek(memory, w, number);
    for (const unsigned l : set_bits(lanes)) hash.mix(words[l]);
  });
  return hash.value;
}

std::uint64_t Watchdog::block_place(std::size_t index, const SmState& sm_state, const CtaSlot& slot) const {
  const SmPins& sm = *sms_[index];
  Hash hash;
  hash.mix(slot.x), hash.mix(slot.y), hash.mix(slot.live);
  for (const unsigned w : set_bits(slot.live)) hash.mix(warp_place(index, sm_state, w));
  const SmState::Warp& first = sm_state.warp[slot.first_warp];
  for (unsigned word = 0; word < (first.shared_limit + 3u) / 4; ++word)
    hash.mix(sm.peek(SmMemory::kShared, 0, first.shared_base / 4 + word)[0]);
  for (const unsigned w : set_bits(slot.live)) {
    for_words_locked(sm, sm_state, w, [&](std::uint32_t address) { hash.mix(w), hash.mix(address); });
  }
  return hash.value;
}

// With the other blocks that hold locks: the blocks of an SM share its lock flags, so these decide what a block does
// next. Notes nothing if one of them is not at rest.
void Watchdog::note_rest(std::size_t index, const SmState& sm_state, const CtaSlot& slot, Stay& stay) const {
  WarpMask holders = 0, warps = slot.live;
  for (unsigned w = 0; w < kMaxWarps; ++w) holders |= WarpMask{sm_state.warp[w].locks_held != 0} << w;
  holders &= ~slot.warps();
  std::uint64_t place = block_place(index, sm_state, slot);
  for (const CtaSlot& other : sm_state.slot) {
    if (!other.valid || (holders & other.warps()) == 0) continue;
    if (!block_at_rest(sm_state, other)) return;
    place += block_place(index, sm_state, other);
    warps |= other.live;
  }
  stay.executed = false;
  stay.looks = kLooksToLand;
  stay.place = place;
  stay.live = slot.live, stay.warps = warps;
  for (const unsigned w : set_bits(warps)) stay.warp[w] = {sm_state.warp[w].pc, sm_state.warp[w].active, 0};
  stay.seen = {shader_.edge(), sms_[index]->counters(now()).device_accesses, locks_granted(sm_state),
               effects_[index]->clock_reads()};
}

HangReport Watchdog::compare(std::size_t index, const SmState& sm_state, unsigned slot_index, const Stay& stay) {
  const CtaSlot& slot = sm_state.slot[slot_index];
  if (!slot.valid || slot.live != stay.live) return {};
  Hash hash;
  hash.mix(index << 8 | slot_index), hash.mix(stay.place);
  for (const unsigned w : set_bits(stay.warps)) hash.mix(warp_state(index, sm_state, w, stay.warp[w]));
  const auto [found, inserted] = states_.try_emplace(hash.value, stay.seen);
  const Seen seen = found->second;
  if (inserted || seen.memory != stay.seen.memory || seen.locks != stay.seen.locks ||
      seen.clock_reads != stay.seen.clock_reads) {
    found->second = stay.seen;
    return {};
  }
  return {HangKind::kLivelock,
          places(sms_[index], slot_index)
              .endless_text(fmt::format(
                  "every {} cycles; in cycle {} it is in the same architectural state as in cycle {}, with nothing in "
                  "flight and no access to device memory in between",
                  stay.seen.edge - seen.edge, stay.seen.edge, seen.edge))};
}

HangReport Watchdog::spin_report() const {
  return {HangKind::kLivelock,
          places().endless_text(fmt::format("no device memory has changed since cycle {}, and each warp has come back "
                                            "to a state in which it was since",
                                            last_change_edge_))};
}

HangReport Watchdog::look_for_livelock() {
  note_changes();
  if (effects_.empty()) {
    look_edge_ = now();
    issued_before_ = issued();
    for (SmPins* sm : sms_) effects_.push_back(std::make_unique<WarpEffects>(*sm, config_));
  }
  SmState sm_state;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const SmPins& sm = *sms_[i];
    sm.read_state(sm_state);
    effects_[i]->update();
    spinning_.look(
        i, sm_state, *effects_[i], [&](unsigned w) { return warp_place(i, sm_state, w); },
        [&](unsigned w, const RestingWarp& place) { return warp_state(i, sm_state, w, place); });
    for (unsigned s = 0; s < kMaxCtasPerSm; ++s) {
      const CtaSlot& slot = sm_state.slot[s];
      Stay& stay = stays_[i][s];
      if (stay.looks != 0 && --stay.looks == 0) {
        HangReport report = compare(i, sm_state, s, stay);
        if (report.kind != HangKind::kNone) return report;
      }
      if (!slot.valid || slot.live == 0) continue;
      if (executes(sm_state, slot)) stay.executed = true;
      if (stay.executed && stay.looks == 0 && block_at_rest(sm_state, slot) && effects_[i]->deciding().settled())
        note_rest(i, sm_state, slot, stay);
    }
  }
  // So long that a store from before would have arrived, behind others that change nothing.
  if (spinning_.all_repeat() && now() - last_change_edge_ >= stuck_cycles_) return spin_report();
  return {};
}

}  // namespace g80
