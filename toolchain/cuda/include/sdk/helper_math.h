// SPDX-License-Identifier: Apache-2.0
// Arithmetic on vector types for hosts and kernels, as the SDK's programs use it.
#pragma once
#define HELPER_MATH_H
#include <math.h>

#include <cuda_runtime.h>

#define __G80_VECTOR__ inline __host__ __device__

// What a function does to each component c, for the components of two, three and four.
#define __G80_EACH2(does, with) does(x, with), does(y, with)
#define __G80_EACH3(does, with) __G80_EACH2(does, with), does(z, with)
#define __G80_EACH4(does, with) __G80_EACH3(does, with), does(w, with)
#define __G80_VECTORS(one, scalar) one(2, scalar##2, scalar) one(3, scalar##3, scalar) one(4, scalar##4, scalar)

#define __G80_SAME(c, value) value
#define __G80_BROADCAST(n, vector, scalar) \
  __G80_VECTOR__ vector make_##vector(scalar s) { return make_##vector(__G80_EACH##n(__G80_SAME, s)); }
#define __G80_UINT_BROADCAST(n, vector, scalar) __G80_BROADCAST(n, vector, unsigned int)
__G80_VECTORS(__G80_BROADCAST, float)
__G80_VECTORS(__G80_BROADCAST, int)
__G80_VECTORS(__G80_UINT_BROADCAST, uint)
#define __G80_RESIZE(name, scalar)                                                                   \
  __G80_VECTOR__ name##2 make_##name##2(name##3 v) { return make_##name##2(v.x, v.y); }              \
  __G80_VECTOR__ name##3 make_##name##3(name##2 v) { return make_##name##3(v.x, v.y, 0); }           \
  __G80_VECTOR__ name##3 make_##name##3(name##2 v, scalar s) { return make_##name##3(v.x, v.y, s); } \
  __G80_VECTOR__ name##3 make_##name##3(name##4 v) { return make_##name##3(v.x, v.y, v.z); }         \
  __G80_VECTOR__ name##4 make_##name##4(name##3 v) { return make_##name##4(v.x, v.y, v.z, 0); }      \
  __G80_VECTOR__ name##4 make_##name##4(name##3 v, scalar s) { return make_##name##4(v.x, v.y, v.z, s); }
__G80_RESIZE(float, float)
__G80_RESIZE(int, int)
__G80_RESIZE(uint, unsigned int)
#define __G80_CAST(c, scalar) (scalar) v.c
#define __G80_CONVERT(n, to, from, scalar) \
  __G80_VECTOR__ to##n make_##to##n(from##n v) { return make_##to##n(__G80_EACH##n(__G80_CAST, scalar)); }
#define __G80_CONVERSION(to, from, scalar) \
  __G80_CONVERT(2, to, from, scalar) __G80_CONVERT(3, to, from, scalar) __G80_CONVERT(4, to, from, scalar)
__G80_CONVERSION(float, int, float)
__G80_CONVERSION(float, uint, float)
__G80_CONVERSION(int, float, int)
__G80_CONVERSION(int, uint, int)
__G80_CONVERSION(uint, int, unsigned int)

#define __G80_BOTH(c, op) a.c op b.c
#define __G80_LEFT(c, op) a.c op b
#define __G80_RIGHT(c, op) a op b.c
#define __G80_OPERATOR(n, vector, scalar, op)                                                                     \
  __G80_VECTOR__ vector operator op(vector a, vector b) { return make_##vector(__G80_EACH##n(__G80_BOTH, op)); }  \
  __G80_VECTOR__ vector operator op(vector a, scalar b) { return make_##vector(__G80_EACH##n(__G80_LEFT, op)); }  \
  __G80_VECTOR__ vector operator op(scalar a, vector b) { return make_##vector(__G80_EACH##n(__G80_RIGHT, op)); } \
  __G80_VECTOR__ void operator op##=(vector& a, vector b) { a = a op b; }                                         \
  __G80_VECTOR__ void operator op##=(vector& a, scalar b) { a = a op b; }
#define __G80_OPERATORS(n, vector, scalar) \
  __G80_OPERATOR(n, vector, scalar, +) __G80_OPERATOR(n, vector, scalar, -) __G80_OPERATOR(n, vector, scalar, *)
#define __G80_DIVISION(n, vector, scalar) __G80_OPERATOR(n, vector, scalar, /)
__G80_VECTORS(__G80_OPERATORS, float)
__G80_VECTORS(__G80_DIVISION, float)
__G80_VECTORS(__G80_OPERATORS, int)
#define __G80_UINT_OPERATORS(n, vector, scalar) __G80_OPERATORS(n, vector, unsigned int)
__G80_VECTORS(__G80_UINT_OPERATORS, uint)

#define __G80_NEGATIVE(c, value) -value.c
#define __G80_NEGATION(n, vector, scalar) \
  __G80_VECTOR__ vector operator-(vector a) { return make_##vector(__G80_EACH##n(__G80_NEGATIVE, a)); }
__G80_VECTORS(__G80_NEGATION, float)
__G80_VECTORS(__G80_NEGATION, int)

__G80_VECTOR__ float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__G80_VECTOR__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__G80_VECTOR__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__G80_VECTOR__ int dot(int2 a, int2 b) { return a.x * b.x + a.y * b.y; }
__G80_VECTOR__ int dot(int3 a, int3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__G80_VECTOR__ int dot(int4 a, int4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__G80_VECTOR__ unsigned int dot(uint2 a, uint2 b) { return a.x * b.x + a.y * b.y; }
__G80_VECTOR__ unsigned int dot(uint3 a, uint3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__G80_VECTOR__ unsigned int dot(uint4 a, uint4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

#if __cplusplus <= 201703L  // later it is the library's
__G80_VECTOR__ float lerp(float a, float b, float t) { return a + t * (b - a); }
#endif
__G80_VECTOR__ float clamp(float v, float low, float high) { return fmaxf(low, fminf(v, high)); }
__G80_VECTOR__ int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
__G80_VECTOR__ unsigned int clamp(unsigned int v, unsigned int low, unsigned int high) {
  return v < low ? low : v > high ? high : v;
}
__G80_VECTOR__ float smoothstep(float a, float b, float x) {
  const float t = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}
#define __G80_OF_TWO(c, f) f(a.c, b.c)
#define __G80_OF_ONE(c, f) f(v.c)
#define __G80_TO_SCALARS(c, f) f(v.c, low, high)
#define __G80_TO_VECTORS(c, f) f(v.c, low.c, high.c)
#define __G80_FLOAT_FUNCTIONS(n, vector, scalar)                                                                \
  __G80_VECTOR__ vector fminf(vector a, vector b) { return make_##vector(__G80_EACH##n(__G80_OF_TWO, fminf)); } \
  __G80_VECTOR__ vector fmaxf(vector a, vector b) { return make_##vector(__G80_EACH##n(__G80_OF_TWO, fmaxf)); } \
  __G80_VECTOR__ vector lerp(vector a, vector b, float t) { return a + t * (b - a); }                           \
  __G80_VECTOR__ vector clamp(vector v, float low, float high) {                                                \
    return make_##vector(__G80_EACH##n(__G80_TO_SCALARS, clamp));                                               \
  }                                                                                                             \
  __G80_VECTOR__ vector clamp(vector v, vector low, vector high) {                                              \
    return make_##vector(__G80_EACH##n(__G80_TO_VECTORS, clamp));                                               \
  }                                                                                                             \
  __G80_VECTOR__ float length(vector v) { return sqrtf(dot(v, v)); }                                            \
  __G80_VECTOR__ vector normalize(vector v) { return v * (1.0f / sqrtf(dot(v, v))); }                           \
  __G80_VECTOR__ vector floorf(vector v) { return make_##vector(__G80_EACH##n(__G80_OF_ONE, floorf)); }         \
  __G80_VECTOR__ vector fracf(vector v) { return v - floorf(v); }                                               \
  __G80_VECTOR__ vector fabs(vector v) { return make_##vector(__G80_EACH##n(__G80_OF_ONE, fabsf)); }
__G80_VECTORS(__G80_FLOAT_FUNCTIONS, float)

#define __G80_THE_ONE(c, order) (a.c order b.c ? a.c : b.c)
#define __G80_EXTREMES(n, vector, scalar)                                                                  \
  __G80_VECTOR__ vector min(vector a, vector b) { return make_##vector(__G80_EACH##n(__G80_THE_ONE, <)); } \
  __G80_VECTOR__ vector max(vector a, vector b) { return make_##vector(__G80_EACH##n(__G80_THE_ONE, >)); }
__G80_VECTORS(__G80_EXTREMES, int)
__G80_VECTORS(__G80_EXTREMES, uint)
__G80_VECTOR__ float fracf(float v) { return v - floorf(v); }
__G80_VECTOR__ float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }
__G80_VECTOR__ float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
#undef __G80_VECTOR__
