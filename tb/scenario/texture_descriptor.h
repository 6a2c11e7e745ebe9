// SPDX-License-Identifier: Apache-2.0
// Encodes textures as the chip's texture header and sampler words, for scenarios and for any memory.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "hw/common/block_linear.h"
#include "tb/scenario/arguments.h"
#include "tb/scenario/backend.h"
#include "tb/scenario/buffer_data.h"
#include "tb/scenario/scenario.h"

namespace g80 {

/// A texture over device memory.
struct TextureLayout {
  unsigned unit = 0;
  TexelElement texel = TexelElement::kF32;
  unsigned channels = 1;  // 1, 2, 4
  unsigned dimensions = 1;
  bool linear_memory = false;  // integer coordinates, no filter
  std::uint32_t address = 0, width = 1, height = 1, depth = 1;
  std::uint32_t pitch = 0;               // bytes from row to row, below 2^20; not of linear memory
  std::optional<BlockShape> block = {};  // of a block-linear texture, which has no pitch
  TextureFilter filter = TextureFilter::kPoint;
  std::array<TextureWrap, 3> wrap{TextureWrap::kClamp, TextureWrap::kClamp, TextureWrap::kClamp};
  bool normalized = false;
};
inline constexpr std::uint32_t kMaxTexturePitch = (1u << 20) - 1;
/// The largest textures in texels: those of CUDA for compute capability 1.x.
inline constexpr std::uint32_t kMaxTextureWidth1d = 8192, kMaxTextureWidth2d = 65536, kMaxTextureHeight2d = 32768,
                               kMaxTextureSize3d = 2048, kMaxLinearTexels = 1u << 27;

TextureBinding encode_texture(const TextureLayout& layout);

/// Encodes `decl` over the allocated buffers. Throws InputError if the buffer is missing or too small.
TextureBinding describe_texture(const TextureDecl& decl, const std::vector<Buffer>& buffers, const NameTable& names);

}  // namespace g80
