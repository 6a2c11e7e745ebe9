/* SPDX-License-Identifier: Apache-2.0
   make_TYPE functions for hosts and kernels. */
#pragma once
#pragma GCC system_header
#define __VECTOR_FUNCTIONS_H__
#include "vector_types.h"

#define __G80_MAKE__(name, type)                                               \
  __G80_HOST_DEVICE__ name##1 make_##name##1(type x) {                         \
    name##1 v;                                                                 \
    v.x = x;                                                                   \
    return v;                                                                  \
  }                                                                            \
  __G80_HOST_DEVICE__ name##2 make_##name##2(type x, type y) {                 \
    name##2 v;                                                                 \
    v.x = x, v.y = y;                                                          \
    return v;                                                                  \
  }                                                                            \
  __G80_HOST_DEVICE__ name##3 make_##name##3(type x, type y, type z) {         \
    name##3 v;                                                                 \
    v.x = x, v.y = y, v.z = z;                                                 \
    return v;                                                                  \
  }                                                                            \
  __G80_HOST_DEVICE__ name##4 make_##name##4(type x, type y, type z, type w) { \
    name##4 v;                                                                 \
    v.x = x, v.y = y, v.z = z, v.w = w;                                        \
    return v;                                                                  \
  }

__G80_MAKE__(char, signed char)
__G80_MAKE__(uchar, unsigned char)
__G80_MAKE__(short, short)
__G80_MAKE__(ushort, unsigned short)
__G80_MAKE__(int, int)
__G80_MAKE__(uint, unsigned int)
__G80_MAKE__(long, long)
__G80_MAKE__(ulong, unsigned long)
__G80_MAKE__(longlong, long long)
__G80_MAKE__(ulonglong, unsigned long long)
__G80_MAKE__(float, float)
__G80_MAKE__(double, double)
#undef __G80_MAKE__
