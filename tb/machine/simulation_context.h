// SPDX-License-Identifier: Apache-2.0
// A SystemC context for one machine: SystemC has one global context and cannot elaborate a second machine in it.
#pragma once

namespace sc_core {
class sc_simcontext;
}

namespace g80 {

/// New modules belong to a separate simulation, until another object is made, entered or destroyed.
class SimulationContext {
 public:
  SimulationContext();
  ~SimulationContext();
  /// The same again.
  void enter();
  SimulationContext(const SimulationContext&) = delete;
  SimulationContext& operator=(const SimulationContext&) = delete;

 private:
  sc_core::sc_simcontext* const own_;  // never freed, because objects that outlive the machine refer to it
  sc_core::sc_simcontext* previous_current_;
  sc_core::sc_simcontext* previous_default_;
};

}  // namespace g80
