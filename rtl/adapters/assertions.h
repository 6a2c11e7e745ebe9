// SPDX-License-Identifier: Apache-2.0
// Assertions of Verilated models: one that fails ends the run as any failed check of the model does.
#pragma once
#include <fmt/format.h>

#include "hw/common/check.h"
#include "hw/common/types.h"
#include "tb/twins/verilated_time.h"

#include <verilated.h>

namespace g80 {

/// Before a model with this context is evaluated for the first time.
inline void watch_assertions(VerilatedContext& context) { context.fatalOnError(false); }

/// After an evaluation of a model with this context; throws ModelError. `name`: of the block, which was clocked with
/// this edge.
inline void check_assertions(VerilatedContext& context, const char* name, Cycle edge) {
  if (__builtin_expect(!context.gotError(), 1)) return;
  context.gotError(false);
  context.gotFinish(false);
  throw ModelError(fmt::format("{}: an assertion of its RTL failed at edge {} of its clock, {} ps", name, edge,
                               sc_core::sc_time_stamp().value()));
}

}  // namespace g80
