// SPDX-License-Identifier: Apache-2.0
// How the SDK's programs of CUDA 3.x and 4.x begin and end.
#pragma once
#pragma GCC system_header
#define SHR_QATEST_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum eQAstatus { QA_FAILED = 0, QA_PASSED = 1, QA_WAIVED = 2 };

inline const char* __g80_program_name(char** argv) {
  const char* slash = argv != 0 && argv[0] != 0 ? strrchr(argv[0], '/') : 0;
  return slash != 0 ? slash + 1 : argv != 0 && argv[0] != 0 ? argv[0] : "program";
}
inline const char* __g80_status_name(int status) {
  return status == QA_PASSED ? "PASSED" : status == QA_FAILED ? "FAILED" : "WAIVED";
}
inline int __g80_status_code(int status) { return status == QA_FAILED ? EXIT_FAILURE : EXIT_SUCCESS; }

inline void shrQAStart(int, char** argv) { printf("[%s] starting...\n\n", __g80_program_name(argv)); }
inline void shrQAFinish(int, const char** argv, int status) {
  printf("[%s] test results...\n%s\n", __g80_program_name((char**)argv), __g80_status_name(status));
}
inline void shrQAFinish2(bool, int argc, const char** argv, int status) { shrQAFinish(argc, argv, status); }
inline void shrQAFinishExit(int argc, const char** argv, int status) {
  shrQAFinish(argc, argv, status);
  exit(__g80_status_code(status));
}
inline void shrQAFinishExit2(bool, int argc, const char** argv, int status) { shrQAFinishExit(argc, argv, status); }
