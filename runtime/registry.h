// SPDX-License-Identifier: Apache-2.0
// The registrations of a CUDA program before main: its GPU programs, and the host addresses of their kernels,
// variables and textures.
#pragma once
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/cubin/module.h"

struct textureReference;

namespace g80::cuda {

struct RegisteredVariable {
  const void* host = nullptr;
  std::string name;
  std::size_t bytes = 0;
  bool constant = false;
};
struct RegisteredTexture {
  const textureReference* host = nullptr;
  std::string name;
  int dimensions = 1;
  bool read_normalized = false;  // cudaReadModeNormalizedFloat
};

/// One compiled .cu file.
struct Program {
  const void* wrapper = nullptr;  // the compiler's description of it
  std::string_view cubin;
  std::map<const void*, std::string> kernels;  // host stub, name
  std::vector<RegisteredVariable> variables;
  std::vector<RegisteredTexture> textures;
  bool registered = true;  // false once the library it came with is unloaded
};

struct Registry {
  std::deque<Program> programs;
};
Registry& registry();

}  // namespace g80::cuda
