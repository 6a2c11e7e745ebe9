// SPDX-License-Identifier: Apache-2.0
// Wakes of a domain's modules, and the next edge that runs.
#include "hw/common/clocked.h"
#include "hw/common/domain.h"

namespace g80 {

// Puts wakes up to the edge `last` into the wheels.
void Domain::take_later(Cycle last) {
  while (!later_.empty() && later_.top().edge <= last) {
    const LateWake wake = later_.top();
    later_.pop();
    groups_[wake.index / 64]->wake_at(wake.index, std::max(wake.edge, next_.edge));
  }
}

void Domain::wake_at(unsigned index, Cycle edge) {
  Group& group = *groups_[index / 64];
  Outbox* const outbox = Outbox::of_thread();
  if (outbox != nullptr && outbox != &group.outbox[Workers::kStep] && outbox != &group.outbox[Workers::kCommit]) {
    if (running_ && edge > edge_ && edge - edge_ < Inbox::kEdges) {
      group.inbox.post(index, edge);
    } else {
      outbox->wakes.push_back({this, index, edge});
    }
    return;
  }
  const Cycle present = row_size_ != 0 ? group.now.edge : edge_;
  if (edge <= present) {
    group.modules[index % 64]->wake();
    return;
  }
  if (edge - present < Group::kWheel) {
    group.wake_at(index, edge);
  } else if (outbox != nullptr) {
    outbox->wakes.push_back({this, index, edge});
  } else {
    later_.push({edge, index});
  }
  if (!running_ && (next_.edge == 0 || edge < next_.edge)) woken_from_outside();
}

void Domain::woken_from_outside() {
  // The edges that passed while this domain slept are never run.
  if (!started_) return;
  if (next_.edge == edge_ + 1) return;
  schedule_next(sc_core::sc_is_running() ? first_edge_after_now() : edge_ + 1);
}

bool Domain::will_run(unsigned index, Cycle edge) const {
  if (!runs_at(index, edge)) return false;
  const Group& group = *groups_[index / 64];
  const auto has = [&](std::uint64_t word) { return (word >> (index % 64) & 1) != 0; };
  return has(group.awake) || (edge - edge_ < Group::kWheel && has(group.wheel[edge % Group::kWheel])) ||
         (!later_.empty() && later_.top().edge <= edge);
}

bool Domain::has_half_rate() const {
  return std::any_of(groups_.begin(), groups_.end(), [](const auto& group) { return group->half_rate != 0; });
}

std::uint64_t Domain::activations() const {
  std::uint64_t sum = 0;
  for (const auto& group : groups_) sum += group->activations;
  return sum;
}

/// Distance from `edge` to the next one after it that has a wake in a wheel, 0 if none has.
unsigned Domain::next_timed_wake(Cycle edge) const {
  constexpr unsigned kWords = Group::kWheel / 64;
  std::array<std::uint64_t, kWords> timed{};
  for (const auto& group : groups_) {
    for (unsigned i = 0; i < kWords; ++i) timed[i] |= group->timed[i];
  }
  const unsigned from = (edge + 1) % Group::kWheel;
  // The word that `from` lies in comes twice: its upper bits first, the lower ones last.
  for (unsigned i = 0; i <= kWords; ++i) {
    const unsigned number = (from / 64 + i) % kWords;
    std::uint64_t word = timed[number];
    if (i == 0) word &= ~std::uint64_t{0} << (from % 64);
    if (word != 0)
      return (number * 64 + static_cast<unsigned>(__builtin_ctzll(word)) + Group::kWheel - from) % Group::kWheel + 1;
  }
  return 0;
}

// Schedules the next edge at which a module runs. `first` is the first one that is not in the past.
void Domain::schedule_next(Cycle first) {
  Cycle next = first_awake(first);
  if (next != first) {
    if (workers_ != nullptr && take_all_post()) return schedule_next(first);
    if (const unsigned ahead = next_timed_wake(edge_); ahead != 0 && (next == 0 || edge_ + ahead < next)) {
      next = edge_ + ahead;
    }
    if (!later_.empty() && (next == 0 || later_.top().edge < next)) next = later_.top().edge;
  }
  if (next == 0 || (next_.edge != 0 && next_.edge <= next)) return;
  next_ = following_;
  if (const Cycle ahead = std::max(next, first) - next_.edge; ahead != 0) clock_.advance(next_, ahead);
  calendar_->due(next_.time);
}

}  // namespace g80
