// SPDX-License-Identifier: Apache-2.0
// Who looks at a machine while it runs: a shell, or a run that ends at an event.
#pragma once
#include <stdexcept>
#include <string>

#include "tb/driver/advance.h"
#include "tb/scenario/backend.h"

namespace g80 {

class GpuBackend;
struct ModelError;

/// The event of --until has happened: the run ends here, on purpose.
struct EventReached : std::runtime_error {
  EventReached(const std::string& what, std::uint64_t at) : std::runtime_error(what), cycle(at) {}
  std::uint64_t cycle;           // shader cycle
  bool records_missing = false;  // as of Backend::records_missing()
};

class Debugger : public Halts {
 public:
  /// The machine is built and knows no program yet. It stands until closing().
  virtual void built(GpuBackend& machine) = 0;
  /// `request` was handed to the machine, which has not moved since. `number` counts from 1.
  virtual void launched(const LaunchRequest& request, std::uint64_t number) = 0;
  virtual void launch_ended(const LaunchResult&) {}
  /// A check of the model or lock-step ends the run; the machine still stands.
  virtual void failed(const ModelError&) {}
  /// The machine goes: nothing of it may be kept.
  virtual void closing() = 0;
};

}  // namespace g80
