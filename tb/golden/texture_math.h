// SPDX-License-Identifier: Apache-2.0
// Texture sampling as pure functions: the reference's own implementation of docs/texture.md.
#pragma once
#include <array>
#include <cstdint>

namespace g80::golden {

enum class TextureType : std::uint8_t { k1d = 0, k2d = 1, k3d = 2, kBuffer = 6, k2dNoMip = 7 };
enum class TexelType : std::uint8_t { kSnorm = 1, kUnorm = 2, kSint = 3, kUint = 4, kFloat = 7 };
enum class AddressMode : std::uint8_t { kWrap = 0, kMirror = 1, kClampToEdge = 2, kBorder = 3, kClamp = 4 };

using Components = std::array<std::uint32_t, 4>;  // R, G, B, A or x, y, z, w as register bits

/// A texture header (TIC entry), taken apart. A default one is invalid, as an unbound texture is.
struct TextureHeader {
  bool bound = false;
  std::uint8_t format = 0;
  std::array<TexelType, 4> type_of{};    // of R, G, B, A
  std::array<std::uint8_t, 4> source{};  // of x, y, z, w
  TextureType type = TextureType::k1d;
  bool pitch_layout = false;
  bool normalised = false;
  std::uint32_t base = 0, pitch = 0;
  std::array<std::uint8_t, 3> block_log2{};  // of a block-linear texture: GOBs across and down, slices
  std::array<std::uint32_t, 3> size{};       // width, height, depth; 1 where the axis does not count

  bool valid() const;
  unsigned num_axes() const;
  unsigned num_components() const;
  unsigned component_bits() const;
  unsigned texel_bytes() const { return num_components() * component_bits() / 8; }
};
TextureHeader parse_texture_header(const std::uint32_t* words);  // eight

/// A sampler (TSC entry), taken apart. The default is what an unbound sampler number means.
struct Sampler {
  std::array<AddressMode, 3> mode{AddressMode::kClampToEdge, AddressMode::kClampToEdge, AddressMode::kClampToEdge};
  bool linear = false;
  Components border{};
};
Sampler parse_sampler(const std::uint32_t* words);  // eight

struct Tap {
  bool border = false;  // outside: border colour, or zero for fetches
  std::array<std::uint32_t, 3> index{};
  std::uint32_t weight = 1;  // over 2^weight_shift
};
/// The taps of one sample, x fastest; those of weight zero are left out.
struct Taps {
  unsigned count = 0;
  unsigned weight_shift = 0;
  bool filtered = false;
  std::array<Tap, 8> tap;
};
/// `coord` are fp32 bits, one per axis of the header.
Taps sample_taps(const TextureHeader& header, const Sampler& sampler, const std::uint32_t* coord,
                 const std::int8_t* offset);
/// `coord` are signed integers.
Tap fetch_tap(const TextureHeader& header, const std::uint32_t* coord, const std::int8_t* offset);

std::uint32_t texel_address(const TextureHeader& header, const Tap& tap);
Components decode_texel(const TextureHeader& header, const std::uint8_t* bytes);
Components filter(const Taps& taps, const std::array<Components, 8>& texel);
Components select_sources(const TextureHeader& header, const Components& rgba);

}  // namespace g80::golden
