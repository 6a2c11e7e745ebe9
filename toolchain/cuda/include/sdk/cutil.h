// SPDX-License-Identifier: Apache-2.0
// The utility library of the SDK of CUDA 1.x to 3.x.
#pragma once
#pragma GCC system_header
#define _CUTIL_H_
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime_api.h>
#include "cutil_arguments.h"
#include "cutil_compare.h"
#include "cutil_files.h"
#include "cutil_timer.h"

#ifndef DLL_MAPPING
#define DLL_MAPPING
#endif
#ifndef CUTIL_API
#define CUTIL_API
#endif

enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };
inline CUTBoolean __g80_cut(bool value) { return value ? CUTTrue : CUTFalse; }

// Timers
inline CUTBoolean cutCreateTimer(unsigned int* name) {
  unsigned int free = 1;
  while (__g80_timers().count(free) != 0) ++free;
  __g80_timers()[*name = free];
  return CUTTrue;
}
inline CUTBoolean cutDeleteTimer(unsigned int name) { return __g80_cut(__g80_timers().erase(name) != 0); }
inline CUTBoolean __g80_with_timer(unsigned int name, void (__g80_timer::*action)()) {
  const std::map<unsigned int, __g80_timer>::iterator timer = __g80_timers().find(name);
  if (timer == __g80_timers().end()) return CUTFalse;
  (timer->second.*action)();
  return CUTTrue;
}
inline CUTBoolean cutStartTimer(unsigned int name) { return __g80_with_timer(name, &__g80_timer::start); }
inline CUTBoolean cutStopTimer(unsigned int name) { return __g80_with_timer(name, &__g80_timer::stop); }
inline CUTBoolean cutResetTimer(unsigned int name) { return __g80_with_timer(name, &__g80_timer::reset); }
/// Milliseconds
inline float cutGetTimerValue(unsigned int name) {
  const std::map<unsigned int, __g80_timer>::iterator timer = __g80_timers().find(name);
  return timer == __g80_timers().end() ? -1.0f : (float)timer->second.now();
}
inline float cutGetAverageTimerValue(unsigned int name) {
  const std::map<unsigned int, __g80_timer>::iterator timer = __g80_timers().find(name);
  return timer == __g80_timers().end() ? -1.0f : (float)timer->second.average();
}

// Command lines
inline CUTBoolean cutCheckCmdLineFlag(int argc, const char** argv, const char* name) {
  return __g80_cut(__g80_argument(argc, argv, name) != 0);
}
inline CUTBoolean cutGetCmdLineArgumenti(int argc, const char** argv, const char* name, int* value) {
  return __g80_cut(__g80_argument_number(argc, argv, name, value));
}
inline CUTBoolean cutGetCmdLineArgumentf(int argc, const char** argv, const char* name, float* value) {
  return __g80_cut(__g80_argument_number(argc, argv, name, value));
}
inline CUTBoolean cutGetCmdLineArgumentstr(int argc, const char** argv, const char* name, char** value) {
  return __g80_cut(__g80_argument_text(argc, argv, name, value));
}

// Files
inline void cutFree(void* pointer) { free(pointer); }
inline char* cutFindFilePath(const char* name, const char* program) { return __g80_find_file(name, program); }
#define __G80_NUMBERS__(suffix, type)                                                                               \
  inline CUTBoolean cutReadFile##suffix(const char* name, type** data, unsigned int* count, bool verbose = false) { \
    return __g80_cut(__g80_read_numbers(name, data, count, verbose));                                               \
  }                                                                                                                 \
  inline CUTBoolean cutWriteFile##suffix(const char* name, const type* data, unsigned int count,                    \
                                         bool verbose = false) {                                                    \
    (void)verbose;                                                                                                  \
    return __g80_cut(__g80_write_numbers(name, data, count, 0, false));                                             \
  }
__G80_NUMBERS__(i, int)
__G80_NUMBERS__(ui, unsigned int)
__G80_NUMBERS__(b, char)
__G80_NUMBERS__(ub, unsigned char)
#undef __G80_NUMBERS__
#define __G80_FLOATS__(suffix, type)                                                                                \
  inline CUTBoolean cutReadFile##suffix(const char* name, type** data, unsigned int* count, bool verbose = false) { \
    return __g80_cut(__g80_read_numbers(name, data, count, verbose));                                               \
  }                                                                                                                 \
  inline CUTBoolean cutWriteFile##suffix(const char* name, const type* data, unsigned int count, type epsilon,      \
                                         bool verbose = false) {                                                    \
    (void)verbose;                                                                                                  \
    (void)epsilon;                                                                                                  \
    return __g80_cut(__g80_write_numbers(name, data, count, 0, false));                                             \
  }
__G80_FLOATS__(f, float)
__G80_FLOATS__(d, double)
#undef __G80_FLOATS__
#define __G80_PICTURES__(format, suffix, type, channels, load, save)                                                 \
  inline CUTBoolean cutLoad##format##suffix(const char* name, type** data, unsigned int* width,                      \
                                            unsigned int* height) {                                                  \
    return __g80_cut(__g80_load_picture(name, data, width, height, channels, load));                                 \
  }                                                                                                                  \
  inline CUTBoolean cutSave##format##suffix(const char* name, type* data, unsigned int width, unsigned int height) { \
    return __g80_cut(__g80_save_picture(name, data, width, height, channels, save));                                 \
  }
__G80_PICTURES__(PGM, ub, unsigned char, 1, 1, 1)
__G80_PICTURES__(PGM, i, unsigned int, 1, 1, 1)
__G80_PICTURES__(PGM, s, unsigned short, 1, 1, 1)
__G80_PICTURES__(PGM, f, float, 1, 1.0 / 255, 255)
__G80_PICTURES__(PPM, ub, unsigned char, 3, 1, 1)
__G80_PICTURES__(PPM, f, float, 3, 1.0 / 255, 255)
__G80_PICTURES__(PPM4, ub, unsigned char, 4, 1, 1)
#undef __G80_PICTURES__

// Comparisons
#define __G80_COMPARE__(suffix, type)                                                                       \
  inline CUTBoolean cutCompare##suffix(const type* reference, const type* data, const unsigned int count) { \
    return __g80_cut(__g80_compare(reference, data, count, 0));                                             \
  }
__G80_COMPARE__(f, float)
__G80_COMPARE__(i, int)
__G80_COMPARE__(ui, unsigned int)
__G80_COMPARE__(ub, unsigned char)
#undef __G80_COMPARE__
inline CUTBoolean cutComparefe(const float* reference, const float* data, const unsigned int count,
                               const float epsilon) {
  return __g80_cut(__g80_compare(reference, data, count, epsilon));
}
inline CUTBoolean cutComparefet(const float* reference, const float* data, const unsigned int count,
                                const float epsilon, const float threshold) {
  return __g80_cut(__g80_compare(reference, data, count, epsilon, (double)threshold * count));
}
inline CUTBoolean cutCompareube(const unsigned char* reference, const unsigned char* data, const unsigned int count,
                                const float epsilon) {
  return __g80_cut(__g80_compare(reference, data, count, epsilon));
}
inline CUTBoolean cutCompareubt(const unsigned char* reference, const unsigned char* data, const unsigned int count,
                                const float epsilon, const float threshold) {
  return __g80_cut(__g80_compare(reference, data, count, epsilon, (double)threshold * count));
}
inline CUTBoolean cutCompareuit(const unsigned int* reference, const unsigned int* data, const unsigned int count,
                                const float epsilon, const float threshold) {
  return __g80_cut(__g80_compare(reference, data, count, epsilon, (double)threshold * count));
}
inline CUTBoolean cutCompareL2fe(const float* reference, const float* data, const unsigned int count,
                                 const float epsilon) {
  return __g80_cut(__g80_compare_norm(reference, data, count, epsilon));
}
inline CUTBoolean cutComparePPM(const char* name, const char* reference, const float epsilon, const float threshold,
                                bool = false) {
  return __g80_cut(__g80_compare_pictures(name, reference, epsilon, threshold));
}
inline CUTBoolean cutComparePGM(const char* name, const char* reference, const float epsilon, const float threshold,
                                bool = false) {
  return __g80_cut(__g80_compare_pictures(name, reference, epsilon, threshold));
}
inline CUTBoolean cutCheckCondition(int value, const char* file, const int line) {
  if (value == 0) fprintf(stderr, "%s:%d: the condition does not hold\n", file, line);
  return __g80_cut(value != 0);
}

// Calls that end the program if they fail
inline void __g80_check(cudaError_t error, const char* what, const char* file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(error));
  exit(EXIT_FAILURE);
}
#define CUDA_SAFE_CALL_NO_SYNC(call) __g80_check((call), #call, __FILE__, __LINE__)
#define CUDA_SAFE_CALL(call)                                                  \
  do {                                                                        \
    CUDA_SAFE_CALL_NO_SYNC(call);                                             \
    __g80_check(cudaThreadSynchronize(), "after " #call, __FILE__, __LINE__); \
  } while (0)
#define CUDA_SAFE_THREAD_SYNC() __g80_check(cudaThreadSynchronize(), "cudaThreadSynchronize", __FILE__, __LINE__)
#define CUT_SAFE_CALL(call)                                                 \
  do {                                                                      \
    if (CUTTrue != (call)) {                                                \
      fprintf(stderr, "%s:%d: %s has failed\n", __FILE__, __LINE__, #call); \
      exit(EXIT_FAILURE);                                                   \
    }                                                                       \
  } while (0)
#define CUT_SAFE_MALLOC(call)                                                      \
  do {                                                                             \
    if (!(call)) {                                                                 \
      fprintf(stderr, "%s:%d: the host has no memory left\n", __FILE__, __LINE__); \
      exit(EXIT_FAILURE);                                                          \
    }                                                                              \
  } while (0)
#define CUT_CHECK_ERROR(message)                                       \
  do {                                                                 \
    __g80_check(cudaGetLastError(), message, __FILE__, __LINE__);      \
    __g80_check(cudaThreadSynchronize(), message, __FILE__, __LINE__); \
  } while (0)
#define CUDA_CHECK_CTX_LOST(message) CUT_CHECK_ERROR(message)
#define CUT_CHECK_ERROR_GL() ((void)0)
#define CUT_CONDITION(value)                                                         \
  do {                                                                               \
    if (cutCheckCondition(value, __FILE__, __LINE__) != CUTTrue) exit(EXIT_FAILURE); \
  } while (0)
/// The chip's bank conflicts are counted by the model: nothing is added to the access.
#define CUT_BANK_CHECKER(array, index) array[index]

inline void __g80_choose_device(int argc, char** argv) {
  int device = 0, count = 0;
  __g80_check(cudaGetDeviceCount(&count), "cudaGetDeviceCount", __FILE__, __LINE__);
  cutGetCmdLineArgumenti(argc, (const char**)argv, "device", &device);
  __g80_check(cudaSetDevice(device), "cudaSetDevice", __FILE__, __LINE__);
}
#define CUT_DEVICE_INIT(argc, argv) __g80_choose_device(argc, argv)
#define CUT_EXIT(argc, argv) exit(EXIT_SUCCESS)

// The same for programs of the driver API, which include cuda.h
#define CU_SAFE_CALL_NO_SYNC(call)                                                                 \
  do {                                                                                             \
    const CUresult g80_result = (call);                                                            \
    if (g80_result != CUDA_SUCCESS) {                                                              \
      fprintf(stderr, "%s:%d: %s: driver error %d\n", __FILE__, __LINE__, #call, (int)g80_result); \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)
#define CU_SAFE_CALL(call) CU_SAFE_CALL_NO_SYNC(call)
#define CU_SAFE_CTX_SYNC() CU_SAFE_CALL_NO_SYNC(cuCtxSynchronize())
#define CU_CHECK_CTX_LOST(message) CU_SAFE_CTX_SYNC()
#define CUT_DEVICE_INIT_DRV(device, argc, argv)      \
  do {                                               \
    CU_SAFE_CALL_NO_SYNC(cuInit(0));                 \
    CU_SAFE_CALL_NO_SYNC(cuDeviceGet(&(device), 0)); \
  } while (0)
