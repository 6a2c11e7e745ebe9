// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/instruction_buffer.h"

namespace g80 {

InstructionBuffer::InstructionBuffer(const sc_core::sc_module_name& name, const Config& config, unsigned sm_id)
    : Clocked(name),
      sm_id_(sm_id),
      most_with_room_(config.sm.ibuffer_entries - std::min(config.sm.ibuffer_entries, config.sm.fetch_bytes / 4)) {}

void InstructionBuffer::reset() {
  for (auto& fifo : entries_) fifo.clear();
}

void InstructionBuffer::set_level(unsigned warp, unsigned count) {
  const WarpMask bit = WarpMask{1} << warp;
  d_.level.count[warp] = static_cast<std::uint8_t>(count);
  d_.level.room = count <= most_with_room_ ? d_.level.room | bit : d_.level.room & ~bit;
}

void InstructionBuffer::flush(const Redirect& redirect) {
  if (!redirect.valid) return;
  ++d_.epoch[redirect.warp];
  entries_[redirect.warp].clear();
  set_level(redirect.warp, 0);
}

void InstructionBuffer::next() {
  const Pick& pick = pick_i.read();
  d_.issue = {};
  if (pick.valid) {
    auto& fifo = entries_[pick.warp];
    CHECK(!fifo.empty(), "{}: warp {} was picked without an instruction", name(), pick.warp);
    d_.issue.valid = true;
    d_.issue.warp = pick.warp;
    d_.issue.to_multipliers = pick.to_multipliers;
    d_.issue.fetched = fifo.front();
    d_.issue.tag = Tag::make(sm_id_, q_.sequence);
    d_.sequence = q_.sequence == kLastSequence ? 1 : q_.sequence + 1;
    if (reports_ != nullptr && reports_->reports_profile())
      reports_->at(edge()).hand_out.add() = {pick.warp, fifo.front().pc};
    fifo.pop();
    set_level(pick.warp, fifo.size());
  }
  const DecodedGroup& decoded = decoded_i.read();
  if (decoded.valid && decoded.epoch == q_.epoch[decoded.warp]) {
    CHECK(decoded.count <= kMaxDecodeGroup, "{}: {} instructions were decoded at once", name(), decoded.count);
    auto& fifo = entries_[decoded.warp];
    for (unsigned i = 0; i < decoded.count; ++i) fifo.push(decoded.insn[i]);
    set_level(decoded.warp, fifo.size());
  }
  flush(start_i.read());
  flush(redirect_i.read());
  if (!d_.issue.valid) sleep();
}

void InstructionBuffer::drive() {
  issue_o.write(q_.issue);
  level_o.write_event(q_.level.room != level_o.read().room, q_.level);  // fetch asks for a count where a group comes
}

}  // namespace g80
