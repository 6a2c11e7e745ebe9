// SPDX-License-Identifier: Apache-2.0
// A call inside the simulation, at a time or after all processes of this moment; for observers that are not modules.
#pragma once
#include <functional>
#include <memory>

#include <systemc>

namespace g80 {

class Alarm {
 public:
  /// `ring` is called in a SystemC method process named after `name`. It may destroy the alarm.
  Alarm(const char* name, std::function<void()> ring);
  /// Cancels the alarm.
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  /// Rings once after `delay`; SC_ZERO_TIME is behind the processes of this moment. The sooner of two counts.
  void notify(const sc_core::sc_time& delay);

 private:
  // SystemC keeps the process: it shares what it needs and outlives the alarm.
  struct Shared {
    sc_core::sc_event event;
    std::function<void()> ring;
    bool silent = false;
  };
  std::shared_ptr<Shared> shared_;
};

}  // namespace g80
