// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/cc.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "input/input_error.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/compiler/compile.h"
#include "toolchain/cubin/cubin.h"
#include "toolchain/cubin/kernel_name.h"
#include "toolchain/cubin/output_file.h"
#include "toolchain/cuda/compile/bool_bytes.h"
#include "toolchain/cuda/compile/clang.h"
#include "toolchain/cuda/compile/command.h"
#include "toolchain/cuda/compile/device_code.h"
#include "toolchain/cuda/compile/device_pass.h"
#include "toolchain/cuda/compile/dialect.h"
#include "toolchain/cuda/compile/gpu_binary.h"
#include "toolchain/cuda/compile/launch_sizes.h"
#include "toolchain/cuda/compile/missing_returns.h"

namespace g80::cuda {
namespace {

namespace fs = std::filesystem;

constexpr int kRefused = 2;

void print_resources(const CompileResult& result) {
  for (const KernelInfo& kernel : result.kernels) {
    fmt::print(
        stderr,
        "{}: {} registers, {} bytes shared, {} bytes constants, {} bytes local, {} spill stores, {} spill loads\n",
        demangled_name(kernel.name), kernel.registers, kernel.shared_bytes, kernel.constant_bytes, kernel.local_bytes,
        kernel.spill_stores, kernel.spill_loads);
  }
}

/// The assembly text as a C++ file, which any compiler for this machine can translate to an object file.
std::string as_cpp(const std::string& assembly) {
  std::string text = "__asm__(\n\"";
  for (const char c : assembly) {
    if (c == '\n') {
      text += "\\n\"\n\"";
    } else {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text + "\");\n";
}

class Cc {
 public:
  Cc(const CcOptions& options, const CcInstallation& installation) : options_(options), installation_(installation) {
    fs::create_directory(folder_.file("none"));
  }

  int run() {
    for (const std::string& source : options_.cuda_sources) {
      if (!compile_cuda(source)) return kRefused;
    }
    for (const std::string& source : options_.host_sources) {
      if (!compile_host(source)) return kRefused;
    }
    if (options_.output_kind == CcOutput::kLibrary) return collect() ? 0 : kRefused;
    if (options_.output_kind != CcOutput::kProgram) return 0;
    if (!link()) return kRefused;
    return options_.run ? run_it() : 0;
  }

 private:
  bool dry() const { return options_.run_mode == RunMode::kDry; }
  /// The name of an output file that is not a program.
  std::string named(const std::string& source, const char* suffix) const {
    if (!options_.output.empty() && options_.output_kind != CcOutput::kProgram) return options_.output;
    return (fs::path(options_.output_folder) / fs::path(source).filename().replace_extension(suffix)).string();
  }
  void keep(const std::string& source, const char* suffix, const std::string& text) const {
    if (!options_.keep || dry()) return;
    const fs::path beside = options_.output.empty() ? fs::path() : fs::path(options_.output).parent_path();
    write_output_file((beside / fs::path(source).filename().replace_extension(suffix)).string(), text);
  }

  std::optional<Module> gpu_module(const std::string& source) {
    if (!options_.gpu_code.empty()) {
      const std::string& path = options_.gpu_code;
      return fs::path(path).extension() == ".sasm" ? assemble_file(path) : read_cubin(read_text_file(path), path);
    }
    const std::optional<std::string> ptx = compile_to_ptx(source, options_, installation_.include_folder, folder_);
    if (!ptx) return std::nullopt;
    keep(source, ".ptx", *ptx);
    if (dry()) return Module();
    if (options_.output_kind == CcOutput::kPtx) {
      write_output_file(named(source, ".ptx"), *ptx);
      return Module();
    }
    CompileOptions compile;
    compile.arch = options_.arch;
    compile.max_registers = options_.max_registers;
    compile.fmad = options_.fmad;
    const CompileResult result =
        compile_program(*ptx, source, compile, options_, installation_.include_folder, folder_);
    print_warnings(result);
    if (options_.resource_usage) print_resources(result);
    return result.module;
  }

  std::vector<std::string> cuda_command(const std::string& source) const {
    std::vector<std::string> words = clang_command(source, options_, installation_.include_folder, folder_);
    words.push_back("--cuda-host-only");
    if (options_.fast_math) words.push_back("-D__USE_FAST_MATH__=1");
    return words;
  }
  std::vector<std::string> host_command(const std::string& source) const {
    std::vector<std::string> words = language_options(options_, installation_.include_folder);
    words.insert(words.begin(), "clang");
    const std::vector<std::string> more = dialect_options(source, options_, installation_.include_folder, folder_);
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  /// Runs the compiler on the source, with the options of -Xcompiler.
  bool compile(std::vector<std::string> words, const char* step, const std::string& source,
               const std::string& output) const {
    words.push_back(step);
    words.insert(words.end(), options_.host_flags.begin(), options_.host_flags.end());
    words.push_back(source);
    if (!output.empty()) words.insert(words.end(), {"-o", output});
    return run_clang(words, options_) == 0;
  }

  /// Compiles host code by way of LLVM's assembly language, in which missing returns and bools are mended.
  bool compile_code(std::vector<std::string> words, const char* step, const std::string& source,
                    const std::string& output) const {
    const std::string ir = folder_.file("host.ll");
    std::vector<std::string> front = words;
    front.insert(front.end(), {"-emit-llvm", "-Xclang", "-disable-llvm-passes"});
    // -Xcompiler -MD: the rule and its file are named after the object file.
    if (has_host_flag("-MD") || has_host_flag("-MMD"))
      front.insert(front.end(), {"-MT", output, "-MF", fs::path(output).replace_extension(".d").string()});
    if (!compile(std::move(front), "-S", source, ir)) return false;
    if (!dry()) write_output_file(ir, test_whole_bytes(return_where_missing(read_intermediate(ir))));
    words.insert(words.end(), {"-x", "ir"});
    return compile(std::move(words), step, ir, output);
  }

  /// -M, -MM: the rule of the object file, for make.
  bool print_dependencies(std::vector<std::string> words, const std::string& source) const {
    const std::string object =
        (fs::path(options_.output_folder) / fs::path(source).filename().replace_extension(".o")).string();
    words.insert(words.end(), {"-MT", object + " "});  // nvcc writes "object : source .."
    return compile(std::move(words), options_.dependencies.c_str(), source, options_.output);
  }

  bool compile_cuda(const std::string& source) {
    if (!options_.dependencies.empty()) return print_dependencies(cuda_command(source), source);
    if (options_.output_kind == CcOutput::kPreprocessed)
      return compile(cuda_command(source), "-E", source, options_.output);
    const std::optional<Module> module = gpu_module(source);
    if (!module) return false;
    if (options_.output_kind == CcOutput::kPtx) return true;
    const std::string cubin = write_cubin(*module);
    keep(source, ".cubin", cubin);
    if (options_.output_kind == CcOutput::kCubin) {
      if (!dry()) write_output_file(named(source, ".cubin"), cubin);
      return true;
    }
    const std::string binary = folder_.file("device.bin");
    write_output_file(binary, embed_cubin(cubin));
    std::vector<std::string> words = cuda_command(source);
    words.insert(words.end(), {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", binary});
    if (options_.output_kind != CcOutput::kCuda)
      return compile_code(std::move(words), "-c", source, object_file(source));
    // The text must suit another assembler than clang's.
    words.insert(words.end(), {"-fno-integrated-as", "-fno-addrsig"});
    const std::string assembly = folder_.file("host.s");
    if (!compile_code(std::move(words), "-S", source, assembly)) return false;
    if (!dry()) write_output_file(named(source, ".cu.cpp"), as_cpp(read_intermediate(assembly)));
    return true;
  }

  bool compile_host(const std::string& source) {
    if (!options_.dependencies.empty()) return print_dependencies(host_command(source), source);
    if (options_.output_kind == CcOutput::kPreprocessed)
      return compile(host_command(source), "-E", source, options_.output);
    return compile_code(host_command(source), "-c", source, object_file(source));
  }

  bool has_host_flag(const char* flag) const {
    return std::count(options_.host_flags.begin(), options_.host_flags.end(), flag) != 0;
  }

  std::string object_file(const std::string& source) {
    if (options_.output_kind == CcOutput::kObject) return named(source, ".o");
    objects_.push_back(folder_.file(fmt::format("{}-{}.o", objects_.size(), fs::path(source).stem().string())));
    return objects_.back();
  }

  bool link() {
    const std::string path = installation_.toolkit + "/linker";
    std::ifstream file(path);
    if (!file) throw InputError(fmt::format("cc: {} is missing: the runtime was not built", path));
    std::vector<std::string> words;
    for (std::string line; std::getline(file, line);) {
      if (!line.empty()) words.push_back(line);
    }
    // clang compiles OpenMP for its own library, which only clang finds when it links.
    const bool openmp = has_host_flag("-fopenmp");
    if (openmp) {
      words.front() = "clang++";
      words.push_back("-fopenmp");
    }
    if (options_.shared) words.push_back("-shared");
    const std::string libraries = installation_.toolkit + "/lib64";
    words.insert(words.end(),
                 {"-o", in_output_folder("a.out"), "-L" + libraries, "-Xlinker", "-rpath", "-Xlinker", libraries});
    words.insert(words.end(), objects_.begin(), objects_.end());
    words.insert(words.end(), options_.objects.begin(), options_.objects.end());
    words.push_back("-L" + installation_.toolkit + "/sdk/lib");  // after the folders in which a program has an SDK
    words.push_back("-lcudart");
    // It has the functions of g++'s library too. With both, a program would ask one for the threads of the other.
    for (std::string& word : words) {
      if (openmp && (word == "-lgomp" || word == "-Wl,-lgomp")) word = "-lomp";
    }
    std::string said;
    const int status = run_tool(words, options_.run_mode, said);
    fmt::print(stderr, "{}{}", said, status == 0 ? "" : advice_on_openmp(said));
    return status == 0;
  }

  /// -lib: puts the objects into a static library.
  bool collect() {
    std::vector<std::string> words = {"ar", "rcs", in_output_folder("a.a")};
    words.insert(words.end(), objects_.begin(), objects_.end());
    for (const std::string& object : options_.objects) {
      if (object[0] != '-') words.push_back(object);
    }
    return run_tool(words, options_.run_mode) == 0;
  }

  std::string in_output_folder(const std::string& default_name) const {
    return (fs::path(options_.output_folder) / (options_.output.empty() ? default_name : options_.output)).string();
  }

  /// -run: runs the program and returns its exit status.
  int run_it() const {
    std::vector<std::string> words = {fs::absolute(in_output_folder("a.out")).string()};
    words.insert(words.end(), options_.run_arguments.begin(), options_.run_arguments.end());
    return run_program(words, options_.run_mode);
  }

  const CcOptions& options_;
  const CcInstallation& installation_;
  TemporaryFolder folder_;
  std::vector<std::string> objects_;
};

}  // namespace

int run_cc(const CcOptions& options, const CcInstallation& installation) {
  for (const std::string& note : options.notes) fmt::print(stderr, "g80: note: {}\n", note);
  return Cc(options, installation).run();
}

}  // namespace g80::cuda
