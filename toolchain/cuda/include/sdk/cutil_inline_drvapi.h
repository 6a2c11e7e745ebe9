// SPDX-License-Identifier: Apache-2.0
// cutil for programs of the driver API, from CUDA 2.2 on.
#pragma once
#pragma GCC system_header
#define _CUTIL_INLINE_FUNCTIONS_DRVAPI_H_
#include <cuda.h>
#include "cutil.h"

#define cutilDrvSafeCallNoSync(call) CU_SAFE_CALL_NO_SYNC(call)
#define cutilDrvSafeCall(call) CU_SAFE_CALL(call)
#define cutilDrvCtxSync() CU_SAFE_CALL_NO_SYNC(cuCtxSynchronize())

inline int cutilDrvGetMaxGflopsDeviceId() { return 0; }
inline int cutilDeviceInitDrv(int, char**) {
  CUdevice device = 0;
  CUT_DEVICE_INIT_DRV(device, 0, 0);
  return device;
}
inline void cutilDeviceInitDrv(int, int argc, char** argv) { cutilDeviceInitDrv(argc, argv); }
inline CUdevice cutilChooseCudaDeviceDrv(int argc, char** argv, int* device = 0) {
  const CUdevice chosen = cutilDeviceInitDrv(argc, argv);
  if (device != 0) *device = chosen;
  return chosen;
}
inline bool cutilDrvCudaDevCapabilities(int major, int minor, CUdevice device) {
  int has_major = 0, has_minor = 0;
  CU_SAFE_CALL_NO_SYNC(cuDeviceComputeCapability(&has_major, &has_minor, device));
  return has_major > major || (has_major == major && has_minor >= minor);
}
inline bool cutilDrvCudaCapabilities(int major, int minor) { return cutilDrvCudaDevCapabilities(major, minor, 0); }
