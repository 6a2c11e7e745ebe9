// g80 cc: a CUDA program to a host program.
#include <fmt/format.h>

#include <filesystem>

#include "kernels/toolchain/cuda/compile/cc.h"
#include "source_dir.h"
#include "tb/main/commands.h"
#include "tb/report/run_result.h"

namespace g80 {

int cc_command(const CcCommand& options) {
  const cuda::CcOptions cc = cuda::parse_cc_options(options.arguments);
  if (cc.help) {
    fmt::print("{}", cuda::cc_help());
    return kExitPass;
  }
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  return cuda::run_cc(cc, {G80_SOURCE_DIR "/kernels/toolchain/cuda/include", (program.parent_path() / "cudart.link").string()});
}

}  // namespace g80
