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

struct InterruptGuard::Previous {
  struct sigaction interrupt, terminate, hang_up;
};

InterruptGuard::InterruptGuard() : previous_(std::make_unique<Previous>()) {
  signal_seen = 0;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigaction(SIGTERM, &action, &previous_->terminate);
  sigaction(SIGHUP, &action, &previous_->hang_up);
  action.sa_flags = hold != 0 ? 0 : static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends the program
  sigaction(SIGINT, &action, &previous_->interrupt);
  // A program that a script starts in the background ignores Ctrl-C. It keeps ignoring it.
  if (previous_->interrupt.sa_handler == SIG_IGN) sigaction(SIGINT, &previous_->interrupt, nullptr);
  if (previous_->terminate.sa_handler == SIG_IGN) sigaction(SIGTERM, &previous_->terminate, nullptr);
  if (previous_->hang_up.sa_handler == SIG_IGN) sigaction(SIGHUP, &previous_->hang_up, nullptr);  // nohup
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &previous_->interrupt, nullptr);
  sigaction(SIGTERM, &previous_->terminate, nullptr);
  sigaction(SIGHUP, &previous_->hang_up, nullptr);
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
