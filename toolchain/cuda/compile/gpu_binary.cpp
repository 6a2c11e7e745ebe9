// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/gpu_binary.h"

#include <cstdint>
#include <cstring>

#include "toolchain/cubin/module.h"

namespace g80::cuda {
namespace {

constexpr char kMagic[] = "g80 cubin";  // with its zero byte, then 8 bytes of length, then the text

}  // namespace

std::string embed_cubin(const std::string& cubin) {
  const std::uint64_t size = cubin.size();
  std::string binary(kMagic, sizeof kMagic);
  binary.append(reinterpret_cast<const char*>(&size), sizeof size);
  return binary + cubin;
}

std::string_view embedded_cubin(const void* binary) {
  std::uint64_t size = 0;
  if (std::memcmp(binary, kMagic, sizeof kMagic) != 0) throw SourceError("g80 cc did not make the program's GPU code");
  const char* at = static_cast<const char*>(binary) + sizeof kMagic;
  std::memcpy(&size, at, sizeof size);
  return {at + sizeof size, size};
}

}  // namespace g80::cuda
