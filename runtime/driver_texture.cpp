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
  const bool integers = format->kind != cudaChannelFormatKindFloat;
  TextureLayout layout =
      texture_layout({*format, integers && !texture.read_integers && format->bits != 32,
                      texture.linear && !(integers && texture.read_integers), texture.normalized, texture.mode});
  if (texture.array != nullptr) {
    layout.dimensions = texture.array->depth != 0 ? 3 : texture.array->height != 0 ? 2 : 1;
    place_in_array(layout, *texture.array);
  } else if (texture.height != 0) {
    layout.dimensions = 2;
    place_in_rows(layout, static_cast<std::uint32_t>(texture.address), texture.width, texture.height, texture.pitch);
  } else {
    place_in_linear_memory(layout, static_cast<std::uint32_t>(texture.address), texture.width);
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
    if (!known(texture)) return CUDA_ERROR_INVALID_HANDLE;
    texture->array = array;
    texture->format = array->desc;
    return rebind(*texture);
  });
}
CUresult cuTexRefSetAddress(size_t* offset, CUtexref texture, CUdeviceptr address, size_t bytes) {
  return driver([&] {
    if (texture == nullptr || !can_be_texture_memory(pointer_of(address), bytes)) return CUDA_ERROR_INVALID_VALUE;
    if (!known(texture)) return CUDA_ERROR_INVALID_HANDLE;
    const std::size_t rest = address % alignment();
    if (offset != nullptr) *offset = rest;
    if (rest != 0 && offset == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::size_t texels = (bytes + rest) / texel_bytes(texture->format);
    if (texels > g80::kMaxLinearTexels) return CUDA_ERROR_INVALID_VALUE;
    texture->array = nullptr;
    texture->address = address - rest;
    texture->width = texels;
    texture->height = 0;
    return rebind(*texture);
  });
}
CUresult cuTexRefSetAddress2D(CUtexref texture, const CUDA_ARRAY_DESCRIPTOR* desc, CUdeviceptr address, size_t pitch) {
  return driver([&] {
    if (texture == nullptr || desc == nullptr || desc->Width == 0 || desc->Height == 0) return CUDA_ERROR_INVALID_VALUE;
    if (!known(texture)) return CUDA_ERROR_INVALID_HANDLE;
    const auto format = channel_of(desc->Format, desc->NumChannels);
    if (!format || address % alignment() != 0) return CUDA_ERROR_INVALID_VALUE;
    const std::size_t bytes = texel_bytes(*format);
    if (!can_be_texture(desc->Width, desc->Height, pitch, bytes) ||
        !can_be_texture_memory(pointer_of(address), (desc->Height - 1) * pitch + desc->Width * bytes))
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
    if (!known(texture)) return CUDA_ERROR_INVALID_HANDLE;
    if (texture->array == nullptr && texture->height == 0) {
      // of the same memory
      const std::size_t texels = texture->width * texel_bytes(texture->format) / texel_bytes(*desc);
      if (texels > g80::kMaxLinearTexels) return CUDA_ERROR_INVALID_VALUE;
      texture->width = texels;
    }
    texture->format = *desc;
    return rebind(*texture);
  });
}
CUresult cuTexRefSetAddressMode(CUtexref texture, int axis, CUaddress_mode mode) {
  return driver([&] {
    if (texture == nullptr || axis < 0 || axis > 2 || mode > CU_TR_ADDRESS_MODE_BORDER) return CUDA_ERROR_INVALID_VALUE;
    if (!known(texture)) return CUDA_ERROR_INVALID_HANDLE;
    texture->mode[axis] = static_cast<cudaTextureAddressMode>(mode);
    return rebind(*texture);
  });
}
CUresult cuTexRefSetFilterMode(CUtexref texture, CUfilter_mode mode) {
  return driver([&] {
    if (texture == nullptr || mode > CU_TR_FILTER_MODE_LINEAR) return CUDA_ERROR_INVALID_VALUE;
    if (!known(texture)) return CUDA_ERROR_INVALID_HANDLE;
    texture->linear = mode == CU_TR_FILTER_MODE_LINEAR;
    return rebind(*texture);
  });
}
CUresult cuTexRefSetFlags(CUtexref texture, unsigned flags) {
  return driver([&] {
    if (texture == nullptr || (flags & ~unsigned{CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES}) != 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (!known(texture)) return CUDA_ERROR_INVALID_HANDLE;
    texture->read_integers = (flags & CU_TRSF_READ_AS_INTEGER) != 0;
    texture->normalized = (flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    return rebind(*texture);
  });
}
CUresult cuTexRefGetAddress(CUdeviceptr* address, CUtexref texture) {
  return driver([&] {
    if (address == nullptr || texture == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!known(texture)) return CUDA_ERROR_INVALID_HANDLE;
    const bool is_bound = texture->array == nullptr && texture->width != 0;
    return is_bound ? (*address = texture->address, CUDA_SUCCESS) : CUDA_ERROR_INVALID_VALUE;
  });
}
CUresult cuTexRefGetArray(CUarray* array, CUtexref texture) {
  return driver([&] {
    if (array == nullptr || texture == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!known(texture)) return CUDA_ERROR_INVALID_HANDLE;
    return texture->array != nullptr ? (*array = const_cast<CUarray>(texture->array), CUDA_SUCCESS)
                                     : CUDA_ERROR_INVALID_VALUE;
  });
}
CUresult cuTexRefGetFormat(CUarray_format* format, int* components, CUtexref texture) {
  return driver([&] {
    if (texture == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!known(texture)) return CUDA_ERROR_INVALID_HANDLE;
    if (format != nullptr) *format = format_of(texture->format);
    if (components != nullptr) *components = static_cast<int>(channels_of(texture->format));
    return CUDA_SUCCESS;
  });
}
CUresult cuTexRefGetAddressMode(CUaddress_mode* mode, CUtexref texture, int axis) {
  return driver([&] {
    if (mode == nullptr || texture == nullptr || axis < 0 || axis > 2) return CUDA_ERROR_INVALID_VALUE;
    if (!known(texture)) return CUDA_ERROR_INVALID_HANDLE;
    *mode = static_cast<CUaddress_mode>(texture->mode[axis]);
    return CUDA_SUCCESS;
  });
}
CUresult cuTexRefGetFilterMode(CUfilter_mode* mode, CUtexref texture) {
  return driver([&] {
    if (mode == nullptr || texture == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!known(texture)) return CUDA_ERROR_INVALID_HANDLE;
    *mode = texture->linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
    return CUDA_SUCCESS;
  });
}
CUresult cuTexRefGetFlags(unsigned* flags, CUtexref texture) {
  return driver([&] {
    if (flags == nullptr || texture == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!known(texture)) return CUDA_ERROR_INVALID_HANDLE;
    *flags = (texture->read_integers ? CU_TRSF_READ_AS_INTEGER : 0u) |
             (texture->normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0u);
    return CUDA_SUCCESS;
  });
}
CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref texture) {
  return driver([&] {
    if (function == nullptr || texture == nullptr || unit != CU_PARAM_TR_DEFAULT) return CUDA_ERROR_INVALID_VALUE;
    return known(function) && known(texture) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}

// clang-format off
G80_V2(cuTexRefSetAddress) G80_V2(cuTexRefSetAddress2D) G80_V2(cuTexRefGetAddress)
// clang-format on
}
