// The compiler: front end, then code generator.
#include "kernels/toolchain/compiler/compile.h"

namespace g80 {

CompileResult compile_ptx(std::string_view text, const std::string& filename, const CompileOptions& options) {
  std::vector<Diagnostic> warnings;
  ir::Module module = lower_ptx(text, filename, options, warnings);
  CompileResult result = generate_code(std::move(module), filename, options);
  result.warnings.insert(result.warnings.begin(), warnings.begin(), warnings.end());
  return result;
}

}  // namespace g80
