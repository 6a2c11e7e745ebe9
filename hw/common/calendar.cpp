// SPDX-License-Identifier: Apache-2.0
#include "hw/common/calendar.h"

#include <algorithm>
#include <map>

#include "hw/common/check.h"
#include "hw/common/domain.h"

namespace g80 {
namespace {

// SystemC has no call that moves its time from inside of a process. An explicit instantiation may name a private
// member.
template <sc_core::sc_time sc_core::sc_simcontext::*kTime, sc_dt::uint64 sc_core::sc_time::*kValue>
struct KernelTime {
  friend sc_dt::uint64& kernel_time(sc_core::sc_simcontext& context) { return context.*kTime.*kValue; }
};
sc_dt::uint64& kernel_time(sc_core::sc_simcontext& context);
template struct KernelTime<&sc_core::sc_simcontext::m_curr_time, &sc_core::sc_time::m_value>;

/// Of the current simulation: several machines of a program may take turns.
std::weak_ptr<Calendar>& known_calendar() {
  static std::map<const sc_core::sc_simcontext*, std::weak_ptr<Calendar>> of_simulations;
  return of_simulations[sc_core::sc_get_curr_simcontext()];
}

}  // namespace

std::shared_ptr<Calendar> Calendar::of_simulation() {
  std::shared_ptr<Calendar> calendar = known_calendar().lock();
  if (calendar != nullptr) return calendar;
  known_calendar() = calendar = std::make_shared<Calendar>();
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&calendar->event_);
  // SystemC keeps the process, which is sensitive to the event: the calendar lives as long.
  sc_core::sc_spawn([calendar] { calendar->run_edges(); }, "edges", &options);
  return calendar;
}

void Calendar::add(Domain& domain) {
  const auto later = [](const Domain* a, const Domain* b) { return a->number() < b->number(); };
  domains_.insert(std::upper_bound(domains_.begin(), domains_.end(), &domain, later), &domain);
}

void Calendar::remove(Domain& domain) {
  for (std::vector<Domain*>* list : {&domains_, &meetings_, &apart_}) {
    list->erase(std::remove(list->begin(), list->end(), &domain), list->end());
  }
}

void Calendar::meet_in(Domain& meeting) {
  if (std::find(meetings_.begin(), meetings_.end(), &meeting) == meetings_.end()) meetings_.push_back(&meeting);
}

void Calendar::share(Domain& domain, Workers& workers) {
  CHECK(workers_ == nullptr || workers_ == &workers, "{}: other threads than those of the domains before",
        domain.name());
  workers_ = &workers;
  const bool apart = std::find(apart_.begin(), apart_.end(), &domain) != apart_.end();
  std::vector<Task>& tasks = apart ? groups_.apart : groups_.joined;
  for (unsigned g = 1; g < domain.num_groups(); ++g) {
    tasks.push_back({&domain, g, domain.place_of(g)});
  }
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.place < b.place; });
  workers.set(groups_, static_cast<unsigned>(groups_.joined.size()), static_cast<unsigned>(groups_.apart.size()));
}

void Calendar::Groups::run_task(Workers::Stage stage, unsigned task, unsigned thread) {
  const Task& it = stage == Workers::kRow ? apart[task] : joined[task];
  if (stage == Workers::kRow || it.domain == at_edge) it.domain->run_group(it.group, stage, thread);
}

void Calendar::Groups::run_own(Workers::Stage stage) {
  if (stage != Workers::kRow) return at_edge->run_group(0, stage, 0);
  for (Domain* domain : rows) domain->run_group(0, stage, 0);
}

void Calendar::run_groups(Domain& domain, unsigned stages) {
  groups_.at_edge = &domain;
  workers_->run(stages);
}

// The domain in which groups meet, if its edge at `until` may share the turn of the rows up to then.
Domain* Calendar::runs_beside(Picoseconds now, Picoseconds until) const {
  if (meetings_.size() != 1 || !meetings_.front()->can_run_beside(now, until)) return nullptr;
  for (const Domain* domain : domains_) {
    const bool in_turn = domain == meetings_.front() ||
                         std::find(groups_.rows.begin(), groups_.rows.end(), domain) != groups_.rows.end();
    if (domain->is_watched() || (!in_turn && domain->next_time() <= until)) return nullptr;
  }
  return meetings_.front();
}

void Calendar::run_rows(sc_dt::uint64& now) {
  Picoseconds until = others_ ? now : std::max<Picoseconds>(limit_, now + 1) - 1;
  for (Domain* meeting : meetings_) until = std::min(until, meeting->sleeps_until(now));
  std::vector<Domain*>& rows = groups_.rows;
  rows.clear();
  bool share = false, whole = true;
  for (Domain* domain : apart_) {
    const Picoseconds last = domain->is_watched() ? now : until;
    if (domain->next_time() > last || !domain->runs_ahead()) continue;
    whole = domain->begin_turn(last) && whole;
    rows.push_back(domain);
    share = share || (workers_ != nullptr && domain->is_worth_sharing());
  }
  Domain* beside = nullptr;
  if (share && !workers_->is_crowded()) {
    if (whole) beside = runs_beside(now, until);
    if (beside != nullptr) {
      now = until;
      beside->begin_turn(now);
    }
    groups_.at_edge = beside;
    workers_->run(1u << Workers::kRow | (beside != nullptr ? Workers::kEdge : 0));
  } else {
    for (Domain* domain : rows) domain->run_turn();
  }
  for (Domain* domain : rows) domain->end_groups();
  if (beside != nullptr) {
    beside->end_groups();
    beside->end_turn();
  }
  for (Domain* domain : rows) domain->end_turn();
}

void Calendar::notify(Picoseconds time) {
  event_.notify(sc_core::sc_time::from_value(time - sc_core::sc_time_stamp().value()));
}

void Calendar::run_edges() {
  sc_core::sc_simcontext& context = *sc_core::sc_get_curr_simcontext();
  sc_dt::uint64& now = kernel_time(context);
  running_ = true;
  others_notified();
  Picoseconds next = kNever;
  limit_ = 0;
  while (true) {
    for (Domain* domain : domains_) {
      if (domain->next_time() != now) continue;
      domain->runs_ahead() ? run_rows(now) : domain->take_turn(now);
    }
    next = kNever;
    for (const Domain* domain : domains_) next = std::min(next, domain->next_time());
    if (__builtin_expect(ask_kernel_, 0)) {
      ask_kernel_ = others_;
      limit_ = std::min<Picoseconds>(end_, now + sc_core::sc_time_to_pending_activity(&context).value());
    }
    if (next >= limit_) break;
    now = next;
  }
  running_ = false;
  if (next != kNever) due(next);
}

void Calendar::start(const sc_core::sc_time& duration) {
  const std::shared_ptr<Calendar> calendar = of_simulation();
  struct Ends {
    Calendar& calendar;
    ~Ends() { calendar.end_ = 0; }
  } ends{*calendar};
  calendar->end_ = (sc_core::sc_time_stamp() + duration).value();
  sc_core::sc_start(duration);
}

}  // namespace g80
