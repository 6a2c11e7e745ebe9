// SPDX-License-Identifier: Apache-2.0
// What a texture reference says and where it reads, as a layout, for both APIs.
#pragma once
#include <cuda_runtime_api.h>

#include "runtime/channel_format.h"
#include "runtime/copy.h"
#include "tb/scenario/texture_descriptor.h"

namespace g80::cuda {

struct TextureSettings {
  ChannelFormat format;
  bool fractions = false;   // integers are read as such
  bool linear = false;      // filter
  bool normalized = false;  // coordinates run from 0 to 1; without that the chip cannot wrap or mirror
  const cudaTextureAddressMode* mode = nullptr;  // of three axes
};
/// Without the memory.
TextureLayout texture_layout(const TextureSettings& settings);

void place_in_array(TextureLayout& layout, const cudaArray& array);
void place_in_rows(TextureLayout& layout, std::uint32_t address, std::size_t width, std::size_t height,
                   std::size_t pitch);
void place_in_linear_memory(TextureLayout& layout, std::uint32_t address, std::size_t texels);

/// True if a texture can read these bytes. It starts in an allocation but may end behind it: the driver wrote address
/// and size to the texture's header and did not compare them with allocations (SHOC's MD, which ran on GT200, binds
/// more than it has allocated). What lies behind is read only if a kernel fetches it.
bool can_be_texture_memory(const void* pointer, std::size_t bytes);

/// True if a texture of two dimensions can have these rows.
bool can_be_texture(std::size_t width, std::size_t height, std::size_t pitch, std::size_t texel_bytes);

}  // namespace g80::cuda
