// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/cta_launcher.h"

namespace g80 {
namespace {

inline constexpr unsigned kHeaderWords = 4;  // block and grid dimensions before the user parameters

unsigned warps_of(const LaunchState& launch) { return (launch.threads + kWarpSize - 1u) / kWarpSize; }

/// Words of the header at the start of s[]. Words beyond the block's share are not written.
unsigned header_size(const LaunchState& launch) {
  return std::min<unsigned>(kHeaderWords + launch.num_params, launch.shared_bytes / 4u);
}

}  // namespace

ThreadIndex add_threads(const LaunchState& launch, const ThreadIndex& a, const ThreadIndex& b) {
  const auto digit = [](unsigned sum, unsigned size) { return sum < size ? sum : sum - size; };
  const unsigned x = a.x + b.x, y = a.y + b.y + (x >= launch.block_x), z = a.z + b.z + (y >= launch.block_y);
  return {static_cast<std::uint16_t>(digit(x, launch.block_x)), static_cast<std::uint16_t>(digit(y, launch.block_y)),
          static_cast<std::uint8_t>(z & 63)};  // beyond the block's last thread it does not matter
}

CtaLauncher::CtaLauncher(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      max_warps_(config.sm.max_warps),
      max_ctas_(config.sm.max_ctas),
      shared_granule_(config.sm.shared_granule),
      words_per_cycle_(config.sm.launch_words),
      lanes_per_cycle_(config.sm.launch_lanes) {}

void CtaLauncher::reset() {
  launch_ = LaunchState{};
  launch_shown_ = false;
  step_ = {};
  counters_ = {};
}

bool CtaLauncher::idle() const {
  for (const CtaSlot& slot : q_.slot) {
    if (slot.valid) return false;
  }
  return !q_.launching;
}

std::uint32_t CtaLauncher::header_word(const CtaSlot& slot, unsigned word) const {
  const auto pair = [](std::uint32_t low, std::uint32_t high) { return low | high << 16; };
  switch (word) {
    case 0: return pair(launch_.grid_id, launch_.block_x);
    case 1: return pair(launch_.block_y, launch_.block_z);
    case 2: return pair(launch_.grid_x, launch_.grid_y);
    case 3: return pair(slot.x, slot.y);
    default: return param_[word - kHeaderWords];
  }
}

void CtaLauncher::find_steps() {
  CHECK(launch_.block_x != 0 && launch_.block_y != 0, "{}: a block of {} x {} threads", name(), launch_.block_x,
        launch_.block_y);
  step_[0] = add_threads(launch_, {1, 0, 0}, {});
  for (unsigned i = 1; i < step_.size(); ++i) step_[i] = add_threads(launch_, step_[i - 1], step_[i - 1]);
}

void CtaLauncher::begin(const CtaLaunch& cta) {
  if (idle()) find_steps();  // grids do not overlap, so the first block of a grid finds the SM empty
  unsigned free = 0;
  while (free < max_ctas_ && d_.slot[free].valid) ++free;
  const unsigned warps = warps_of(launch_);
  CHECK(free < max_ctas_ && (free + 1) * warps <= max_warps_, "{}: a CTA of {} warps arrived but no slot is free",
        name(), warps);
  CtaSlot& slot = d_.slot[free];
  d_.told_idle = false;
  slot.valid = true;
  slot.x = cta.cta_x;
  slot.y = cta.cta_y;
  slot.first_warp = static_cast<std::uint8_t>(free * warps);
  slot.num_warps = static_cast<std::uint8_t>(warps);
  slot.live = 0;
  d_.kernel = cta.kernel;
  d_.launching = true;
  d_.launching_slot = static_cast<std::uint8_t>(free);
  d_.next_warp = 0;
  d_.next_lane = 0;
  d_.first_thread = {};
  d_.header_words = static_cast<std::uint16_t>(header_size(launch_));
  const unsigned share = (launch_.shared_bytes + shared_granule_ - 1) & ~(shared_granule_ - 1);  // a power of two
  const unsigned base = free * share;
  slot.shared_base = static_cast<std::uint16_t>(base);
  d_.smem_start = {true, static_cast<std::uint16_t>(base / 4), static_cast<std::uint16_t>(launch_.shared_bytes / 4)};
}

// Sends dimensions and parameters for the start of s[]. They are in front of all accesses of the block: its warps start
// when the address unit has taken them, and there they go first.
void CtaLauncher::write_header() {
  const CtaSlot& slot = q_.slot[q_.launching_slot];
  const unsigned total = header_size(launch_);
  CHECK(q_.header_words <= total, "{}: {} of {} header words of s[] remain", name(), q_.header_words, total);
  CHECK(launch_.num_params <= kMaxUserParams, "{}: {} parameters", name(), launch_.num_params);
  const unsigned first = total - q_.header_words;
  const unsigned count = std::min<unsigned>(words_per_cycle_, q_.header_words);
  d_.fill = {true, static_cast<std::uint16_t>(slot.shared_base / 4u + first), static_cast<std::uint8_t>(count), {}};
  for (unsigned i = 0; i < count; ++i) d_.fill.data[i] = header_word(slot, first + i);
  d_.header_words = static_cast<std::uint16_t>(q_.header_words - count);
}

// Sends the next numbers of threads of a warp, x first; with the last of them the warp starts. A lane's number is that
// of the lane without its lowest bit, and a step.
void CtaLauncher::prepare_warp() {
  if (!numbers_room_i.read()) return;
  const CtaSlot& slot = q_.slot[q_.launching_slot];
  const unsigned in_cta = q_.next_warp;
  const unsigned warp = slot.first_warp + in_cta;
  CHECK(warp < max_warps_, "{}: warp {} of the CTA starts in slot {}, but there are {}", name(), in_cta, warp,
        max_warps_);
  const unsigned threads = std::min<unsigned>(kWarpSize, launch_.threads - in_cta * kWarpSize);
  const LaneMask lanes = threads == kWarpSize ? ~LaneMask{0} : (LaneMask{1} << threads) - 1;
  const unsigned first = q_.next_lane, end = std::min<unsigned>(first + lanes_per_cycle_, kWarpSize);
  if (first == 0) {
    d_.registers = {true, static_cast<std::uint8_t>(warp), launch_.registers,
                    static_cast<std::uint16_t>(warp * launch_.registers)};
  }
  d_.numbers.valid = true;
  d_.numbers.warp = static_cast<std::uint8_t>(warp);
  d_.numbers.lanes = lanes & (~LaneMask{0} >> (kWarpSize - (end - first))) << first;
  std::array<ThreadIndex, kWarpSize> index;
  index[0] = q_.first_thread;
  for (unsigned l = 1; l < kWarpSize; ++l)
    index[l] = add_threads(launch_, index[l & (l - 1)], step_[static_cast<unsigned>(__builtin_ctz(l))]);
  for (unsigned l = first; l < std::min(end, threads); ++l) d_.numbers.value[l] = index[l].packed();
  d_.next_lane = static_cast<std::uint8_t>(end % kWarpSize);
  if (end != kWarpSize) return;
  d_.first_thread = add_threads(launch_, q_.first_thread, step_[5]);
  start_warp(warp, in_cta, lanes);
}

void CtaLauncher::start_warp(unsigned warp, unsigned in_cta, LaneMask lanes) {
  CtaSlot& slot = d_.slot[q_.launching_slot];
  slot.live |= WarpMask{1} << warp;
  d_.fresh[0] |= WarpMask{1} << warp;
  d_.start.valid = true;
  d_.start.warp = static_cast<std::uint8_t>(warp);
  d_.start.cta_slot = q_.launching_slot;
  d_.start.warp_in_cta = static_cast<std::uint8_t>(in_cta);
  d_.start.warps_in_cta = slot.num_warps;
  d_.start.lanes = lanes;
  d_.start.pc = launch_.start_pc;
  d_.start.cta_x = slot.x;
  d_.start.cta_y = slot.y;
  d_.start.shared_base = slot.shared_base;
  d_.start.shared_bytes = launch_.shared_bytes;
  d_.redirect = {true, RedirectKind::kStart, d_.start.warp, launch_.start_pc};
  if (++d_.next_warp == slot.num_warps) d_.launching = false;
}

void CtaLauncher::retire_ctas() {
  const WarpMask gone = drained_i.read() & ~(q_.fresh[0] | q_.fresh[1] | q_.fresh[2]);
  bool reported = false;  // the queue takes one report an edge; the next block waits for the next one
  for (unsigned s = 0; s < max_ctas_; ++s) {
    CtaSlot& slot = d_.slot[s];
    if (!slot.valid) continue;
    slot.live &= ~gone;
    const bool still_starting = q_.launching && q_.launching_slot == s;
    if (slot.live != 0 || still_starting || reported || !cta_done_o->can_push()) continue;
    cta_done_o->push({true, slot.x, slot.y});
    reported = true;
    slot.valid = false;
    d_.ended |= slot.warps();
    ++counters_.blocks;
  }
}

// A warp's last fetch, store and stack entry are behind the wires of instruction_cache and address_unit before the warp
// has drained, so a CTA that was over in the last cycle leaves nothing that these wires do not show.
void CtaLauncher::send_idle() {
  if (q_.told_idle || !idle() || cta_i->available() || fetch_waits_i.read() || accesses_busy_i.read()) return;
  if (!cta_done_o->can_push()) return;
  cta_done_o->push({true, 0, 0, true});
  d_.told_idle = true;
}

// A row is in the registers behind the edge at which it leaves its queue.
void CtaLauncher::next() {
  step();
  if (row_i->available()) take_row();
}

void CtaLauncher::take_row() {
  CHECK(idle(), "{}: a row of the launch state comes beside a block", name());
  store_row(row_i->front(), launch_, param_);
  row_i->pop();
  launch_shown_ = false;
}

void CtaLauncher::step() {
  d_.start = {};
  d_.redirect = {};
  d_.smem_start.valid = false;
  if (fill_ready_i.read()) d_.fill.valid = false;
  d_.registers.valid = false;
  d_.numbers.valid = false;
  d_.ended = 0;
  d_.fresh[2] = q_.fresh[1];
  d_.fresh[1] = q_.fresh[0];
  d_.fresh[0] = 0;
  retire_ctas();
  send_idle();
  if (q_.launching) {
    if (d_.fill.valid) return;  // the address unit has not taken it
    if (q_.header_words != 0) {
      write_header();
    } else {
      prepare_warp();
      observe();
    }
    return;
  }
  if (cta_i->available()) {
    if (static_cast<std::uint8_t>(cta_i->front().kernel) != launch_.number) return;
    begin(cta_i->front());
    cta_i->pop();
    return;
  }
  if (!row_i->available() && (q_.fresh[0] | q_.fresh[1] | q_.fresh[2]) == 0 && d_.ended == 0 &&
      (q_.told_idle || !idle() || fetch_waits_i.read() || accesses_busy_i.read()))
    sleep();
}

void CtaLauncher::observe() {
  const WarpStart& start = d_.start;
  if (reports_ == nullptr || !start.valid) return;
  reports_->at(edge()).start.add() = {start.warp,  start.cta_slot, start.warp_in_cta, start.warps_in_cta,
                                      start.cta_x, start.cta_y,    start.shared_base};
}

void CtaLauncher::drive() {
  if (!launch_shown_) launch_o.write(launch_);
  launch_shown_ = true;
  start_o.write(q_.start);
  redirect_o.write(q_.redirect);
  kernel_o.write(q_.kernel);
  ended_o.write(q_.ended);
  smem_start_o.write(q_.smem_start);
  fill_o.write(q_.fill);
  registers_o.write(q_.registers);
  numbers_o.write(q_.numbers);
}

}  // namespace g80
