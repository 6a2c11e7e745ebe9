// SPDX-License-Identifier: Apache-2.0
// Runs the front end, from text to optimised IR.
#include <set>

#include "toolchain/compiler/optimize/passes.h"
#include "toolchain/compiler/ptx/lower_ptx.h"
#include "toolchain/compiler/ptx/lowering.h"
#include "toolchain/compiler/ptx/parser.h"

namespace g80 {
namespace {

/// Makes a kernel with calls. If a function cannot be called, the kernel is made again with this function inlined, or
/// with all functions inlined if it is not known which one is the cause.
ir::Function make_kernel(const ptx::Module& source, const ptx::Function& entry, ptx::ModuleTables& tables,
                         const ir::Module& module, const CompileOptions& options, std::vector<Diagnostic>& warnings) {
  std::set<std::uint32_t> inlined;
  ptx::CallPlan plan;
  if (options.calls) plan = ptx::plan_calls(source, entry, inlined);
  for (;;) {
    std::vector<Diagnostic> said;
    try {
      ir::Function kernel = ptx::lower_kernel(source, entry, plan, tables, options, said);
      ir::optimize(kernel, module, options, source.filename, said);
      warnings.insert(warnings.end(), said.begin(), said.end());
      return kernel;
    } catch (const ir::MustInline& which) {
      for (const std::uint32_t function : which.functions) inlined.insert(plan.functions.at(function));
      plan = ptx::plan_calls(source, entry, inlined);
    } catch (const SourceError&) {
      if (plan.functions.empty()) throw;
      plan = {};
    }
  }
}

}  // namespace

ir::Module lower_ptx(std::string_view text, const std::string& filename, const CompileOptions& options,
                     std::vector<Diagnostic>& warnings) {
  std::vector<std::string> notes;
  const ptx::Module source = ptx::parse(text, filename, notes);
  for (std::string& note : notes) warnings.push_back({std::move(note)});
  ir::Module module;
  module.name = source.filename;
  module.files = source.files;
  ptx::ModuleTables tables(source, module);
  ptx::lower_variables(source, tables);
  for (const ptx::Function& entry : source.functions) {
    if (!entry.is_entry || !entry.is_defined) continue;
    module.kernels.push_back(make_kernel(source, entry, tables, module, options, warnings));
  }
  return module;
}

}  // namespace g80
