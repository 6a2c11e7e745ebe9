// The device side of one .cu file.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "kernels/toolchain/cuda/compile/cc_options.h"
#include "kernels/toolchain/cuda/compile/command.h"

namespace g80::cuda {

/// What both passes of clang have in common: language, headers, launch conventions.
std::vector<std::string> clang_command(const CcOptions& options, const std::string& include_folder, const std::string& empty_folder);

/// Names the file as clang's preprocessor saw it; nothing if clang has refused the source.
std::optional<std::string> compile_to_ptx(const std::string& source, const CcOptions& options, const std::string& include_folder,
                                          const TemporaryFolder& folder);

/// clang writes .rn on every f32 operation that it was not allowed to fuse itself (it knows only a fused multiply-add,
/// which this chip does not have). Without it our compiler may fuse. Inline assembly, which holds the operations that
/// must stay as they are, keeps it.
std::string allow_fusing(const std::string& ptx);

}  // namespace g80::cuda
