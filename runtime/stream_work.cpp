// SPDX-License-Identifier: Apache-2.0
#include "runtime/stream_work.h"

#include <algorithm>
#include <utility>

namespace g80::cuda {

WorkPoint StreamWork::before_next(const WorkPoint* after) const {
  if (after == nullptr) return issued();
  WorkPoint before = *after;
  before.merge(barrier_);
  return before;
}

WorkPoint StreamWork::take_place(WorkPoint* after, std::uint64_t WorkPoint::*channel) {
  const WorkPoint before = copies_beside_kernels_ ? before_next(after) : issued();
  WorkPoint& included = after != nullptr ? *after : barrier_;
  included = before;
  included.*channel = issued().*channel + 1;
  return before;
}

void StreamWork::add(LaunchSteps launch, WorkPoint* after) {
  const WorkPoint before = take_place(after, &WorkPoint::launches);
  launches_.push_back({std::move(launch), before});
}

void StreamWork::add(const Backend::HostCopy& copy, WorkPoint* after) {
  const WorkPoint before = take_place(after, &WorkPoint::copies);
  copies_.push_back({copy, before});
}

std::uint64_t StreamWork::end_of(const WorkPoint& point) const {
  const std::uint64_t launch = point.launches == 0 ? 0 : launch_ends_.at(point.launches - 1);
  const std::uint64_t copy = point.copies == 0 ? 0 : copy_ends_.at(point.copies - 1);
  return std::max(launch, copy);
}

/// This is where the order of the channels is decided: each looks at its oldest work only.
void StreamWork::start_ready() {
  if (!launches_.empty() && !launches_.front().started && done(launches_.front().after)) {
    launches_.front().started = true;
    launches_.front().what.start();
  }
  for (Work<Backend::HostCopy>& copy : copies_) {
    if (copy.started) continue;
    // Copies end in their order, so a copy may be handed over before the one in front of it has ended.
    const WorkPoint others{copy.after.launches, 0};
    if (!done(copies_beside_kernels_ ? others : copy.after) || !machine_().can_start_copy()) break;
    copy.started = true;
    machine_().start(copy.what);
  }
}

bool StreamWork::advance(bool wait) {
  try {
    start_ready();
    if (take_ended(run_(wait))) return true;
  } catch (...) {
    give_up();  // the program ends, and its exit handler finishes what is left
    throw;
  }
  give_up();
  return false;
}

bool StreamWork::take_ended(Backend::Ended ended) {
  for (const std::uint64_t time : ended.copy_picoseconds) {
    copies_.pop_front();
    copy_ends_.push_back(time);
  }
  if (!ended.launch) return true;
  const LaunchSteps steps = std::move(launches_.front().what);
  launches_.pop_front();
  launch_ends_.push_back(ended.launch_picoseconds);
  return steps.end(std::move(*ended.launch));
}

void StreamWork::give_up() {
  const WorkPoint all = issued();
  launches_.clear();
  copies_.clear();
  launch_ends_.resize(all.launches);
  copy_ends_.resize(all.copies);
}

bool StreamWork::finish(const WorkPoint& point) {
  while (!done(point)) {
    if (!advance(true)) return false;
  }
  return true;
}

bool StreamWork::look() { return empty() || advance(false); }

}  // namespace g80::cuda
