// SPDX-License-Identifier: Apache-2.0
// Linear memory: allocation, copies, fills.
#include <cstdlib>
#include <map>

#include "runtime/api.h"
#include "runtime/context.h"
#include "runtime/copy.h"

namespace g80::cuda {
namespace {

cudaError_t allocate(void** pointer, std::uint64_t bytes) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const std::optional<std::uint32_t> address = Device::current().allocate(bytes);
  if (!address) return cudaErrorMemoryAllocation;
  *pointer = reinterpret_cast<void*>(std::uintptr_t{*address});
  return cudaSuccess;
}

/// Rows whose pitch aligns each of them for coalesced accesses and for textures.
cudaError_t allocate_rows(void** pointer, std::size_t& pitch, const cudaExtent& extent) {
  const std::size_t granule = Device::current().config().device.texture_alignment;
  std::size_t bytes = 0;
  const bool too_wide = __builtin_add_overflow(extent.width, granule - 1, &pitch);
  pitch -= pitch % granule;
  if (too_wide || __builtin_mul_overflow(pitch, extent.height, &bytes) ||
      __builtin_mul_overflow(bytes, extent.depth, &bytes)) {
    return cudaErrorMemoryAllocation;
  }
  return allocate(pointer, bytes);
}

cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, const CopyBox& box,
                      cudaMemcpyKind kind) {
  const std::optional<CopyDirection> direction = copy_direction(kind);
  if (!direction) return cudaErrorInvalidMemcpyDirection;
  if (box.height > 1 && (box.width > to_pitch || box.width > from_pitch)) return cudaErrorInvalidPitchValue;
  const std::size_t largest = Device::current().config().device.max_pitch;
  if (box.height > 1 &&
      ((direction->to_device && to_pitch > largest) || (direction->from_device && from_pitch > largest))) {
    return cudaErrorInvalidPitchValue;
  }
  return copy_box({direction->to_device, to, to_pitch, box.height},
                  {direction->from_device, const_cast<void*>(from), from_pitch, box.height}, box);
}

cudaError_t set_bytes(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t rows) {
  return fill_rows(pointer, pitch, static_cast<std::uint8_t>(value) * 0x01010101u, width, rows);
}

/// Pinned host memory: allocated so, or registered.
struct Pinned {
  std::size_t bytes = 0;
  unsigned flags = 0;
  bool allocated = true;
};
std::map<void*, Pinned>& pinned() {
  static std::map<void*, Pinned> all;
  return all;
}
bool is_pinned(const void* pointer, std::size_t bytes) {
  const auto above = pinned().upper_bound(const_cast<void*>(pointer));
  if (above == pinned().begin()) return false;
  const auto& [start, range] = *std::prev(above);
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(pointer) - static_cast<const char*>(start));
  return offset < range.bytes && bytes <= range.bytes - offset;
}
/// No device reaches the memory any longer: no copy may be under way.
bool unpin(void* pointer, bool allocated) {
  const auto found = pinned().find(pointer);
  if (found == pinned().end() || found->second.allocated != allocated) return false;
  for_each_context([&](CUctx_st& context) {
    context.device.finish_work();
    context.device.unmap_host(pointer);
  });
  pinned().erase(found);
  return true;
}

}  // namespace
}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t size) {
  return api([&] { return allocate(pointer, size); });
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return api([&] {
    if (pointer == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
    *pointer = nullptr;
    return allocate_rows(pointer, *pitch, {width, height, 1});
  });
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return api([&] {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = {nullptr, 0, extent.width, extent.height};
    return allocate_rows(&pointer->ptr, pointer->pitch, extent);
  });
}
cudaError_t cudaFree(void* pointer) {
  return api([&] {
    Device& device = Device::current();
    if (pointer == nullptr) return device.machine(), cudaSuccess;  // programs start the device this way
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (address > 0xffffffffu || device.allocation_start(pointer) != address) return cudaErrorInvalidDevicePointer;
    return device.release(static_cast<std::uint32_t>(address)) ? cudaSuccess : cudaErrorInvalidDevicePointer;
  });
}

// Only pinned memory can be copied while the program goes on, and mapped; the host link has the same speed for all.
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned flags) {
  return api([&] {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = nullptr;
    const bool mapped = (flags & cudaHostAllocMapped) != 0;
    if ((flags & ~(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined)) != 0)
      return cudaErrorInvalidValue;
    Device& device = Device::current();
    if (mapped && !device.can_map_host()) return cudaErrorNotSupported;
    if (size == 0) return cudaSuccess;
    void* const memory = std::calloc(size, 1);  // equal runs read equal bytes
    if (memory == nullptr) return cudaErrorMemoryAllocation;
    if (mapped && device.maps_host() && !device.map_host(memory, size))
      return std::free(memory), cudaErrorMemoryAllocation;
    *pointer = memory;
    pinned()[memory] = {size, flags};
    return cudaSuccess;
  });
}
cudaError_t cudaMallocHost(void** pointer, size_t size) { return cudaHostAlloc(pointer, size, cudaHostAllocDefault); }
cudaError_t cudaFreeHost(void* pointer) {
  return api([&] {
    if (pointer == nullptr) return cudaSuccess;
    if (!unpin(pointer, true)) return cudaErrorInvalidValue;
    std::free(pointer);
    return sticky_error();
  });
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return api([&] {
    const auto found = pinned().find(host);
    if (flags == nullptr || found == pinned().end()) return cudaErrorInvalidValue;
    *flags = found->second.flags;
    return cudaSuccess;
  });
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return api([&] {
    if (device == nullptr || flags != 0) return cudaErrorInvalidValue;
    *device = nullptr;
    if (!Device::current().can_map_host()) return cudaErrorNotSupported;
    const auto above = pinned().upper_bound(host);
    if (above == pinned().begin()) return cudaErrorInvalidValue;
    const auto& [start, range] = *std::prev(above);
    const auto offset = static_cast<std::size_t>(static_cast<char*>(host) - static_cast<char*>(start));
    const std::optional<std::uint32_t> address = Device::current().mapped_address(start);
    if (!address || offset >= range.bytes) return cudaErrorInvalidValue;
    *device = reinterpret_cast<void*>(std::uintptr_t{*address} + offset);
    return cudaSuccess;
  });
}
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned flags) {
  return api([&] {
    if ((flags & ~(cudaHostRegisterPortable | cudaHostRegisterMapped)) != 0) return cudaErrorInvalidValue;
    if (pointer == nullptr || size == 0 || pinned().count(pointer) != 0) return cudaErrorInvalidValue;
    Device& device = Device::current();
    const bool mapped = (flags & cudaHostRegisterMapped) != 0;
    if (mapped && !device.can_map_host()) return cudaErrorNotSupported;
    if (mapped && device.maps_host() && !device.map_host(pointer, size)) return cudaErrorMemoryAllocation;
    pinned()[pointer] = {size, flags, false};
    return cudaSuccess;
  });
}
cudaError_t cudaHostUnregister(void* pointer) {
  return api([&] { return unpin(pointer, false) ? sticky_error() : cudaErrorInvalidValue; });
}
cudaError_t cudaMallocManaged(void**, size_t, unsigned) {
  return api([] { return cudaErrorNotSupported; });
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t count, cudaMemcpyKind kind) {
  return api([&] { return copy_rows(to, count, from, count, {count, 1, 1}, kind); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return api([&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    const std::optional<CopyDirection> direction = copy_direction(kind);
    const bool over_link = direction && direction->to_device != direction->from_device;
    const bool to_device = over_link && direction->to_device;
    void* const host = to_device ? const_cast<void*>(from) : to;
    if (!over_link || count == 0 || !is_pinned(host, count)) return cudaMemcpy(to, from, count, kind);
    const void* const device = to_device ? to : from;
    if (!Device::current().contains(device, count)) return cudaErrorInvalidValue;
    Device::current().work().add({to_device, address_of(device), host, count}, work_of(stream));
    return cudaSuccess;
  });
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return api([&] { return copy_rows(to, to_pitch, from, from_pitch, {width, height, 1}, kind); });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return api([&] {
    return is_stream(stream) ? cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind)
                             : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t count) {
  return api([&] { return set_bytes(pointer, count, value, count, 1); });
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream) {
  return api([&] { return is_stream(stream) ? cudaMemset(pointer, value, count) : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return api([&] { return set_bytes(pointer, pitch, value, width, height); });
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return api([&] {
    return is_stream(stream) ? cudaMemset2D(pointer, pitch, value, width, height) : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream) {
  return api([&] { return is_stream(stream) ? cudaMemset3D(pointer, value, extent) : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return api([&] {
    auto* slice = static_cast<char*>(pointer.ptr);
    for (std::size_t z = 0; z < extent.depth; ++z, slice += pointer.pitch * pointer.ysize) {
      const cudaError_t error = set_bytes(slice, pointer.pitch, value, extent.width, extent.height);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}
}
