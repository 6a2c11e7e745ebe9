// SPDX-License-Identifier: Apache-2.0
// FNV-1a with 64 bits: names of things by their bytes, in files and as seeds. Not for tables that somebody may attack.
#pragma once
#include <cstdint>

namespace g80 {

inline constexpr std::uint64_t kFnvBasis = 0xcbf29ce484222325u;

template <class Bytes>
constexpr std::uint64_t fnv1a(const Bytes& bytes, std::uint64_t hash = kFnvBasis) {
  for (const auto byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return hash;
}

}  // namespace g80
