// SPDX-License-Identifier: Apache-2.0
// Timers of cutil. They measure modelled time: it passes while the device works, and the host's own work takes none.
#pragma once
#pragma GCC system_header
#include <map>

#include <cuda_runtime_api.h>

extern "C" double __g80ModelledMilliseconds(void);

struct __g80_timer {
  double started, total;
  unsigned sessions;
  bool running;

  __g80_timer() : started(0), total(0), sessions(0), running(false) {}
  double now() const { return total + (running ? __g80ModelledMilliseconds() - started : 0); }
  void start() {
    started = __g80ModelledMilliseconds();
    running = true;
  }
  void stop() {
    total = now();
    sessions += running;
    running = false;
  }
  void reset() {
    total = 0;
    sessions = 0;
    if (running) start();
  }
  double average() const { return sessions == 0 ? now() : total / sessions; }
};

inline std::map<unsigned int, __g80_timer>& __g80_timers() {
  static std::map<unsigned int, __g80_timer> timers;
  return timers;
}
