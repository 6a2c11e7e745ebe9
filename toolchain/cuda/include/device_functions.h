/* SPDX-License-Identifier: Apache-2.0
   Intrinsics: what one or a few machine instructions do. */
#pragma once
#pragma GCC system_header
#define __DEVICE_FUNCTIONS_H__
#ifdef __CUDACC__  // host files may include it, too
#include "device_types.h"
#include "g80/builtin_forward.h"
#include "vector_types.h"

// Barriers, fences, votes
__G80_DEVICE__ __attribute__((nodebug)) void __threadfence() { __nvvm_membar_gl(); }
__G80_DEVICE__ __attribute__((nodebug)) void __threadfence_block() { __nvvm_membar_cta(); }
static inline __device__ __attribute__((nodebug)) long clock() { return (long)(int)__nvvm_read_ptx_sreg_clock(); }

#define __G80_NO_20__ "this function needs compute capability 2.0"
__G80_NEEDS__(__G80_NO_20__) inline void __threadfence_system() {}
__G80_NEEDS__(__G80_NO_20__) inline unsigned int __ballot(int) { return 0; }
__G80_NEEDS__(__G80_NO_20__) inline int __syncthreads_count(int) { return 0; }
__G80_NEEDS__(__G80_NO_20__) inline int __syncthreads_and(int) { return 0; }
__G80_NEEDS__(__G80_NO_20__) inline int __syncthreads_or(int) { return 0; }
__G80_NEEDS__(__G80_NO_20__) inline unsigned int ballot(bool) { return 0; }
__G80_NEEDS__(__G80_NO_20__) inline int syncthreads_count(bool) { return 0; }
__G80_NEEDS__(__G80_NO_20__) inline bool syncthreads_and(bool) { return false; }
__G80_NEEDS__(__G80_NO_20__) inline bool syncthreads_or(bool) { return false; }
__G80_NEEDS__(__G80_NO_20__) inline long long clock64() { return 0; }
__G80_NEEDS__("shuffles need compute capability 3.0") inline int __shfl(int, int, int = 32) { return 0; }
__G80_NEEDS__("shuffles need compute capability 3.0") inline int __shfl_up(int, unsigned, int = 32) { return 0; }
__G80_NEEDS__("shuffles need compute capability 3.0") inline int __shfl_down(int, unsigned, int = 32) { return 0; }
__G80_NEEDS__("shuffles need compute capability 3.0") inline int __shfl_xor(int, int, int = 32) { return 0; }
__G80_NEEDS__("__ldg needs compute capability 3.5") inline int __ldg(const int*) { return 0; }
__G80_NEEDS__("__ldg needs compute capability 3.5") inline float __ldg(const float*) { return 0; }

// Integers
__G80_DEVICE__ int __mul24(int x, int y) {
  int r;
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  return r;
}
__G80_DEVICE__ unsigned int __umul24(unsigned int x, unsigned int y) {
  unsigned int r;
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  return r;
}
__G80_DEVICE__ int mul24(int x, int y) { return __mul24(x, y); }
__G80_DEVICE__ unsigned int umul24(unsigned int x, unsigned int y) { return __umul24(x, y); }
__G80_DEVICE__ int __mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
__G80_DEVICE__ unsigned int __umulhi(unsigned int x, unsigned int y) {
  return (unsigned int)(((unsigned long long)x * y) >> 32);
}
__G80_DEVICE__ int mulhi(int x, int y) { return __mulhi(x, y); }
__G80_DEVICE__ unsigned int mulhi(unsigned int x, unsigned int y) { return __umulhi(x, y); }
__G80_DEVICE__ unsigned int mulhi(int x, unsigned int y) { return __umulhi((unsigned int)x, y); }
__G80_DEVICE__ unsigned int mulhi(unsigned int x, int y) { return __umulhi(x, (unsigned int)y); }
__G80_DEVICE__ unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  const unsigned long long xl = (unsigned int)x, xh = x >> 32, yl = (unsigned int)y, yh = y >> 32;
  const unsigned long long low = xl * yl, middle = xh * yl + (low >> 32), cross = xl * yh + (unsigned int)middle;
  return xh * yh + (middle >> 32) + (cross >> 32);
}
__G80_DEVICE__ long long __mul64hi(long long x, long long y) {
  const unsigned long long high = __umul64hi((unsigned long long)x, (unsigned long long)y);
  return (long long)(high - (x < 0 ? (unsigned long long)y : 0) - (y < 0 ? (unsigned long long)x : 0));
}
__G80_DEVICE__ long long mul64hi(long long x, long long y) { return __mul64hi(x, y); }
__G80_DEVICE__ unsigned long long mul64hi(unsigned long long x, unsigned long long y) { return __umul64hi(x, y); }
__G80_DEVICE__ unsigned long long mul64hi(long long x, unsigned long long y) {
  return __umul64hi((unsigned long long)x, y);
}
__G80_DEVICE__ unsigned long long mul64hi(unsigned long long x, long long y) {
  return __umul64hi(x, (unsigned long long)y);
}
__G80_DEVICE__ unsigned int __sad(int x, int y, unsigned int z) {
  unsigned int r;
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
  return r;
}
__G80_DEVICE__ unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  unsigned int r;
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
  return r;
}
__G80_DEVICE__ int __hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
__G80_DEVICE__ int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
__G80_DEVICE__ unsigned int __uhadd(unsigned int x, unsigned int y) { return (x & y) + ((x ^ y) >> 1); }
__G80_DEVICE__ unsigned int __urhadd(unsigned int x, unsigned int y) { return (x | y) - ((x ^ y) >> 1); }

// The chip has no instruction for these: sums of bit fields, smears and swaps (Warren, Hacker's Delight, chapters 5 and
// 7)
__G80_DEVICE__ int __popc(unsigned int x) {
  x -= (x >> 1) & 0x55555555u;
  x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0fu;
  x += x >> 8;
  return (int)((x + (x >> 16)) & 0x3fu);
}
__G80_DEVICE__ int __popcll(unsigned long long x) { return __popc((unsigned int)x) + __popc((unsigned int)(x >> 32)); }
__G80_DEVICE__ int __clz(int value) {
  unsigned int x = (unsigned int)value;
  x |= x >> 1;
  x |= x >> 2;
  x |= x >> 4;
  x |= x >> 8;
  x |= x >> 16;
  return __popc(~x);
}
__G80_DEVICE__ int __clzll(long long x) {
  const int high = (int)((unsigned long long)x >> 32);
  return high != 0 ? __clz(high) : 32 + __clz((int)x);
}
__G80_DEVICE__ int __ffs(int x) { return 32 - __clz(x & -x); }
__G80_DEVICE__ int __ffsll(long long x) { return 64 - __clzll(x & -x); }
__G80_DEVICE__ unsigned int __brev(unsigned int x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
  return (x >> 16) | (x << 16);
}
__G80_DEVICE__ unsigned long long __brevll(unsigned long long x) {
  return ((unsigned long long)__brev((unsigned int)x) << 32) | __brev((unsigned int)(x >> 32));
}
__G80_DEVICE__ unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  const unsigned long long both = ((unsigned long long)y << 32) | x;
  unsigned int r = 0;
  for (int k = 0; k < 4; ++k) {
    const unsigned int selector = s >> (4 * k);
    unsigned int byte = (unsigned int)(both >> (8 * (selector & 7))) & 0xff;
    if (selector & 8) byte = byte & 0x80 ? 0xff : 0;
    r |= byte << (8 * k);
  }
  return r;
}

// Bits of numbers
__G80_DEVICE__ int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__G80_DEVICE__ float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__G80_DEVICE__ int float_as_int(float x) { return __float_as_int(x); }
__G80_DEVICE__ float int_as_float(int x) { return __int_as_float(x); }
__G80_DEVICE__ unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
__G80_DEVICE__ float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }

// Single precision operations with a rounding of their own. They are never fused.
#define __G80_ASM1__(type, in, name, instruction)    \
  __G80_DEVICE__ type name(type x) {                 \
    type r;                                          \
    asm(instruction " %0, %1;" : "=" in(r) : in(x)); \
    return r;                                        \
  }
#define __G80_ASM2__(type, in, name, instruction)               \
  __G80_DEVICE__ type name(type x, type y) {                    \
    type r;                                                     \
    asm(instruction " %0, %1, %2;" : "=" in(r) : in(x), in(y)); \
    return r;                                                   \
  }
#define __G80_ASM3__(type, in, name, instruction)                          \
  __G80_DEVICE__ type name(type x, type y, type z) {                       \
    type r;                                                                \
    asm(instruction " %0, %1, %2, %3;" : "=" in(r) : in(x), in(y), in(z)); \
    return r;                                                              \
  }
#define __G80_FLOAT1__(name, instruction) __G80_ASM1__(float, "f", name, instruction)
#define __G80_FLOAT2__(name, instruction) __G80_ASM2__(float, "f", name, instruction)
#define __G80_FLOAT3__(name, instruction) __G80_ASM3__(float, "f", name, instruction)
#define __G80_ROUNDED__(suffix, rounding)                   \
  __G80_FLOAT2__(__fadd_##suffix, "add." rounding ".f32")   \
  __G80_FLOAT2__(__fsub_##suffix, "sub." rounding ".f32")   \
  __G80_FLOAT2__(__fmul_##suffix, "mul." rounding ".f32")   \
  __G80_FLOAT2__(__fdiv_##suffix, "div." rounding ".f32")   \
  __G80_FLOAT1__(__frcp_##suffix, "rcp." rounding ".f32")   \
  __G80_FLOAT1__(__fsqrt_##suffix, "sqrt." rounding ".f32") \
  __G80_FLOAT3__(__fmaf_##suffix, "fma." rounding ".f32")
__G80_ROUNDED__(rn, "rn")
__G80_ROUNDED__(rz, "rz")
__G80_ROUNDED__(ru, "rp")
__G80_ROUNDED__(rd, "rm")
#undef __G80_ROUNDED__
__G80_FLOAT2__(__fdividef, "div.approx.f32")
__G80_DEVICE__ float fdividef(float x, float y) {
#ifdef __USE_FAST_MATH__
  return __fdividef(x, y);
#else
  float r;
  asm("div.full.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));  // as x / y, but clang does not compute it
  return r;
#endif
}
__G80_DEVICE__ double fdivide(double x, double y) {
#if __G80_HAS_DOUBLE__
  double r;
  asm("div.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(x), "d"(y));
  return r;
#else
  return x / y;
#endif
}

// The special functions of the chip, as they are
__G80_FLOAT1__(__g80_ex2, "ex2.approx.f32")
__G80_FLOAT1__(__log2f, "lg2.approx.f32")
__G80_FLOAT1__(__sinf, "sin.approx.f32")
__G80_FLOAT1__(__cosf, "cos.approx.f32")
__G80_FLOAT1__(__g80_rsqrt, "rsqrt.approx.f32")
__G80_FLOAT1__(__saturatef, "cvt.sat.f32.f32")
__G80_FLOAT1__(saturate, "cvt.sat.f32.f32")
__G80_DEVICE__ float __expf(float x) { return __g80_ex2(x * 1.44269504f); }
__G80_DEVICE__ float __exp10f(float x) { return __g80_ex2(x * 3.32192809f); }
__G80_DEVICE__ float __logf(float x) { return __log2f(x) * 0.69314718f; }
__G80_DEVICE__ float __log10f(float x) { return __log2f(x) * 0.30103000f; }
__G80_DEVICE__ float __powf(float x, float y) { return __g80_ex2(y * __log2f(x)); }
__G80_DEVICE__ float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
__G80_DEVICE__ void __sincosf(float x, float* s, float* c) {
  *s = __sinf(x);
  *c = __cosf(x);
}

// Conversions
#define __G80_CONVERSIONS__(from, to)                                                            \
  __G80_DEVICE__ int __float2int_##from(float x) { return __nvvm_f2i_##to(x); }                  \
  __G80_DEVICE__ unsigned int __float2uint_##from(float x) { return __nvvm_f2ui_##to(x); }       \
  __G80_DEVICE__ long long __float2ll_##from(float x) { return __nvvm_f2ll_##to(x); }            \
  __G80_DEVICE__ unsigned long long __float2ull_##from(float x) { return __nvvm_f2ull_##to(x); } \
  __G80_DEVICE__ float __int2float_##from(int x) { return __nvvm_i2f_##to(x); }                  \
  __G80_DEVICE__ float __uint2float_##from(unsigned int x) { return __nvvm_ui2f_##to(x); }       \
  __G80_DEVICE__ float __ll2float_##from(long long x) { return __nvvm_ll2f_##to(x); }            \
  __G80_DEVICE__ float __ull2float_##from(unsigned long long x) { return __nvvm_ull2f_##to(x); }
__G80_CONVERSIONS__(rn, rn)
__G80_CONVERSIONS__(rz, rz)
__G80_CONVERSIONS__(ru, rp)
__G80_CONVERSIONS__(rd, rm)
#undef __G80_CONVERSIONS__
/// f_rn, f_rz, f_ru or f_rd of x, as the mode says.
#define __G80_BY_MODE__(f, mode, ...)              \
  (mode == cudaRoundNearest  ? f##_rn(__VA_ARGS__) \
   : mode == cudaRoundZero   ? f##_rz(__VA_ARGS__) \
   : mode == cudaRoundPosInf ? f##_ru(__VA_ARGS__) \
                             : f##_rd(__VA_ARGS__))
__G80_DEVICE__ int float2int(float x, enum cudaRoundMode mode = cudaRoundZero) {
  return __G80_BY_MODE__(__float2int, mode, x);
}
__G80_DEVICE__ unsigned int float2uint(float x, enum cudaRoundMode mode = cudaRoundZero) {
  return __G80_BY_MODE__(__float2uint, mode, x);
}
__G80_DEVICE__ float int2float(int x, enum cudaRoundMode mode = cudaRoundNearest) {
  return __G80_BY_MODE__(__int2float, mode, x);
}
__G80_DEVICE__ float uint2float(unsigned int x, enum cudaRoundMode mode = cudaRoundNearest) {
  return __G80_BY_MODE__(__uint2float, mode, x);
}
__G80_DEVICE__ unsigned short __float2half_rn(float x) {
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
  return h;
}
__G80_DEVICE__ float __half2float(unsigned short h) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
  return x;
}

// Memory
static inline __device__ void* memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) {
  for (__SIZE_TYPE__ k = 0; k < bytes; ++k) ((volatile char*)to)[k] = ((const char*)from)[k];
  return to;
}
static inline __device__ void* memset(void* to, int value, __SIZE_TYPE__ bytes) {
  for (__SIZE_TYPE__ k = 0; k < bytes; ++k) ((volatile char*)to)[k] = (char)value;
  return to;
}

__G80_DEVICE__ void __trap() { asm volatile("trap;"); }
__G80_DEVICE__ void __brkpt(int = 0) { asm volatile("brkpt;"); }
// The number is part of the instruction. Eight counters are the program's, the profiler's prof_trigger_00 to _07; the
// others are the tool's.
__G80_DEVICE__ void __prof_trigger(int counter)
    __attribute__((always_inline,
                   diagnose_if(!__builtin_constant_p(counter), "__prof_trigger: the counter must be a constant",
                               "error"),
                   diagnose_if(counter<0 || counter> 7, "__prof_trigger: the counters are 0 to 7", "error"))) {
  asm volatile("pmevent %0;" ::"i"(counter));
}

// Names without underscores
__G80_DEVICE__ void syncthreads() { __syncthreads(); }
__G80_DEVICE__ void threadfence(bool global = true) { global ? __threadfence() : __threadfence_block(); }
__G80_DEVICE__ void trap() { __trap(); }
__G80_DEVICE__ void brkpt(int = 0) { __brkpt(); }
__G80_DEVICE__ void prof_trigger(int counter) {
  switch (counter) {
    case 0: __prof_trigger(0); break;
    case 1: __prof_trigger(1); break;
    case 2: __prof_trigger(2); break;
    case 3: __prof_trigger(3); break;
    case 4: __prof_trigger(4); break;
    case 5: __prof_trigger(5); break;
    case 6: __prof_trigger(6); break;
    case 7: __prof_trigger(7); break;
  }
}
#endif  // __CUDACC__
