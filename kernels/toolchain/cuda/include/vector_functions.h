// make_TYPE functions for hosts and kernels.
#pragma once
#include "vector_types.h"

#ifdef __cplusplus
#define __G80_VECTOR_OF__(type, ...) type{__VA_ARGS__}
#else
#define __G80_VECTOR_OF__(type, ...) ((struct type){__VA_ARGS__})
#endif
#define __G80_MAKE__(name, type)                                                                                               \
  __G80_HOST_DEVICE__ name##1 make_##name##1(type x) { return __G80_VECTOR_OF__(name##1, x); }                                 \
  __G80_HOST_DEVICE__ name##2 make_##name##2(type x, type y) { return __G80_VECTOR_OF__(name##2, x, y); }                      \
  __G80_HOST_DEVICE__ name##3 make_##name##3(type x, type y, type z) { return __G80_VECTOR_OF__(name##3, x, y, z); }           \
  __G80_HOST_DEVICE__ name##4 make_##name##4(type x, type y, type z, type w) { return __G80_VECTOR_OF__(name##4, x, y, z, w); }

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
