// SPDX-License-Identifier: Apache-2.0
// The driver API's modules: PTX is compiled for the device, cubins are read. Functions, variables and textures by name.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "runtime/driver_api.h"
#include "tb/scenario/run_scenario.h"
#include "toolchain/compiler/compile.h"
#include "toolchain/cubin/cubin.h"

namespace g80::cuda {
namespace {

/// The options of cuModuleLoadDataEx that this compiler uses, and its outputs.
struct JitOptions {
  unsigned max_registers = 0;
  char* log[2] = {nullptr, nullptr};  // info, error
  std::size_t room[2] = {0, 0};
  void** log_bytes[2] = {nullptr, nullptr};  // where the bytes written are told
};

constexpr unsigned kInfo = 0, kError = 1;

/// As the API defines, small values are stored in the pointers themselves.
CUresult read_options(unsigned count, const CUjit_option* options, void** values, unsigned compute_minor,
                      JitOptions& out) {
  if (count != 0 && (options == nullptr || values == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned k = 0; k < count; ++k) {
    const std::uintptr_t number = reinterpret_cast<std::uintptr_t>(values[k]) & 0xffffffffu;
    switch (options[k]) {
      case CU_JIT_MAX_REGISTERS:
        out.max_registers = static_cast<unsigned>(number);
        if (out.max_registers != 0 &&
            (out.max_registers < kLeastRegisterLimit || out.max_registers > kMostRegisterLimit)) {
          return CUDA_ERROR_INVALID_VALUE;
        }
        break;
      case CU_JIT_INFO_LOG_BUFFER: out.log[kInfo] = static_cast<char*>(values[k]); break;
      case CU_JIT_ERROR_LOG_BUFFER: out.log[kError] = static_cast<char*>(values[k]); break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES: out.room[kInfo] = number, out.log_bytes[kInfo] = &values[k]; break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: out.room[kError] = number, out.log_bytes[kError] = &values[k]; break;
      case CU_JIT_TARGET:
        if (number > compute_minor) return CUDA_ERROR_NO_BINARY_FOR_GPU;
        break;
      case CU_JIT_WALL_TIME:  // a float in the pointer's bytes: the host's time is not the program's business here
        values[k] = nullptr;
        break;
      case CU_JIT_THREADS_PER_BLOCK:
      case CU_JIT_OPTIMIZATION_LEVEL:
      case CU_JIT_TARGET_FROM_CUCONTEXT:
      case CU_JIT_FALLBACK_STRATEGY: break;
      default: return CUDA_ERROR_INVALID_VALUE;
    }
  }
  for (const unsigned which : {kInfo, kError}) {
    if (out.log[which] != nullptr && out.room[which] != 0) out.log[which][0] = '\0';
  }
  return CUDA_SUCCESS;
}

/// Writes the text to the program's buffer, cut to its size, or without a buffer to standard error.
void write_log(const JitOptions& options, unsigned which, const std::string& text) {
  if (options.log[which] == nullptr || options.room[which] == 0) {
    if (!text.empty()) std::fprintf(stderr, "g80: %s\n", text.c_str());
    return;
  }
  const std::size_t bytes = std::min(text.size(), options.room[which] - 1);
  std::memcpy(options.log[which], text.data(), bytes);
  options.log[which][bytes] = '\0';
  if (options.log_bytes[which] != nullptr) *options.log_bytes[which] = reinterpret_cast<void*>(bytes);
}

/// True if the first word behind comments is ".version", as in every PTX text.
bool is_ptx(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t end = text.find("*/", at);
      at = end == std::string_view::npos ? text.size() : end + 2;
    } else {
      return text.substr(at, 8) == ".version";
    }
  }
  return false;
}

Module compiled(const std::string& text, const char* name, unsigned compute_minor, const JitOptions& jit) {
  CompileOptions options;
  options.arch = static_cast<isa::Arch>(std::min(compute_minor, 3u));  // counts from kSm10
  options.choose_arch = "choose a G80_DEVICE with ";
  options.max_registers = jit.max_registers;
  CompileResult result = compile_ptx(text, name, options);
  std::string warnings;
  for (const Diagnostic& warning : result.warnings) warnings += (warnings.empty() ? "" : "\n") + warning.message;
  write_log(jit, kInfo, warnings);
  return std::move(result.module);
}

CUresult load(CUmodule* module, const std::string& text, const char* name, const JitOptions& options) {
  Device& device = Device::current();
  device.machine();
  Module read;
  try {
    read = is_ptx(text) ? compiled(text, name, device.config().device.compute_minor, options) : read_cubin(text, name);
  } catch (const SourceError& error) {
    write_log(options, kError, error.what());
    return CUDA_ERROR_INVALID_IMAGE;
  }
  const Config& config = device.config();
  if (!has_capability(config, read.arch)) {
    write_log(options, kError,
              fmt::format("{}: the code needs {}, {} has compute capability 1.{}{}", name, isa::arch_name(read.arch),
                          config.device.name, config.device.compute_minor,
                          devices_with_capability(read.arch, ": choose G80_DEVICE=")));
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  std::uint64_t bytes = 0;
  for (const DeviceVariable& variable : read.device_variables) bytes += variable.bytes;
  if (bytes > device.free_bytes()) return CUDA_ERROR_OUT_OF_MEMORY;
  try {
    *module = current_context().modules.add({device.load(std::move(read), nullptr)});
  } catch (const InputError&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return driver([&] {
    if (module == nullptr || file == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::string text;
    try {
      text = g80::read_text_file(file);
    } catch (const g80::SourceError&) {
      return CUDA_ERROR_FILE_NOT_FOUND;
    }
    return load(module, text, file, {});
  });
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options, void** values) {
  return driver([&] {
    if (module == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
    JitOptions jit;
    const CUresult result = read_options(count, options, values, Device::current().config().device.compute_minor, jit);
    return result != CUDA_SUCCESS ? result : load(module, static_cast<const char*>(image), "image", jit);
  });
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
CUresult cuModuleUnload(CUmodule module) {
  return driver([&] {
    if (!known(module)) return CUDA_ERROR_INVALID_HANDLE;
    CUctx_st& context = current_context();
    const unsigned program = module->program;
    const std::vector<g80::ConstantVariable> constants = context.device.programs().at(program).module.constants;
    context.device.unload(program);
    for (VariableRef& known : context.constants) {
      const auto is_it = [&](const g80::ConstantVariable& one) { return one.name == known.name; };
      if (std::any_of(constants.begin(), constants.end(), is_it)) known = {};
    }
    context.functions.remove_if([&](const CUfunc_st& one) { return one.kernel.program == program; });
    context.textures.remove_if([&](const CUtexref_st& one) { return one.program == program; });
    context.modules.remove(module);
    return CUDA_SUCCESS;
  });
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return driver([&] {
    if (function == nullptr || module == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!known(module)) return CUDA_ERROR_INVALID_HANDLE;
    const LoadedProgram& program = Device::current().programs().at(module->program);
    const auto unique = program.unique.find(name);
    const g80::Kernel* kernel = unique == program.unique.end() ? nullptr : program.module.find_kernel(unique->second);
    if (kernel == nullptr) return CUDA_ERROR_NOT_FOUND;
    *function = current_context().functions.add({{module->program, kernel}, {}, 0, {}});
    return CUDA_SUCCESS;
  });
}
CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  return driver([&] {
    if (module == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!known(module)) return CUDA_ERROR_INVALID_HANDLE;
    const LoadedProgram& program = Device::current().programs().at(module->program);
    const auto unique = program.unique.find(name);
    for (const g80::DeviceVariable& variable : program.module.device_variables) {
      if (unique == program.unique.end() || variable.name != unique->second) continue;
      if (address != nullptr) *address = Device::current().machine().device_variable(variable.name);
      if (bytes != nullptr) *bytes = variable.bytes;
      return CUDA_SUCCESS;
    }
    for (const g80::ConstantVariable& variable : program.module.constants) {
      if (unique == program.unique.end() || variable.name != unique->second) continue;
      if (address != nullptr) *address = constant_address({variable.name, variable.bytes, true});
      if (bytes != nullptr) *bytes = variable.bytes;
      return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
  });
}
CUresult cuModuleGetTexRef(CUtexref* texture, CUmodule module, const char* name) {
  return driver([&] {
    if (texture == nullptr || module == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!known(module)) return CUDA_ERROR_INVALID_HANDLE;
    const LoadedProgram& program = Device::current().programs().at(module->program);
    if (std::none_of(program.textures.begin(), program.textures.end(),
                     [&](const auto& one) { return one.first == name; }))
      return CUDA_ERROR_NOT_FOUND;
    Handles<CUtexref_st>& textures = current_context().textures;
    *texture =
        textures.find([&](const CUtexref_st& one) { return one.program == module->program && one.name == name; });
    if (*texture != nullptr) return CUDA_SUCCESS;
    CUtexref_st made;
    made.program = module->program;
    made.name = name;
    *texture = textures.add(std::move(made));
    return CUDA_SUCCESS;
  });
}

// clang-format off
G80_V2(cuModuleGetGlobal)
// clang-format on
}
