// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/dram_controller.h"

#include <algorithm>

#include "hw/config/config_rules.h"
#include "hw/dram/dram_policies.h"

namespace g80 {

DramController::DramController(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      map_(config),
      timing_(config),
      policy_(config.dram.policy),
      num_banks_(config.dram.num_banks),
      window_size_(config.dram.window),
      write_high_(config.dram.write_high),
      write_low_(config.dram.write_low),
      bypass_limit_(config.dram.row_bytes / config.dram.burst_bytes),
      opens_late_(config.dram.t_refi > config.dram.t_rfc + 2 * longest_row_use(config)),
      reading_(*this, "reading", timing_.cl + 1),
      writing_(*this, "writing", timing_.wl) {
  CHECK(2 * window_size_ <= kMaxWindow, "{}: dram.window = {} exceeds {}", this->name(), window_size_, kMaxWindow / 2);
  reply_o.wake_for_room(RoomWake::kNever);
}

void DramController::reset() {
  banks_ = {};
  rank_ = {};
  window_.clear();
  replies_.clear();
  reading_.clear();
  writing_.clear();
  to_write_.clear();
  read_.clear();
  moved_data_ = wrote_last_ = false;
  refresh_armed_ = 0;
  counters_ = {};
}

void DramController::next() {
  d_.command = {};
  reading_.step_to(edge());
  writing_.step_to(edge());
  take_beat();
  send_reply();
  const Cycle retry = edge() >= next_refresh() ? step_refresh() : step_service();
  const bool accepted = accept_burst();
  send_beat();
  d_.waiting = static_cast<std::uint8_t>(window_.size());
  d_.writes = static_cast<std::uint8_t>(window_.num_writes());
  if (refresh_armed_ != next_refresh()) {
    refresh_armed_ = next_refresh();
    wake_at(refresh_armed_);
  }
  const bool reply_waits = !read_.empty() || d_.written != 0;
  const bool data_move = d_.dq.valid || d_.sent_last || d_.to_take != 0;
  if (d_.command.kind != DramCommandKind::kNone || accepted || reply_waits || data_move || retry <= edge()) return;
  const Cycle again = std::min(retry, next_data());
  if (again != kNever) wake_at(again);
  sleep();
}

void DramController::take_beat() {
  if (d_.to_take == 0 && reading_.arrived()) {
    reading_.leave();
    d_.to_take = static_cast<std::uint8_t>(timing_.burst_cycles);
  }
  const DramBeat& dq = dq_i.read();
  CHECK(dq.valid == (d_.to_take != 0), "{}: a beat of a read {} at edge {}", name(),
        dq.valid ? "that nobody asked for" : "is missing", edge());
  if (!dq.valid) return;
  const unsigned beat = timing_.burst_cycles - d_.to_take;
  std::copy(dq.data.begin(), dq.data.end(), taking_.data.begin() + beat * dq.data.size());
  if (--d_.to_take == 0) read_.push(taking_);
}

void DramController::send_beat() {
  d_.dq = {};
  d_.sent_last = false;
  if (d_.to_send == 0 && writing_.arrived()) {
    writing_.leave();
    d_.to_send = static_cast<std::uint8_t>(timing_.burst_cycles);
  }
  if (d_.to_send == 0) return;
  const BurstData& burst = to_write_.front();
  const unsigned beat = timing_.burst_cycles - d_.to_send;
  d_.dq.valid = true;
  d_.dq.enable = static_cast<std::uint16_t>(burst.byte_enable >> beat * kDramBeatBytes);
  std::copy_n(burst.data.begin() + beat * d_.dq.data.size(), d_.dq.data.size(), d_.dq.data.begin());
  if (--d_.to_send != 0) return;
  to_write_.pop();
  d_.sent_last = true;
}

void DramController::send_reply() {
  if (q_.sent_last) ++d_.written;
  if (replies_.empty() || !reply_o->can_push()) return;
  const Header& header = replies_.front();
  if (header.write ? d_.written == 0 : read_.empty()) return;
  DramReply reply;
  reply.write = header.write;
  reply.slot = header.slot;
  reply.burst = header.burst;
  reply.tag = header.tag;
  if (header.write) {
    --d_.written;
  } else {
    reply.data = read_.front().data;
    read_.pop();
  }
  reply_o->push(reply);
  replies_.pop();
}

Cycle DramController::next_data() const {
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
  if (command == DramCommandKind::kActivate) d_.command.address = row;
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
  replies_.push({write, request.slot, request.burst, request.tag});
  if (write) {
    to_write_.push({request.byte_enable, request.data});
    writing_.enter();
    ++counters_.writes;
  } else {
    reading_.enter();
    ++counters_.reads;
  }

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
  d_.command.address = burst.at.column;
  d_.command.tag = request.tag;
  d_.bypassed = position == oldest(window_.all()) ? 0 : static_cast<std::uint16_t>(q_.bypassed + 1);
  window_.remove(position);
}

}  // namespace g80
