// Ctrl-C and SIGTERM while the machine runs.
//
// The first signal ends the run in order: the wave file is completed at the next clock edge, and the next check() throws,
// so that everything is taken down as after any other error. A second Ctrl-C ends the program at once; SIGTERM may come
// more than once, as from timeout(1), which sends it to the process and to its group.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>

namespace g80 {

struct Interrupted : std::runtime_error {
  Interrupted(int signal_number, const std::string& what) : std::runtime_error(what), signal(signal_number) {}
  int signal;  // the program's exit code is 128 + signal, as a shell reports it
};

/// Catches both signals while it lives. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Throws Interrupted if a signal came.
  void check() const;

 private:
  struct Previous;
  std::unique_ptr<Previous> previous_;
};

}  // namespace g80
