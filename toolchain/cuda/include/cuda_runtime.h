/* SPDX-License-Identifier: Apache-2.0
   The runtime API with its C++ forms, and what kernels use. `g80 cc` includes it in front of every .cu file. */
#pragma once
#pragma GCC system_header
#define __CUDA_RUNTIME_H__
#include "g80/builtin_forward.h"
// That one comes first: it declares functions before the C library does.
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "vector_functions.h"

#if defined(__CUDA__) && !defined(__CUDA_ARCH__)
// Kernels of this file are registered before all static objects are constructed, because constructors may launch them.
// clang's own registration comes among them.
__asm__(".pushsection .init_array.00101,\"aw\",@init_array\n.p2align 3\n.quad __cuda_module_ctor\n.popsection");
#endif

#ifdef __cplusplus

// Pointers of any type
template <class T>
inline cudaError_t cudaMalloc(T** pointer, size_t size) {
  return ::cudaMalloc((void**)pointer, size);
}
template <class T>
inline cudaError_t cudaMallocHost(T** pointer, size_t size) {
  return ::cudaMallocHost((void**)pointer, size);
}
inline cudaError_t cudaMallocHost(void** pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(pointer, size, flags);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void**)pointer, size, flags);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)device, host, flags);
}
template <class T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t size, unsigned int flags = 1) {
  return ::cudaMallocManaged((void**)pointer, size, flags);
}
template <class T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)pointer, pitch, width, height);
}

// Variables: by themselves, or by their names
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t count, size_t offset = 0,
                                      enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void*)&symbol, from, count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t count, size_t offset = 0,
                                        enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, (const void*)&symbol, count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t count, size_t offset = 0,
                                           enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void*)&symbol, from, count, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t count, size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(to, (const void*)&symbol, count, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress(pointer, (const void*)&symbol);
}
template <class T, class U>
inline cudaError_t cudaGetSymbolAddress(U** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress((void**)pointer, (const void*)&symbol);
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return ::cudaGetSymbolSize(size, (const void*)&symbol);
}

// Textures
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, dim, mode>& tex, const void* pointer,
                                   const struct cudaChannelFormatDesc& desc, size_t size = 0xffffffffu) {
  return ::cudaBindTexture(offset, (const struct textureReference*)&tex, pointer, &desc, size);
}
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, dim, mode>& tex, const void* pointer,
                                   size_t size = 0xffffffffu) {
  return ::cudaBindTexture(offset, (const struct textureReference*)&tex, pointer, &tex.channelDesc, size);
}
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dim, mode>& tex, const void* pointer,
                                     const struct cudaChannelFormatDesc& desc, size_t width, size_t height,
                                     size_t pitch) {
  return ::cudaBindTexture2D(offset, (const struct textureReference*)&tex, pointer, &desc, width, height, pitch);
}
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dim, mode>& tex, const void* pointer,
                                     size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, (const struct textureReference*)&tex, pointer, &tex.channelDesc, width, height,
                             pitch);
}
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, dim, mode>& tex, const struct cudaArray* array,
                                          const struct cudaChannelFormatDesc& desc) {
  return ::cudaBindTextureToArray((const struct textureReference*)&tex, array, &desc);
}
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, dim, mode>& tex, const struct cudaArray* array) {
  return ::cudaBindTextureToArray((const struct textureReference*)&tex, array, &tex.channelDesc);
}
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const texture<T, dim, mode>& tex) {
  return ::cudaUnbindTexture((const struct textureReference*)&tex);
}
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const texture<T, dim, mode>& tex) {
  return ::cudaGetTextureAlignmentOffset(offset, (const struct textureReference*)&tex);
}

// Kernels, by themselves or by their names
inline cudaError_t cudaLaunch(const char* name) { return ::cudaLaunch(__g80KernelNamed(name)); }
inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const char* name) {
  return ::cudaFuncGetAttributes(attributes, __g80KernelNamed(name));
}
inline cudaError_t cudaFuncSetCacheConfig(const char* name, enum cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig(__g80KernelNamed(name), config);
}
template <class F>
inline cudaError_t cudaLaunch(F* function) {
  return ::cudaLaunch((const void*)function);
}
template <class T>
inline cudaError_t cudaSetupArgument(T argument, size_t offset) {
  return ::cudaSetupArgument(&argument, sizeof(T), offset);
}
template <class F>
inline cudaError_t cudaLaunchKernel(F* function, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                    cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void*)function, grid, block, arguments, shared, stream);
}
template <class F>
inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, F* function) {
  return ::cudaFuncGetAttributes(attributes, (const void*)function);
}
template <class F>
inline cudaError_t cudaFuncSetCacheConfig(F* function, enum cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void*)function, config);
}
#endif  // __cplusplus

#ifdef __CUDACC__
#include "device_functions.h"
#include "device_launch_parameters.h"
#include "math_functions.h"
#include "sm_11_atomic_functions.h"
#include "sm_12_atomic_functions.h"
#include "sm_13_double_functions.h"
#include "texture_fetch_functions.h"
#endif
// Programs that include only CUDA's headers rely on these.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
