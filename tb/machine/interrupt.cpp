// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/interrupt.h"

#include <fmt/format.h>

#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>

#include "tb/machine/interrupt_hold.h"
#include "tb/waves/wave_sink.h"

namespace g80 {
namespace {

constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
constexpr std::array<int, 7> kHandled = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2};
constexpr std::int64_t kSameMilliseconds = 200;  // two signals within this time are one

// The only variables that a signal handler may access.
volatile std::sig_atomic_t signal_seen = 0, hold = 0, held = 0, guards = 0;
std::atomic<std::int64_t> seen_at{0};
std::atomic<pid_t> process{0};  // a child made by fork() has the handler and the numbers, but no simulation

std::array<bool, kSignals.size()> caught;
bool limit_ends = false;  // a file beyond its limit would end the process
bool told = false;        // somebody has looked at the signal
sigset_t own;             // those that the program handles: blocked outside of check_interrupt()
sigset_t before;          // what the thread had blocked

std::int64_t milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

extern "C" void on_interrupt(int number) {
  const bool runs = guards != 0 && process == getpid();
  if (runs && hold != 0 && number == SIGINT) {
    held = 1;
  } else if (!runs || (signal_seen != 0 && milliseconds() - seen_at > kSameMilliseconds)) {
    std::signal(number, SIG_DFL);
    std::raise(number);
  } else if (signal_seen == 0) {
    signal_seen = number;
    seen_at = milliseconds();
    WaveSink::request_close();
  }
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
  if (guards != 0) {
    guards = guards + 1;
    return;
  }
  signal_seen = 0;
  told = false;
  process = getpid();
  guards = 1;
  sigemptyset(&own);
  struct sigaction ours = {}, theirs = {};
  ours.sa_handler = on_interrupt;
  for (const int number : kHandled) {
    sigaction(number, nullptr, &theirs);
    if (theirs.sa_handler != SIG_DFL && theirs.sa_handler != SIG_IGN) sigaddset(&own, number);
  }
  pthread_sigmask(SIG_BLOCK, &own, &before);
  sigaction(SIGXFSZ, nullptr, &theirs);
  limit_ends = theirs.sa_handler == SIG_DFL;
  if (limit_ends) std::signal(SIGXFSZ, SIG_IGN);  // the write fails, as on a full disk
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &theirs);
    caught[i] = theirs.sa_handler == SIG_DFL;  // a script's background job ignores Ctrl-C, nohup SIGHUP
    if (caught[i]) sigaction(kSignals[i], &ours, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  guards = guards - 1;
  if (guards != 0) return;
  struct sigaction usual = {}, theirs = {};
  usual.sa_handler = SIG_DFL;
  const auto give_back = [&](int number, void (*ours)(int)) {
    sigaction(number, &usual, &theirs);
    if (theirs.sa_handler != ours) sigaction(number, &theirs, nullptr);  // another thread has set its own
  };
  if (limit_ends) give_back(SIGXFSZ, SIG_IGN);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (caught[i]) give_back(kSignals[i], on_interrupt);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (signal_seen != 0 && !told) std::raise(signal_seen);
}

int caught_signal() {
  if (guards != 0) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_sigmask(SIG_BLOCK, &own, nullptr);
  }
  told |= signal_seen != 0;
  return signal_seen;
}

Interrupted::Interrupted(int signal_number, const std::string& where)
    : std::runtime_error(fmt::format("{} {}",
                                     signal_number == SIGINT   ? "interrupted (SIGINT)"
                                     : signal_number == SIGHUP ? "terminated (SIGHUP)"
                                                               : "terminated (SIGTERM)",
                                     where)),
      signal(signal_number) {}

}  // namespace g80
