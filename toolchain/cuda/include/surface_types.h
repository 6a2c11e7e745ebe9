/* SPDX-License-Identifier: Apache-2.0
   Types of surfaces, which need compute capability 2.0: to declare, not to use. */
#pragma once
#pragma GCC system_header
#define __SURFACE_TYPES_H__
#include "driver_types.h"

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };
enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };
struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};
