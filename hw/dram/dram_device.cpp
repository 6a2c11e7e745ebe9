// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/dram_device.h"

#include "hw/dram/burst_beats.h"

namespace g80 {

DramDevice::DramDevice(const sc_core::sc_module_name& name, const Config& config, std::uint32_t rows)
    : Clocked(name),
      beats_(config.dram.burst_cycles),
      cells_(config, rows),
      rules_(*this, "rules", config),
      writes_(*this, "writes", "writing", config.dram.wl),
      reads_(*this, "reads", "reading", config.dram.cl - 1) {
  CHECK(config.dram.burst_bytes == beats_ * kDramBeatBytes, "{}: {} bytes in {} beats", this->name(),
        config.dram.burst_bytes, beats_);
}

void DramDevice::reset() {
  rules_.clear();
  refresh_by_ = kNever;
  writes_.clear();
  reads_.clear();
}

void DramDevice::drive() {
  if (q_.dq.valid || dq_o.read().valid) dq_o.write_event(q_.dq.valid, q_.dq);
}

void DramDevice::next() {
  writes_.coming.step_to(edge());
  reads_.coming.step_to(edge());
  if (command_i.read().kind != DramCommandKind::kNone) take_command();
  if (refresh_by_ == 0) wake_at((refresh_by_ = rules_.refresh_by()) + 1);
  CHECK(edge() <= refresh_by_, "{}: no REF up to edge {}: the cells have lost what they held", name(), edge());
  take_beat();
  send_beat();
  if (d_.to_write != 0 || d_.dq.valid) return;
  if (writes_.coming.moving()) run_at(writes_.coming.next_arrival(edge()));
  if (reads_.coming.moving()) run_at(reads_.coming.next_arrival(edge()));
  sleep();
}

G80_INLINE void DramDevice::take_command() {
  const DramCommand& command = command_i.read();
  const char* broken = rules_.broken_by(command, edge());
  CHECK(broken == nullptr, "{}: {} of bank {}, address {:#x}, breaks a rule at edge {}: {}", name(),
        enum_text(command.kind).names[static_cast<unsigned>(command.kind) % 8], command.bank, command.address, edge(),
        broken);
  if (command.kind == DramCommandKind::kRefresh || refresh_by_ == kNever) refresh_by_ = 0;
  const bool write = command.kind == DramCommandKind::kWrite;
  if (!write && command.kind != DramCommandKind::kRead) return;
  CHECK(command.address % (beats_ * kDramBeatBytes) == 0, "{}: column {:#x} is not the first of a burst", name(),
        command.address);
  Bursts& bursts = write ? writes_ : reads_;
  bursts.waiting.push({command.bank, rules_.bank(command.bank).row, command.address});
  bursts.coming.enter();
}

G80_INLINE void DramDevice::take_beat() {
  const bool moves = beat_moves(writes_.coming, d_.to_write, beats_);
  const DramBeat& dq = dq_i.read();
  CHECK(dq.valid == moves, "{}: a beat of a write {} at edge {}", name(),
        dq.valid ? "that nobody asked for" : "is missing", edge());
  if (!moves) return;
  cells_.write_masked(cell(writes_.waiting.front(), beats_ - d_.to_write), dq.data.data(), kDramBeatBytes, dq.enable);
  if (--d_.to_write == 0) writes_.waiting.pop();
}

G80_INLINE void DramDevice::send_beat() {
  d_.dq.valid = beat_moves(reads_.coming, d_.to_read, beats_);
  if (!d_.dq.valid) {
    if (q_.dq.valid) d_.dq = {};
    return;
  }
  cells_.read(cell(reads_.waiting.front(), beats_ - d_.to_read), d_.dq.data.data(), kDramBeatBytes);
  if (--d_.to_read == 0) reads_.waiting.pop();
}

}  // namespace g80
