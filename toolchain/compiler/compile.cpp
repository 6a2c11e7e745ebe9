// SPDX-License-Identifier: Apache-2.0
// Runs the compiler: front end, then code generator.
#include "toolchain/compiler/compile.h"

#include <algorithm>

#include "toolchain/compiler/ptx/lower_ptx.h"

namespace g80 {
namespace {

CompileResult compile(std::string_view text, const std::string& filename, const CompileOptions& options) {
  std::vector<Diagnostic> warnings;
  ir::Module module = lower_ptx(text, filename, options, warnings);
  const bool has_calls = std::any_of(module.kernels.begin(), module.kernels.end(),
                                     [](const ir::Function& kernel) { return !kernel.functions.empty(); });
  try {
    CompileResult result = generate_code(std::move(module), filename, options);
    result.warnings.insert(result.warnings.begin(), warnings.begin(), warnings.end());
    return result;
  } catch (const SourceError&) {  // with inlined functions the registers may suffice
    if (!has_calls) throw;
  }
  CompileOptions without = options;
  without.calls = false;
  return compile(text, filename, without);
}

}  // namespace

CompileResult compile_ptx(std::string_view text, const std::string& filename, const CompileOptions& options) {
  return compile(text, filename, options);
}

}  // namespace g80
