// SPDX-License-Identifier: Apache-2.0
// Interface for objects that halt a running machine: the shell, or a run that ends at an event.
#pragma once
#include <stdexcept>
#include <string>

#include "tb/driver/advance.h"
#include "tb/scenario/backend.h"

namespace g80 {

class GpuBackend;
struct Event;
struct ModelError;

/// Ends the run: the event of --until has happened.
struct EventReached : std::runtime_error {
  EventReached(const std::string& what, std::uint64_t at) : std::runtime_error(what), cycle(at) {}
  std::uint64_t cycle;           // shader cycle
  bool records_missing = false;  // as of Backend::records_missing()
};

class Debugger : public Halts {
 public:
  /// Called when the machine is built, before a program is loaded. The machine exists until closing().
  virtual void built(GpuBackend& machine) = 0;
  /// Called after `launch` was passed to the machine, before its next cycle. `number` counts from 1.
  virtual void launched(const Launch& launch, std::uint64_t number) = 0;
  virtual void launch_ended(const LaunchResult&) {}
  /// A failed check of the model or of lock-step ends the run; the machine still exists.
  virtual void failed(const ModelError&) {}
  /// The machine will be destroyed: keep no references to it.
  virtual void closing() = 0;
  /// The event of --until, or null.
  virtual const Event* until() const = 0;
  /// Of a run that has come to its end: the event of --until did not happen.
  virtual bool missed() const = 0;
};

}  // namespace g80
