/* SPDX-License-Identifier: Apache-2.0
   Atomic operations on 64-bit words, and votes: compute capability 1.2. (Atomic operations on shared memory need it,
   too; the compiler says so where an address is one of shared memory.) */
#pragma once
#pragma GCC system_header
#define __SM_12_ATOMIC_FUNCTIONS_H__
#ifdef __CUDACC__  // host files may include it, too
#include "host_defines.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 120
#define __G80_SM_12__(what) __G80_DEVICE__ __attribute__((nodebug))
#else
#define __G80_SM_12__(what) \
  static inline __device__  \
      __attribute__((unavailable(what " need compute capability 1.2: " __G80_CHOOSE_ARCH__ "sm_12 or sm_13")))
#endif

__G80_SM_12__("64-bit atomic operations")
unsigned long long atomicAdd(unsigned long long* address, unsigned long long value) {
  return (unsigned long long)__nvvm_atom_add_gen_ll((long long*)address, (long long)value);
}
__G80_SM_12__("64-bit atomic operations")
unsigned long long atomicExch(unsigned long long* address, unsigned long long value) {
  return (unsigned long long)__nvvm_atom_xchg_gen_ll((long long*)address, (long long)value);
}
__G80_SM_12__("64-bit atomic operations")
unsigned long long atomicCAS(unsigned long long* address, unsigned long long compare, unsigned long long value) {
  return (unsigned long long)__nvvm_atom_cas_gen_ll((long long*)address, (long long)compare, (long long)value);
}
// clang selects its own votes for sm_30 and up only.
__G80_SM_12__("votes") int __any(int predicate) {
  int result;
  asm volatile("{ .reg .pred one, some; setp.ne.s32 one, %1, 0; vote.any.pred some, one; selp.s32 %0, 1, 0, some; }"
               : "=r"(result)
               : "r"(predicate));
  return result;
}
__G80_SM_12__("votes") int __all(int predicate) {
  int result;
  asm volatile("{ .reg .pred one, every; setp.ne.s32 one, %1, 0; vote.all.pred every, one; selp.s32 %0, 1, 0, every; }"
               : "=r"(result)
               : "r"(predicate));
  return result;
}
#ifndef CUDA_NO_SM_12_ATOMIC_INTRINSICS  // nvcc defines it below sm_12, where a program may use these names itself
__G80_SM_12__("votes") bool any(bool predicate) { return __any(predicate) != 0; }
__G80_SM_12__("votes") bool all(bool predicate) { return __all(predicate) != 0; }
#endif
#undef __G80_SM_12__
#endif  // __CUDACC__
