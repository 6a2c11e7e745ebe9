// The cosine from four terms of its series; the divisions by 24 and 720 read their bounds and factors from memory.
#include "pointer.h"

// In the order of the binary's literals: the largest divisor that needs no scaling, the scale, both divisors scaled.
__constant__ float literals[4];

__device__ float divide(float x, float by, float scaled) {
  if (by > literals[0]) {
    x = __fmul_rn(x, literals[1]);
    by = scaled;
  }
  return __fmul_rn(x, __fdividef(1.0f, by));
}

extern "C" __global__ void fgp_cos_soft(unsigned out, unsigned in) {
  const int i = thread_index();
  const float x = pointer<float>(in)[i];
  const float square = x * x;
  const float fourth = __fmul_rn(x, __fmul_rn(x, square));
  const float sixth = __fmul_rn(x, __fmul_rn(x, fourth));
  const float start = __fadd_rn(1.0f, -__fmul_rn(square, 0.5f));
  const float third_term = __fadd_rn(divide(fourth, 24.0f, literals[2]), start);
  pointer<float>(out)[i] = __fadd_rn(third_term, -divide(sixth, 720.0f, literals[3]));
}
