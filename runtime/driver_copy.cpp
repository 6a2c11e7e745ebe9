// SPDX-License-Identifier: Apache-2.0
// The driver API's copies of rows and boxes, and copies from or to an array.
#include "runtime/copy.h"
#include "runtime/driver_api.h"

namespace g80::cuda {
namespace {

/// One end as CUDA_MEMCPY2D and CUDA_MEMCPY3D describe it.
struct DescribedEnd {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  const cudaArray* array;
  std::size_t x, y, z;            // bytes, rows, slices
  std::size_t pitch, slice_rows;  // 0: as the box
};

std::optional<CopyEnd> end_of(const DescribedEnd& end, const CopyBox& box) {
  if (end.type == CU_MEMORYTYPE_ARRAY)
    return is_array(end.array) ? array_end(*end.array, end.x, end.y, end.z, box) : std::nullopt;
  if (end.type != CU_MEMORYTYPE_HOST && end.type != CU_MEMORYTYPE_DEVICE) return std::nullopt;
  const bool on_device = end.type == CU_MEMORYTYPE_DEVICE;
  const std::size_t pitch = end.pitch != 0 ? end.pitch : box.width,
                    rows = end.slice_rows != 0 ? end.slice_rows : box.height;
  const void* const base = on_device ? pointer_of(end.device) : end.host;
  if (base == nullptr || (box.height > 1 && end.x + box.width > pitch) || (box.depth > 1 && end.y + box.height > rows))
    return std::nullopt;
  const char* const first = static_cast<const char*>(base) + (end.z * rows + end.y) * pitch + end.x;
  return CopyEnd{on_device, const_cast<char*>(first), pitch, rows};
}

CUresult copy(const DescribedEnd& to, const DescribedEnd& from, const CopyBox& box) {
  return driver([&] {
    const std::optional<CopyEnd> target = end_of(to, box), source = end_of(from, box);
    return target && source ? result_of(copy_box(*target, *source, box)) : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult copy(const CUDA_MEMCPY2D& c) {
  return copy({c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, 0, c.dstPitch, 0},
              {c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, 0, c.srcPitch, 0},
              {c.WidthInBytes, c.Height, 1});
}

CUresult copy(const CUDA_MEMCPY3D& c) {
  if (c.srcLOD != 0 || c.dstLOD != 0) return CUDA_ERROR_INVALID_VALUE;
  return copy(
      {c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, c.dstZ, c.dstPitch, c.dstHeight},
      {c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, c.srcZ, c.srcPitch, c.srcHeight},
      {c.WidthInBytes, c.Height, c.Depth});
}

/// Calls `call` with the position of byte `offset` of an array, counted row after row.
template <class Call>
CUresult at_offset(const cudaArray* array, std::size_t offset, Call call) {
  return driver([&] {
    if (!is_array(array)) return CUDA_ERROR_INVALID_VALUE;
    const std::size_t row = array->shape.width;
    return call(offset % row, offset / row);
  });
}

CUresult into(CUarray to, std::size_t offset, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return at_offset(to, offset, [&](std::size_t x, std::size_t y) {
    return forward(cudaMemcpyToArray, to, x, y, from, bytes, kind);
  });
}

CUresult out_of(void* to, CUarray from, std::size_t offset, std::size_t bytes, cudaMemcpyKind kind) {
  return at_offset(from, offset, [&](std::size_t x, std::size_t y) {
    return forward(cudaMemcpyFromArray, to, from, x, y, bytes, kind);
  });
}

/// A copy that ends before its call returns, although it names a stream.
template <class Call>
CUresult in_stream(CUstream stream, Call call) {
  return driver([&] { return is_stream(stream) ? call() : CUDA_ERROR_INVALID_HANDLE; });
}

}  // namespace
}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* c) { return c == nullptr ? CUDA_ERROR_INVALID_VALUE : copy(*c); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* c) { return cuMemcpy2D(c); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* c, CUstream stream) {
  return in_stream(stream, [&] { return cuMemcpy2D(c); });
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* c) { return c == nullptr ? CUDA_ERROR_INVALID_VALUE : copy(*c); }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* c, CUstream stream) {
  return in_stream(stream, [&] { return cuMemcpy3D(c); });
}

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t bytes) {
  return into(to, offset, from, bytes, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t bytes) {
  return out_of(to, from, offset, bytes, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  return into(to, offset, pointer_of(from), bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  return out_of(pointer_of(to), from, offset, bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes) {
  return at_offset(to, to_offset, [&](std::size_t to_x, std::size_t to_y) {
    return at_offset(from, from_offset, [&](std::size_t x, std::size_t y) {
      return forward(cudaMemcpyArrayToArray, to, to_x, to_y, from, x, y, bytes, cudaMemcpyDeviceToDevice);
    });
  });
}
CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void* from, size_t bytes, CUstream stream) {
  return in_stream(stream, [&] { return cuMemcpyHtoA(to, offset, from, bytes); });
}
CUresult cuMemcpyAtoHAsync(void* to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
  return in_stream(stream, [&] { return cuMemcpyAtoH(to, from, offset, bytes); });
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return in_stream(stream, [&] { return cuMemcpyDtoD(to, from, bytes); });
}

// clang-format off
G80_V2(cuMemcpyDtoA) G80_V2(cuMemcpyAtoD) G80_V2(cuMemcpyHtoA) G80_V2(cuMemcpyAtoH) G80_V2(cuMemcpyAtoA)
G80_V2(cuMemcpyHtoAAsync) G80_V2(cuMemcpyAtoHAsync) G80_V2(cuMemcpyDtoDAsync) G80_V2(cuMemcpy2D)
G80_V2(cuMemcpy2DUnaligned) G80_V2(cuMemcpy3D) G80_V2(cuMemcpy2DAsync) G80_V2(cuMemcpy3DAsync)
// clang-format on
}
