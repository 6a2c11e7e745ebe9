// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/scoreboard.h"

#include "hw/common/set_bits.h"

namespace g80 {

Scoreboard::Scoreboard(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name), sfu_mul_(config.sm.sfu_mul) {}

void Scoreboard::reset() {
  for (auto& fifo : waiting_) fifo.clear();
  pending_ = {};
  pending_memory_ = {};
}

void Scoreboard::flush(const Redirect& redirect, WarpMask& touched) {
  if (!redirect.valid) return;
  const unsigned w = redirect.warp;
  const WarpMask bit = WarpMask{1} << w;
  ++d_.epoch[w];
  waiting_[w].clear();
  touched |= bit;
  if (redirect.kind == RedirectKind::kStart) {
    CHECK(d_.in_flight[w] == 0, "{}: warp slot {} starts a new warp with instructions of the old one in flight", name(),
          w);
    pending_[w] = pending_memory_[w] = {};
    d_.ended &= ~bit;
    d_.drained &= ~bit;
    d_.control &= ~bit;
    d_.ready.resident |= bit;
  }
}

// Sets the bits of a warp: its next instruction is ready, or waits for exactly one reason.
G80_INLINE void Scoreboard::classify_head(unsigned w) {
  const WarpMask bit = WarpMask{1} << w;
  WarpReady& r = d_.ready;
  const auto clear = [bit](auto&... masks) { ((masks &= ~bit), ...); };
  clear(r.has_head, r.ready, r.sp, r.sfu, r.dp, r.memory, r.texture, r.control, r.multiply, r.shared, r.load, r.wide,
        r.wait_memory, r.wait_alu, r.wait_drain);
  if ((d_.ended & bit) != 0) {
    r.resident &= ~bit;
    if (d_.in_flight[w] == 0) d_.drained |= bit;
    return;
  }
  if ((d_.control & bit) != 0 || waiting_[w].empty()) return;
  r.has_head |= bit;
  const DecodedInstruction& insn = waiting_[w].front().decoded();
  switch (insn.unit) {
    case isa::Unit::kSp: r.sp |= bit; break;
    case isa::Unit::kSfu: r.sfu |= bit; break;
    case isa::Unit::kDp: r.dp |= bit; break;
    case isa::Unit::kMemory: r.memory |= bit; break;
    case isa::Unit::kTexture: r.texture |= bit; break;
    case isa::Unit::kControl: r.control |= bit; break;
  }
  if (sfu_mul_ && insn.multiplies_fp32) r.multiply |= bit;
  if (insn.takes_shared_port) r.shared |= bit;
  if (insn.uses_load_table) r.load |= bit;
  if (insn.wide) r.wide |= bit;
  if (insn.drains && d_.in_flight[w] != 0) {
    r.wait_drain |= bit;
  } else if (is_clear(insn, pending_[w])) {
    r.ready |= bit;
  } else if (is_clear(insn, pending_memory_[w])) {
    r.wait_alu |= bit;
  } else {
    r.wait_memory |= bit;
  }
}

/// What retires at this edge, and the warps that a barrier lets through.
void Scoreboard::report() {
  if (reports_ == nullptr) return;
  for (const Release::Entry& entry : release_i.read().entry) {
    if (!entry.valid) break;
    reports_->at(edge()).release.add() = {entry.warp, entry.fetched};
  }
  if (barrier_open_i.read() != 0) reports_->at(edge()).opened = barrier_open_i.read();
}

void Scoreboard::next() {
  report();
  WarpMask touched = 0;
  const Pick& pick = pick_i.read();
  if (pick.valid) {
    const unsigned w = pick.warp;
    CHECK(!waiting_[w].empty(), "{}: warp {} was picked without an instruction", name(), w);
    const DecodedInstruction& insn = waiting_[w].front().decoded();
    waiting_[w].pop();
    pending_[w].insert(insn.writes);
    if (insn.long_latency) pending_memory_[w].insert(insn.writes);
    ++d_.in_flight[w];
    if (insn.control) d_.control |= WarpMask{1} << w;
    touched |= WarpMask{1} << w;
  }
  for (const Release::Entry& entry : release_i.read().entry) {
    if (!entry.valid) break;  // filled from entry 0
    const unsigned w = entry.warp;
    const DecodedInstruction& insn = entry.fetched.decoded();
    pending_[w].remove(insn.writes);
    pending_memory_[w].remove(insn.writes);  // nothing else in flight writes them
    CHECK(d_.in_flight[w] > 0, "{}: warp {} retired more instructions than it issued", name(), w);
    --d_.in_flight[w];
    touched |= WarpMask{1} << w;
  }
  const Resolve& resolve = resolve_i.read();
  d_.control &= ~(resolve.warps | barrier_open_i.read());
  touched |= resolve.warps | barrier_open_i.read();
  if (resolve.ended) {
    d_.ended |= WarpMask{1} << resolve.ended_warp;
    touched |= WarpMask{1} << resolve.ended_warp;
  }
  const DecodedGroup& decoded = decoded_i.read();
  if (decoded.valid && decoded.epoch == q_.epoch[decoded.warp]) {
    const unsigned w = decoded.warp;
    CHECK(decoded.count <= kMaxDecodeGroup, "{}: {} instructions were decoded at once", name(), decoded.count);
    if (waiting_[w].empty()) touched |= WarpMask{1} << w;
    for (unsigned i = 0; i < decoded.count; ++i) {
      waiting_[w].push(decoded.insn[i]);
    }
  }
  flush(start_i.read(), touched);
  flush(redirect_i.read(), touched);
  d_.drained &= ~touched;
  for (const unsigned warp : set_bits(touched)) classify_head(warp);
  d_.ready.wait_barrier = barrier_waiting_i.read();
  d_.ready.wait_control = d_.control & ~d_.ended & ~d_.ready.wait_barrier;

  const bool input = pick.valid || decoded.valid || resolve.warps != 0 || resolve.ended || barrier_open_i.read() != 0 ||
                     start_i.read().valid || redirect_i.read().valid || release_i.read().entry[0].valid;
  if (!input && d_.ready.wait_barrier == q_.ready.wait_barrier) sleep();
}

void Scoreboard::drive() {
  ready_o.write(q_.ready);
  drained_o.write(q_.drained);
}

}  // namespace g80
