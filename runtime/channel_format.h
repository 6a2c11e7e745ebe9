// SPDX-License-Identifier: Apache-2.0
// Texel formats of channel descriptors.
#pragma once
#include <cstddef>
#include <optional>

#include <cuda_runtime_api.h>

namespace g80::cuda {

struct ChannelFormat {
  unsigned bits = 32;     // of a component
  unsigned channels = 1;  // 1, 2 or 4
  cudaChannelFormatKind kind = cudaChannelFormatKindFloat;
  std::size_t bytes() const { return bits / 8 * channels; }
};

/// The format, if textures of this generation have it.
std::optional<ChannelFormat> channel_format(const cudaChannelFormatDesc& desc);

}  // namespace g80::cuda
