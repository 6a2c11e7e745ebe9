// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/interrupt.h"

#include <fmt/format.h>

#include <csignal>

#include "tb/machine/interrupt_hold.h"
#include "tb/waves/wave_sink.h"

namespace g80 {
namespace {

// The only variables that a signal handler may access.
volatile std::sig_atomic_t signal_seen = 0, hold = 0, held = 0;

unsigned guards = 0;
struct {
  struct sigaction interrupt, terminate, hang_up;
} previous;

extern "C" void on_interrupt(int number) {
  if (hold != 0 && number == SIGINT) {
    held = 1;
    return;
  }
  signal_seen = number;
  WaveSink::request_close();
}

}  // namespace

void hold_interrupts(bool wanted) {
  hold = wanted ? 1 : 0;
  held = 0;
}
bool interrupt_held() { return held != 0; }
bool take_held_interrupt() {
  const bool came = held != 0;
  held = 0;
  return came;
}

InterruptGuard::InterruptGuard() {
  if (guards++ != 0) return;
  signal_seen = 0;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigaction(SIGTERM, &action, &previous.terminate);
  sigaction(SIGHUP, &action, &previous.hang_up);
  action.sa_flags = hold != 0 ? 0 : static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends the program
  sigaction(SIGINT, &action, &previous.interrupt);
  // A program that a script starts in the background ignores Ctrl-C. It keeps ignoring it.
  if (previous.interrupt.sa_handler == SIG_IGN) sigaction(SIGINT, &previous.interrupt, nullptr);
  if (previous.terminate.sa_handler == SIG_IGN) sigaction(SIGTERM, &previous.terminate, nullptr);
  if (previous.hang_up.sa_handler == SIG_IGN) sigaction(SIGHUP, &previous.hang_up, nullptr);  // nohup
}

InterruptGuard::~InterruptGuard() {
  if (--guards != 0) return;
  sigaction(SIGINT, &previous.interrupt, nullptr);
  sigaction(SIGTERM, &previous.terminate, nullptr);
  sigaction(SIGHUP, &previous.hang_up, nullptr);
}

int InterruptGuard::seen() const { return signal_seen; }

Interrupted::Interrupted(int signal_number, const std::string& where)
    : std::runtime_error(fmt::format("{} {}",
                                     signal_number == SIGINT   ? "interrupted (SIGINT)"
                                     : signal_number == SIGHUP ? "terminated (SIGHUP)"
                                                               : "terminated (SIGTERM)",
                                     where)),
      signal(signal_number) {}

}  // namespace g80
