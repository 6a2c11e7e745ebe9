// SPDX-License-Identifier: Apache-2.0
// Not the toolkit's business: an SDK has a cutil of its own, with a library.
#ifndef _CUTIL_H_
#define _CUTIL_H_
enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };
extern "C" {
CUTBoolean cutCheckCmdLineFlag(const int argc, const char** argv, const char* name);
const char* cutOfThisSdk(void);
}
#define CUT_DEVICE_INIT(argc, argv) cudaSetDevice(cutCheckCmdLineFlag(argc, (const char**)(argv), "other") ? 1 : 0)
#endif
