/* SPDX-License-Identifier: Apache-2.0
   The built-in variables of a kernel. */
#pragma once
#pragma GCC system_header
#define __DEVICE_LAUNCH_PARAMETERS_H__
#ifdef __CUDACC__  // host files may include it, too
#include "vector_functions.h"

// Without lines of its own: what it becomes belongs to the line that asks.
#define __G80_BUILTIN__(name, getter)                   \
  __declspec(property(get = getter)) unsigned int name; \
  __device__ __forceinline__ __attribute__((nodebug))

struct __g80_thread_idx {
  __G80_BUILTIN__(x, get_x) unsigned int get_x() const { return __nvvm_read_ptx_sreg_tid_x(); }
  __G80_BUILTIN__(y, get_y) unsigned int get_y() const { return __nvvm_read_ptx_sreg_tid_y(); }
  __G80_BUILTIN__(z, get_z) unsigned int get_z() const { return __nvvm_read_ptx_sreg_tid_z(); }
  __device__ __forceinline__ __attribute__((nodebug)) operator uint3() const { return make_uint3(x, y, z); }
  __device__ __forceinline__ __attribute__((nodebug)) operator dim3() const { return dim3(x, y, z); }
};
struct __g80_block_dim {
  __G80_BUILTIN__(x, get_x) unsigned int get_x() const { return __nvvm_read_ptx_sreg_ntid_x(); }
  __G80_BUILTIN__(y, get_y) unsigned int get_y() const { return __nvvm_read_ptx_sreg_ntid_y(); }
  __G80_BUILTIN__(z, get_z) unsigned int get_z() const { return __nvvm_read_ptx_sreg_ntid_z(); }
  __device__ __forceinline__ __attribute__((nodebug)) operator uint3() const { return make_uint3(x, y, z); }
  __device__ __forceinline__ __attribute__((nodebug)) operator dim3() const { return dim3(x, y, z); }
};
// Grids of this generation have two dimensions: the third is 0 of 1.
struct __g80_block_idx {
  __G80_BUILTIN__(x, get_x) unsigned int get_x() const { return __nvvm_read_ptx_sreg_ctaid_x(); }
  __G80_BUILTIN__(y, get_y) unsigned int get_y() const { return __nvvm_read_ptx_sreg_ctaid_y(); }
  __G80_BUILTIN__(z, get_z) unsigned int get_z() const { return 0; }
  __device__ __forceinline__ __attribute__((nodebug)) operator uint3() const { return make_uint3(x, y, z); }
  __device__ __forceinline__ __attribute__((nodebug)) operator dim3() const { return dim3(x, y, z); }
};
struct __g80_grid_dim {
  __G80_BUILTIN__(x, get_x) unsigned int get_x() const { return __nvvm_read_ptx_sreg_nctaid_x(); }
  __G80_BUILTIN__(y, get_y) unsigned int get_y() const { return __nvvm_read_ptx_sreg_nctaid_y(); }
  __G80_BUILTIN__(z, get_z) unsigned int get_z() const { return 1; }
  __device__ __forceinline__ __attribute__((nodebug)) operator uint3() const { return make_uint3(x, y, z); }
  __device__ __forceinline__ __attribute__((nodebug)) operator dim3() const { return dim3(x, y, z); }
};
#undef __G80_BUILTIN__

extern const __device__ __attribute__((weak)) __g80_thread_idx threadIdx;
extern const __device__ __attribute__((weak)) __g80_block_dim blockDim;
extern const __device__ __attribute__((weak)) __g80_block_idx blockIdx;
extern const __device__ __attribute__((weak)) __g80_grid_dim gridDim;
static const int warpSize = 32;
#endif  // __CUDACC__
