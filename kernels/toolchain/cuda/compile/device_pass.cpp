#include "kernels/toolchain/cuda/compile/device_pass.h"

#include <fmt/format.h>

#include "kernels/toolchain/cubin/module.h"

namespace g80::cuda {

std::vector<std::string> clang_command(const CcOptions& options, const std::string& include_folder, const std::string& empty_folder) {
  std::vector<std::string> words = {"clang", "-x", "cuda", "--cuda-gpu-arch=sm_20", "-nocudainc", "-nocudalib",
                                    // An installed toolkit must not be found: it would change the launch conventions.
                                    "--cuda-path=" + empty_folder, "-Xclang", "-target-sdk-version=11.0", "-Wno-unknown-cuda-version",
                                    "-fdeclspec", "-isystem", include_folder, "-include", "cuda_runtime.h"};
  if (!options.standard.empty()) words.push_back("-std=" + options.standard);
  words.insert(words.end(), options.preprocessor.begin(), options.preprocessor.end());
  return words;
}

std::optional<std::string> compile_to_ptx(const std::string& source, const CcOptions& options, const std::string& include_folder,
                                          const TemporaryFolder& folder) {
  const std::string ptx = folder.file("device.ptx");
  std::vector<std::string> words = clang_command(options, include_folder, folder.file("none"));
  const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more.begin(), more.end()); };
  const unsigned capability = 100 + 10 * static_cast<unsigned>(options.arch);
  // A loop that never ends must not be taken for one that does: it has to be seen as a hang.
  add({"--cuda-device-only", "-S", "-O2", "-w", "-fno-finite-loops", "-U__CUDA_ARCH__", fmt::format("-D__CUDA_ARCH__={}", capability)});
  // clang knows only a fused multiply-add, which this chip does not have: our compiler fuses; division and root are those of compute capability 1.x.
  add({"-ffp-contract=off", "-mllvm", options.fast_math ? "-nvptx-prec-divf32=0" : "-nvptx-prec-divf32=1", "-mllvm", "-nvptx-prec-sqrtf32=0"});
  // Below sm_13 a number without suffix is a float, as is every double.
  if (capability < 130) add({"-Xclang", "-cl-single-precision-constant"});
  if (options.fast_math) add({"-D__USE_FAST_MATH__=1"});
  add({source, "-o", ptx});
  if (run_program(words, options.verbose) != 0) return std::nullopt;
  return read_text_file(ptx);
}

}  // namespace g80::cuda
