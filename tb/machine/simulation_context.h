// SPDX-License-Identifier: Apache-2.0
// Room for one machine: SystemC keeps one simulation context and cannot elaborate a second machine in a finished one.
#pragma once

namespace sc_core {
class sc_simcontext;
}

namespace g80 {

/// While it lives, what is built goes to a simulation of its own. One inside another is fine.
class SimulationContext {
 public:
  SimulationContext();
  ~SimulationContext();
  SimulationContext(const SimulationContext&) = delete;
  SimulationContext& operator=(const SimulationContext&) = delete;

 private:
  sc_core::sc_simcontext* previous_current_;
  sc_core::sc_simcontext* previous_default_;
};

}  // namespace g80
