// SPDX-License-Identifier: Apache-2.0
// Runs of the kernels of the project that are over quickly, with blocks for many SMs.
#pragma once
#include <map>
#include <string>

#include "tests/machine/machine_run.h"

namespace g80::testing {

/// Many small blocks, more than sixteen where a kernel can have them: each SM gets some, and hundreds of runs are
/// quick.
inline MachineRun small_run(const std::string& kernel) {
  static const std::map<std::string, Assignments> arguments = {
      {"atomics", {{"blocks", "17"}, {"block", "20"}}},
      {"constant_read", {{"blocks", "20"}, {"block", "64"}}},
      {"coordinates", {{"grid_x", "6"}, {"grid_y", "3"}}},
      {"divergence_by_warp", {{"blocks", "20"}, {"block", "128"}}},
      {"divergence_in_warp", {{"blocks", "20"}, {"block", "128"}}},
      {"dot_product", {{"n", "5000"}, {"block", "64"}}},
      {"dot_product_hang", {{"n", "2000"}, {"block", "64"}}},
      {"global_sync", {{"blocks", "20"}, {"block", "64"}}},
      {"local_spill", {{"blocks", "20"}, {"block", "48"}}},
      {"matrix_mul", {{"width", "20"}, {"tile", "4"}}},
      {"reduction_endless", {{"blocks", "3"}, {"block", "64"}}},
      {"reduction_interleaved", {{"blocks", "20"}, {"block", "64"}}},
      {"reduction_sequential", {{"blocks", "20"}, {"block", "64"}}},
      {"sfu_functions", {{"blocks", "20"}, {"block", "64"}}},
      {"square_array", {{"blocks", "18"}, {"per_thread", "2"}}},
      {"square_array_branching", {{"blocks", "18"}, {"per_thread", "2"}, {"trial", "5"}}},
      {"texture_read", {{"block", "32"}}},
      {"vec_add", {{"n", "1200"}, {"block", "64"}}},
  };
  MachineRun run{kernel, "8600gts"};
  if (const auto known = arguments.find(kernel); known != arguments.end()) run.args = known->second;
  if (scenario_of(kernel).expect != Expectation::kPass) run.sets = {"gpu.hang_cycles=4000"};
  return run;
}

}  // namespace g80::testing
