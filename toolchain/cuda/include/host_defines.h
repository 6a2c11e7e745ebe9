/* SPDX-License-Identifier: Apache-2.0
   Qualifiers of CUDA C as attributes of the compiler. */
#pragma once
#pragma GCC system_header
#define __HOST_DEFINES_H__

#if defined(__CUDA__) && !defined(__CUDACC__)
#define __CUDACC__ 1
#endif

// How the user chooses another architecture: each command has its own option.
#ifndef __G80_CHOOSE_ARCH__
#define __G80_CHOOSE_ARCH__ "compile with -arch="
#endif

#ifdef __CUDACC__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((unavailable("managed memory needs compute capability 3.0")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __noinline__ __attribute__((noinline))
#else  // a host compiler that does not know them
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __thread__ __thread
#define __no_return__ __attribute__((noreturn))
#define __import__
#define __export__
#define __cdecl
#define CUDARTAPI
#define CUDAAPI
#ifndef __restrict__
#define __restrict__ __restrict
#endif

#if defined(__cplusplus) && __cplusplus >= 201103L
#define __G80_CONSTEXPR__ constexpr
#else
#define __G80_CONSTEXPR__
#endif

/// Of functions that may be declared but not called: a call is an error that says why.
#define __G80_NO_GRAPHICS__ \
  __attribute__((           \
      unavailable("graphics interoperability is not part of g80: the modelled machine computes and has no display")))

#define __G80_ABSENT__(why) __attribute__((unavailable(why)))
#define __G80_NO_SURFACES__ __G80_ABSENT__("surfaces need compute capability 2.0")

// What the headers of this folder declare for kernels.
#define __G80_DEVICE__ static __device__ __forceinline__
#define __G80_HOST_DEVICE__ static __host__ __device__ __forceinline__
// Names that exist on later chips only: using one is an error that says so.
#define __G80_NEEDS__(what) static __device__ __attribute__((unavailable(what)))
