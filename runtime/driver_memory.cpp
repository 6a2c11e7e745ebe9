// SPDX-License-Identifier: Apache-2.0
// The driver API's memory: linear memory and its copies, arrays. A __constant__ variable has an address above those of
// device memory, so that copies recognise it.
#include <algorithm>
#include <limits>

#include "runtime/copy.h"
#include "runtime/driver_api.h"

namespace g80::cuda {
namespace {

constexpr unsigned kConstantShift = 32;  // above the addresses of the chip

template <class Word>
CUresult set_rows(CUdeviceptr address, std::size_t pitch, Word value, std::size_t width, std::size_t height) {
  if (address % sizeof(Word) != 0 || (height > 1 && (pitch % sizeof(Word) != 0 || width * sizeof(Word) > pitch)))
    return CUDA_ERROR_INVALID_VALUE;
  std::uint32_t word = 0;
  for (unsigned i = 0; i < sizeof word / sizeof value; ++i) word |= std::uint32_t{value} << (8 * sizeof value * i);
  return driver([&] { return result_of(fill_rows(pointer_of(address), pitch, word, width * sizeof value, height)); });
}

/// Such a call waits for all streams, as other fills do.
template <class Word>
CUresult set_rows(CUdeviceptr address, std::size_t pitch, Word value, std::size_t width, std::size_t height,
                  CUstream stream) {
  return driver(
      [&] { return is_stream(stream) ? set_rows(address, pitch, value, width, height) : CUDA_ERROR_INVALID_HANDLE; });
}

}  // namespace

CUarray_format format_of(const cudaChannelFormatDesc& desc) {
  const bool is_signed = desc.f == cudaChannelFormatKindSigned;
  if (desc.f == cudaChannelFormatKindFloat) return desc.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  if (desc.x == 8) return is_signed ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8;
  if (desc.x == 16) return is_signed ? CU_AD_FORMAT_SIGNED_INT16 : CU_AD_FORMAT_UNSIGNED_INT16;
  return is_signed ? CU_AD_FORMAT_SIGNED_INT32 : CU_AD_FORMAT_UNSIGNED_INT32;
}

unsigned channels_of(const cudaChannelFormatDesc& desc) { return desc.w != 0 ? 4 : desc.y != 0 ? 2 : 1; }

std::optional<cudaChannelFormatDesc> channel_of(CUarray_format format, unsigned channels) {
  cudaChannelFormatDesc desc{};
  int bits = 32;
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8: bits = 8; break;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF: bits = 16; break;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT: break;
    default: return std::nullopt;
  }
  if (channels != 1 && channels != 2 && channels != 4) return std::nullopt;
  desc.x = bits;
  desc.y = channels >= 2 ? bits : 0;
  desc.z = desc.w = channels == 4 ? bits : 0;
  desc.f = format >= CU_AD_FORMAT_HALF          ? cudaChannelFormatKindFloat
           : format >= CU_AD_FORMAT_SIGNED_INT8 ? cudaChannelFormatKindSigned
                                                : cudaChannelFormatKindUnsigned;
  return desc;
}

CUdeviceptr constant_address(const VariableRef& variable) {
  std::vector<VariableRef>& known = current_context().constants;
  const auto place_of = [&](const std::string& name) {
    return std::find_if(known.begin(), known.end(), [&](const VariableRef& one) { return one.name == name; });
  };
  auto place = place_of(variable.name);
  if (place == known.end()) place = place_of("");
  if (place == known.end()) place = known.emplace(known.end());
  *place = variable;
  return static_cast<CUdeviceptr>(place - known.begin() + 1) << kConstantShift;
}

std::optional<ConstantPlace> constant_at(CUdeviceptr address) {
  const CUdeviceptr k = address >> kConstantShift;
  const std::vector<VariableRef>& known = current_context().constants;
  if (k == 0 || k > known.size() || known[k - 1].name.empty()) return std::nullopt;
  return ConstantPlace{known[k - 1], static_cast<std::size_t>(address & std::numeric_limits<std::uint32_t>::max())};
}

}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  if (address == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  void* pointer = nullptr;
  const CUresult result = forward(cudaMalloc, &pointer, bytes);
  *address = reinterpret_cast<std::uintptr_t>(pointer);
  return result;
}
CUresult cuMemFree(CUdeviceptr address) { return forward(cudaFree, pointer_of(address)); }
CUresult cuMemGetInfo(size_t* free, size_t* total) { return forward(cudaMemGetInfo, free, total); }
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return driver([&] {
    const auto place = constant_at(to);
    if (!place) return result_of(cudaMemcpy(pointer_of(to), from, bytes, cudaMemcpyHostToDevice));
    if (from == nullptr || place->offset > place->variable.bytes || bytes > place->variable.bytes - place->offset)
      return CUDA_ERROR_INVALID_VALUE;
    Device::current().machine().write_symbol(place->variable.name, static_cast<std::uint32_t>(place->offset), from,
                                             bytes);
    return CUDA_SUCCESS;
  });
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return driver([&] {
    const auto place = constant_at(from);
    if (!place) return result_of(cudaMemcpy(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost));
    if (to == nullptr || place->offset > place->variable.bytes || bytes > place->variable.bytes - place->offset)
      return CUDA_ERROR_INVALID_VALUE;
    Device::current().machine().read_symbol(place->variable.name, static_cast<std::uint32_t>(place->offset), to, bytes);
    return CUDA_SUCCESS;
  });
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return forward(cudaMemcpy, pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemsetD8(CUdeviceptr address, unsigned char value, size_t count) {
  return forward(cudaMemset, pointer_of(address), value, count);
}
CUresult cuMemsetD16(CUdeviceptr address, unsigned short value, size_t count) {
  return set_rows(address, 0, value, count, 1);
}
CUresult cuMemsetD32(CUdeviceptr address, unsigned value, size_t count) {
  return set_rows(address, 0, value, count, 1);
}
CUresult cuMemsetD2D8(CUdeviceptr address, size_t pitch, unsigned char value, size_t width, size_t height) {
  return set_rows(address, pitch, value, width, height);
}
CUresult cuMemsetD2D16(CUdeviceptr address, size_t pitch, unsigned short value, size_t width, size_t height) {
  return set_rows(address, pitch, value, width, height);
}
CUresult cuMemsetD2D32(CUdeviceptr address, size_t pitch, unsigned value, size_t width, size_t height) {
  return set_rows(address, pitch, value, width, height);
}
CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t count, CUstream stream) {
  return set_rows(address, 0, value, count, 1, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr address, unsigned short value, size_t count, CUstream stream) {
  return set_rows(address, 0, value, count, 1, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr address, unsigned value, size_t count, CUstream stream) {
  return set_rows(address, 0, value, count, 1, stream);
}
CUresult cuMemsetD2D8Async(CUdeviceptr address, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream) {
  return set_rows(address, pitch, value, width, height, stream);
}
CUresult cuMemsetD2D16Async(CUdeviceptr address, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream stream) {
  return set_rows(address, pitch, value, width, height, stream);
}
CUresult cuMemsetD2D32Async(CUdeviceptr address, size_t pitch, unsigned value, size_t width, size_t height,
                            CUstream stream) {
  return set_rows(address, pitch, value, width, height, stream);
}
CUresult cuMemAllocPitch(CUdeviceptr* address, size_t* pitch, size_t width, size_t height, unsigned element_bytes) {
  if (address == nullptr || pitch == nullptr || (element_bytes != 4 && element_bytes != 8 && element_bytes != 16))
    return CUDA_ERROR_INVALID_VALUE;
  void* pointer = nullptr;
  const CUresult result = forward(cudaMallocPitch, &pointer, pitch, width, height);
  *address = reinterpret_cast<std::uintptr_t>(pointer);
  return result;
}
CUresult cuMemAllocHost(void** pointer, size_t bytes) { return forward(cudaMallocHost, pointer, bytes); }
CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return forward(cudaHostAlloc, pointer, bytes, flags);
}
CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) { return forward(cudaHostGetFlags, flags, pointer); }
CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned flags) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  void* pointer = nullptr;
  const CUresult result = forward(cudaHostGetDevicePointer, &pointer, host, flags);
  *device = reinterpret_cast<std::uintptr_t>(pointer);
  return result;
}
CUresult cuMemFreeHost(void* pointer) { return forward(cudaFreeHost, pointer); }
CUresult cuMemGetAddressRange(CUdeviceptr* start, size_t* bytes, CUdeviceptr address) {
  return driver([&] {
    const auto found = Device::current().allocation_start(pointer_of(address));
    if (!found || !Device::current().contains(pointer_of(address), 1)) return CUDA_ERROR_NOT_FOUND;
    if (start != nullptr) *start = *found;
    if (bytes != nullptr) *bytes = Device::current().bytes_from(pointer_of(*found));
    return CUDA_SUCCESS;
  });
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return driver([&] {
    if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
    if (constant_at(to)) return cuMemcpyHtoD(to, from, bytes);
    return result_of(cudaMemcpyAsync(pointer_of(to), from, bytes, cudaMemcpyHostToDevice, stream));
  });
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return driver([&] {
    if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
    if (constant_at(from)) return cuMemcpyDtoH(to, from, bytes);
    return result_of(cudaMemcpyAsync(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost, stream));
  });
}

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* desc) {
  return driver([&] {
    if (array == nullptr || desc == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto format = channel_of(desc->Format, desc->NumChannels);
    return !format ? CUDA_ERROR_INVALID_VALUE
                   : result_of(cudaMallocArray(array, &*format, desc->Width, desc->Height, cudaArrayDefault));
  });
}
CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* desc) {
  return driver([&] {
    if (array == nullptr || desc == nullptr || desc->Flags != 0) return CUDA_ERROR_INVALID_VALUE;
    const auto format = channel_of(desc->Format, desc->NumChannels);
    const cudaExtent extent = {desc->Width, desc->Height, desc->Depth};
    return !format ? CUDA_ERROR_INVALID_VALUE : result_of(cudaMalloc3DArray(array, &*format, extent, cudaArrayDefault));
  });
}
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* desc, CUarray array) {
  return driver([&] {
    if (desc == nullptr || !is_array(array)) return CUDA_ERROR_INVALID_VALUE;
    *desc = {array->width, array->height, array->depth, format_of(array->desc), channels_of(array->desc), 0};
    return CUDA_SUCCESS;
  });
}
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* desc, CUarray array) {
  return driver([&] {
    if (desc == nullptr || !is_array(array) || array->depth != 0) return CUDA_ERROR_INVALID_VALUE;
    *desc = {array->width, array->height, format_of(array->desc), channels_of(array->desc)};
    return CUDA_SUCCESS;
  });
}
CUresult cuArrayDestroy(CUarray array) { return forward(cudaFreeArray, array); }

// clang-format off
G80_V2(cuMemGetInfo) G80_V2(cuMemAlloc) G80_V2(cuMemAllocPitch) G80_V2(cuMemFree) G80_V2(cuMemGetAddressRange)
G80_V2(cuMemAllocHost) G80_V2(cuMemHostGetDevicePointer) G80_V2(cuMemcpyHtoD) G80_V2(cuMemcpyDtoH) G80_V2(cuMemcpyDtoD)
G80_V2(cuMemcpyHtoDAsync) G80_V2(cuMemcpyDtoHAsync) G80_V2(cuMemsetD8) G80_V2(cuMemsetD16) G80_V2(cuMemsetD32)
G80_V2(cuMemsetD2D8) G80_V2(cuMemsetD2D16) G80_V2(cuMemsetD2D32) G80_V2(cuArrayCreate) G80_V2(cuArrayGetDescriptor)
G80_V2(cuArray3DCreate) G80_V2(cuArray3DGetDescriptor)
// clang-format on
}
