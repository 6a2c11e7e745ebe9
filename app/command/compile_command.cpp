// SPDX-License-Identifier: Apache-2.0
// g80 compile: PTX or CUDA to a cubin.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/command/commands.h"
#include "app/run/program_source.h"
#include "app/run/terminal.h"
#include "hw/config/occupancy.h"
#include "input/input_error.h"
#include "tb/scenario/run_result.h"
#include "toolchain/cubin/cubin.h"
#include "toolchain/cubin/kernel_name.h"
#include "toolchain/cuda/compile/cc_options.h"
#include "toolchain/cuda/compile/device_code.h"

namespace g80 {
namespace {

/// Keeps only the kernels that `entry` names.
void keep_entry(CompileResult& result, const std::string& entry, const std::string& source) {
  if (entry.empty()) return;
  const std::vector<std::string> names = result.module.kernel_names(), kept = kernels_named(entry, names);
  if (kept.empty()) throw InputError(fmt::format("--entry {}: in {}, {}", entry, source, no_such_kernel(entry, names)));
  const auto others = [&](const auto& kernel) {
    return std::find(kept.begin(), kept.end(), kernel.name) == kept.end();
  };
  auto& kernels = result.module.kernels;
  kernels.erase(std::remove_if(kernels.begin(), kernels.end(), others), kernels.end());
  auto& infos = result.kernels;
  infos.erase(std::remove_if(infos.begin(), infos.end(), others), infos.end());
}

void print_occupancy(std::FILE* to, const KernelInfo& info, const Kernel& kernel, std::uint32_t threads) {
  for (const std::string& preset : preset_names()) {
    const Config config = load_config(preset);
    const BlockNeeds needs{threads, info.registers, kernel.smem};
    const Occupancy result = occupancy(config, needs);
    const std::uint32_t warps = config.sm.max_warps;
    const std::string line =
        fmt::format("  {:<8} blocks of {} threads: {} per SM, {} of {} warps ({} %), limited by {}\n", preset, threads,
                    result.blocks, result.warps, warps, 100 * result.warps / warps, to_text(result.limit));
    fmt::print(to, "{}", fold_lines(line, 11, terminal_width(::fileno(to))));
  }
}

void print_details(std::FILE* to, const CompileResult& result, const CompileCommand& options) {
  for (std::size_t k = 0; k < result.kernels.size(); ++k) {
    const KernelInfo& info = result.kernels[k];
    fmt::print(to, "{}\n", demangled_name(info.name));
    fmt::print(to, "  {} registers, {} bytes shared, {} bytes constants, {} bytes local", info.registers,
               info.shared_bytes, info.constant_bytes, info.local_bytes);
    if (info.spill_stores + info.spill_loads > 0)
      fmt::print(to, ", {} spill stores, {} spill loads", info.spill_stores, info.spill_loads);
    std::string mix;
    for (const auto& [mnemonic, count] : info.mix)
      mix += fmt::format("{} {} {}", mix.empty() ? "" : ",", count, mnemonic);
    fmt::print(to, "\n  {} instructions, {} of them short:{}\n", info.instructions, info.short_instructions, mix);
    for (const CalledFunctionInfo& function : info.functions)
      fmt::print(to, "  calls {}: {} instructions\n", demangled_name(function.name), function.instructions);
    fmt::print(to, "  control stack: {} entries, and at most 31 for diverged lanes\n", info.stack_entries);
    print_occupancy(to, info, result.module.kernels[k], options.block);
  }
}

/// `path` as the user gave it, - for standard output.
int write_output(const std::string& path, const std::string& text) {
  if (path == "-") {
    fmt::print("{}", text);
  } else {
    std::ofstream file(path, std::ios::binary);
    if (!file.write(text.data(), static_cast<std::streamsize>(text.size())).flush())
      throw InputError(fmt::format("-o {}: the file cannot be written", path));
  }
  return kExitPass;
}

}  // namespace

int compile_command(const CompileCommand& options) {
  namespace fs = std::filesystem;
  if (!is_program_source(options.source))
    throw InputError(fmt::format("compile {}: allowed are .ptx and .cu", options.source));
  CompileOptions compile;
  compile.choose_arch = "compile with --arch=";
  compile.arch = cuda::cc_architecture("--arch", options.arch);
  if (!options.gencode.empty()) compile.arch = cuda::cc_architecture("-gencode", options.gencode);
  if (!options.code.empty()) compile.arch = std::max(compile.arch, cuda::cc_architecture("-code", options.code));
  compile.max_registers = options.max_registers;
  compile.fmad = options.fmad;
  const bool is_cuda = fs::path(options.source).extension() == ".cu";
  if (!is_cuda) {
    const char* const given = options.only_ptx                   ? "--ptx"
                              : options.keep                     ? "--keep"
                              : !options.include_folders.empty() ? "-I"
                              : !options.defines.empty()         ? "-D"
                              : !options.undefines.empty()       ? "-U"
                                                                 : nullptr;
    if (given) throw InputError(fmt::format("compile {}: {} is for .cu files", options.source, given));
  }
  if (options.only_ptx && !options.entry.empty())
    throw InputError("--ptx writes the PTX of the whole file: leave --entry out");
  if (options.keep && options.output == "-")
    throw InputError("--keep writes the PTX beside the cubin, which needs a name: -o F.cubin");
  const std::string output =
      !options.output.empty()
          ? options.output
          : fs::path(options.source).replace_extension(options.only_ptx ? ".ptx" : ".cubin").string();
  std::vector<std::string> preprocessor;
  for (const std::string& folder : options.include_folders) preprocessor.push_back("-I" + folder);
  for (const std::string& define : options.defines) preprocessor.push_back("-D" + define);
  for (const std::string& name : options.undefines) preprocessor.push_back("-U" + name);
  CompileResult result;
  if (is_cuda) {
    const std::string ptx = ptx_of_cuda(options.source, compile, preprocessor);
    if (options.only_ptx) return write_output(output, ptx);
    if (options.keep) write_output(fs::path(output).replace_extension(".ptx").string(), ptx);
    result = compile_cuda(options.source, ptx, compile, preprocessor);
  } else {
    result = compile_source(options.source, compile);
  }
  cuda::print_warnings(result);
  keep_entry(result, options.entry, options.source);
  if (result.module.kernels.empty()) throw InputError(fmt::format("{}: it contains no kernel", options.source));
  write_output(output, write_cubin(result.module));
  if (options.verbose) print_details(output == "-" ? stderr : stdout, result, options);
  return kExitPass;
}

}  // namespace g80
