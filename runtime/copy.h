// SPDX-License-Identifier: Apache-2.0
// Moving bytes between host and device, row by row where rows do not touch, and on the device.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include <cuda_runtime_api.h>

#include "tb/driver/memory_layout.h"

/// A CUDA array: texels in device memory, block-linear as textures of the chip have them (docs/texture.md, section 2).
struct cudaArray {
  cudaChannelFormatDesc desc{};
  std::size_t width = 0, height = 0, depth = 0;  // in texels; height and depth 0 where there is no such axis
  std::size_t texel_bytes = 0;
  g80::SurfaceShape shape = {};
  std::uint32_t address = 0;
};

namespace g80::cuda {

/// One end of a copy: a box of rows in memory, or in an array.
struct CopyEnd {
  bool on_device = false;
  void* pointer = nullptr;
  std::size_t pitch = 0;             // bytes from row to row
  std::size_t rows = 0;              // rows from slice to slice
  const cudaArray* array = nullptr;  // without pointer, pitch and rows
  std::size_t x = 0, y = 0, z = 0;   // in the array: byte, row, slice
};
struct CopyBox {
  std::size_t width = 0, height = 1, depth = 1;  // bytes, rows, slices
};

/// Which ends of a copy are on the device: destination, source. Nothing for an unsupported kind.
struct CopyDirection {
  bool to_device, from_device;
};
std::optional<CopyDirection> copy_direction(cudaMemcpyKind kind);

cudaError_t copy_box(const CopyEnd& to, const CopyEnd& from, const CopyBox& box);
inline cudaError_t copy_bytes(const CopyEnd& to, const CopyEnd& from, std::size_t bytes) {
  return copy_box(to, from, {bytes, 1, 1});
}
/// Rows of device memory; byte i becomes byte (address mod 4) of `word`.
cudaError_t fill_rows(const void* pointer, std::size_t pitch, std::uint32_t word, std::size_t width, std::size_t rows);
/// A place inside an array, x in bytes; nothing if the box does not fit there.
std::optional<CopyEnd> array_end(const cudaArray& array, std::size_t x, std::size_t y, std::size_t z,
                                 const CopyBox& box);

bool is_stream(cudaStream_t stream);
bool is_array(const cudaArray* array);

}  // namespace g80::cuda
