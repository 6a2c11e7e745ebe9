// SPDX-License-Identifier: Apache-2.0
// Decodes the texture headers (TIC) and samplers (TSC) that the driver writes to memory (docs/texture.md, section 1).
#pragma once
#include <array>
#include <cstdint>

#include "hw/common/block_linear.h"
#include "hw/tex/texture_format.h"

namespace g80 {

inline constexpr unsigned kTextureHeaderBytes = 32;  // of a TIC or TSC entry
inline constexpr unsigned kTextureHeaderWords = kTextureHeaderBytes / 4;

enum class TexelSource : std::uint8_t { kZero = 0, kR = 2, kG = 3, kB = 4, kA = 5, kOneInteger = 6, kOneFloat = 7 };
enum class AddressMode : std::uint8_t { kWrap = 0, kMirror = 1, kClampToEdge = 2, kBorder = 3, kClamp = 4 };

struct TextureHeader {
  bool valid = false;
  bool buffer = false;  // 1D buffer: fetched without a sampler
  bool normalised = false;
  bool block_linear = false;
  std::uint8_t dimensions = 1;
  BlockShape block;
  TexelLayout layout;
  std::array<TexelType, 4> type{};      // of R, G, B, A
  std::array<TexelSource, 4> source{};  // of x, y, z, w
  std::uint32_t base = 0;               // virtual
  std::uint32_t pitch = 0;              // bytes from row to row; block-linear: of blocks
  std::uint32_t rows = 1;               // of a slice; block-linear: rows of blocks that the slices of a block have
  std::array<std::uint32_t, 3> size{1, 1, 1};  // width, height, depth in texels
  /// Integer texels are never filtered.
  bool filterable() const { return type[0] != TexelType::kSint && type[0] != TexelType::kUint && !buffer; }
  G80_FIELDS(valid, buffer, normalised, block_linear, (dimensions, 2), block, layout, (type, 3), (source, 3), base,
             pitch, (rows, 16), size);
};

struct TextureSampler {
  std::array<AddressMode, 3> mode{AddressMode::kClampToEdge, AddressMode::kClampToEdge, AddressMode::kClampToEdge};
  bool linear = false;
  std::array<std::uint32_t, 4> border{};
  G80_FIELDS((mode, 3), linear, border);
};

inline TextureHeader decode_texture_header(const std::uint32_t* w) {
  constexpr std::uint32_t kMaxSize = std::uint32_t{1} << 27;
  const auto field = [w](unsigned word, unsigned low, unsigned bits) { return w[word] >> low & ((1u << bits) - 1); };
  TextureHeader header;
  header.layout = texel_layout(field(0, 0, 6));
  for (unsigned c = 0; c < 4; ++c) {
    header.type[c] = static_cast<TexelType>(field(0, 6 + 3 * c, 3));
    header.source[c] = static_cast<TexelSource>(field(0, 18 + 3 * c, 3));
  }
  header.base = w[1];
  const unsigned kind = field(2, 14, 4);
  header.buffer = kind == 6;
  header.dimensions = kind == 2 ? 3 : kind == 1 || kind == 7 ? 2 : 1;
  header.normalised = w[2] >> 31 != 0;
  header.size[0] = field(4, 0, 30);
  if (header.dimensions >= 2) header.size[1] = field(5, 0, 16);
  if (header.dimensions >= 3) header.size[2] = field(5, 16, 12);
  const bool known_kind = kind <= 2 || kind == 6 || kind == 7;
  header.block_linear = field(2, 18, 1) == 0 && !header.buffer;
  header.pitch = field(3, 0, 20);
  header.rows = header.size[1];
  bool known_block = true;
  if (header.block_linear) {
    const unsigned width = field(2, 19, 3), height = field(2, 22, 3), depth = field(2, 25, 3);
    known_block = width == 0 && height <= BlockShape::kMostBits && depth <= BlockShape::kMostBits;
    header.block = {static_cast<std::uint8_t>(height), static_cast<std::uint8_t>(depth)};
    header.pitch = header.block.row_bytes(header.size[0] * header.layout.bytes());
    header.rows = header.block.rows(header.size[1]);
  }
  header.valid = header.layout.components != 0 && known_kind && known_block && header.size[0] != 0 &&
                 header.size[0] <= kMaxSize && header.size[1] != 0 && header.size[2] != 0;
  return header;
}

inline TextureSampler decode_texture_sampler(const std::uint32_t* w) {
  TextureSampler sampler;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const unsigned mode = w[0] >> (3 * axis) & 7;
    sampler.mode[axis] = mode <= 4 ? static_cast<AddressMode>(mode) : AddressMode::kClampToEdge;
  }
  sampler.linear = (w[1] & 3) == 2;
  for (unsigned c = 0; c < 4; ++c) sampler.border[c] = w[4 + c];
  return sampler;
}

/// The row of a texel, or its row of blocks; y and z are 0 where the texture does not have them.
inline std::uint32_t texel_row(const TextureHeader& header, std::uint32_t y, std::uint32_t z) {
  return header.block_linear ? header.block.row_of(y, z, header.rows) : z * header.rows + y;
}

/// Virtual address of a texel of that row.
inline std::uint32_t texel_address(const TextureHeader& header, std::uint32_t row, std::uint32_t x, std::uint32_t y,
                                   std::uint32_t z) {
  const unsigned bytes = header.layout.bytes();
  const std::uint32_t in_row = header.block_linear ? header.block.offset_in_row(x * bytes, y, z) : x * bytes;
  return (header.base + row * header.pitch + in_row) & ~(bytes - 1);
}

/// The register words of a result: each of x, y, z, w takes a component or a constant.
inline std::array<std::uint32_t, 4> select_sources(const TextureHeader& header,
                                                   const std::array<std::uint32_t, 4>& rgba) {
  std::array<std::uint32_t, 4> result{};
  for (unsigned i = 0; i < 4; ++i) {
    switch (header.source[i]) {
      case TexelSource::kR:
      case TexelSource::kG:
      case TexelSource::kB:
      case TexelSource::kA: result[i] = rgba[static_cast<unsigned>(header.source[i]) - 2]; break;
      case TexelSource::kOneInteger: result[i] = 1; break;
      case TexelSource::kOneFloat: result[i] = 0x3f800000; break;
      default: break;
    }
  }
  return result;
}

}  // namespace g80
