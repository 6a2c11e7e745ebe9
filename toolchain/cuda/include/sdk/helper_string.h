// SPDX-License-Identifier: Apache-2.0
// Command lines of the SDK's programs from CUDA 5 on.
#pragma once
#define STRING_HELPER_H
#include "cutil_arguments.h"
#include "cutil_files.h"

inline bool checkCmdLineFlag(int argc, const char** argv, const char* name) {
  return __g80_argument(argc, argv, name) != 0;
}
inline int getCmdLineArgumentInt(int argc, const char** argv, const char* name) {
  const char* text = __g80_argument_value(argc, argv, name);
  return text != 0 ? atoi(text) : 0;
}
inline float getCmdLineArgumentFloat(int argc, const char** argv, const char* name) {
  const char* text = __g80_argument_value(argc, argv, name);
  return text != 0 ? (float)atof(text) : 0.0f;
}
inline bool getCmdLineArgumentString(int argc, const char** argv, const char* name, char** value) {
  const char* text = __g80_argument_value(argc, argv, name);
  *value = text != 0 ? strdup(text) : 0;
  return text != 0;
}
inline char* sdkFindFilePath(const char* name, const char* program) { return __g80_find_file(name, program); }
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
