// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, SIGTERM and SIGHUP while a model runs.
//
// The first signal ends the run in order: the wave file is completed at the next clock edge, and the next check()
// throws, so that everything is taken down as after any other error. A second Ctrl-C ends the program at once; SIGTERM
// may come more than once, as from timeout(1), which sends it to the process and to its group.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>

namespace g80 {

struct Interrupted : std::runtime_error {
  /// `where` the run was: "in kernel scan (launch 2), shader cycle 81920".
  Interrupted(int signal_number, const std::string& where);
  int signal;  // the program's exit code is 128 + signal, as a shell reports it
};

/// Catches the signals while it lives. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// The signal that came, or 0.
  int seen() const;
  /// Throws Interrupted if a signal came; `where()` says where the run is.
  template <class Where>
  void check(const Where& where) const {
    if (const int signal = seen(); signal != 0) throw Interrupted(signal, where());
  }

 private:
  struct Previous;
  std::unique_ptr<Previous> previous_;
};

}  // namespace g80
