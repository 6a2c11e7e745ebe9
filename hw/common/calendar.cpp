// SPDX-License-Identifier: Apache-2.0
#include "hw/common/calendar.h"

#include <algorithm>

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

std::weak_ptr<Calendar>& known_calendar() {
  static std::weak_ptr<Calendar> calendar;
  return calendar;
}

}  // namespace

std::shared_ptr<Calendar> Calendar::of_simulation() {
  std::shared_ptr<Calendar> calendar = known_calendar().lock();
  if (calendar != nullptr && calendar->context_ == sc_core::sc_get_curr_simcontext()) return calendar;
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

void Calendar::add_apart(Domain& domain, Workers* workers) {
  apart_.push_back(&domain);
  if (workers == nullptr) return;
  CHECK(workers_ == nullptr || workers_ == workers, "{}: other threads than those of the domains before",
        domain.name());
  workers_ = workers;
  for (unsigned g = 1; g < domain.num_groups(); ++g) {
    groups_.tasks.push_back({&domain, g, (g - 0.5) / (domain.num_groups() - 1)});
  }
  std::stable_sort(groups_.tasks.begin(), groups_.tasks.end(),
                   [](const Groups::Task& a, const Groups::Task& b) { return a.place < b.place; });
  workers->add(groups_, static_cast<unsigned>(groups_.tasks.size()));
}

void Calendar::Groups::run_task(unsigned task, unsigned) { tasks[task].domain->run_ahead(tasks[task].group); }

void Calendar::run_windows(Picoseconds now) {
  Picoseconds until = others_ ? now : std::max(limit_, now + 1) - 1;
  for (Domain* meeting : meetings_) until = std::min(until, meeting->sleeps_until(now));
  window_.clear();
  bool share = false;
  for (Domain* domain : apart_) {
    const Picoseconds last = domain->is_watched() ? now : until;
    if (domain->next_time() > last || !domain->runs_ahead()) continue;
    domain->begin_window(last);
    window_.push_back(domain);
    share = share || (workers_ != nullptr && domain->is_worth_sharing());
  }
  share = share && !workers_->is_crowded();
  if (share) workers_->begin(groups_, 0);
  for (Domain* domain : window_) share ? domain->run_ahead(0) : domain->run_ahead();
  if (share) workers_->finish();
  for (Domain* domain : window_) domain->end_window(share);
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
      domain->runs_ahead() ? run_windows(now) : domain->run_edge();
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
