// SPDX-License-Identifier: Apache-2.0
// Comparisons of results with references, as the SDK's programs call them.
#pragma once
#pragma GCC system_header
#include <math.h>
#include <stdio.h>

/// True if |reference - data| <= epsilon in all but `tolerated` of `count` elements.
template <class T>
inline bool __g80_compare(const T* reference, const T* data, unsigned int count, double epsilon, double tolerated = 0) {
  unsigned int wrong = 0;
  for (unsigned int i = 0; i < count; ++i) {
    const double difference = (double)reference[i] - (double)data[i];
    wrong += !(difference <= epsilon && difference >= -epsilon);
  }
  if (wrong != 0) printf("%u of %u elements differ by more than %g\n", wrong, count, epsilon);
  return wrong <= tolerated;
}
/// True if the norm of the difference is at most epsilon times that of the reference.
template <class T>
inline bool __g80_compare_norm(const T* reference, const T* data, unsigned int count, double epsilon) {
  double error = 0, norm = 0;
  for (unsigned int i = 0; i < count; ++i) {
    const double difference = (double)reference[i] - (double)data[i];
    error += difference * difference;
    norm += (double)reference[i] * (double)reference[i];
  }
  if (norm == 0) return error == 0;
  const bool equal = sqrt(error) <= epsilon * sqrt(norm);
  if (!equal) printf("the relative error of %u elements is %g, more than %g\n", count, sqrt(error / norm), epsilon);
  return equal;
}
