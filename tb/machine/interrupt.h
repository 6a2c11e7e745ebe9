// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, SIGTERM and SIGHUP while a model runs.
//
// After the first signal the wave file is completed at the next clock edge, and the next check() throws, so the
// program ends as after any other error. A second Ctrl-C ends the program immediately. SIGTERM may arrive more than
// once: timeout(1) sends it to the process and to its group.
#pragma once
#include <stdexcept>
#include <string>

namespace g80 {

struct Interrupted : std::runtime_error {
  /// `where` the run was: "in kernel scan (launch 2), shader cycle 81920".
  Interrupted(int signal_number, const std::string& where);
  int signal;  // the program's exit code is 128 + signal, as a shell reports it
};

/// Catches the signals during its lifetime. Of several objects the first begins with it, and the last one ends it.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// The received signal, or 0.
  int seen() const;
  /// Throws Interrupted after a signal; `where()` gives the position of the run.
  template <class Where>
  void check(const Where& where) const {
    if (const int signal = seen(); signal != 0) throw Interrupted(signal, where());
  }
};

}  // namespace g80
