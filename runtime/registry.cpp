// SPDX-License-Identifier: Apache-2.0
#include "runtime/registry.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/auxv.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime_api.h>

#include "toolchain/cuda/compile/gpu_binary.h"

namespace g80::cuda {
namespace {

constexpr std::uint32_t kWrapperMagic = 0x466243b1;

/// The struct that the host compiler emits for the GPU binary.
struct Wrapper {
  std::uint32_t magic, version;
  const void* data;
  void* unused;
};

/// Ends a program that needs something this runtime does not have. It is not in main yet, so it cannot get an error.
[[noreturn]] void refuse(const char* what) {
  fmt::print(stderr, "g80: {}\n", what);
  std::exit(2);
}

/// Is it in the program itself, and not in a library that may be unloaded?
bool stays_loaded(const void* address) {
  Dl_info here{}, program{};
  return dladdr(address, &here) != 0 && dladdr(reinterpret_cast<const void*>(getauxval(AT_PHDR)), &program) != 0 &&
         here.dli_fbase == program.dli_fbase;
}

Program& program_of(void** handle) { return *reinterpret_cast<Program*>(handle); }

}  // namespace

Registry& registry() {
  static Registry& registry = *new Registry;
  return registry;
}

}  // namespace g80::cuda

using namespace g80::cuda;

// The host compiler's registration calls.
extern "C" {

void** __cudaRegisterFatBinary(const void* wrapper_address) {
  const Wrapper& wrapper = *static_cast<const Wrapper*>(wrapper_address);
  if (wrapper.magic != kWrapperMagic) refuse("the program registers GPU code of an unknown format");
  // cuda_runtime.h registers a file before the constructors of static objects, and clang again among them.
  for (Program& program : registry().programs) {
    if (program.registered && program.wrapper == wrapper_address) return reinterpret_cast<void**>(&program);
  }
  Program& program = registry().programs.emplace_back();
  program.wrapper = wrapper_address;
  try {
    program.cubin = embedded_cubin(wrapper.data);
  } catch (const g80::SourceError& error) {
    refuse(error.what());
  }
  return reinterpret_cast<void**>(&program);
}

void __cudaRegisterFatBinaryEnd(void**) {}
/// cuda_runtime.h names it. A file with kernels has one of its own, which does the calls of this source.
void __cuda_module_ctor() {}
/// The program's own kernels stay: this may come before static objects that launch them are destroyed.
void __cudaUnregisterFatBinary(void** handle) {
  Program& program = program_of(handle);
  program.registered = stays_loaded(program.wrapper);
}

void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int, void*, void*, void*, void*,
                            int*) {
  program_of(handle).kernels[stub] = name;
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t bytes, int constant, int) {
  Program& program = program_of(handle);
  const auto is_it = [&](const RegisteredVariable& variable) { return variable.host == host; };
  if (std::none_of(program.variables.begin(), program.variables.end(), is_it))
    program.variables.push_back({host, name, bytes, constant != 0});
}

void __cudaRegisterTexture(void** handle, const textureReference* host, const void**, const char* name, int dimensions,
                           int read_normalized, int) {
  Program& program = program_of(handle);
  const auto is_it = [&](const RegisteredTexture& texture) { return texture.host == host; };
  if (std::none_of(program.textures.begin(), program.textures.end(), is_it))
    program.textures.push_back({host, name, dimensions, read_normalized != 0});
}

void __cudaRegisterSurface(void**, const void*, const void**, const char*, int, int) {
  refuse("surfaces need compute capability 2.0");
}
void __cudaRegisterManagedVar(void**, void**, void*, const char*, std::size_t, unsigned) {
  refuse("__managed__ variables need compute capability 3.0");
}
}
