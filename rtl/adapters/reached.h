// SPDX-License-Identifier: Apache-2.0
// What a Verilated model has reached of its source: counted in builds with G80_RTL_COVERAGE only.
#pragma once
#ifdef G80_RTL_COVERAGE
#include "tb/twins/verilated_time.h"

#include <fmt/format.h>
#include <unistd.h>
#include <verilated_cov.h>

#include <cstdlib>
#endif

namespace g80 {

/// A member behind a model. When it dies, the counts of all models are written to a new file in the folder
/// $G80_RTL_COVERAGE: models die together, with their machine.
struct Reached {
#ifdef G80_RTL_COVERAGE
  ~Reached() {
    VerilatedCovContext* counts = Verilated::defaultContextp()->coveragep();
    static unsigned files = 0;
    const char* folder = std::getenv("G80_RTL_COVERAGE");
    if (folder != nullptr) counts->write(fmt::format("{}/{}_{}.dat", folder, ::getpid(), files++).c_str());
    counts->clear();
  }
#endif
};

}  // namespace g80
