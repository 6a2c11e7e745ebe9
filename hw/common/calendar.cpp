// SPDX-License-Identifier: Apache-2.0
#include "hw/common/calendar.h"

#include <algorithm>

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

void Calendar::remove(Domain& domain) { domains_.erase(std::find(domains_.begin(), domains_.end(), &domain)); }

void Calendar::notify(Picoseconds time) {
  event_.notify(sc_core::sc_time::from_value(time - sc_core::sc_time_stamp().value()));
}

void Calendar::run_edges() {
  sc_core::sc_simcontext& context = *sc_core::sc_get_curr_simcontext();
  sc_dt::uint64& now = kernel_time(context);
  running_ = true;
  others_notified();
  Picoseconds next = kNever, limit = 0;
  while (true) {
    for (Domain* domain : domains_) {
      if (domain->next_time() == now) domain->run_edge();
    }
    next = kNever;
    for (const Domain* domain : domains_) next = std::min(next, domain->next_time());
    if (__builtin_expect(ask_kernel_, 0)) {
      ask_kernel_ = others_;
      limit = std::min<Picoseconds>(end_, now + sc_core::sc_time_to_pending_activity(&context).value());
    }
    if (next >= limit) break;
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
