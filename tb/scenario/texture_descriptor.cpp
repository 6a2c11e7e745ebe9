// Encoding of texture headers (TIC) and samplers (TSC); field positions are those of docs/texture.md.
#include "tb/scenario/texture_descriptor.h"

#include <fmt/format.h>

#include <algorithm>

#include "tb/scenario/input_error.h"

namespace g80 {
namespace {

struct TexelFormat {
  unsigned bits;       // of one component
  unsigned data_type;  // 1 snorm, 2 unorm, 3 sint, 4 uint, 7 float
};
TexelFormat texel_format(TexelElement type) {
  switch (type) {
    case TexelElement::kUnorm8:
      return {8, 2};
    case TexelElement::kUnorm16:
      return {16, 2};
    case TexelElement::kSnorm8:
      return {8, 1};
    case TexelElement::kSnorm16:
      return {16, 1};
    case TexelElement::kU8:
      return {8, 4};
    case TexelElement::kS8:
      return {8, 3};
    case TexelElement::kU16:
      return {16, 4};
    case TexelElement::kS16:
      return {16, 3};
    case TexelElement::kU32:
      return {32, 4};
    case TexelElement::kS32:
      return {32, 3};
    case TexelElement::kF16:
      return {16, 7};
    case TexelElement::kF32:
      return {32, 7};
  }
  return {32, 7};
}

/// Code of the component sizes, by bits (8, 16, 32) and channels (1, 2, 4).
unsigned format_code(unsigned bits, unsigned channels) {
  constexpr unsigned kCodes[3][3] = {{0x1d, 0x18, 0x08}, {0x1b, 0x0c, 0x03}, {0x0f, 0x04, 0x01}};
  return kCodes[bits == 8 ? 0 : bits == 16 ? 1 : 2][channels == 1 ? 0 : channels == 2 ? 1 : 2];
}

unsigned wrap_code(TextureWrap wrap) { return wrap == TextureWrap::kWrap ? 0 : 2; }

constexpr std::int64_t kMaxWidth1d = 8192, kMaxWidth2d = 65536, kMaxHeight = 32768, kMaxLinear = 1 << 27;

}  // namespace

TextureBinding describe_texture(const TextureDecl& decl, const std::vector<Buffer>& buffers, const NameTable& names) {
  const auto buffer =
      std::find_if(buffers.begin(), buffers.end(), [&](const Buffer& b) { return b.decl->name == decl.buffer; });
  if (buffer == buffers.end())
    throw InputError(fmt::format("{}.buffer is '{}', which is not a buffer", decl.where, decl.buffer));
  // Sizes are those of CUDA on this generation.
  const std::int64_t widest = decl.linear_memory ? kMaxLinear : decl.dimensions == 1 ? kMaxWidth1d : kMaxWidth2d;
  const auto width = static_cast<std::uint32_t>(integer_at(decl.width, names, 1, widest));
  const auto height =
      static_cast<std::uint32_t>(integer_at(decl.height, names, 1, decl.dimensions == 1 ? 1 : kMaxHeight));
  const TexelFormat format = texel_format(decl.texel);
  const std::uint32_t texel_bytes = format.bits / 8 * decl.channels;
  const std::uint64_t needed = std::uint64_t{width} * height * texel_bytes;
  if (needed > buffer->bytes.size()) {
    throw InputError(fmt::format("{}: {} x {} texels of {} bytes need {} bytes; buffer {} has {}", decl.where, width,
                                 height, texel_bytes, needed, decl.buffer, buffer->bytes.size()));
  }
  const std::uint32_t pitch = width * texel_bytes;
  if (!decl.linear_memory && pitch >= 1u << 20) {
    throw InputError(
        fmt::format("{}: a row of {} bytes is longer than the descriptor's 20 bits allow", decl.where, pitch));
  }

  TextureBinding binding;
  binding.unit = decl.unit;
  std::uint32_t& w0 = binding.header[0];
  w0 = format_code(format.bits, decl.channels);
  for (unsigned c = 0; c < 4; ++c) {
    w0 |= format.data_type << (6 + 3 * c);
    if (c < decl.channels) w0 |= (2 + c) << (18 + 3 * c);  // source of component c: itself; missing ones read zero
  }
  binding.header[1] = buffer->address;
  const std::uint32_t texture_type = decl.linear_memory ? 6 : decl.dimensions - 1;
  binding.header[2] = texture_type << 14 | 1u << 18 | (decl.normalized ? 1u << 31 : 0);
  binding.header[3] = decl.linear_memory ? 0 : pitch;
  binding.header[4] = width;
  binding.header[5] = height | 1u << 16;

  binding.sampler[0] = wrap_code(decl.wrap_x) | wrap_code(decl.wrap_y) << 3 | 2u << 6;
  const std::uint32_t filter = decl.filter == TextureFilter::kLinear ? 2 : 1;
  binding.sampler[1] = filter | filter << 4 | 1u << 6;
  return binding;
}

}  // namespace g80
