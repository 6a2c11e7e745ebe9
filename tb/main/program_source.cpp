#include "tb/main/program_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "kernels/toolchain/cuda/compile/device_pass.h"
#include "source_dir.h"
#include "tb/scenario/input_error.h"
#include "tb/scenario/run_scenario.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

std::string ptx_of_cuda(const std::string& path, const CompileOptions& options, const std::vector<std::string>& preprocessor) {
  cuda::CcOptions cc;
  cc.arch = options.arch;
  cc.fmad = options.fmad;
  cc.preprocessor = preprocessor;
  const cuda::TemporaryFolder folder;
  fs::create_directory(folder.file("none"));
  const auto ptx = cuda::compile_to_ptx(path, cc, G80_SOURCE_DIR "/kernels/toolchain/cuda/include", folder);
  if (!ptx) throw InputError(fmt::format("{}: clang has refused the program", path));
  return *ptx;
}

}  // namespace

bool is_program_source(const std::string& path) {
  const std::string suffix = fs::path(path).extension().string();
  return suffix == ".ptx" || suffix == ".cu";
}

CompileResult compile_source(const std::string& path, const CompileOptions& options, const std::string& ptx_file,
                             const std::vector<std::string>& preprocessor) {
  const std::string suffix = fs::path(path).extension().string();
  if (suffix == ".ptx") return compile_ptx(read_text_file(path), path, options);
  if (suffix != ".cu") throw InputError(fmt::format("{}: allowed are .ptx and .cu", path));
  if (!fs::is_regular_file(path)) throw InputError(fmt::format("{}: the file cannot be read", path));
  const std::string ptx = ptx_of_cuda(path, options, preprocessor);
  if (!ptx_file.empty()) {
    std::ofstream file(ptx_file, std::ios::binary);
    if (!file.write(ptx.data(), static_cast<std::streamsize>(ptx.size())).flush())
      throw InputError(fmt::format("{}: the file cannot be written", ptx_file));
  }
  return compile_ptx(ptx, ptx_file.empty() ? fs::path(path).replace_extension(".ptx").string() : ptx_file, options);
}

void print_warnings(const CompileResult& result) {
  for (const Diagnostic& warning : result.warnings) fmt::print(stderr, "g80: warning: {}\n", warning.message);
}

Module load_program(const Scenario& scenario, unsigned compute_minor) {
  const std::string path = (fs::path(scenario.folder) / scenario.kernel_file).string();
  if (!is_program_source(path)) return load_module(scenario);
  CompileOptions options;
  options.arch = static_cast<isa::Arch>(std::min(compute_minor, 3u));  // counts from kSm10
  CompileResult result = compile_source(path, options);
  print_warnings(result);
  return std::move(result.module);
}

}  // namespace g80
