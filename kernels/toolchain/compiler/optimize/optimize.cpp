// The order of the passes.
#include "kernels/toolchain/compiler/optimize/passes.h"

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

void optimize(Module& module, const CompileOptions& options, const std::string& filename,
              std::vector<Diagnostic>& warnings) {
  for (Function& kernel : module.kernels) {
    clean_control_flow(kernel);
    remove_dead_code(kernel);
    tidy(kernel);
    // A pointer that was itself in local memory may be the only reason why another variable seemed to escape.
    for (int round = 0; round < kMaxRounds && promote_local_variables(kernel, module); ++round) tidy(kernel);
    infer_spaces(kernel, module, filename, warnings);
    for (int round = 0; round < 2; ++round) {
      tidy(kernel);
      narrow_to_i32(kernel);
      tidy(kernel);
      number_values(kernel);
    }
    if (promote_local_variables(kernel, module)) tidy(kernel);
    find_textures(kernel, module, filename);
    if (options.fmad) fuse_multiply_add(kernel);
    step_pointers(kernel);
    tidy(kernel);
    reduce_strength(kernel);
    tidy(kernel);
    hoist_invariants(kernel);
    number_values(kernel);
    tidy(kernel);
    verify(kernel);
  }
}

}  // namespace g80::ir
