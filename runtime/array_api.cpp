// SPDX-License-Identifier: Apache-2.0
// CUDA arrays and three-dimensional copies.
#include <algorithm>

#include "runtime/api.h"
#include "runtime/channel_format.h"
#include "runtime/copy.h"
#include "runtime/device.h"
#include "tb/scenario/texture_descriptor.h"

namespace g80::cuda {
namespace {

/// The smallest blocks that are as high as the array and as deep, up to 16 GOBs high, or 4 high and 16 slices deep. An
/// array that is less than 3 GOBs high may have blocks of 32 slices. As nouveau, the free driver of these chips,
/// chooses them; what CUDA's chose is not published.
BlockShape block_of(std::uint32_t height, std::uint32_t depth, bool has_slices) {
  BlockShape block;
  const unsigned most_high = has_slices ? 2 : 4;
  while (block.height < most_high && height > 1u << block.line_bits()) ++block.height;
  const unsigned most_deep = block.height < 2 ? 5 : 4;
  while (block.depth < most_deep && depth > 1u << block.depth) ++block.depth;
  return block;
}

cudaError_t make_array(cudaArray** out, const cudaChannelFormatDesc* desc, cudaExtent extent, unsigned flags) {
  if (out == nullptr || desc == nullptr || extent.width == 0 || (extent.depth != 0 && extent.height == 0))
    return cudaErrorInvalidValue;
  if (flags != cudaArrayDefault) return cudaErrorNotSupported;
  *out = nullptr;
  const std::optional<ChannelFormat> format = channel_format(*desc);
  if (!format) return cudaErrorInvalidChannelDescriptor;
  const bool fits = extent.depth != 0    ? std::max({extent.width, extent.height, extent.depth}) <= kMaxTextureSize3d
                    : extent.height != 0 ? extent.width <= kMaxTextureWidth2d && extent.height <= kMaxTextureHeight2d
                                         : extent.width <= kMaxTextureWidth1d;
  auto array = std::make_unique<cudaArray>();
  array->desc = *desc;
  array->width = extent.width, array->height = extent.height, array->depth = extent.depth;
  array->texel_bytes = format->bytes();
  if (!fits) return cudaErrorInvalidValue;
  SurfaceShape& shape = array->shape;
  shape.width = static_cast<std::uint32_t>(extent.width * array->texel_bytes);
  if (extent.height != 0) shape.height = static_cast<std::uint32_t>(extent.height);
  if (extent.depth != 0) shape.depth = static_cast<std::uint32_t>(extent.depth);
  shape.block = block_of(shape.height, shape.depth, extent.depth != 0);
  const std::optional<std::uint32_t> address = Device::current().allocate(shape.bytes());
  if (!address) return cudaErrorMemoryAllocation;
  array->address = *address;
  *out = array.get();
  Device::current().add(std::move(array));
  return cudaSuccess;
}

/// A copy between an array and rows of linear memory.
cudaError_t copy_array(const cudaArray* array, std::size_t x, std::size_t y, void* linear, std::size_t pitch,
                       const CopyBox& box, cudaMemcpyKind kind, bool into_array) {
  const std::optional<CopyDirection> direction = copy_direction(kind);
  if (!direction || !(into_array ? direction->to_device : direction->from_device))
    return cudaErrorInvalidMemcpyDirection;
  if (!is_array(array)) return cudaErrorInvalidValue;
  if (box.height > 1 && box.width > pitch) return cudaErrorInvalidPitchValue;
  const std::optional<CopyEnd> end = array_end(*array, x, y, 0, box);
  if (!end) return cudaErrorInvalidValue;
  const CopyEnd other{into_array ? direction->from_device : direction->to_device, linear, pitch, box.height};
  return into_array ? copy_box(*end, other, box) : copy_box(other, *end, box);
}

cudaError_t copy_arrays(const cudaArray& to, std::size_t to_x, std::size_t to_y, const cudaArray& from,
                        std::size_t from_x, std::size_t from_y, const CopyBox& box) {
  const std::optional<CopyEnd> target = array_end(to, to_x, to_y, 0, box);
  const std::optional<CopyEnd> source = array_end(from, from_x, from_y, 0, box);
  return target && source ? copy_box(*target, *source, box) : cudaErrorInvalidValue;
}

/// From byte x of row y on, row after row, the array has `count` bytes. A copy that is refused moves none.
bool has_run(const cudaArray& array, std::size_t x, std::size_t y, std::size_t count) {
  const std::size_t row = array.shape.width, rows = array.shape.height;
  return count == 0 || (x < row && y < rows && count <= (rows - y) * row - x);
}

/// Copies `count` bytes from (x, y) on, row after row of the array.
cudaError_t copy_run(const cudaArray* array, std::size_t x, std::size_t y, void* linear, std::size_t count,
                     cudaMemcpyKind kind, bool into_array) {
  if (!is_array(array) || !has_run(*array, x, y, count)) return cudaErrorInvalidValue;
  const std::size_t row_bytes = array->shape.width;
  auto* at = static_cast<char*>(linear);
  while (count != 0) {
    const std::size_t rows = x == 0 && count >= row_bytes ? count / row_bytes : 1;
    const std::size_t width = rows > 1 ? row_bytes : std::min(count, row_bytes - x);
    const cudaError_t error = copy_array(array, x, y, at, width, {width, rows, 1}, kind, into_array);
    if (error != cudaSuccess) return error;
    at += width * rows, count -= width * rows, x = 0, y += rows;
  }
  return cudaSuccess;
}

/// One side of a 3D copy: an array (positions in texels), or pitched memory (positions in bytes).
std::optional<CopyEnd> end_3d(const cudaArray* array, cudaPos pos, const cudaPitchedPtr& linear, bool on_device,
                              const CopyBox& box) {
  if (array != nullptr) {
    if (!is_array(array) || !on_device) return std::nullopt;
    return array_end(*array, pos.x * array->texel_bytes, pos.y, pos.z, box);
  }
  if (linear.ptr == nullptr || (box.height > 1 && pos.x + box.width > linear.pitch)) return std::nullopt;
  if (box.depth > 1 && pos.y + box.height > linear.ysize) return std::nullopt;
  auto* pointer = static_cast<char*>(linear.ptr) + (pos.z * linear.ysize + pos.y) * linear.pitch + pos.x;
  return CopyEnd{on_device, pointer, linear.pitch, linear.ysize};
}

cudaError_t copy_3d(const cudaMemcpy3DParms& p) {
  const std::optional<CopyDirection> direction = copy_direction(p.kind);
  if (!direction) return cudaErrorInvalidMemcpyDirection;
  if ((p.srcArray != nullptr) == (p.srcPtr.ptr != nullptr) || (p.dstArray != nullptr) == (p.dstPtr.ptr != nullptr)) {
    return cudaErrorInvalidValue;
  }
  if (p.srcArray != nullptr && p.dstArray != nullptr && p.srcArray->texel_bytes != p.dstArray->texel_bytes)
    return cudaErrorInvalidValue;
  const cudaArray* measure =
      p.srcArray != nullptr ? p.srcArray : p.dstArray;  // an array's texels are the unit of the width
  const CopyBox box{p.extent.width * (measure != nullptr ? measure->texel_bytes : 1), p.extent.height, p.extent.depth};
  const std::optional<CopyEnd> to = end_3d(p.dstArray, p.dstPos, p.dstPtr, direction->to_device, box);
  const std::optional<CopyEnd> from = end_3d(p.srcArray, p.srcPos, p.srcPtr, direction->from_device, box);
  return to && from ? copy_box(*to, *from, box) : cudaErrorInvalidValue;
}

}  // namespace

bool is_array(const cudaArray* array) { return Device::current().has(array); }

}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

cudaError_t cudaMallocArray(cudaArray** array, const cudaChannelFormatDesc* desc, size_t width, size_t height,
                            unsigned flags) {
  return api([&] { return make_array(array, desc, {width, height, 0}, flags); });
}
cudaError_t cudaMalloc3DArray(cudaArray** array, const cudaChannelFormatDesc* desc, cudaExtent extent, unsigned flags) {
  return api([&] { return make_array(array, desc, extent, flags); });
}
cudaError_t cudaFreeArray(cudaArray* array) {
  return api([&] {
    if (array == nullptr) return cudaSuccess;
    if (!is_array(array)) return cudaErrorInvalidValue;
    Device::current().release(array);
    return cudaSuccess;
  });
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, const cudaArray* array) {
  return api(
      [&] { return desc == nullptr || !is_array(array) ? cudaErrorInvalidValue : (*desc = array->desc, cudaSuccess); });
}

cudaError_t cudaMemcpyToArray(cudaArray* to, size_t x, size_t y, const void* from, size_t count, cudaMemcpyKind kind) {
  return api([&] { return copy_run(to, x, y, const_cast<void*>(from), count, kind, true); });
}
cudaError_t cudaMemcpyFromArray(void* to, const cudaArray* from, size_t x, size_t y, size_t count,
                                cudaMemcpyKind kind) {
  return api([&] { return copy_run(from, x, y, to, count, kind, false); });
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray* to, size_t x, size_t y, const void* from, size_t count,
                                   cudaMemcpyKind kind, cudaStream_t s) {
  return api(
      [&] { return is_stream(s) ? cudaMemcpyToArray(to, x, y, from, count, kind) : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, const cudaArray* from, size_t x, size_t y, size_t count,
                                     cudaMemcpyKind kind, cudaStream_t s) {
  return api(
      [&] { return is_stream(s) ? cudaMemcpyFromArray(to, from, x, y, count, kind) : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaMemcpy2DToArray(cudaArray* to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  return api([&] { return copy_array(to, x, y, const_cast<void*>(from), pitch, {width, height, 1}, kind, true); });
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, const cudaArray* from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
  return api([&] { return copy_array(from, x, y, to, pitch, {width, height, 1}, kind, false); });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray* to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t s) {
  return api([&] {
    return is_stream(s) ? cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind)
                        : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, const cudaArray* from, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind, cudaStream_t s) {
  return api([&] {
    return is_stream(s) ? cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind)
                        : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray* to, size_t to_x, size_t to_y, const cudaArray* from, size_t from_x,
                                     size_t from_y, size_t width, size_t height, cudaMemcpyKind kind) {
  return api([&] {
    if (kind != cudaMemcpyDeviceToDevice) return cudaErrorInvalidMemcpyDirection;
    if (!is_array(to) || !is_array(from)) return cudaErrorInvalidValue;
    return copy_arrays(*to, to_x, to_y, *from, from_x, from_y, {width, height, 1});
  });
}
cudaError_t cudaMemcpyArrayToArray(cudaArray* to, size_t to_x, size_t to_y, const cudaArray* from, size_t from_x,
                                   size_t from_y, size_t count, cudaMemcpyKind kind) {
  return api([&] {
    if (kind != cudaMemcpyDeviceToDevice) return cudaErrorInvalidMemcpyDirection;
    if (!is_array(to) || !is_array(from)) return cudaErrorInvalidValue;
    if (!has_run(*to, to_x, to_y, count) || !has_run(*from, from_x, from_y, count)) return cudaErrorInvalidValue;
    const std::size_t to_row = to->shape.width, from_row = from->shape.width;
    // Pieces that end where a row of one of the arrays ends; whole rows of both at once.
    for (std::size_t x = from_x, y = from_y, left = count; left != 0;) {
      const bool whole = to_row == from_row && to_x == 0 && x == 0 && left >= to_row;
      const CopyBox box{std::min({left, to_row - to_x, from_row - x}), whole ? left / to_row : 1, 1};
      const cudaError_t error = copy_arrays(*to, to_x, to_y, *from, x, y, box);
      if (error != cudaSuccess) return error;
      left -= box.width * box.height;
      const auto advance = [&box](std::size_t& column, std::size_t& line, std::size_t row) {
        column += box.width;
        if (column == row) column = 0, line += box.height;
      };
      advance(to_x, to_y, to_row);
      advance(x, y, from_row);
    }
    return cudaSuccess;
  });
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  return api([&] { return p == nullptr ? cudaErrorInvalidValue : copy_3d(*p); });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return api([&] { return is_stream(stream) ? cudaMemcpy3D(p) : cudaErrorInvalidResourceHandle; });
}
}
