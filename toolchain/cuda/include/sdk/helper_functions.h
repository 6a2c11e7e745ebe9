// SPDX-License-Identifier: Apache-2.0
// Files, comparisons, timers and command lines of the SDK's programs from CUDA 5 on.
#pragma once
#define HELPER_FUNCTIONS_H
#include "cutil_compare.h"
#include "helper_string.h"
#include "helper_timer.h"

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

template <class T>
inline bool sdkReadFile(const char* name, T** data, unsigned int* count, bool verbose) {
  return __g80_read_numbers(name, data, count, verbose);
}
template <class T, class S>
inline bool sdkWriteFile(const char* name, const T* data, unsigned int count, const S epsilon, bool verbose,
                         bool append = false) {
  (void)verbose;
  (void)epsilon;
  return __g80_write_numbers(name, data, count, 0, append);
}
/// Grey values: 0 to 255 for bytes, 0 to 1 for floats.
template <class T>
struct __g80_grey {
  static double scale() { return 1; }
};
template <>
struct __g80_grey<float> {
  static double scale() { return 1.0 / 255; }
};
template <class T>
inline bool sdkLoadPGM(const char* name, T** data, unsigned int* w, unsigned int* h) {
  return __g80_load_picture(name, data, w, h, 1, __g80_grey<T>::scale());
}
template <class T>
inline bool sdkSavePGM(const char* name, T* data, unsigned int w, unsigned int h) {
  return __g80_save_picture(name, data, w, h, 1, 1 / __g80_grey<T>::scale());
}
template <class T>
inline bool sdkLoadPPM4(const char* name, T** data, unsigned int* w, unsigned int* h) {
  return __g80_load_picture(name, data, w, h, 4, 1);
}
inline bool sdkLoadPPM4ub(const char* name, unsigned char** data, unsigned int* w, unsigned int* h) {
  return sdkLoadPPM4(name, data, w, h);
}
inline bool sdkSavePPM4ub(const char* name, unsigned char* data, unsigned int w, unsigned int h) {
  return __g80_save_picture(name, data, w, h, 4, 1);
}
inline bool sdkComparePPM(const char* name, const char* reference, const float epsilon, const float threshold,
                          bool = false) {
  return __g80_compare_pictures(name, reference, epsilon, threshold);
}
inline bool sdkComparePGM(const char* name, const char* reference, const float epsilon, const float threshold,
                          bool = false) {
  return __g80_compare_pictures(name, reference, epsilon, threshold);
}

template <class T, class S>
inline bool compareData(const T* reference, const T* data, const unsigned int count, const S epsilon,
                        const float threshold) {
  return __g80_compare(reference, data, count, (double)epsilon, (double)threshold * count);
}
template <class T, class S>
inline bool compareDataAsFloatThreshold(const T* reference, const T* data, const unsigned int count, const S epsilon,
                                        const float threshold) {
  return compareData(reference, data, count, epsilon, threshold);
}
inline bool sdkCompareL2fe(const float* reference, const float* data, unsigned int count, float epsilon) {
  return __g80_compare_norm(reference, data, count, epsilon);
}
