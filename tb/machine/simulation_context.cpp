// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/simulation_context.h"

#include <sysc/kernel/sc_simcontext.h>

#include <systemc>

namespace g80 {

SimulationContext::SimulationContext()
    : own_(new sc_core::sc_simcontext()),
      previous_current_(sc_core::sc_curr_simcontext),
      previous_default_(sc_core::sc_default_global_context) {
  enter();
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
}

void SimulationContext::enter() { sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = own_; }

SimulationContext::~SimulationContext() {
  sc_core::sc_curr_simcontext = previous_current_;
  sc_core::sc_default_global_context = previous_default_;
}

}  // namespace g80
