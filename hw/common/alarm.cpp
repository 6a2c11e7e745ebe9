// SPDX-License-Identifier: Apache-2.0
#include "hw/common/alarm.h"

#include <utility>

#include "hw/common/calendar.h"

namespace g80 {

Alarm::Alarm(const char* name, std::function<void()> ring) : shared_(std::make_shared<Shared>()) {
  shared_->ring = std::move(ring);
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&shared_->event);
  const auto process = [shared = shared_] {
    if (!shared->silent) shared->ring();
  };
  sc_core::sc_spawn(process, sc_core::sc_gen_unique_name(name), &options);
}

Alarm::~Alarm() {
  shared_->silent = true;
  shared_->event.cancel();
}

void Alarm::notify(const sc_core::sc_time& delay) {
  shared_->event.notify(delay);
  Calendar::of_simulation()->others_notified();
}

}  // namespace g80
