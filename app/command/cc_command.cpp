// SPDX-License-Identifier: Apache-2.0
// g80 cc, and nvcc in the toolkit's folder: compile a CUDA program to a host program.
#include <fmt/format.h>

#include <filesystem>

#include "app/command/commands.h"
#include "source_dir.h"
#include "tb/scenario/run_result.h"
#include "toolchain/cuda/compile/cc.h"

namespace g80 {

int cc_command(const CcCommand& options) {
  const cuda::CcOptions cc = cuda::parse_cc_options(options.arguments);
  if (cc.help) {
    fmt::print("{}", cuda::cc_help());
    return kExitPass;
  }
  if (cc.version) {
    fmt::print("{}", cuda::cc_version());
    return kExitPass;
  }
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  return cuda::run_cc(
      cc, {G80_SOURCE_DIR "/toolchain/cuda/include", (program.parent_path().parent_path() / "cuda").string()});
}

}  // namespace g80
