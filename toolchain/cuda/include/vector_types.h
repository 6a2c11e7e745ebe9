/* SPDX-License-Identifier: Apache-2.0
   The vector types: sizes and alignments are those of CUDA. */
#pragma once
#pragma GCC system_header
#define __VECTOR_TYPES_H__
#include "host_defines.h"

#define __G80_VECTORS__(name, type, align2, align4) \
  struct name##1 {                                  \
    type x;                                         \
  };                                                \
  struct __align__(align2) name##2 {                \
    type x, y;                                      \
  };                                                \
  struct name##3 {                                  \
    type x, y, z;                                   \
  };                                                \
  struct __align__(align4) name##4 {                \
    type x, y, z, w;                                \
  };                                                \
  typedef struct name##1 name##1;                   \
  typedef struct name##2 name##2;                   \
  typedef struct name##3 name##3;                   \
  typedef struct name##4 name##4

__G80_VECTORS__(char, signed char, 2, 4);
__G80_VECTORS__(uchar, unsigned char, 2, 4);
__G80_VECTORS__(short, short, 4, 8);
__G80_VECTORS__(ushort, unsigned short, 4, 8);
__G80_VECTORS__(int, int, 8, 16);
__G80_VECTORS__(uint, unsigned int, 8, 16);
__G80_VECTORS__(long, long, 16, 16);
__G80_VECTORS__(ulong, unsigned long, 16, 16);
__G80_VECTORS__(longlong, long long, 16, 16);
__G80_VECTORS__(ulonglong, unsigned long long, 16, 16);
__G80_VECTORS__(float, float, 8, 16);
__G80_VECTORS__(double, double, 16, 16);
#undef __G80_VECTORS__

/// Extents of a grid or a block; what is not given is 1.
struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ __G80_CONSTEXPR__ dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  __host__ __device__ __G80_CONSTEXPR__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ operator uint3() const {
    uint3 v;
    v.x = x, v.y = y, v.z = z;
    return v;
  }
#endif
};
typedef struct dim3 dim3;
