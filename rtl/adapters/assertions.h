// SPDX-License-Identifier: Apache-2.0
// Assertions of Verilated models: one that fails ends the run as any failed check of the model does. And the bits that
// their registers start from.
#pragma once
#include <string_view>

#include <fmt/format.h>

#include "hw/common/check.h"
#include "hw/common/fnv.h"
#include "hw/common/types.h"
#include "tb/twins/twins.h"
#include "tb/twins/verilated_time.h"

#include <verilated.h>

namespace g80 {

/// Before a model of this name is made with this context.
inline void prepare_context(VerilatedContext& context, std::string_view name) {
  context.fatalOnError(false);
  context.randReset(model_seed() == 0 ? 0 : 2);
  context.randSeed(static_cast<int>(((fnv1a(name) + model_seed()) & 0x7fffffff) | 1));
}

/// A new model stands in its reset, which needs no clock, when others look at it first.
template <class Model>
void begin_reset(Model& model) {
  model.clk_i = 0;
  for (const bool out_of_reset : {true, false}) {
    model.rst_ni = out_of_reset;
    model.eval();
  }
}

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
