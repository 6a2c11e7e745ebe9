// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/dram_controller.h"

#include <algorithm>

#include "hw/config/config_rules.h"
#include "hw/dram/dram_policies.h"

namespace g80 {

DramController::DramController(const sc_core::sc_module_name& name, const Config& config, DramStorage& storage)
    : Clocked(name),
      map_(config),
      timing_(config),
      policy_(config.dram.policy),
      num_banks_(config.dram.num_banks),
      window_size_(config.dram.window),
      write_high_(config.dram.write_high),
      write_low_(config.dram.write_low),
      burst_bytes_(config.dram.burst_bytes),
      bypass_limit_(config.dram.row_bytes / config.dram.burst_bytes),
      opens_late_(config.dram.t_refi > config.dram.t_rfc + 2 * longest_row_use(config)),
      storage_(storage),
      reading_(*this, "reading", timing_.cl + timing_.burst_cycles),
      writing_(*this, "writing", timing_.wl + timing_.burst_cycles) {
  CHECK(2 * window_size_ <= kMaxWindow, "{}: dram.window = {} exceeds {}", this->name(), window_size_, kMaxWindow / 2);
  CHECK(storage.bytes() >= map_.partition_bytes(), "{}: the storage has {} bytes, but the partition {}", this->name(),
        storage.bytes(), map_.partition_bytes());
  reply_o.wake_for_room(RoomWake::kNever);
}

void DramController::reset() {
  banks_ = {};
  rank_ = {};
  window_.clear();
  replies_.clear();
  reading_.clear();
  writing_.clear();
  moved_data_ = wrote_last_ = false;
  refresh_armed_ = 0;
  counters_ = {};
}

void DramController::next() {
  d_.command = {};
  reading_.step_to(edge());
  writing_.step_to(edge());
  send_reply();
  const Cycle retry = edge() >= next_refresh() ? step_refresh() : step_service();
  const bool accepted = accept_burst();
  d_.waiting = static_cast<std::uint8_t>(window_.size());
  d_.writes = static_cast<std::uint8_t>(window_.num_writes());
  if (refresh_armed_ != next_refresh()) {
    refresh_armed_ = next_refresh();
    wake_at(refresh_armed_);
  }
  const bool reply_waits = reading_.arrived() || writing_.arrived();
  if (d_.command.kind != DramCommandKind::kNone || accepted || reply_waits || retry <= edge()) return;
  const Cycle again = std::min(retry, next_arrival());
  if (again != kNever) wake_at(again);
  sleep();
}

void DramController::send_reply() {
  if (replies_.empty() || !reply_o->can_push()) return;
  Stored<DelayLine>& line = replies_.front().write ? writing_ : reading_;
  if (!line.arrived()) return;
  line.leave();
  reply_o->push(replies_.front());
  replies_.pop();
}

/// The edge at which the next burst has moved.
Cycle DramController::next_arrival() const {
  return std::min(reading_.moving() ? reading_.next_arrival() : kNever,
                  writing_.moving() ? writing_.next_arrival() : kNever);
}

bool DramController::accept_burst() {
  if (!request_i->available()) return false;
  const DramRequest& request = request_i->front();
  const unsigned writes = window_.num_writes();
  if ((request.write ? writes : window_.size() - writes) >= window_size_) return false;
  const DramLocation at = locate_local(map_, 0, request.local);
  const DramBank& bank = banks_[at.bank];
  window_.insert(request, at, bank.open && bank.row == at.row);
  request_i->pop();
  return true;
}

Cycle DramController::step_refresh() {
  Cycle retry = kNever;
  bool all_closed = true;
  Cycle refresh_from = 0;
  for (unsigned b = 0; b < num_banks_; ++b) {
    const DramBank& bank = banks_[b];
    refresh_from = std::max(refresh_from, earliest(DramCommandKind::kRefresh, bank, rank_));
    if (!bank.open) continue;
    all_closed = false;
    const Cycle legal_from = earliest(DramCommandKind::kPrecharge, bank, rank_);
    if (legal_from <= edge()) {
      issue(DramCommandKind::kPrecharge, b, 0);
      ++counters_.precharges;
      return edge();
    }
    retry = std::min(retry, legal_from);
  }
  if (!all_closed) return retry;
  if (refresh_from > edge()) return refresh_from;
  for (unsigned b = 0; b < num_banks_; ++b) {
    apply(timing_, DramCommandKind::kRefresh, edge(), 0, banks_[b], rank_);
  }
  d_.command.kind = DramCommandKind::kRefresh;
  ++d_.refreshes;
  ++counters_.refreshes;
  return edge();
}

Cycle DramController::step_service() {
  if (window_.size() == 0) return kNever;
  if (replies_.full()) return edge();  // no room for another burst's reply
  const DramPolicyRow& policy = kDramPolicies[static_cast<std::size_t>(policy_)];
  const bool oldest_only = policy.oldest_only || q_.bypassed >= bypass_limit_;
  const BurstMask first = window_.all() & -window_.all();
  const DramPick pick = pick_request(window_, banks_, rank_, edge(), oldest_only ? first : choose_direction(),
                                     policy.goes_before, opens_late_ || edge() + timing_.t_rcd < next_refresh());
  switch (pick.command) {
    case DramCommandKind::kNone: return pick.retry;
    case DramCommandKind::kActivate: {
      BurstWindow::Burst& burst = window_.at(pick.burst);
      burst.activated = true;
      issue(DramCommandKind::kActivate, burst.at.bank, burst.at.row);
      d_.command.tag = burst.request.tag;
      break;
    }
    case DramCommandKind::kPrecharge: {
      BurstWindow::Burst& burst = window_.at(pick.burst);
      if (burst.precharged) ++counters_.precharges;  // the first one counts when the burst moves
      burst.precharged = true;
      issue(DramCommandKind::kPrecharge, burst.at.bank, 0);
      d_.command.tag = burst.request.tag;
      break;
    }
    default: issue_column(pick.burst); break;
  }
  return edge();
}

BurstMask DramController::choose_direction() {
  const BurstMask writes = window_.writes(), ready = window_.ordered();
  const bool many_writes = window_.num_writes() > (q_.draining ? write_low_ : write_high_ - 1);
  d_.draining = (ready & ~writes) == 0 || ((ready & writes) != 0 && many_writes);
  return d_.draining ? writes : ~writes;
}

void DramController::issue(DramCommandKind command, unsigned bank, std::uint32_t row) {
  d_.command.kind = command;
  d_.command.bank = static_cast<std::uint8_t>(bank);
  d_.command.row = row;
  apply(timing_, command, edge(), row, banks_[bank], rank_);
  if (command == DramCommandKind::kActivate) {
    d_.open_banks = static_cast<std::uint8_t>(d_.open_banks | 1u << bank);
    window_.row_opened(bank, row);
    ++counters_.activates;
  } else if (command == DramCommandKind::kPrecharge) {
    d_.open_banks = static_cast<std::uint8_t>(d_.open_banks & ~(1u << bank));
    window_.row_closed(bank);
  }
}

void DramController::issue_column(unsigned position) {
  const BurstWindow::Burst& burst = window_.at(position);
  const DramRequest& request = burst.request;
  const bool write = request.write;
  DramReply reply;
  reply.write = write;
  reply.slot = request.slot;
  reply.burst = request.burst;
  reply.tag = request.tag;
  if (write) {
    storage_.write_masked(request.local, request.data.data(), burst_bytes_, request.byte_enable);
    ++counters_.writes;
  } else {
    storage_.read(request.local, reply.data.data(), burst_bytes_);
    ++counters_.reads;
  }
  replies_.push(reply);
  (write ? writing_ : reading_).enter();

  if (burst.precharged) {
    ++counters_.row_conflicts;
    ++counters_.precharges;
  } else if (burst.activated) {
    ++counters_.row_misses;
  } else {
    ++counters_.row_hits;
  }
  if (moved_data_ && wrote_last_ != write) ++counters_.turnarounds;
  moved_data_ = true;
  wrote_last_ = write;
  counters_.data_bus_cycles += timing_.burst_cycles;

  issue(write ? DramCommandKind::kWrite : DramCommandKind::kRead, burst.at.bank, 0);
  d_.command.column = burst.at.column;
  d_.command.tag = request.tag;
  d_.bypassed = position == oldest(window_.all()) ? 0 : static_cast<std::uint16_t>(q_.bypassed + 1);
  window_.remove(position);
}

}  // namespace g80
