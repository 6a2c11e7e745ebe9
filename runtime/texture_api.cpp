// SPDX-License-Identifier: Apache-2.0
// Texture references: builds a binding from memory, reference and descriptor.
#include "runtime/api.h"
#include "runtime/channel_format.h"
#include "runtime/copy.h"
#include "runtime/device.h"
#include "runtime/texture_layout.h"
#include "tb/scenario/texture_descriptor.h"

namespace g80::cuda {

std::optional<ChannelFormat> channel_format(const cudaChannelFormatDesc& desc) {
  ChannelFormat format;
  format.bits = static_cast<unsigned>(desc.x);
  format.channels = desc.y == 0 ? 1 : desc.z == 0 ? 2 : 4;
  format.kind = desc.f;
  const int y = format.channels >= 2 ? desc.x : 0, zw = format.channels == 4 ? desc.x : 0;
  if (desc.y != y || desc.z != zw || desc.w != zw) return std::nullopt;
  const bool integer = desc.f == cudaChannelFormatKindSigned || desc.f == cudaChannelFormatKindUnsigned;
  if (integer ? desc.x != 8 && desc.x != 16 && desc.x != 32
              : desc.f != cudaChannelFormatKindFloat || (desc.x != 16 && desc.x != 32)) {
    return std::nullopt;
  }
  return format;
}

namespace {

const RegisteredTexture* find_texture(const textureReference* host) {
  for (const Program& program : registry().programs) {
    if (!program.registered) continue;
    for (const RegisteredTexture& texture : program.textures) {
      if (texture.host == host) return &texture;
    }
  }
  return nullptr;
}

TexelElement texel_element(const ChannelFormat& format, bool fractions) {
  const bool is_signed = format.kind == cudaChannelFormatKindSigned;
  if (format.kind == cudaChannelFormatKindFloat) return format.bits == 16 ? TexelElement::kF16 : TexelElement::kF32;
  if (format.bits == 8 && fractions) return is_signed ? TexelElement::kSnorm8 : TexelElement::kUnorm8;
  if (format.bits == 16 && fractions) return is_signed ? TexelElement::kSnorm16 : TexelElement::kUnorm16;
  if (format.bits == 8) return is_signed ? TexelElement::kS8 : TexelElement::kU8;
  if (format.bits == 16) return is_signed ? TexelElement::kS16 : TexelElement::kU16;
  return is_signed ? TexelElement::kS32 : TexelElement::kU32;
}

TextureWrap texture_wrap(cudaTextureAddressMode mode, bool normalized) {
  switch (mode) {
    case cudaAddressModeWrap: return normalized ? TextureWrap::kWrap : TextureWrap::kClamp;
    case cudaAddressModeMirror: return normalized ? TextureWrap::kMirror : TextureWrap::kClamp;
    case cudaAddressModeBorder: return TextureWrap::kBorder;
    case cudaAddressModeClamp: break;
  }
  return TextureWrap::kClamp;
}

}  // namespace

TextureLayout texture_layout(const TextureSettings& settings) {
  TextureLayout layout;
  layout.texel = texel_element(settings.format, settings.fractions);
  layout.channels = settings.format.channels;
  layout.filter = settings.linear ? TextureFilter::kLinear : TextureFilter::kPoint;
  layout.normalized = settings.normalized;
  for (unsigned axis = 0; axis < 3; ++axis) layout.wrap[axis] = texture_wrap(settings.mode[axis], settings.normalized);
  return layout;
}

void place_in_array(TextureLayout& layout, const cudaArray& array) {
  layout.address = array.address;
  layout.width = static_cast<std::uint32_t>(array.width);
  layout.height = array.shape.height;
  layout.depth = array.shape.depth;
  layout.block = array.shape.block;
}

void place_in_rows(TextureLayout& layout, std::uint32_t address, std::size_t width, std::size_t height,
                   std::size_t pitch) {
  layout.address = address;
  layout.width = static_cast<std::uint32_t>(width);
  layout.height = static_cast<std::uint32_t>(height);
  layout.pitch = static_cast<std::uint32_t>(pitch);
}

void place_in_linear_memory(TextureLayout& layout, std::uint32_t address, std::size_t texels) {
  layout.linear_memory = true;
  layout.address = address;
  layout.width = static_cast<std::uint32_t>(texels);
}

bool can_be_texture_memory(const void* pointer, std::size_t bytes) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << 32;
  return bytes != 0 && bytes <= kEnd - address_of(pointer) && Device::current().contains(pointer, 1);
}

bool can_be_texture(std::size_t width, std::size_t height, std::size_t pitch, std::size_t texel_bytes) {
  return width <= kMaxTextureWidth2d && height <= kMaxTextureHeight2d && pitch <= kMaxTexturePitch &&
         pitch % texel_bytes == 0 && width * texel_bytes <= pitch;
}

namespace {

/// Fills the layout from the reference and the descriptor; the memory is set later.
cudaError_t describe(const textureReference* host, const cudaChannelFormatDesc& desc, TextureLayout& layout) {
  const RegisteredTexture* texture = find_texture(host);
  if (texture == nullptr) return cudaErrorInvalidTexture;
  const std::optional<ChannelFormat> format = channel_format(desc);
  if (!format) return cudaErrorInvalidChannelDescriptor;
  const bool integer = format->kind != cudaChannelFormatKindFloat, linear = host->filterMode == cudaFilterModeLinear;
  if (integer && texture->read_normalized && format->bits == 32) return cudaErrorInvalidNormSetting;
  if (integer && !texture->read_normalized && linear) return cudaErrorInvalidFilterSetting;
  layout = texture_layout({*format, texture->read_normalized, linear, host->normalized != 0, host->addressMode});
  layout.dimensions = static_cast<unsigned>(texture->dimensions);
  return cudaSuccess;
}

/// The bytes from an aligned base to the pointer. Other than 0, they are an error unless the caller takes them.
std::optional<std::uint32_t> rest_of(const void* pointer, std::size_t* offset) {
  const std::uint32_t rest = address_of(pointer) % Device::current().config().device.texture_alignment;
  if (offset != nullptr) *offset = rest;
  return rest != 0 && offset == nullptr ? std::nullopt : std::optional(rest);
}

}  // namespace
}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

cudaError_t cudaBindTexture(size_t* offset, const textureReference* texture, const void* pointer,
                            const cudaChannelFormatDesc* desc, size_t size) {
  return api([&] {
    if (texture == nullptr || desc == nullptr) return cudaErrorInvalidValue;
    g80::TextureLayout layout;
    const cudaError_t error = describe(texture, *desc, layout);
    if (error != cudaSuccess) return error;
    Device& device = Device::current();
    if (size == 0xffffffffu) size = device.bytes_from(pointer);
    if (!can_be_texture_memory(pointer, size)) return cudaErrorInvalidValue;
    const std::optional<std::uint32_t> rest = rest_of(pointer, offset);
    if (!rest) return cudaErrorInvalidValue;
    const std::size_t texels = (size + *rest) / channel_format(*desc)->bytes();
    if (texels == 0 || texels > g80::kMaxLinearTexels) return cudaErrorInvalidValue;
    place_in_linear_memory(layout, address_of(pointer) - *rest, texels);
    device.bind(texture, encode_texture(layout), *rest);
    return cudaSuccess;
  });
}

cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* texture, const void* pointer,
                              const cudaChannelFormatDesc* desc, size_t width, size_t height, size_t pitch) {
  return api([&] {
    if (texture == nullptr || desc == nullptr || width == 0 || height == 0) return cudaErrorInvalidValue;
    g80::TextureLayout layout;
    const cudaError_t error = describe(texture, *desc, layout);
    if (error != cudaSuccess) return error;
    const std::size_t bytes = channel_format(*desc)->bytes();
    if (!can_be_texture(width, height, pitch, bytes)) return cudaErrorInvalidPitchValue;
    if (!can_be_texture_memory(pointer, (height - 1) * pitch + width * bytes)) return cudaErrorInvalidValue;
    const std::optional<std::uint32_t> rest = rest_of(pointer, offset);
    if (!rest) return cudaErrorInvalidValue;
    const std::size_t with_offset = width + *rest / bytes;  // the chip's texture begins at the aligned base
    if (with_offset > g80::kMaxTextureWidth2d) return cudaErrorInvalidValue;
    place_in_rows(layout, address_of(pointer) - *rest, with_offset, height, pitch);
    Device::current().bind(texture, encode_texture(layout), *rest);
    return cudaSuccess;
  });
}

cudaError_t cudaBindTextureToArray(const textureReference* texture, const cudaArray* array,
                                   const cudaChannelFormatDesc* desc) {
  return api([&] {
    if (texture == nullptr || desc == nullptr || !is_array(array)) return cudaErrorInvalidValue;
    g80::TextureLayout layout;
    const cudaError_t error = describe(texture, *desc, layout);
    if (error != cudaSuccess) return error;
    if (channel_format(*desc)->bytes() != array->texel_bytes) return cudaErrorInvalidChannelDescriptor;
    place_in_array(layout, *array);
    Device::current().bind(texture, encode_texture(layout), 0);
    return cudaSuccess;
  });
}

cudaError_t cudaUnbindTexture(const textureReference* texture) {
  return api([&] {
    if (find_texture(texture) == nullptr) return cudaErrorInvalidTexture;
    Device::current().unbind(texture);
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* texture) {
  return api([&] {
    if (offset == nullptr || find_texture(texture) == nullptr) return cudaErrorInvalidTexture;
    const std::optional<std::size_t> bound = Device::current().bound_offset(texture);
    return bound ? (*offset = *bound, cudaSuccess) : cudaErrorInvalidTextureBinding;
  });
}

cudaError_t cudaGetTextureReference(const textureReference** texture, const void* symbol) {
  return api([&] {
    if (texture == nullptr) return cudaErrorInvalidValue;
    unsigned named = 0;
    for (const Program& program : registry().programs) {
      if (!program.registered) continue;
      for (const RegisteredTexture& one : program.textures) {
        if (one.host == symbol) return *texture = one.host, cudaSuccess;
        if (one.name != static_cast<const char*>(symbol)) continue;
        *texture = one.host;
        ++named;
      }
    }
    return named == 0 ? cudaErrorInvalidTexture : named == 1 ? cudaSuccess : cudaErrorDuplicateTextureName;
  });
}
}
