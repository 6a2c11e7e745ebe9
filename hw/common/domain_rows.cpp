// SPDX-License-Identifier: Apache-2.0
// Modules that share wires are a group; a large domain has many. Where only queues to a domain with a slower clock join
// the groups, they run apart: between two edges of that clock each group runs all of its own edges in a row, while its
// state is in the cache, and on any thread. Where wires join groups, all of them step before one commits. An edge of
// the slower clock and the row of edges up to it do not see each other, so threads run both in one turn.
//
// The rule: nothing arrives in the past. A turn passes edges, one or a row of them, and each edge is passed once. What
// others do from then on shows behind the last edge passed; a wake stays until a turn has passed its edge. It holds as
// follows. A is a domain whose groups run apart, M the one in which they meet, N the fewest edges of M's queues.
//  1. A turn of A that begins at time t ends at U or before: U is the edge at which M runs next or, while M sleeps,
//     the N-th edge of M from t on if that is sooner (sleeps_until()). What wakes M is a wake of its own, which M
//     knows; the host, for which a turn ends before each event of SystemC; or what A or a third domain writes into a
//     queue at t or later, which shows at the N-th edge of M strictly after that. So M does not run between t and U.
//  2. What M writes at U or later shows to A at an edge strictly after that: behind the turn. No wire leads from A
//     to M.
//  3. The domain stands at the last edge of its turn, not at the last one at which a block ran. If it went back and
//     passed an edge again, a block with a wake for a later one would run too soon, sleep, and find its wake used up.
//  4. Beside a turn of A, M runs its edge at U where that is its first one since t: what A writes meanwhile shows at
//     a later edge of M, as N > 1, and what M writes shows to A behind U.
// first_edge_after() checks it whenever a queue is written or read.
#include "hw/common/clocked.h"
#include "hw/common/domain.h"

namespace g80 {

void Domain::run_groups_apart(Domain& meeting) {
  CHECK(modules_.empty(), "{}: its modules are no groups", name());
  meeting_ = &meeting;
  calendar_->meet_in(meeting);
}

bool Domain::joins_groups(const ClockedBase& driver, const ClockedBase& reader) const {
  const bool inside = reader.domain() == this && (!is_grouped() || driver.index_ / 64 == reader.index_ / 64);
  CHECK(inside || meeting_ == nullptr, "{}: a wire from {} to {} leaves a group that runs apart", name(), driver.name(),
        reader.name());
  return !inside && reader.domain() == this;
}

bool Domain::can_run_beside(Picoseconds now, Picoseconds time) const {
  // An entry shows at the second edge after it was pushed at the earliest.
  const bool first_since = next_.edge == edge_ + 1 || (ahead_.time >= now && next_.time <= ahead_.time);
  return next_.time == time && first_since && nearest_queue_ > 1 && !runs_in_order();
}

Picoseconds Domain::sleeps_until(Picoseconds now) {
  if (next_.edge == edge_ + 1) return next_.time;
  // The first edge of the clock from now on is the first one that sees something, or the one before that.
  if (ahead_.time > now || now - ahead_.time > kMaxRow * clock_.period()) ahead_ = clock_.at(first_edge_from(now));
  while (ahead_.time < now) clock_.advance(ahead_, 1);
  return std::min(next_.time, ahead_.time + (std::min(nearest_queue_, kMaxRow) - 1) * clock_.period());
}

bool Domain::begin_row(Picoseconds until) {
  row_slots_ = {};
  for (; following_.time <= until && row_size_ < kMaxRow; clock_.advance(following_, 1)) {
    row_[row_size_++] = following_;
    const unsigned slot = following_.edge % Group::kWheel;
    row_slots_[slot / 64] |= std::uint64_t{1} << (slot % 64);
  }
  edge_ = row_[row_size_ - 1].edge;
  return following_.time > until;
}

// Of blocks that fail at different edges of a row, the one at the first edge is told.
void Domain::rethrow_first_failure() {
  const Group* failed = nullptr;
  for (const auto& group : groups_) {
    if (!group->outbox[Workers::kStep].error) continue;
    if (failed == nullptr || group->now.edge < failed->now.edge) failed = group.get();
  }
  if (failed == nullptr) return;
  edge_ = failed->now.edge;
  std::rethrow_exception(failed->outbox[Workers::kStep].error);
}

void Domain::arrives_in_the_past(Picoseconds time) const {
  throw ModelError(
      fmt::format("{}: something happens in another clock at {} ps, but edge {} is passed", name(), time, edge_));
}

}  // namespace g80
