// SPDX-License-Identifier: Apache-2.0
// Include it before any verilated header: Verilator's SystemC runtime looks for sc_time_stamp in the global namespace.
#pragma once
#include <systemc>

using sc_core::sc_time_stamp;
