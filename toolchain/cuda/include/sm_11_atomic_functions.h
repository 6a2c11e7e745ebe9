/* SPDX-License-Identifier: Apache-2.0
   Atomic operations on 32-bit words of global memory: compute capability 1.1. */
#pragma once
#pragma GCC system_header
#define __SM_11_ATOMIC_FUNCTIONS_H__
#ifdef __CUDACC__  // host files may include it, too
#include "host_defines.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 110
// Without line information: what goes wrong belongs to the line that calls.
#define __G80_ATOMIC__ __G80_DEVICE__ __attribute__((nodebug))
#else
#define __G80_ATOMIC__                                 \
  static inline __device__ __attribute__((unavailable( \
      "atomic operations need compute capability 1.1, in shared memory 1.2: " __G80_CHOOSE_ARCH__ "sm_11 or sm_12")))
#endif

#define __G80_ATOMICS__(type, as, min, max)                                                               \
  __G80_ATOMIC__ type atomicAdd(type* address, type value) {                                              \
    return (type)__nvvm_atom_add_gen_i((int*)address, (int)value);                                        \
  }                                                                                                       \
  __G80_ATOMIC__ type atomicSub(type* address, type value) {                                              \
    return (type)__nvvm_atom_add_gen_i((int*)address, -(int)value);                                       \
  }                                                                                                       \
  __G80_ATOMIC__ type atomicExch(type* address, type value) {                                             \
    return (type)__nvvm_atom_xchg_gen_i((int*)address, (int)value);                                       \
  }                                                                                                       \
  __G80_ATOMIC__ type atomicMin(type* address, type value) { return (type)min((as*)address, (as)value); } \
  __G80_ATOMIC__ type atomicMax(type* address, type value) { return (type)max((as*)address, (as)value); } \
  __G80_ATOMIC__ type atomicAnd(type* address, type value) {                                              \
    return (type)__nvvm_atom_and_gen_i((int*)address, (int)value);                                        \
  }                                                                                                       \
  __G80_ATOMIC__ type atomicOr(type* address, type value) {                                               \
    return (type)__nvvm_atom_or_gen_i((int*)address, (int)value);                                         \
  }                                                                                                       \
  __G80_ATOMIC__ type atomicXor(type* address, type value) {                                              \
    return (type)__nvvm_atom_xor_gen_i((int*)address, (int)value);                                        \
  }                                                                                                       \
  __G80_ATOMIC__ type atomicCAS(type* address, type compare, type value) {                                \
    return (type)__nvvm_atom_cas_gen_i((int*)address, (int)compare, (int)value);                          \
  }
__G80_ATOMICS__(int, int, __nvvm_atom_min_gen_i, __nvvm_atom_max_gen_i)
__G80_ATOMICS__(unsigned int, unsigned int, __nvvm_atom_min_gen_ui, __nvvm_atom_max_gen_ui)
#undef __G80_ATOMICS__
__G80_ATOMIC__ float atomicExch(float* address, float value) {
  return __builtin_bit_cast(float, __nvvm_atom_xchg_gen_i((int*)address, __builtin_bit_cast(int, value)));
}
__G80_ATOMIC__ unsigned int atomicInc(unsigned int* address, unsigned int limit) {
  return (unsigned int)__nvvm_atom_inc_gen_ui(address, limit);
}
__G80_ATOMIC__ unsigned int atomicDec(unsigned int* address, unsigned int limit) {
  return (unsigned int)__nvvm_atom_dec_gen_ui(address, limit);
}
#undef __G80_ATOMIC__
__G80_NEEDS__("atomicAdd of float needs compute capability 2.0") inline float atomicAdd(float*, float) { return 0; }
__G80_NEEDS__("atomicAdd of double needs compute capability 6.0") inline double atomicAdd(double*, double) { return 0; }
#define __G80_WIDE__(name)                                             \
  __G80_NEEDS__(#name " of 64-bit words needs compute capability 3.5") \
  inline unsigned long long name(unsigned long long*, unsigned long long) { return 0; }
__G80_WIDE__(atomicMin)
__G80_WIDE__(atomicMax)
__G80_WIDE__(atomicAnd)
__G80_WIDE__(atomicOr)
__G80_WIDE__(atomicXor)
#undef __G80_WIDE__
#endif  // __CUDACC__
