#include "kernels/toolchain/cuda/compile/device_pass.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

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
  add({"--cuda-device-only", "-S", "-O2", "-w", "-U__CUDA_ARCH__", fmt::format("-D__CUDA_ARCH__={}", capability)});
  // Rounding is decided by our compiler; division and root are those of compute capability 1.x.
  add({"-ffp-contract=off", "-mllvm", options.fast_math ? "-nvptx-prec-divf32=0" : "-nvptx-prec-divf32=1", "-mllvm", "-nvptx-prec-sqrtf32=0"});
  // Below sm_13 a number without suffix is a float, as is every double.
  if (capability < 130) add({"-Xclang", "-cl-single-precision-constant"});
  if (options.fast_math) add({"-D__USE_FAST_MATH__=1"});
  add({source, "-o", ptx});
  if (run_program(words, options.verbose) != 0) return std::nullopt;
  std::string text = read_text_file(ptx);
  return options.fmad ? allow_fusing(text) : text;
}

std::string allow_fusing(const std::string& ptx) {
  constexpr std::string_view kRounded[] = {"add.rn.f32", "sub.rn.f32", "mul.rn.f32"};
  std::string out;
  out.reserve(ptx.size());
  bool inside_assembly = false;
  for (std::size_t at = 0; at < ptx.size();) {
    const std::size_t end = std::min(ptx.find('\n', at), ptx.size() - 1) + 1;
    std::string line = ptx.substr(at, end - at);
    at = end;
    if (line.find("// begin inline asm") != std::string::npos) inside_assembly = true;
    if (line.find("// end inline asm") != std::string::npos) inside_assembly = false;
    for (const std::string_view rounded : kRounded) {
      const std::size_t found = inside_assembly ? std::string::npos : line.find(rounded);
      if (found != std::string::npos) line.erase(found + 3, 3);
    }
    out += line;
  }
  return out;
}

}  // namespace g80::cuda
