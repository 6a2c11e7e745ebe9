// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, SIGTERM and SIGHUP while a model runs.
//
// After the first signal the wave file is completed at the next clock edge, and the next check_interrupt() throws, so
// the program ends as after any other error. A second signal ends it immediately, but not within a fraction of a
// second: timeout(1) sends its signal to the process and to its group. What a program ignores stays ignored; its own
// handlers run in check_interrupt(), where they may call exit(). Outside of guards a signal has its usual effect.
#pragma once
#include <stdexcept>
#include <string>

namespace g80 {

struct Interrupted : std::runtime_error {
  /// `where` the run was: "in kernel scan (launch 2), shader cycle 81920".
  Interrupted(int signal_number, const std::string& where);
  int signal;  // the program's exit code is 128 + signal, as a shell reports it
};

/// Catches the signals during its lifetime. Of several objects the first begins with it, and the last one ends it: a
/// signal that nobody has looked for then ends the program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// The signal that a guard has caught, or 0. Lets handlers of the program run.
int caught_signal();
/// Throws Interrupted after a signal; `where()` gives the position of the run.
template <class Where>
void check_interrupt(const Where& where) {
  if (const int signal = caught_signal(); signal != 0) throw Interrupted(signal, where());
}

}  // namespace g80
