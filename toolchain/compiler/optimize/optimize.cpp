// SPDX-License-Identifier: Apache-2.0
// The order of the passes.
#include "toolchain/compiler/optimize/passes.h"

namespace g80::ir {
namespace {

constexpr int kMaxRounds = 12;  // of passes that prepare work for each other; two or three are usual

void tidy(Function& function) {
  for (int round = 0; round < kMaxRounds; ++round) {
    bool changed = simplify(function);
    changed |= clean_control_flow(function);
    remove_dead_code(function);
    if (!changed) return;
  }
}

}  // namespace

void optimize(Function& kernel, const Module& module, const CompileOptions& options, const std::string& filename,
              std::vector<Diagnostic>& warnings) {
  for_each_function(kernel, [&](Function& function) {
    clean_control_flow(function);
    remove_dead_code(function);
    tidy(function);
    // Repeated, because a variable may seem to escape only through a pointer that was in local memory until now.
    for (int round = 0; round < kMaxRounds && promote_local_variables(function, module); ++round) tidy(function);
  });
  infer_spaces(kernel, module, filename, warnings);
  for_each_function(kernel, [&](Function& function) {
    for (int round = 0; round < 2; ++round) {
      tidy(function);
      narrow_to_i32(function);
      tidy(function);
      number_values(function);
    }
  });
  for (int round = 0; round < kMaxRounds && prune_signatures(kernel); ++round) {
    for_each_function(kernel, [&](Function& function) {
      tidy(function);
      narrow_to_i32(function);
      tidy(function);
    });
  }
  for_each_function(kernel, [&](Function& function) {
    if (promote_local_variables(function, module)) tidy(function);
    find_textures(function, module, filename);
    if (options.fmad) fuse_multiply_add(function);
    drop_signs(function);
    step_pointers(function);
    tidy(function);
    move_loop_tests(function);
    reduce_strength(function);
    tidy(function);
    hoist_invariants(function);
    number_values(function);
    tidy(function);
  });
  verify(kernel);
}

void optimize(Module& module, const CompileOptions& options, const std::string& filename,
              std::vector<Diagnostic>& warnings) {
  for (Function& kernel : module.kernels) optimize(kernel, module, options, filename, warnings);
}

}  // namespace g80::ir
