// SPDX-License-Identifier: Apache-2.0
// Texture sampling as pure functions, section by section as in docs/texture.md.
#include "tb/golden/texture_math.h"

#include <algorithm>
#include <cstring>

#include "tb/golden/block_linear.h"
#include "tb/golden/semantics.h"

namespace g80::golden {
namespace {

constexpr std::uint32_t kSignBit = 0x80000000u, kInfinity = 0x7f800000u, kFloatOne = 0x3f800000u;
constexpr std::int64_t kLargestCoordinate = std::int64_t{1} << 30;

std::uint32_t field(std::uint32_t word, unsigned low, unsigned width) { return word >> low & ((1u << width) - 1); }

std::uint32_t float_bits(double value) {
  const auto f = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  return bits;
}

struct Layout {
  std::uint8_t components, bits;
};
Layout layout_of(std::uint8_t format) {
  switch (format) {
    case 0x01: return {4, 32};
    case 0x03: return {4, 16};
    case 0x04: return {2, 32};
    case 0x08: return {4, 8};
    case 0x0c: return {2, 16};
    case 0x0f: return {1, 32};
    case 0x18: return {2, 8};
    case 0x1b: return {1, 16};
    case 0x1d: return {1, 8};
    default: return {0, 0};
  }
}

/// A texel coordinate mantissa * 2^exponent, exact. It is within +-2^30 unless it repeats.
struct Coordinate {
  std::int64_t mantissa;
  int exponent;

  std::int64_t floor_scaled(int scale_log2, bool add_half) const {
    const int shift = exponent + scale_log2;
    if (shift >= 0) return mantissa * (std::int64_t{1} << shift);
    if (shift < -62) return mantissa < 0 && !add_half ? -1 : 0;  // |value| is far below one half
    const std::int64_t half = add_half ? std::int64_t{1} << (-shift - 1) : 0;
    return (mantissa + half) >> -shift;
  }
};

Coordinate texel_coordinate(std::uint32_t bits, std::uint32_t scale, bool repeats) {
  const std::uint32_t magnitude = bits & ~kSignBit;
  const bool negative = (bits & kSignBit) != 0;
  if (magnitude > kInfinity || (magnitude & kInfinity) == 0) return {0, 0};
  const Coordinate limit{negative ? -kLargestCoordinate : kLargestCoordinate, 0};
  if (magnitude == kInfinity && !repeats) return limit;
  const std::int64_t mantissa = std::int64_t{(magnitude & 0x7fffffu) | 0x800000u} * scale;
  const int exponent = static_cast<int>(magnitude >> 23) - 127 - 23;
  if (repeats) {
    if (exponent > 0) return {0, 0};  // an even number of whole textures
  } else if (exponent >= 0) {
    if (exponent > 30 || mantissa > kLargestCoordinate >> exponent) return limit;
  } else if (exponent > -32 && mantissa > kLargestCoordinate << -exponent) {
    return limit;
  }
  return {negative ? -mantissa : mantissa, exponent};
}

std::int64_t modulo(std::int64_t i, std::int64_t n) { return (i % n + n) % n; }

/// Texel number of a tap on one axis, or -1 for a border tap.
std::int64_t address(AddressMode mode, std::int64_t i, std::int64_t n, bool linear) {
  const bool outside = i < 0 || i >= n;
  switch (mode) {
    case AddressMode::kWrap: return modulo(i, n);
    case AddressMode::kMirror: {
      const std::int64_t m = modulo(i, 2 * n);
      return m < n ? m : 2 * n - 1 - m;
    }
    case AddressMode::kBorder: return outside ? -1 : i;
    case AddressMode::kClamp:
      if (linear) return outside ? -1 : i;
      break;
    default: break;
  }
  return std::clamp<std::int64_t>(i, 0, n - 1);
}

std::uint32_t half_to_float(std::uint32_t h) {
  const std::uint32_t sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31u, fraction = h & 0x3ffu;
  if (exponent == 31) return sign | (kInfinity + (fraction << 13));
  if (exponent != 0) return sign | (exponent + 127 - 15) << 23 | fraction << 13;
  return sign | float_bits(static_cast<double>(fraction) / (1 << 24));
}

std::uint32_t component(std::uint32_t v, unsigned bits, TexelType type) {
  const std::int64_t all = (std::int64_t{1} << bits) - 1;
  const std::int64_t s = v >> (bits - 1) & 1u ? std::int64_t{v} - all - 1 : std::int64_t{v};
  // The bits of a quotient by 2^n - 1 repeat every n bits, so no quotient lies close to a tie: rounding to
  // double first does not change the float.
  switch (type) {
    case TexelType::kSint: return static_cast<std::uint32_t>(s);
    case TexelType::kUnorm: return float_bits(static_cast<double>(v) / static_cast<double>(all));
    case TexelType::kSnorm: {
      const std::int64_t largest = all >> 1;
      return s == 0 ? 0 : float_bits(static_cast<double>(std::max(s, -largest)) / static_cast<double>(largest));
    }
    case TexelType::kFloat: return bits == 16 ? half_to_float(v) : v;
    default: return v;
  }
}

}  // namespace

unsigned TextureHeader::num_axes() const {
  return type == TextureType::k3d ? 3 : type == TextureType::k2d || type == TextureType::k2dNoMip ? 2 : 1;
}
unsigned TextureHeader::num_components() const { return layout_of(format).components; }
unsigned TextureHeader::component_bits() const { return layout_of(format).bits; }

bool TextureHeader::valid() const {
  if (!bound || layout_of(format).components == 0) return false;
  switch (type) {
    case TextureType::k1d:
    case TextureType::k2d:
    case TextureType::k3d:
    case TextureType::k2dNoMip:
      if (!pitch_layout && (block_log2[0] != 0 || block_log2[1] > 5 || block_log2[2] > 5)) return false;
      break;
    case TextureType::kBuffer: break;
    default: return false;
  }
  constexpr std::uint32_t kMaxSize = std::uint32_t{1} << 27;  // texels of linear memory
  return size[0] != 0 && size[0] <= kMaxSize && size[1] != 0 && size[2] != 0;
}

TextureHeader parse_texture_header(const std::uint32_t* words) {
  TextureHeader h;
  h.bound = true;
  h.format = static_cast<std::uint8_t>(field(words[0], 0, 6));
  for (unsigned i = 0; i < 4; ++i) {
    h.type_of[i] = static_cast<TexelType>(field(words[0], 6 + 3 * i, 3));
    h.source[i] = static_cast<std::uint8_t>(field(words[0], 18 + 3 * i, 3));
  }
  h.base = words[1];
  h.type = static_cast<TextureType>(field(words[2], 14, 4));
  h.pitch_layout = field(words[2], 18, 1) != 0;
  for (unsigned i = 0; i < 3; ++i) h.block_log2[i] = static_cast<std::uint8_t>(field(words[2], 19 + 3 * i, 3));
  h.normalised = field(words[2], 31, 1) != 0;
  h.pitch = field(words[3], 0, 20);
  const unsigned axes = h.num_axes();
  h.size = {field(words[4], 0, 30), axes > 1 ? field(words[5], 0, 16) : 1, axes > 2 ? field(words[5], 16, 12) : 1};
  return h;
}

Sampler parse_sampler(const std::uint32_t* words) {
  constexpr std::uint32_t kLinear = 2;
  Sampler s;
  for (unsigned i = 0; i < 3; ++i) s.mode[i] = static_cast<AddressMode>(field(words[0], 3 * i, 3));
  s.linear = field(words[1], 0, 2) == kLinear;
  for (unsigned i = 0; i < 4; ++i) s.border[i] = words[4 + i];
  return s;
}

Taps sample_taps(const TextureHeader& header, const Sampler& sampler, const std::uint32_t* coord,
                 const std::int8_t* offset) {
  const bool buffer = header.type == TextureType::kBuffer;
  const bool linear =
      sampler.linear && !buffer && header.type_of[0] != TexelType::kSint && header.type_of[0] != TexelType::kUint;
  const unsigned axes = header.num_axes();
  std::int64_t index[3][2] = {};
  std::uint32_t weight[3][2] = {};
  for (unsigned d = 0; d < axes; ++d) {
    const std::int64_t n = header.size[d];
    AddressMode mode = buffer ? AddressMode::kBorder : sampler.mode[d];
    bool repeats = mode == AddressMode::kWrap || mode == AddressMode::kMirror;
    if (repeats && !header.normalised) {
      repeats = false;
      mode = AddressMode::kClampToEdge;
    }
    const Coordinate u = texel_coordinate(coord[d], header.normalised ? header.size[d] : 1, repeats);
    if (linear) {
      std::int64_t fixed = u.floor_scaled(8, true);
      if (mode == AddressMode::kClamp) fixed = std::clamp<std::int64_t>(fixed, 0, 256 * n);
      fixed -= 128;  // texel centres lie at halves
      const std::int64_t lower = (fixed >> 8) + offset[d];
      weight[d][1] = static_cast<std::uint32_t>(fixed & 255);
      weight[d][0] = 256 - weight[d][1];
      index[d][0] = address(mode, lower, n, true);
      index[d][1] = address(mode, lower + 1, n, true);
    } else {
      index[d][0] = address(mode, u.floor_scaled(0, false) + offset[d], n, false);
    }
  }
  Taps taps;
  taps.filtered = linear;
  taps.weight_shift = linear ? 8 * axes : 0;
  const unsigned combinations = linear ? 1u << axes : 1u;
  for (unsigned i = 0; i < combinations; ++i) {
    Tap tap;
    for (unsigned d = 0; d < axes; ++d) {
      const unsigned side = i >> d & 1u;
      if (linear) tap.weight *= weight[d][side];
      if (index[d][side] < 0) {
        tap.border = true;
      } else {
        tap.index[d] = static_cast<std::uint32_t>(index[d][side]);
      }
    }
    if (tap.weight != 0) taps.tap[taps.count++] = tap;
  }
  return taps;
}

Tap fetch_tap(const TextureHeader& header, const std::uint32_t* coord, const std::int8_t* offset) {
  Tap tap;
  for (unsigned d = 0; d < header.num_axes(); ++d) {
    tap.index[d] = coord[d] + static_cast<std::uint32_t>(std::int32_t{offset[d]});
    tap.border |= tap.index[d] >= header.size[d];  // negative numbers are large ones
  }
  return tap;
}

std::uint32_t texel_address(const TextureHeader& header, const Tap& tap) {
  const std::uint32_t bytes = header.texel_bytes();
  if (!header.pitch_layout && header.type != TextureType::kBuffer) {
    const BlockLinearSurface surface{std::uint64_t{header.size[0]} * bytes, header.size[1], 1u << header.block_log2[1],
                                     1u << header.block_log2[2]};
    const std::uint64_t offset = surface.offset(std::uint64_t{tap.index[0]} * bytes, tap.index[1], tap.index[2]);
    return static_cast<std::uint32_t>(header.base + offset) & ~(bytes - 1);
  }
  std::uint32_t a = header.base + tap.index[0] * bytes;
  if (header.num_axes() > 1) a += (tap.index[2] * header.size[1] + tap.index[1]) * header.pitch;
  return a & ~(bytes - 1);
}

Components decode_texel(const TextureHeader& header, const std::uint8_t* bytes) {
  const unsigned count = header.num_components(), bits = header.component_bits();
  Components rgba{};
  for (unsigned i = 0; i < count; ++i) {
    std::uint32_t v = 0;
    for (unsigned b = 0; b < bits / 8; ++b) v |= std::uint32_t{*bytes++} << (8 * b);
    rgba[i] = component(v, bits, header.type_of[i]);
  }
  return rgba;
}

Components filter(const Taps& taps, const std::array<Components, 8>& texel) {
  if (!taps.filtered) return texel[0];
  Components sum{};
  for (unsigned i = 0; i < taps.count; ++i) {
    const double weight = static_cast<double>(taps.tap[i].weight) / static_cast<double>(1u << taps.weight_shift);
    for (unsigned k = 0; k < 4; ++k) {
      const std::uint32_t term = fmul32(float_bits(weight), texel[i][k]);
      sum[k] = i == 0 ? term : fadd32(sum[k], term);
    }
  }
  return sum;
}

Components select_sources(const TextureHeader& header, const Components& rgba) {
  Components out{};
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned source = header.source[i];
    if (source >= 2 && source <= 5) out[i] = rgba[source - 2];
    if (source == 6) out[i] = 1;
    if (source == 7) out[i] = kFloatOne;
  }
  return out;
}

}  // namespace g80::golden
