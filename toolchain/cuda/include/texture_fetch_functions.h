/* SPDX-License-Identifier: Apache-2.0
   Reading textures in kernels. */
#pragma once
#pragma GCC system_header
#define __TEXTURE_FETCH_FUNCTIONS_H__
#ifdef __CUDACC__  // host files may include it, too
#include "texture_types.h"
#include "vector_functions.h"

// What a texture's type is read as: four words of its element type, or floats if the mode normalises.
template <class T>
struct __g80_texel {
  _Static_assert(__g80_never<T>::value,
                 "the elements of a texture are 1, 2 or 4 numbers of 8, 16 or 32 bits; read a double as an int2");
  static const int channels = 1;
  static const char kind = 'f';
};
#define __G80_TEXEL__(type, word, letter, count) \
  template <>                                    \
  struct __g80_texel<type> {                     \
    static const int channels = count;           \
    static const char kind = letter;             \
  };
#define __G80_TEXELS__(name, scalar, word, letter) \
  __G80_TEXEL__(scalar, word, letter, 1)           \
  __G80_TEXEL__(name##1, word, letter, 1)          \
  __G80_TEXEL__(name##2, word, letter, 2)          \
  __G80_TEXEL__(name##4, word, letter, 4)
__G80_TEXELS__(char, signed char, int, 's')
__G80_TEXELS__(uchar, unsigned char, unsigned int, 'u')
__G80_TEXELS__(short, short, int, 's')
__G80_TEXELS__(ushort, unsigned short, unsigned int, 'u')
__G80_TEXELS__(int, int, int, 's')
__G80_TEXELS__(uint, unsigned int, unsigned int, 'u')
__G80_TEXELS__(float, float, float, 'f')
__G80_TEXEL__(char, int, 's', 1)
#undef __G80_TEXELS__
#undef __G80_TEXEL__
template <char kind>
struct __g80_words {};

// The instructions. The handle of a texture is its address; the machine knows the unit.
#define __G80_FETCH__(letter, word, vector, suffix, constraint)                                       \
  template <>                                                                                         \
  struct __g80_words<letter> {                                                                        \
    typedef vector type;                                                                              \
    static __device__ __forceinline__ vector fetch_linear(unsigned long long t, int x) {              \
      vector r;                                                                                       \
      asm("tex.1d.v4." suffix ".s32 {%0, %1, %2, %3}, [%4, {%5}];"                                    \
          : constraint(r.x), constraint(r.y), constraint(r.z), constraint(r.w)                        \
          : "l"(t), "r"(x));                                                                          \
      return r;                                                                                       \
    }                                                                                                 \
    static __device__ __forceinline__ vector fetch(unsigned long long t, float x) {                   \
      vector r;                                                                                       \
      asm("tex.1d.v4." suffix ".f32 {%0, %1, %2, %3}, [%4, {%5}];"                                    \
          : constraint(r.x), constraint(r.y), constraint(r.z), constraint(r.w)                        \
          : "l"(t), "f"(x));                                                                          \
      return r;                                                                                       \
    }                                                                                                 \
    static __device__ __forceinline__ vector fetch(unsigned long long t, float x, float y) {          \
      vector r;                                                                                       \
      asm("tex.2d.v4." suffix ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"                                \
          : constraint(r.x), constraint(r.y), constraint(r.z), constraint(r.w)                        \
          : "l"(t), "f"(x), "f"(y));                                                                  \
      return r;                                                                                       \
    }                                                                                                 \
    static __device__ __forceinline__ vector fetch(unsigned long long t, float x, float y, float z) { \
      vector r;                                                                                       \
      asm("tex.3d.v4." suffix ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"                        \
          : constraint(r.x), constraint(r.y), constraint(r.z), constraint(r.w)                        \
          : "l"(t), "f"(x), "f"(y), "f"(z));                                                          \
      return r;                                                                                       \
    }                                                                                                 \
  };
__G80_FETCH__('s', int, int4, "s32", "=r")
__G80_FETCH__('u', unsigned int, uint4, "u32", "=r")
__G80_FETCH__('f', float, float4, "f32", "=f")
#undef __G80_FETCH__

// From four words to the texture's type
template <class T, class W>
struct __g80_result {
  static __device__ __forceinline__ T make(W w) { return (T)w.x; }
};
#define __G80_RESULT__(name, type)                                                                       \
  template <class W>                                                                                     \
  struct __g80_result<name##1, W> {                                                                      \
    static __device__ __forceinline__ name##1 make(W w) { return make_##name##1((type)w.x); }            \
  };                                                                                                     \
  template <class W>                                                                                     \
  struct __g80_result<name##2, W> {                                                                      \
    static __device__ __forceinline__ name##2 make(W w) { return make_##name##2((type)w.x, (type)w.y); } \
  };                                                                                                     \
  template <class W>                                                                                     \
  struct __g80_result<name##4, W> {                                                                      \
    static __device__ __forceinline__ name##4 make(W w) {                                                \
      return make_##name##4((type)w.x, (type)w.y, (type)w.z, (type)w.w);                                 \
    }                                                                                                    \
  };
__G80_RESULT__(char, signed char)
__G80_RESULT__(uchar, unsigned char)
__G80_RESULT__(short, short)
__G80_RESULT__(ushort, unsigned short)
__G80_RESULT__(int, int)
__G80_RESULT__(uint, unsigned int)
__G80_RESULT__(float, float)
#undef __G80_RESULT__

template <class T, enum cudaTextureReadMode mode>
struct __g80_read {
  typedef T type; static const char kind = __g80_texel<T>::kind;
};
template <int channels>
struct __g80_floats {};
template <>
struct __g80_floats<1> {
  typedef float type;
};
template <>
struct __g80_floats<2> {
  typedef float2 type;
};
template <>
struct __g80_floats<4> {
  typedef float4 type;
};
template <class T>
struct __g80_read<T, cudaReadModeNormalizedFloat> {
  typedef typename __g80_floats<__g80_texel<T>::channels>::type type;
  static const char kind = 'f';
};

#define __G80_FRACTION1__(name)                             \
  template <>                                               \
  struct __g80_read<name##1, cudaReadModeNormalizedFloat> { \
    typedef float1 type;                                    \
    static const char kind = 'f';                           \
  };
__G80_FRACTION1__(char)
__G80_FRACTION1__(uchar)
__G80_FRACTION1__(short)
__G80_FRACTION1__(ushort)
#undef __G80_FRACTION1__

template <class Texture>
__G80_DEVICE__ unsigned long long __g80_handle(Texture t) {
  unsigned long long handle;
  asm("mov.b64 %0, %1;" : "=l"(handle) : "l"(t));
  return handle;
}
#define __G80_READ__(call)                              \
  typedef __g80_words<__g80_read<T, mode>::kind> words; \
  return __g80_result<typename __g80_read<T, mode>::type, typename words::type>::make(words::call)

template <class T, enum cudaTextureReadMode mode>
__G80_DEVICE__ typename __g80_read<T, mode>::type tex1Dfetch(texture<T, cudaTextureType1D, mode> t, int x) {
  __G80_READ__(fetch_linear(__g80_handle(t), x));
}
template <class T, enum cudaTextureReadMode mode>
__G80_DEVICE__ typename __g80_read<T, mode>::type tex1D(texture<T, cudaTextureType1D, mode> t, float x) {
  __G80_READ__(fetch(__g80_handle(t), x));
}
template <class T, enum cudaTextureReadMode mode>
__G80_DEVICE__ typename __g80_read<T, mode>::type tex2D(texture<T, cudaTextureType2D, mode> t, float x, float y) {
  __G80_READ__(fetch(__g80_handle(t), x, y));
}
template <class T, enum cudaTextureReadMode mode>
__G80_DEVICE__ typename __g80_read<T, mode>::type tex3D(texture<T, cudaTextureType3D, mode> t, float x, float y,
                                                        float z) {
  __G80_READ__(fetch(__g80_handle(t), x, y, z));
}
#undef __G80_READ__
#endif  // __CUDACC__
