// SPDX-License-Identifier: Apache-2.0
#include "runtime/copy.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "runtime/context.h"

namespace g80::cuda {
namespace {

std::uint64_t extent_of(const CopyEnd& end, const CopyBox& box) {
  return ((box.depth - 1) * end.rows + box.height - 1) * end.pitch + box.width;
}

/// A program of a later toolkit, whose threads share a context, gets errors with each of their pointers.
void warn_of_other_context(const void* pointer) {
  static bool told = false;
  if (Device::current().contains(pointer, 1)) return;
  for_each_context([&](const CUctx_st& context) {
    if (told || !context.device.contains(pointer, 1)) return;
    told = true;
    fmt::print(
        stderr,
        "g80: device pointer {}: the memory is of another context; before CUDA 4 each thread has one of its own\n",
        pointer);
  });
}

/// False if device memory is not allocated, or if a host pointer points into device memory. The box fits into an array.
bool is_valid(const CopyEnd& end, const CopyBox& box) {
  if (end.array != nullptr) return true;
  if (end.pointer == nullptr) return false;
  const bool allocated = Device::current().contains(end.pointer, extent_of(end, box));
  if (end.on_device && !allocated) warn_of_other_context(end.pointer);
  return end.on_device ? allocated : !allocated;
}

void move(const CopyEnd& to, std::size_t to_offset, const CopyEnd& from, std::size_t from_offset, std::size_t bytes) {
  Backend& machine = Device::current().machine();
  auto* target = static_cast<std::uint8_t*>(to.pointer) + to_offset;
  const auto* source = static_cast<const std::uint8_t*>(from.pointer) + from_offset;
  if (to.on_device) {
    machine.write(address_of(target), source, bytes);
  } else if (from.on_device) {
    machine.read(address_of(source), target, bytes);
  } else {
    std::memmove(target, source, bytes);
  }
}

Lines lines_of(const CopyEnd& end, std::size_t slice, std::size_t bytes, std::size_t rows) {
  return {static_cast<std::uint32_t>(address_of(end.pointer) + slice * end.rows * end.pitch),
          static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(end.pitch)};
}

/// Whether a row of one side has a byte of a row of the other. Rows ascend on both sides.
bool overlap(const CopyEnd& a, const CopyEnd& b, std::size_t bytes, std::size_t rows, std::size_t slices) {
  const auto start = [&](const CopyEnd& end, std::size_t row) {
    return address_of(end.pointer) + (row / rows * end.rows + row % rows) * end.pitch;
  };
  for (std::size_t i = 0, j = 0; i < rows * slices && j < rows * slices;) {
    const std::size_t left = start(a, i), right = start(b, j);
    if (left < right + bytes && right < left + bytes) return true;
    ++(left < right ? i : j);
  }
  return false;
}

/// The rows of one slice.
Lines slice_of(const CopyEnd& end, std::size_t slice, const CopyBox& box) {
  if (end.array == nullptr) return lines_of(end, slice, box.width, box.height);
  Lines lines{end.array->address, static_cast<std::uint32_t>(box.width), static_cast<std::uint32_t>(box.height)};
  lines.surface = SurfacePlace{end.array->shape, static_cast<std::uint32_t>(end.x), static_cast<std::uint32_t>(end.y),
                               static_cast<std::uint32_t>(end.z + slice)};
  return lines;
}

bool overlap(const CopyEnd& a, const CopyEnd& b, const CopyBox& box) {
  const auto apart = [](std::size_t i, std::size_t j, std::size_t length) {
    return i >= j + length || j >= i + length;
  };
  return a.array == b.array && !apart(a.x, b.x, box.width) && !apart(a.y, b.y, box.height) &&
         !apart(a.z, b.z, box.depth);
}

/// A copy with an array at one end, or at both.
cudaError_t copy_slices(const CopyEnd& to, const CopyEnd& from, const CopyBox& box) {
  if (overlap(to, from, box)) return cudaErrorInvalidValue;
  Backend& machine = Device::current().machine();
  const auto host = [](const CopyEnd& end, std::size_t slice) {
    return static_cast<char*>(end.pointer) + slice * end.rows * end.pitch;
  };
  for (std::size_t z = 0; z < box.depth; ++z) {
    if (!from.on_device) {
      machine.write_lines(slice_of(to, z, box), host(from, z), from.pitch);
    } else if (!to.on_device) {
      machine.read_lines(slice_of(from, z, box), host(to, z), to.pitch);
    } else {
      Device::current().copy(slice_of(to, z, box), slice_of(from, z, box));
    }
  }
  return cudaSuccess;
}

}  // namespace

std::optional<CopyDirection> copy_direction(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost: return CopyDirection{false, false};
    case cudaMemcpyHostToDevice: return CopyDirection{true, false};
    case cudaMemcpyDeviceToHost: return CopyDirection{false, true};
    case cudaMemcpyDeviceToDevice: return CopyDirection{true, true};
    case cudaMemcpyDefault: break;
  }
  return std::nullopt;
}

cudaError_t copy_box(const CopyEnd& to, const CopyEnd& from, const CopyBox& box) {
  if (box.width == 0 || box.height == 0 || box.depth == 0) return cudaSuccess;
  if (!is_valid(to, box) || !is_valid(from, box)) return cudaErrorInvalidValue;
  if (to.array != nullptr || from.array != nullptr) return copy_slices(to, from, box);
  const bool has_gaps = to.pitch != box.width || from.pitch != box.width;
  const bool rows_touch = box.height == 1 || !has_gaps;
  const bool slices_touch = box.depth == 1 || (!has_gaps && to.rows == box.height && from.rows == box.height);
  const std::size_t piece = box.width * (rows_touch ? box.height : 1) * (rows_touch && slices_touch ? box.depth : 1);
  const std::size_t rows = rows_touch ? 1 : box.height, slices = rows_touch && slices_touch ? 1 : box.depth;
  const bool on_device = to.on_device && from.on_device;
  if (on_device && overlap(to, from, piece, rows, slices)) return cudaErrorInvalidValue;
  for (std::size_t z = 0; z < slices; ++z) {
    if (on_device) {
      Device::current().copy(lines_of(to, z, piece, rows), lines_of(from, z, piece, rows));
      continue;
    }
    for (std::size_t y = 0; y < rows; ++y)
      move(to, (z * to.rows + y) * to.pitch, from, (z * from.rows + y) * from.pitch, piece);
  }
  return cudaSuccess;
}

cudaError_t fill_rows(const void* pointer, std::size_t pitch, std::uint32_t word, std::size_t width, std::size_t rows) {
  if (width == 0 || rows == 0) return cudaSuccess;
  if (rows > 1 && width > pitch) return cudaErrorInvalidPitchValue;
  Device& device = Device::current();
  if (!device.contains(pointer, (rows - 1) * pitch + width)) return cudaErrorInvalidValue;
  device.machine().fill({address_of(pointer), static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(rows),
                         static_cast<std::uint32_t>(pitch)},
                        word);
  return cudaSuccess;
}

std::optional<CopyEnd> array_end(const cudaArray& array, std::size_t x, std::size_t y, std::size_t z,
                                 const CopyBox& box) {
  const bool fits =
      x + box.width <= array.shape.width && y + box.height <= array.shape.height && z + box.depth <= array.shape.depth;
  if (!fits) return std::nullopt;
  CopyEnd end;
  end.on_device = true;
  end.array = &array;
  end.x = x, end.y = y, end.z = z;
  return end;
}

}  // namespace g80::cuda
