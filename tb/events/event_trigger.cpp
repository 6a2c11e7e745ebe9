// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/input_error.h"
#include "tb/events/event.h"
#include "toolchain/cubin/kernel_name.h"

namespace g80 {

EventTrigger::EventTrigger(const Event& event, const Domain& shader, Happened happened)
    : event_(event), happened_(std::move(happened)) {
  if (event_.kind == Event::Kind::kCondition) {
    watch_ = std::make_unique<EventWatch>(std::vector{compile_event_expression(event_.condition, list_fields(false))},
                                          [this](std::size_t, const std::vector<std::string>& instances) {
                                            happened_(fmt::format("{}", fmt::join(instances, ", ")));
                                          });
    return;
  }
  if (event_.kind != Event::Kind::kCycle) return;
  const Picoseconds now = sc_core::sc_time_stamp().value(), then = Domain::edge_time(shader.mhz(), event_.number);
  if (then <= now) return;
  alarm_ = std::make_unique<Alarm>("event_cycle", [this] {
    if (at_time_) return happened_("");
    at_time_ = true;
    alarm_->notify(sc_core::SC_ZERO_TIME);
  });
  alarm_->notify(sc_core::sc_time::from_value(then - now));
}

void EventTrigger::launched(const std::string& kernel, std::uint64_t number) {
  if (event_.kind != Event::Kind::kLaunch) return;
  if (event_.kernel.empty() ? number == event_.number : !kernels_named(event_.kernel, {kernel}).empty()) happened_("");
}

void EventTrigger::check() const {
  if (watch_) watch_->check();
}

std::unique_ptr<EventTrigger> trigger_for(const char* option, const Event& event, const Domain& shader,
                                          EventTrigger::Happened happened) {
  try {
    return std::make_unique<EventTrigger>(event, shader, std::move(happened));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
}

}  // namespace g80
