// The front end from text to optimised IR.
#include "kernels/toolchain/compiler/compile.h"
#include "kernels/toolchain/compiler/optimize/passes.h"
#include "kernels/toolchain/compiler/ptx/lowering.h"
#include "kernels/toolchain/compiler/ptx/parser.h"

namespace g80 {

ir::Module lower_ptx(std::string_view text, const std::string& filename, const CompileOptions& options,
                     std::vector<Diagnostic>& warnings) {
  std::vector<std::string> notes;
  const ptx::Module source = ptx::parse(text, filename, notes);
  for (std::string& note : notes) warnings.push_back({std::move(note)});
  ir::Module module = ptx::lower(source, options, warnings);
  ir::optimize(module, options, filename, warnings);
  return module;
}

}  // namespace g80
