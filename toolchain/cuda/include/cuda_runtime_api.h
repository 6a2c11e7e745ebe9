/* SPDX-License-Identifier: Apache-2.0
   The runtime API. */
#pragma once
#pragma GCC system_header
#define __CUDA_RUNTIME_API_H__
#include <stddef.h>

#include "driver_types.h"
#include "host_defines.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"

#define CUDART_VERSION 3020

#ifdef __cplusplus
#define __dv(v) = v
extern "C" {
#else
#define __dv(v)
#endif

// Device
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* prop, int device);
cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* prop);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
/// Doubles of compute capability 1.0 were floats in the arguments of kernels, under nvcc 1.x; here they are doubles:
/// nothing to convert.
cudaError_t cudaSetDoubleForDevice(double* value);
cudaError_t cudaSetDoubleForHost(double* value);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);

// Errors
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);

// The device as a whole; the cudaThread names are the older ones
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaThreadGetLimit(size_t* value, enum cudaLimit limit);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache* config);

// Streams and events: everything happens in the order of the calls
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream __dv(0));
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
/// Modelled milliseconds between two events.
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end);

// Launches
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared __dv(0), cudaStream_t stream __dv(0));
cudaError_t cudaSetupArgument(const void* argument, size_t size, size_t offset);
cudaError_t cudaLaunch(const void* function);
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* function);
cudaError_t cudaFuncSetCacheConfig(const void* function, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void* function, enum cudaSharedMemConfig config);

// Memory
cudaError_t cudaMalloc(void** pointer, size_t size);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMallocHost(void** pointer, size_t size);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host);
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int flags __dv(1));
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr* pointer, struct cudaExtent extent);
cudaError_t cudaMallocArray(struct cudaArray** array, const struct cudaChannelFormatDesc* desc, size_t width,
                            size_t height __dv(0), unsigned int flags __dv(0));
cudaError_t cudaMalloc3DArray(struct cudaArray** array, const struct cudaChannelFormatDesc* desc,
                              struct cudaExtent extent, unsigned int flags __dv(0));
cudaError_t cudaFreeArray(struct cudaArray* array);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);

cudaError_t cudaMemcpy(void* to, const void* from, size_t count, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream __dv(0));
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* p);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* p, cudaStream_t stream __dv(0));
cudaError_t cudaMemcpyToArray(struct cudaArray* to, size_t x, size_t y, const void* from, size_t count,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(struct cudaArray* to, size_t x, size_t y, const void* from, size_t count,
                                   enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
cudaError_t cudaMemcpyFromArray(void* to, const struct cudaArray* from, size_t x, size_t y, size_t count,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArrayAsync(void* to, const struct cudaArray* from, size_t x, size_t y, size_t count,
                                     enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
cudaError_t cudaMemcpyArrayToArray(struct cudaArray* to, size_t to_x, size_t to_y, const struct cudaArray* from,
                                   size_t from_x, size_t from_y, size_t count,
                                   enum cudaMemcpyKind kind __dv(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpy2DToArray(struct cudaArray* to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, const struct cudaArray* from, size_t x, size_t y,
                                  size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(struct cudaArray* to, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream __dv(0));
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, const struct cudaArray* from, size_t x, size_t y,
                                       size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream __dv(0));
cudaError_t cudaMemcpy2DArrayToArray(struct cudaArray* to, size_t to_x, size_t to_y, const struct cudaArray* from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     enum cudaMemcpyKind kind __dv(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset __dv(0),
                               enum cudaMemcpyKind kind __dv(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset __dv(0),
                                 enum cudaMemcpyKind kind __dv(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
cudaError_t cudaMemset(void* pointer, int value, size_t count);
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream __dv(0));
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream __dv(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                              cudaStream_t stream __dv(0));
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol);
cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol);

// Textures
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* desc, const struct cudaArray* array);
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f);
cudaError_t cudaBindTexture(size_t* offset, const struct textureReference* texture, const void* pointer,
                            const struct cudaChannelFormatDesc* desc, size_t size __dv(0xffffffffu));
cudaError_t cudaBindTexture2D(size_t* offset, const struct textureReference* texture, const void* pointer,
                              const struct cudaChannelFormatDesc* desc, size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference* texture, const struct cudaArray* array,
                                   const struct cudaChannelFormatDesc* desc);
cudaError_t cudaUnbindTexture(const struct textureReference* texture);
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const struct textureReference* texture);
cudaError_t cudaGetTextureReference(const struct textureReference** texture, const void* symbol);

// Surfaces
__G80_NO_SURFACES__ cudaError_t cudaBindSurfaceToArray(const struct surfaceReference* surface,
                                                       const struct cudaArray* array,
                                                       const struct cudaChannelFormatDesc* desc);
__G80_NO_SURFACES__ cudaError_t cudaGetSurfaceReference(const struct surfaceReference** surface, const char* symbol);

// Graphics
__G80_NO_GRAPHICS__ cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
__G80_NO_GRAPHICS__ cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags);
__G80_NO_GRAPHICS__ cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t* resources,
                                                         cudaStream_t stream __dv(0));
__G80_NO_GRAPHICS__ cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t* resources,
                                                           cudaStream_t stream __dv(0));
__G80_NO_GRAPHICS__ cudaError_t cudaGraphicsResourceGetMappedPointer(void** pointer, size_t* size,
                                                                     cudaGraphicsResource_t resource);
__G80_NO_GRAPHICS__ cudaError_t cudaGraphicsSubResourceGetMappedArray(struct cudaArray** array,
                                                                      cudaGraphicsResource_t resource,
                                                                      unsigned int index, unsigned int level);

/// The address that stands for the kernel of this name, mangled or not; null if there is none.
const void* __g80KernelNamed(const char* name);

// What the compiler calls
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared __dv(0), void* stream __dv(0));
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream);

#ifdef __cplusplus
}
#endif
#undef __dv
