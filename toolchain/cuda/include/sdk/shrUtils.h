// SPDX-License-Identifier: Apache-2.0
// The utilities that the SDK's CUDA and OpenCL programs of 3.x and 4.x share: log, command lines, files, comparisons.
#pragma once
#pragma GCC system_header
#define SHR_UTILS_H
#include <stdarg.h>

#include "cutil_arguments.h"
#include "cutil_compare.h"
#include "cutil_files.h"
#include "cutil_timer.h"
#include "shrQATest.h"
#include "sm_cores.h"

enum shrBOOL { shrFALSE = 0, shrTRUE = 1 };
inline shrBOOL __g80_shr(bool value) { return value ? shrTRUE : shrFALSE; }

// Where a line of the log goes; here all of it goes to standard output
enum LOGMODES {
  LOGCONSOLE = 1,
  LOGFILE = 2,
  LOGBOTH = 3,
  APPENDMODE = 4,
  MASTER = 8,
  ERRORMSG = 16,
  WAITMODE = 32,
  CLOSELOG = 64
};
#ifndef STDERROR
#define STDERROR "file %s, line %i\n\n"
#endif
#define HDASHLINE "-----------------------------------------------------------\n"
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef CLAMP
#define CLAMP(a, b, c) MIN(MAX(a, b), c)
#endif

inline void shrSetLogFileName(const char*) {}
inline int shrLogV(int, int code, const char* format, va_list arguments) {
  vprintf(format, arguments);
  fflush(stdout);
  return code;
}
inline int shrLog(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  shrLogV(LOGBOTH, 0, format, arguments);
  va_end(arguments);
  return 0;
}
inline int shrLogEx(int mode, int code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if ((mode & ERRORMSG) != 0) printf("error %d: ", code);
  if (format != 0) shrLogV(mode, code, format, arguments);
  va_end(arguments);
  return code;
}
#define shrEXIT(argc, argv) exit(EXIT_SUCCESS)
inline void shrCheckErrorEX(int value, int expected, void (*clean_up)(int)) {
  if (value == expected) return;
  fprintf(stderr, "error %d, expected was %d\n", value, expected);
  if (clean_up != 0)
    clean_up(EXIT_FAILURE);
  else
    exit(EXIT_FAILURE);
}
#define shrCheckError(value, expected) shrCheckErrorEX(value, expected, 0)

inline int ConvertSMVer2Cores(int major, int minor) { return _ConvertSMVer2Cores(major, minor); }

/// Seconds of modelled time since the previous call with the same counter (0 to 2).
inline double shrDeltaT(int counter) {
  static double last[3] = {0, 0, 0};
  if (counter < 0 || counter > 2) return -1;
  const double now = __g80ModelledMilliseconds() / 1000, delta = now - last[counter];
  last[counter] = now;
  return delta;
}
inline size_t shrRoundUp(int group, int global) { return (size_t)((global + group - 1) / group) * group; }
inline void shrFillArray(float* data, int count) {
  for (int i = 0; i < count; ++i) data[i] = (float)rand() / (float)RAND_MAX;
}

inline shrBOOL shrCheckCmdLineFlag(int argc, const char** argv, const char* name) {
  return __g80_shr(__g80_argument(argc, argv, name) != 0);
}
inline shrBOOL shrGetCmdLineArgumenti(int argc, const char** argv, const char* name, int* value) {
  return __g80_shr(__g80_argument_number(argc, argv, name, value));
}
inline shrBOOL shrGetCmdLineArgumentu(int argc, const char** argv, const char* name, unsigned int* value) {
  return __g80_shr(__g80_argument_number(argc, argv, name, value));
}
inline shrBOOL shrGetCmdLineArgumentf(int argc, const char** argv, const char* name, float* value) {
  return __g80_shr(__g80_argument_number(argc, argv, name, value));
}
inline shrBOOL shrGetCmdLineArgumentstr(int argc, const char** argv, const char* name, char** value) {
  return __g80_shr(__g80_argument_text(argc, argv, name, value));
}

inline char* shrFindFilePath(const char* name, const char* program) { return __g80_find_file(name, program); }
inline void shrFree(void* pointer) { free(pointer); }
#define __G80_SHR_NUMBERS__(suffix, type)                                                                        \
  inline shrBOOL shrReadFile##suffix(const char* name, type** data, unsigned int* count, bool verbose = false) { \
    return __g80_shr(__g80_read_numbers(name, data, count, verbose));                                            \
  }
__G80_SHR_NUMBERS__(i, int)
__G80_SHR_NUMBERS__(ui, unsigned int)
__G80_SHR_NUMBERS__(b, char)
__G80_SHR_NUMBERS__(ub, unsigned char)
__G80_SHR_NUMBERS__(f, float)
__G80_SHR_NUMBERS__(d, double)
#undef __G80_SHR_NUMBERS__
inline shrBOOL shrLoadPGMub(const char* name, unsigned char** data, unsigned int* w, unsigned int* h) {
  return __g80_shr(__g80_load_picture(name, data, w, h, 1, 1));
}
inline shrBOOL shrSavePGMub(const char* name, unsigned char* data, unsigned int w, unsigned int h) {
  return __g80_shr(__g80_save_picture(name, data, w, h, 1, 1));
}
inline shrBOOL shrLoadPPM4ub(const char* name, unsigned char** data, unsigned int* w, unsigned int* h) {
  return __g80_shr(__g80_load_picture(name, data, w, h, 4, 1));
}
inline shrBOOL shrSavePPM4ub(const char* name, unsigned char* data, unsigned int w, unsigned int h) {
  return __g80_shr(__g80_save_picture(name, data, w, h, 4, 1));
}

inline shrBOOL shrComparef(const float* reference, const float* data, unsigned int count) {
  return __g80_shr(__g80_compare(reference, data, count, 0));
}
inline shrBOOL shrComparei(const int* reference, const int* data, unsigned int count) {
  return __g80_shr(__g80_compare(reference, data, count, 0));
}
inline shrBOOL shrCompareub(const unsigned char* reference, const unsigned char* data, unsigned int count) {
  return __g80_shr(__g80_compare(reference, data, count, 0));
}
inline shrBOOL shrComparefe(const float* reference, const float* data, unsigned int count, float epsilon) {
  return __g80_shr(__g80_compare(reference, data, count, epsilon));
}
inline shrBOOL shrComparefet(const float* reference, const float* data, unsigned int count, float epsilon,
                             float threshold) {
  return __g80_shr(__g80_compare(reference, data, count, epsilon, (double)threshold * count));
}
inline shrBOOL shrCompareL2fe(const float* reference, const float* data, unsigned int count, float epsilon) {
  return __g80_shr(__g80_compare_norm(reference, data, count, epsilon));
}
