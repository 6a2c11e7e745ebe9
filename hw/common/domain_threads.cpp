// SPDX-License-Identifier: Apache-2.0
// Groups of a domain on several threads: who steps them, and what they leave for others until the turn is over.
#include <exception>
#include <utility>

#include "hw/common/clocked.h"
#include "hw/common/domain.h"
#include "hw/common/set_bits.h"

namespace g80 {

void Domain::step_groups_with(Workers& workers) {
  CHECK(modules_.empty(), "{}: its modules are no groups", name());
  workers_ = &workers;
  Outbox::in_use = true;
  notes_.resize(workers.threads());
}

void Domain::begin_group(double place) {
  if (!is_grouped()) return;
  groups_.push_back(std::make_unique<Group>());
  groups_.back()->place = place;
}

unsigned Domain::group_of(const ClockedBase& module) const { return module.index_ / 64; }

Wakes Domain::wakes_by_post(const ClockedBase& reader) {
  return {&groups_[reader.index_ / 64]->inbox.awake, reader.wakes().bits};
}

inline bool Domain::has_post() {
  bool any = false;
  for (ThreadNotes& notes : notes_) {
    if (!notes.posted) continue;  // and its line is not written
    notes.posted = false;
    any = true;
  }
  return any;
}

void Domain::end_groups() {
  if (has_post()) run_deferred();
}

bool Domain::is_worth_sharing() {
  constexpr unsigned kSure = 16;  // behind so many that were not, only one of so many is looked at
  if (++unshared_ > kSure && unshared_ % kSure != 0) return false;
  unsigned modules = 0, groups = 0;
  for (const auto& group : groups_) {
    const std::uint64_t run = group->awake_at(row_size_ > 1 ? 0 : edge_);
    if (run == 0) continue;
    modules += static_cast<unsigned>(__builtin_popcountll(run));
    if (++groups > 1 && modules >= fewest_shared_) {
      unshared_ = 0;
      return true;
    }
  }
  return false;
}

void Domain::share_edge() {
  if (is_watched()) {  // they are told what steps changed before anything is committed
    calendar_->run_groups(*this, 1u << Workers::kStep);
    run_deferred(Workers::kStep);
    calendar_->run_groups(*this, 1u << Workers::kCommit);
  } else {
    calendar_->run_groups(*this, Workers::kEdge);
  }
}

inline void Domain::begin_outbox(Group& group, Workers::Stage phase, bool in_order) {
  Outbox::current = &group.outbox[phase];
  Outbox::current->in_order = in_order;
}

inline void Domain::end_outbox(Group& group, Workers::Stage phase, ThreadNotes& notes) {
  Outbox::current = nullptr;
  if (group.outbox[phase].is_empty()) return;
  group.posted |= static_cast<std::uint8_t>(1u << phase);
  notes.posted = true;
}

void Domain::run_group(unsigned number, Workers::Stage stage, unsigned thread) {
  Group& group = *groups_[number];
  if (stage == Workers::kRow) {
    if (row_size_ == 0 || sleeps(group)) return;
    stage = Workers::kStep;  // a row uses its outbox
    begin_outbox(group, stage, is_watched());
    run_row(number, notes_[thread]);
  } else {
    if (stage == Workers::kStep) group.run = begin_edge(group, edge_, next_.time);
    if (group.run == 0) return;
    begin_outbox(group, stage, true);
    run_stage(group, stage);
  }
  end_outbox(group, stage, notes_[thread]);
}

void Domain::run_deferred() {
  if (row_size_ != 0) rethrow_first_failure();
  for (const Workers::Stage stage : {Workers::kStep, Workers::kCommit}) run_deferred(stage);
}

void Domain::run_deferred(Workers::Stage phase) {
  for (const auto& group : groups_) {
    if ((group->posted >> phase & 1) == 0) continue;
    group->posted &= static_cast<std::uint8_t>(~(1u << phase));
    Outbox& outbox = group->outbox[phase];
    for (const Outbox::Wake& wake : outbox.wakes) wake.domain->wake_at(wake.index, wake.edge);
    outbox.wakes.clear();
    for (const auto& write : outbox.writes) write();
    outbox.writes.clear();
    for (Traceable* item : outbox.changed) item->notify_sinks();
    outbox.changed.clear();
    if (outbox.error) std::rethrow_exception(std::exchange(outbox.error, nullptr));
  }
}

// Between two edges. Returns whether there was any.
bool Domain::take_all_post() {
  bool any = false;
  for (const auto& group : groups_) {
    Inbox& inbox = group->inbox;
    if (inbox.is_empty()) continue;
    any = true;
    group->awake |= std::exchange(inbox.awake, 0);
    for (const unsigned slot : set_bits(std::exchange(inbox.slots, 0))) {
      const Cycle edge = edge_ + 1 + (slot - static_cast<unsigned>(edge_ + 1)) % Inbox::kEdges;
      for (const unsigned index : set_bits(std::exchange(inbox.at[slot], 0))) group->wake_at(index, edge);
    }
  }
  return any;
}

}  // namespace g80
