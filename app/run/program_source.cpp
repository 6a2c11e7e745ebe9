// SPDX-License-Identifier: Apache-2.0
#include "app/run/program_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "hw/config/data_folder.h"
#include "input/input_error.h"
#include "tb/scenario/run_scenario.h"
#include "toolchain/cuda/compile/device_code.h"
#include "toolchain/cuda/compile/device_pass.h"
#include "toolchain/cuda/compile/launch_sizes.h"

namespace g80 {

namespace fs = std::filesystem;

std::string cuda_include_folder() { return data_path("toolchain/cuda/include").string(); }

bool is_program_source(const std::string& path) {
  const std::string suffix = fs::path(path).extension().string();
  return suffix == ".ptx" || suffix == ".cu";
}

namespace {

cuda::CcOptions cc_options(const CompileOptions& options, const std::vector<std::string>& preprocessor) {
  cuda::CcOptions cc;
  cc.arch = options.arch;
  cc.choose_arch = options.choose_arch;
  cc.fmad = options.fmad;
  cc.preprocessor = preprocessor;
  return cc;
}

}  // namespace

std::string ptx_of_cuda(const std::string& path, const CompileOptions& options,
                        const std::vector<std::string>& preprocessor) {
  const cuda::CcOptions cc = cc_options(options, preprocessor);
  const cuda::TemporaryFolder folder;
  fs::create_directory(folder.file("none"));
  const auto ptx = cuda::compile_to_ptx(path, cc, cuda_include_folder(), folder);
  if (!ptx) throw InputError(fmt::format("{}: clang rejected the program", path));
  return *ptx;
}

CompileResult compile_cuda(const std::string& path, const std::string& ptx, const CompileOptions& options,
                           const std::vector<std::string>& preprocessor) {
  const cuda::CcOptions cc = cc_options(options, preprocessor);
  const cuda::TemporaryFolder folder;
  fs::create_directory(folder.file("none"));
  return cuda::compile_program(ptx, path, options, cc, cuda_include_folder(), folder);
}

CompileResult compile_source(const std::string& path, const CompileOptions& options) {
  const std::string suffix = fs::path(path).extension().string();
  if (suffix == ".ptx") return compile_ptx(read_text_file(path), path, options);
  if (suffix == ".cu") return compile_cuda(path, ptx_of_cuda(path, options), options);
  throw InputError(fmt::format("{}: allowed are .ptx and .cu", path));
}

Module load_program(const Scenario& scenario, unsigned compute_minor) {
  const std::string path = (fs::path(scenario.folder) / scenario.kernel_file).string();
  if (!is_program_source(path)) return load_module(scenario);
  CompileOptions options;
  options.arch = static_cast<isa::Arch>(std::min(compute_minor, 3u));  // counts from kSm10
  options.choose_arch = "choose a --device with ";
  CompileResult result = compile_source(path, options);
  cuda::print_warnings(result);
  return std::move(result.module);
}

}  // namespace g80
