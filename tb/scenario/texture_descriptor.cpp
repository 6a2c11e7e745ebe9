// SPDX-License-Identifier: Apache-2.0
// Encoding of texture headers (TIC) and samplers (TSC); field positions are those of docs/texture.md.
#include "tb/scenario/texture_descriptor.h"

#include <fmt/format.h>

#include <algorithm>

#include "input/input_error.h"

namespace g80 {
namespace {

struct TexelFormat {
  unsigned bits;       // of one component
  unsigned data_type;  // 1 snorm, 2 unorm, 3 sint, 4 uint, 7 float
};
TexelFormat texel_format(TexelElement type) {
  switch (type) {
    case TexelElement::kUnorm8: return {8, 2};
    case TexelElement::kUnorm16: return {16, 2};
    case TexelElement::kSnorm8: return {8, 1};
    case TexelElement::kSnorm16: return {16, 1};
    case TexelElement::kU8: return {8, 4};
    case TexelElement::kS8: return {8, 3};
    case TexelElement::kU16: return {16, 4};
    case TexelElement::kS16: return {16, 3};
    case TexelElement::kU32: return {32, 4};
    case TexelElement::kS32: return {32, 3};
    case TexelElement::kF16: return {16, 7};
    case TexelElement::kF32: return {32, 7};
  }
  return {32, 7};
}

/// Code of the component sizes, by bits (8, 16, 32) and channels (1, 2, 4).
unsigned format_code(unsigned bits, unsigned channels) {
  constexpr unsigned kCodes[3][3] = {{0x1d, 0x18, 0x08}, {0x1b, 0x0c, 0x03}, {0x0f, 0x04, 0x01}};
  return kCodes[bits == 8 ? 0 : bits == 16 ? 1 : 2][channels == 1 ? 0 : channels == 2 ? 1 : 2];
}

unsigned wrap_code(TextureWrap wrap) {
  switch (wrap) {
    case TextureWrap::kWrap: return 0;
    case TextureWrap::kMirror: return 1;
    case TextureWrap::kBorder: return 3;
    case TextureWrap::kClamp: return 2;
  }
  return 2;
}

}  // namespace

TextureBinding encode_texture(const TextureLayout& layout) {
  const TexelFormat format = texel_format(layout.texel);
  TextureBinding binding;
  binding.unit = layout.unit;
  std::uint32_t& w0 = binding.header[0];
  w0 = format_code(format.bits, layout.channels);
  for (unsigned c = 0; c < 4; ++c) {
    w0 |= format.data_type << (6 + 3 * c);
    if (c < layout.channels) w0 |= (2 + c) << (18 + 3 * c);  // source of component c: itself; missing ones read zero
  }
  binding.header[1] = layout.address;
  const std::uint32_t texture_type = layout.linear_memory ? 6 : layout.dimensions - 1;
  binding.header[2] = texture_type << 14 | (layout.normalized ? 1u << 31 : 0);
  if (layout.block) {
    binding.header[2] |= layout.block->height << 22 | layout.block->depth << 25;
  } else {
    binding.header[2] |= 1u << 18;
    binding.header[3] = layout.linear_memory ? 0 : layout.pitch;
  }
  binding.header[4] = layout.width;
  binding.header[5] = layout.height | layout.depth << 16;

  binding.sampler[0] = wrap_code(layout.wrap[0]) | wrap_code(layout.wrap[1]) << 3 | wrap_code(layout.wrap[2]) << 6;
  const std::uint32_t filter = layout.filter == TextureFilter::kLinear ? 2 : 1;
  binding.sampler[1] = filter | filter << 4 | 1u << 6;
  return binding;
}

TextureBinding describe_texture(const TextureDecl& decl, const std::vector<Buffer>& buffers, const NameTable& names) {
  const auto buffer =
      std::find_if(buffers.begin(), buffers.end(), [&](const Buffer& b) { return b.decl->name == decl.buffer; });
  if (buffer == buffers.end())
    throw InputError(fmt::format("{}.buffer is '{}', which is not a buffer", decl.where, decl.buffer));
  const std::uint32_t widest = decl.linear_memory     ? kMaxLinearTexels
                               : decl.dimensions == 1 ? kMaxTextureWidth1d
                                                      : kMaxTextureWidth2d;
  const auto width = static_cast<std::uint32_t>(integer_at(decl.width, names, 1, widest));
  const auto height =
      static_cast<std::uint32_t>(integer_at(decl.height, names, 1, decl.dimensions == 1 ? 1 : kMaxTextureHeight2d));
  const TexelFormat format = texel_format(decl.texel);
  const std::uint32_t texel_bytes = format.bits / 8 * decl.channels;
  const std::uint64_t needed = std::uint64_t{width} * height * texel_bytes;
  if (needed > buffer->bytes.size()) {
    throw InputError(fmt::format("{}: {} x {} texels of {} bytes need {} bytes; buffer {} has {}", decl.where, width,
                                 height, texel_bytes, needed, decl.buffer, buffer->bytes.size()));
  }
  const std::uint32_t pitch = width * texel_bytes;
  if (!decl.linear_memory && pitch > kMaxTexturePitch) {
    throw InputError(
        fmt::format("{}: a row of {} bytes is longer than the descriptor's 20 bits allow", decl.where, pitch));
  }

  TextureLayout layout;
  layout.unit = decl.unit;
  layout.texel = decl.texel;
  layout.channels = decl.channels;
  layout.dimensions = decl.dimensions;
  layout.linear_memory = decl.linear_memory;
  layout.address = buffer->address;
  layout.width = width;
  layout.height = height;
  layout.pitch = pitch;
  layout.filter = decl.filter;
  layout.wrap = {decl.wrap_x, decl.wrap_y, TextureWrap::kClamp};
  layout.normalized = decl.normalized;
  return encode_texture(layout);
}

}  // namespace g80
