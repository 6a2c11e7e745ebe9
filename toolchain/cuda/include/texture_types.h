/* SPDX-License-Identifier: Apache-2.0
   Texture references. */
#pragma once
#pragma GCC system_header
#define __TEXTURE_TYPES_H__
#include "driver_types.h"

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03

enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };

struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
};

#ifdef __cplusplus
#include "channel_descriptor.h"

template <class T, int dim = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct
#ifdef __CUDACC__
    __attribute__((device_builtin_texture_type))
#endif
    texture : public textureReference {
#ifndef __CUDA_ARCH__
  texture(int normalized_ = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
          enum cudaTextureAddressMode address = cudaAddressModeClamp) {
    set(normalized_, filter, address, cudaCreateChannelDesc<T>());
  }
  texture(int normalized_, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
          struct cudaChannelFormatDesc desc) {
    set(normalized_, filter, address, desc);
  }

 private:
  void set(int normalized_, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
           struct cudaChannelFormatDesc desc) {
    normalized = normalized_;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = desc;
  }
#elif __cplusplus >= 201103L  // what a kernel reads comes from the host's object
  constexpr texture(int = 0, enum cudaTextureFilterMode = cudaFilterModePoint,
                    enum cudaTextureAddressMode = cudaAddressModeClamp)
      : textureReference() {}
  constexpr texture(int, enum cudaTextureFilterMode, enum cudaTextureAddressMode, struct cudaChannelFormatDesc)
      : textureReference() {}
#endif
};
#endif
