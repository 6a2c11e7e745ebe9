// SPDX-License-Identifier: Apache-2.0
// The driver API's texture references: every setting takes effect at the next launch.
#include "runtime/copy.h"
#include "runtime/driver_api.h"
#include "runtime/texture_layout.h"

namespace g80::cuda {
namespace {

/// Binds the texture if the reference is complete.
CUresult rebind(const CUtexref_st& texture) {
  if (texture.array == nullptr && texture.width == 0) return CUDA_SUCCESS;
  const std::optional<ChannelFormat> format = channel_format(texture.format);
  if (!format || (texture.array != nullptr && !is_array(texture.array))) return CUDA_ERROR_INVALID_VALUE;
  TextureLayout layout;
  const bool integers = format->kind != cudaChannelFormatKindFloat;
  layout.texel = texel_element(*format, integers && !texture.read_integers && format->bits != 32);
  layout.channels = format->channels;
  layout.filter =
      texture.linear && !(integers && texture.read_integers) ? TextureFilter::kLinear : TextureFilter::kPoint;
  layout.normalized = texture.normalized;
  for (unsigned axis = 0; axis < 3; ++axis) layout.wrap[axis] = texture_wrap(texture.mode[axis], texture.normalized);
  if (texture.array != nullptr) {
    const cudaArray& array = *texture.array;
    layout.dimensions = array.depth != 0 ? 3 : array.height != 0 ? 2 : 1;
    layout.address = array.address;
    layout.width = static_cast<std::uint32_t>(array.width);
    layout.height = static_cast<std::uint32_t>(array.rows());
    layout.depth = static_cast<std::uint32_t>(array.slices());
    layout.pitch = static_cast<std::uint32_t>(array.pitch);
  } else {
    layout.address = static_cast<std::uint32_t>(texture.address);
    layout.width = static_cast<std::uint32_t>(texture.width);
    layout.linear_memory = texture.height == 0;
    if (texture.height != 0) {
      layout.dimensions = 2;
      layout.height = static_cast<std::uint32_t>(texture.height);
      layout.pitch = static_cast<std::uint32_t>(texture.pitch);
    }
  }
  Device::current().bind(texture.program, texture.name, encode_texture(layout));
  return CUDA_SUCCESS;
}

std::size_t texel_bytes(const cudaChannelFormatDesc& desc) {
  const auto format = channel_format(desc);
  return format ? format->bytes() : 1;
}

std::uint32_t alignment() { return Device::current().config().device.texture_alignment; }

}  // namespace
}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

CUresult cuTexRefSetArray(CUtexref texture, CUarray array, unsigned) {
  return driver([&] {
    if (texture == nullptr || !is_array(array)) return CUDA_ERROR_INVALID_VALUE;
    texture->array = array;
    texture->format = array->desc;
    return rebind(*texture);
  });
}
CUresult cuTexRefSetAddress(size_t* offset, CUtexref texture, CUdeviceptr address, size_t bytes) {
  return driver([&] {
    if (texture == nullptr || !Device::current().contains(pointer_of(address), bytes)) return CUDA_ERROR_INVALID_VALUE;
    const std::size_t rest = address % alignment();
    if (offset != nullptr) *offset = rest;
    if (rest != 0 && offset == nullptr) return CUDA_ERROR_INVALID_VALUE;
    texture->array = nullptr;
    texture->address = address - rest;
    texture->width = (bytes + rest) / texel_bytes(texture->format);
    texture->height = 0;
    return rebind(*texture);
  });
}
CUresult cuTexRefSetAddress2D(CUtexref texture, const CUDA_ARRAY_DESCRIPTOR* desc, CUdeviceptr address, size_t pitch) {
  return driver([&] {
    if (texture == nullptr || desc == nullptr || desc->Width == 0 || desc->Height == 0) return CUDA_ERROR_INVALID_VALUE;
    const auto format = channel_of(desc->Format, desc->NumChannels);
    if (!format || address % alignment() != 0) return CUDA_ERROR_INVALID_VALUE;
    const std::size_t bytes = texel_bytes(*format);
    const bool fits = desc->Width * bytes <= pitch && pitch % bytes == 0 && pitch <= g80::kMaxTexturePitch;
    if (!fits || !Device::current().contains(pointer_of(address), (desc->Height - 1) * pitch + desc->Width * bytes))
      return CUDA_ERROR_INVALID_VALUE;
    texture->array = nullptr;
    texture->format = *format;
    texture->address = address;
    texture->width = desc->Width, texture->height = desc->Height, texture->pitch = pitch;
    return rebind(*texture);
  });
}
CUresult cuTexRefSetFormat(CUtexref texture, CUarray_format format, int components) {
  return driver([&] {
    const auto desc = components > 0 ? channel_of(format, static_cast<unsigned>(components)) : std::nullopt;
    if (texture == nullptr || !desc) return CUDA_ERROR_INVALID_VALUE;
    const std::size_t bytes = texture->width * texel_bytes(texture->format);
    texture->format = *desc;
    if (texture->array == nullptr && texture->height == 0)
      texture->width = bytes / texel_bytes(*desc);  // of the same memory
    return rebind(*texture);
  });
}
CUresult cuTexRefSetAddressMode(CUtexref texture, int axis, CUaddress_mode mode) {
  return driver([&] {
    if (texture == nullptr || axis < 0 || axis > 2 || mode > CU_TR_ADDRESS_MODE_BORDER) return CUDA_ERROR_INVALID_VALUE;
    texture->mode[axis] = static_cast<cudaTextureAddressMode>(mode);
    return rebind(*texture);
  });
}
CUresult cuTexRefSetFilterMode(CUtexref texture, CUfilter_mode mode) {
  return driver([&] {
    if (texture == nullptr || mode > CU_TR_FILTER_MODE_LINEAR) return CUDA_ERROR_INVALID_VALUE;
    texture->linear = mode == CU_TR_FILTER_MODE_LINEAR;
    return rebind(*texture);
  });
}
CUresult cuTexRefSetFlags(CUtexref texture, unsigned flags) {
  return driver([&] {
    if (texture == nullptr || (flags & ~unsigned{CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES}) != 0)
      return CUDA_ERROR_INVALID_VALUE;
    texture->read_integers = (flags & CU_TRSF_READ_AS_INTEGER) != 0;
    texture->normalized = (flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    return rebind(*texture);
  });
}
CUresult cuTexRefGetAddress(CUdeviceptr* address, CUtexref texture) {
  const bool is_bound = address != nullptr && texture != nullptr && texture->array == nullptr && texture->width != 0;
  return is_bound ? (*address = texture->address, CUDA_SUCCESS) : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuTexRefGetArray(CUarray* array, CUtexref texture) {
  const bool is_bound = array != nullptr && texture != nullptr && texture->array != nullptr;
  return is_bound ? (*array = const_cast<CUarray>(texture->array), CUDA_SUCCESS) : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuTexRefGetFormat(CUarray_format* format, int* components, CUtexref texture) {
  if (texture == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (format != nullptr) *format = format_of(texture->format);
  if (components != nullptr) *components = static_cast<int>(channels_of(texture->format));
  return CUDA_SUCCESS;
}
CUresult cuTexRefGetAddressMode(CUaddress_mode* mode, CUtexref texture, int axis) {
  if (mode == nullptr || texture == nullptr || axis < 0 || axis > 2) return CUDA_ERROR_INVALID_VALUE;
  *mode = static_cast<CUaddress_mode>(texture->mode[axis]);
  return CUDA_SUCCESS;
}
CUresult cuTexRefGetFilterMode(CUfilter_mode* mode, CUtexref texture) {
  if (mode == nullptr || texture == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *mode = texture->linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  return CUDA_SUCCESS;
}
CUresult cuTexRefGetFlags(unsigned* flags, CUtexref texture) {
  if (flags == nullptr || texture == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *flags = (texture->read_integers ? CU_TRSF_READ_AS_INTEGER : 0u) |
           (texture->normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0u);
  return CUDA_SUCCESS;
}
CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref texture) {
  return driver([&] {
    if (function == nullptr || texture == nullptr || unit != CU_PARAM_TR_DEFAULT) return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
  });
}
}
