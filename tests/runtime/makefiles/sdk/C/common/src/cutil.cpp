// SPDX-License-Identifier: Apache-2.0
#include "cutil.h"

#include <string.h>

#include "bank_checker.h"

extern BankChecker checker;

CUTBoolean cutCheckCmdLineFlag(const int argc, const char** argv, const char* name) {
  checker.access();
  for (int i = 1; i < argc; ++i) {
    if (strstr(argv[i], name) != 0) return CUTTrue;
  }
  return CUTFalse;
}

const char* cutOfThisSdk() { return checker.accesses() == 1 ? "own cutil" : "other cutil"; }
