// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/launch_sizes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <regex>
#include <set>

#include "toolchain/compiler/codegen/occupancy_steps.h"
#include "toolchain/cubin/kernel_name.h"
#include "toolchain/cubin/output_file.h"
#include "toolchain/cuda/compile/device_pass.h"
#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

constexpr std::string_view kStub = "__device_stub__";

/// The kernel whose stub a line of LLVM's assembly language names: "add(float*, int)". Empty: none.
std::string kernel_of_stub(std::string_view line) {
  const std::size_t prefix = line.find(kStub);
  if (prefix == std::string_view::npos) return "";
  const std::size_t at = line.rfind('@', prefix);
  if (at == std::string_view::npos) return "";
  const std::size_t end = std::min(line.find_first_of(" (", prefix), line.size());
  std::string name = demangled_name(std::string(line.substr(at + 1, end - at - 1)));
  const std::size_t plain = name.find(kStub);
  return plain == std::string::npos ? "" : name.erase(plain, kStub.size());
}

/// The threads of a block that a line configures; no value if they are no constants.
std::optional<unsigned> configured_threads(std::string_view line) {
  // dim3 comes as two words: x and y, then z
  static const std::regex call(R"(\(i64 [^,]*, i32 [^,]*, i64 (\d+), i32 (\d+),)");
  std::match_results<std::string_view::const_iterator> match;
  if (!std::regex_search(line.begin(), line.end(), match, call)) return std::nullopt;
  const std::uint64_t xy = std::stoull(match[1]), z = std::stoull(match[2]);
  const std::uint64_t x = xy & 0xffffffffu, y = xy >> 32;
  constexpr std::uint64_t kMost = 512;
  if (x > kMost || y > kMost || z > kMost || x * y * z > kMost || x * y * z == 0) return std::nullopt;  // never runs
  return static_cast<unsigned>(x * y * z);
}

/// The functions that the text mentions outside of their definitions.
std::set<std::string_view> used_functions(std::string_view ir) {
  std::set<std::string_view> names;
  for_each_line(ir, [&](std::string_view line) {
    if (starts_with(line, "define ")) return;
    for (std::size_t at = line.find('@'); at != std::string_view::npos; at = line.find('@', at + 1))
      names.insert(name_at(line, at));
  });
  return names;
}

/// The text with its variables, and the functions that it calls itself, hidden from other files, so that constants are
/// followed through them: `dim3 block(256);` at file scope, a member that a constructor sets, an argument.
std::string hidden(std::string_view ir) {
  const std::set<std::string_view> used = used_functions(ir);
  std::string out;
  out.reserve(ir.size());
  for_each_line(ir, [&](std::string_view line) {
    std::string kept(line);
    const auto replace = [&](std::string_view what, std::string_view by) {
      const std::size_t at = kept.find(what);
      if (at != std::string::npos) kept.replace(at, what.size(), by);
    };
    if (starts_with(line, "@")) {
      replace(" = dso_local global ", " = internal global ");
    } else if (starts_with(line, "attributes #")) {
      replace(" noinline ", " ");
    } else if (starts_with(line, "define ")) {
      const std::size_t at = std::min(line.find('@'), line.size() - 1);
      for (const std::string_view linkage : {"define dso_local ", "define linkonce_odr dso_local "}) {
        if (starts_with(line, linkage) && used.count(name_at(line, at)) != 0) replace(linkage, "define internal ");
      }
    }
    out += kept;
  });
  return out;
}

/// The optimised host code. No value if clang rejects it: it says why when it compiles the host code for the program.
std::optional<std::string> host_code(const std::string& source, const CcOptions& options,
                                     const std::string& include_folder, const TemporaryFolder& folder) {
  const std::string ir = folder.file("launches.ll"), optimised = folder.file("launches.out");
  std::vector<std::string> words = clang_command(source, options, include_folder, folder);
  words.insert(words.end(), {"--cuda-host-only", "-S", "-emit-llvm", "-O2", "-Xclang", "-disable-llvm-passes", "-w",
                             source, "-o", ir});
  if (options.fast_math) words.push_back("-D__USE_FAST_MATH__=1");
  const RunMode mode = options.run_mode == RunMode::kTold ? RunMode::kTold : RunMode::kQuiet;
  std::string messages;
  if (run_tool(words, mode, messages) != 0) return std::nullopt;
  write_output_file(ir, hidden(read_intermediate(ir)));
  // Launches of several sizes stay apart.
  words = {"clang", "-x", "ir",     "-S", "-emit-llvm", "-O2", "-w", "-mllvm", "-sink-common-insts=false",
           ir,      "-o", optimised};
  if (run_tool(words, mode, messages) != 0) return std::nullopt;
  return read_intermediate(optimised);
}

}  // namespace

std::map<std::string, unsigned> launched_threads(const std::string& host_ir) {
  std::map<std::string, unsigned> result;
  std::optional<unsigned> threads;  // of the configuration whose launch is still to come
  for_each_line(host_ir, [&](std::string_view line) {
    if (line.substr(0, 7) == "define ") {
      threads.reset();
    } else if (line.find("@__cudaPushCallConfiguration(") != std::string_view::npos ||
               line.find("@cudaConfigureCall(") != std::string_view::npos) {
      threads = configured_threads(line);
    } else if (threads) {
      const std::string kernel = kernel_of_stub(line);
      if (kernel.empty()) return;
      result[kernel] = std::max(result[kernel], *threads);
      threads.reset();
    }
  });
  return result;
}

namespace {

/// The options with the threads of the blocks that the program launches, for kernels that would be refused.
CompileOptions bounded_by_launches(const CompileResult& result, const std::string& source,
                                   const CompileOptions& compile, const CcOptions& options,
                                   const std::string& include_folder, const TemporaryFolder& folder) {
  CompileOptions bounded = compile;
  if (compile.max_registers != 0) return bounded;
  constexpr unsigned kMostThreads = 512;
  const auto is_refused = [&](const KernelInfo& kernel, unsigned threads) {
    return codegen::resident_blocks(compile.arch, threads, kernel.registers) == 0;
  };
  const auto may_be_refused = [&](const KernelInfo& kernel) { return is_refused(kernel, kMostThreads); };
  if (std::none_of(result.kernels.begin(), result.kernels.end(), may_be_refused)) return bounded;
  const std::optional<std::string> host = host_code(source, options, include_folder, folder);
  if (!host) return bounded;
  const std::map<std::string, unsigned> launched = launched_threads(*host);
  for (const KernelInfo& kernel : result.kernels) {
    const auto threads = launched.find(demangled_name(kernel.name));
    if (threads != launched.end() && is_refused(kernel, threads->second))
      bounded.launched_threads[kernel.name] = threads->second;
  }
  return bounded;
}

unsigned spills(const KernelInfo& kernel) { return kernel.spill_loads + kernel.spill_stores; }

/// Takes those kernels of the other result, of the same program, that spill less.
void take_what_spills_less(CompileResult& result, CompileResult other) {
  for (std::size_t i = 0; i < result.kernels.size(); ++i) {
    if (spills(other.kernels.at(i)) >= spills(result.kernels[i])) continue;
    result.kernels[i] = std::move(other.kernels[i]);
    result.module.kernels[i] = std::move(other.module.kernels[i]);
  }
}

}  // namespace

CompileResult compile_program(const std::string& ptx, const std::string& source, const CompileOptions& compile,
                              const CcOptions& options, const std::string& include_folder,
                              const TemporaryFolder& folder) {
  CompileResult result = compile_device_code(ptx, source, compile);
  const CompileOptions bounded = bounded_by_launches(result, source, compile, options, include_folder, folder);
  if (!bounded.launched_threads.empty()) result = compile_device_code(ptx, source, bounded);
  if (std::all_of(result.kernels.begin(), result.kernels.end(), [](const auto& one) { return spills(one) == 0; }))
    return result;
  try {
    if (const auto computed = compile_to_ptx(source, options, include_folder, folder, LoopAddresses::kComputed))
      take_what_spills_less(result, compile_device_code(*computed, source, bounded));
  } catch (const SourceError&) {  // the first result stands
  }
  return result;
}

}  // namespace g80::cuda
