/* SPDX-License-Identifier: Apache-2.0
   cudaCreateChannelDesc<T>(): the texel format of a type. */
#pragma once
#pragma GCC system_header
#define __CHANNEL_DESCRIPTOR_H__
#include "driver_types.h"

#ifdef __cplusplus
extern "C" struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f);

template <class T>
inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define __G80_CHANNEL__(type, x, y, z, w, kind)                                \
  template <>                                                                  \
  inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc<type>() { \
    return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind);     \
  }
#define __G80_CHANNELS__(name, bits, kind)         \
  __G80_CHANNEL__(name##1, bits, 0, 0, 0, kind)    \
  __G80_CHANNEL__(name##2, bits, bits, 0, 0, kind) \
  __G80_CHANNEL__(name##4, bits, bits, bits, bits, kind)
__G80_CHANNEL__(char, 8, 0, 0, 0, Signed)
__G80_CHANNEL__(signed char, 8, 0, 0, 0, Signed)
__G80_CHANNEL__(unsigned char, 8, 0, 0, 0, Unsigned)
__G80_CHANNEL__(short, 16, 0, 0, 0, Signed)
__G80_CHANNEL__(unsigned short, 16, 0, 0, 0, Unsigned)
__G80_CHANNEL__(int, 32, 0, 0, 0, Signed)
__G80_CHANNEL__(unsigned int, 32, 0, 0, 0, Unsigned)
__G80_CHANNEL__(float, 32, 0, 0, 0, Float)
__G80_CHANNELS__(char, 8, Signed)
__G80_CHANNELS__(uchar, 8, Unsigned)
__G80_CHANNELS__(short, 16, Signed)
__G80_CHANNELS__(ushort, 16, Unsigned)
__G80_CHANNELS__(int, 32, Signed)
__G80_CHANNELS__(uint, 32, Unsigned)
__G80_CHANNELS__(float, 32, Float)
#undef __G80_CHANNELS__
#undef __G80_CHANNEL__
inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
#endif
