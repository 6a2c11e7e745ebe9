// SPDX-License-Identifier: Apache-2.0
// Device queries, and calls for the device as a whole.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "hw/common/types.h"
#include "runtime/api.h"
#include "runtime/context.h"
#include "tb/scenario/texture_descriptor.h"

namespace g80::cuda {
namespace {

// Of layered textures on compute capability 1.x (CUDA C Programming Guide 3.2, appendix G).
constexpr int kMaxLayeredSize = 8192, kMaxLayers = 512;
constexpr int kBitsOfPartition = 64;
constexpr int kTexturePitchAlignment = 32;

void describe(const Config& config, cudaDeviceProp& prop) {
  std::memset(&prop, 0, sizeof prop);
  const auto& device = config.device;
  std::strncpy(prop.name, device.name.c_str(), sizeof prop.name - 1);
  prop.totalGlobalMem = device.memory_bytes;
  prop.sharedMemPerBlock = config.sm.shared_bytes;
  prop.regsPerBlock = static_cast<int>(config.sm.num_registers);
  prop.warpSize = kWarpSize;
  prop.memPitch = device.max_pitch;
  prop.maxThreadsPerBlock = static_cast<int>(device.max_threads_per_block);
  prop.maxThreadsDim[0] = static_cast<int>(device.max_block_x);
  prop.maxThreadsDim[1] = static_cast<int>(device.max_block_y);
  prop.maxThreadsDim[2] = static_cast<int>(device.max_block_z);
  prop.maxGridSize[0] = prop.maxGridSize[1] = static_cast<int>(device.max_grid);
  prop.maxGridSize[2] = 1;
  prop.clockRate = static_cast<int>(std::lround(config.clock.shader_mhz * 1000));
  prop.totalConstMem = device.constant_bytes;
  prop.major = static_cast<int>(device.compute_major);
  prop.minor = static_cast<int>(device.compute_minor);
  prop.textureAlignment = device.texture_alignment;
  prop.texturePitchAlignment = kTexturePitchAlignment;
  prop.multiProcessorCount = static_cast<int>(config.gpu.num_tpcs * config.gpu.sms_per_tpc);
  prop.maxTexture1D = kMaxTextureWidth1d;
  prop.maxTexture1DLinear = kMaxLinearTexels;
  prop.maxTexture2D[0] = kMaxTextureWidth2d;
  prop.maxTexture2D[1] = kMaxTextureHeight2d;
  std::fill_n(prop.maxTexture3D, 3, static_cast<int>(kMaxTextureSize3d));
  prop.maxTexture2DArray[0] = prop.maxTexture2DArray[1] = kMaxLayeredSize;
  prop.maxTexture2DArray[2] = kMaxLayers;
  prop.surfaceAlignment = device.texture_alignment;
  prop.memoryClockRate = static_cast<int>(std::lround(config.clock.dram_mhz * 1000));
  prop.memoryBusWidth = static_cast<int>(config.gpu.num_partitions) * kBitsOfPartition;
  prop.deviceOverlap = prop.asyncEngineCount = config.host.copy_channel ? 1 : 0;
  prop.canMapHostMemory = Device::can_map_host() ? 1 : 0;
  prop.maxThreadsPerMultiProcessor = static_cast<int>(config.sm.max_threads);
}

}  // namespace
}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return api([&] { return count == nullptr ? cudaErrorInvalidValue : (*count = 1, cudaSuccess); });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* prop, int device) {
  return api([&] {
    if (prop == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    describe(Session::current().config(), *prop);
    return cudaSuccess;
  });
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* prop) {
  return api([&] { return device == nullptr || prop == nullptr ? cudaErrorInvalidValue : (*device = 0, cudaSuccess); });
}
cudaError_t cudaSetDevice(int device) {
  return api([&] { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
cudaError_t cudaGetDevice(int* device) {
  return api([&] { return device == nullptr ? cudaErrorInvalidValue : (*device = 0, cudaSuccess); });
}
cudaError_t cudaSetValidDevices(int* devices, int count) {
  return api([&] {
    if (count < 0 || (count > 0 && devices == nullptr)) return cudaErrorInvalidValue;
    return std::all_of(devices, devices + count, [](int device) { return device == 0; }) ? cudaSuccess
                                                                                         : cudaErrorInvalidDevice;
  });
}
cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return api([&] {
    Device& device = Device::current();
    if ((flags & cudaDeviceMapHost) != 0 && !device.can_map_host()) return cudaErrorNotSupported;
    if (device.has_machine()) return cudaErrorSetOnActiveProcess;
    if ((flags & cudaDeviceMapHost) != 0) device.set_map_host();
    return cudaSuccess;
  });
}
cudaError_t cudaSetDoubleForDevice(double* value) {
  return api([&] { return value == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}
cudaError_t cudaSetDoubleForHost(double* value) { return cudaSetDoubleForDevice(value); }
// There is one device, which has no peer.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return api([&] {
    if (can == nullptr) return cudaErrorInvalidValue;
    return device != 0 || peer != 0 ? cudaErrorInvalidDevice : (*can = 0, cudaSuccess);
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return api([] { return cudaErrorInvalidDevice; });
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return api([] { return cudaErrorInvalidDevice; });
}
cudaError_t cudaDriverGetVersion(int* version) {
  return api([&] { return version == nullptr ? cudaErrorInvalidValue : (*version = CUDART_VERSION, cudaSuccess); });
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaDeviceSynchronize() {
  return api([] { return synchronized(); });
}
cudaError_t cudaDeviceReset() {
  const Call call;
  if (has_ended()) return last_error() = cudaErrorCudartUnloading;
  driver_initialised() = true;
  try {
    if (CUctx_st* const context = current_context_if_any()) context->reset();
  } catch (...) {
    exit_with_exception();
  }
  return last_error() = cudaSuccess;
}
// The limits are those of stacks, printf and malloc in kernels, which need compute capability 2.0.
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) {
  return api([] { return cudaErrorUnsupportedLimit; });
}
cudaError_t cudaDeviceGetLimit(size_t*, cudaLimit) {
  return api([] { return cudaErrorUnsupportedLimit; });
}
// The chip has no cache with a selectable size.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return api([] { return cudaSuccess; });
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return api(
      [&] { return config == nullptr ? cudaErrorInvalidValue : (*config = cudaFuncCachePreferNone, cudaSuccess); });
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return api([] { return cudaSuccess; });
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
cudaError_t cudaThreadSetLimit(cudaLimit which, size_t value) { return cudaDeviceSetLimit(which, value); }
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit which) { return cudaDeviceGetLimit(value, which); }
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) { return cudaDeviceGetCacheConfig(config); }

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return api([&] {
    if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
    *free = Device::current().free_bytes();
    *total = Device::current().config().device.memory_bytes;
    return cudaSuccess;
  });
}
}
