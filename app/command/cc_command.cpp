// SPDX-License-Identifier: Apache-2.0
// g80 cc, and nvcc in the toolkit's folder: compile a CUDA program to a host program.
#include <fmt/format.h>

#include "app/command/commands.h"
#include "app/run/program_source.h"
#include "hw/config/data_folder.h"
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
  return cuda::run_cc(cc, {cuda_include_folder(), (program_folder().parent_path() / "lib/g80/cuda").string()});
}

}  // namespace g80
