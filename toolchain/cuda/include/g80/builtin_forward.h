// SPDX-License-Identifier: Apache-2.0
// Declares the functions of kernels whose names the C library has too. It must come before that library's headers: a
// name that is declared for the device first is not taken from there (libstdc++ would call itself for ever).
#pragma once
#pragma GCC system_header
#include "../host_defines.h"

#ifdef __CUDACC__
/// Double precision needs sm_13; below it is computed in single precision, as the compilers of the time did.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 130
#define __G80_HAS_DOUBLE__ 1
typedef double __g80_real;
#else
#define __G80_HAS_DOUBLE__ 0
typedef float __g80_real;
#endif

template <class T>
struct __g80_integer {};
template <class T>
struct __g80_number : __g80_integer<T> {};
#define __G80_IS__(what, type) \
  template <>                  \
  struct what<type> {          \
    typedef __g80_real real;   \
  };
__G80_IS__(__g80_integer, signed char)
__G80_IS__(__g80_integer, unsigned char)
__G80_IS__(__g80_integer, char)
__G80_IS__(__g80_integer, short)
__G80_IS__(__g80_integer, unsigned short)
__G80_IS__(__g80_integer, int)
__G80_IS__(__g80_integer, unsigned int)
__G80_IS__(__g80_integer, long)
__G80_IS__(__g80_integer, unsigned long)
__G80_IS__(__g80_integer, long long)
__G80_IS__(__g80_integer, unsigned long long)
__G80_IS__(__g80_number, float)
__G80_IS__(__g80_number, double)
#undef __G80_IS__
/// Two numbers are worked on as floats if one is a float and none a double.
template <class T, class U, class = typename __g80_number<T>::real, class = typename __g80_number<U>::real>
struct __g80_numbers {
  typedef __g80_real real;
};
template <class T>
struct __g80_numbers<T, float, typename __g80_integer<T>::real, __g80_real> {
  typedef float real;
};
template <class U>
struct __g80_numbers<float, U, __g80_real, typename __g80_integer<U>::real> {
  typedef float real;
};

#define G80_MATH1(name)                            \
  static inline __device__ float name##f(float x); \
  static inline __device__ float name(float x);    \
  static inline __device__ double name(double x);  \
  template <class T>                               \
  static inline __device__ typename __g80_integer<T>::real name(T x);
#define G80_MATH2(name)                                     \
  static inline __device__ float name##f(float x, float y); \
  static inline __device__ float name(float x, float y);    \
  static inline __device__ double name(double x, double y); \
  template <class T, class U>                               \
  static inline __device__ typename __g80_numbers<T, U>::real name(T x, U y);
#include "math_names.def"

static inline __device__ float ldexpf(float x, int e);
static inline __device__ float ldexp(float x, int e);
static inline __device__ double ldexp(double x, int e);
static inline __device__ float scalbnf(float x, int e);
static inline __device__ float scalbn(float x, int e);
static inline __device__ double scalbn(double x, int e);
static inline __device__ float scalblnf(float x, long e);
static inline __device__ float scalbln(float x, long e);
static inline __device__ double scalbln(double x, long e);
static inline __device__ float remquof(float x, float y, int* quotient);
static inline __device__ float remquo(float x, float y, int* quotient);
static inline __device__ double remquo(double x, double y, int* quotient);
static inline __device__ float nanf(const char* tag);
static inline __device__ double nan(const char* tag);
static inline __device__ float frexpf(float x, int* e);
static inline __device__ float frexp(float x, int* e);
static inline __device__ double frexp(double x, int* e);
static inline __device__ float modff(float x, float* whole);
static inline __device__ float modf(float x, float* whole);
static inline __device__ double modf(double x, double* whole);
static inline __device__ float fmaf(float x, float y, float z);
static inline __device__ float fma(float x, float y, float z);
static inline __device__ double fma(double x, double y, double z);
static inline __device__ int ilogbf(float x);
static inline __device__ int ilogb(float x);
static inline __device__ int ilogb(double x);
static inline __device__ long lrintf(float x);
static inline __device__ long lrint(float x);
static inline __device__ long lroundf(float x);
static inline __device__ long lround(float x);
static inline __device__ long long llrintf(float x);
static inline __device__ long long llrint(float x);
static inline __device__ long long llroundf(float x);
static inline __device__ long long llround(float x);
static inline __device__ float jnf(int n, float x);
static inline __device__ float jn(int n, float x);
static inline __device__ double jn(int n, double x);
static inline __device__ float ynf(int n, float x);
static inline __device__ float yn(int n, float x);
static inline __device__ double yn(int n, double x);
static inline __device__ void sincosf(float x, float* s, float* c);
static inline __device__ void sincos(float x, float* s, float* c);
static inline __device__ int abs(int x);
static inline __device__ long abs(long x);
static inline __device__ long long abs(long long x);
static inline __device__ float abs(float x);
static inline __device__ double abs(double x);
static inline __device__ long labs(long x);
static inline __device__ long long llabs(long long x);
static inline __device__ void* memcpy(void* to, const void* from, __SIZE_TYPE__ bytes);
static inline __device__ void* memset(void* to, int value, __SIZE_TYPE__ bytes);
static inline __device__ long clock();

#define __G80_NO_HOST_CALLS__(what) __attribute__((unavailable(what " in a kernel needs compute capability 2.0")))
// The same parameters as the host's: a better match would be taken in host code whose function clang does not name, as
// the body of a parallel region of OpenMP.
extern "C" __device__ __G80_NO_HOST_CALLS__("printf") int printf(const char*, ...);
__device__ void* malloc(__SIZE_TYPE__) __attribute__((error("malloc and new in a kernel need compute capability 2.0")));
__device__ void free(void*) __attribute__((error("free and delete in a kernel need compute capability 2.0")));
template <class T>
struct __g80_never {
  static const bool value = false;
};
template <class T, int dim = 1>
struct surface {
  _Static_assert(__g80_never<T>::value, "surfaces need compute capability 2.0");
};
static inline __device__ __G80_NO_HOST_CALLS__("assert") void __assert_fail(const char*, const char*, unsigned int,
                                                                            const char*) {}

namespace std {
#define G80_MATH1(name) using ::name;
#define G80_MATH2(name) using ::name;
#include "math_names.def"
using ::abs;
using ::fma;
using ::frexp;
using ::ilogb;
using ::labs;
using ::ldexp;
using ::llabs;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
using ::remquo;
using ::scalbln;
using ::scalbn;
}  // namespace std
#endif
