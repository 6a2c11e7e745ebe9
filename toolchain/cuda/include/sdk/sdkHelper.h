// SPDX-License-Identifier: Apache-2.0
// Files, comparisons, timers and command lines under the name that CUDA 4.1 and 4.2 had for them. The programs of that
// time write checkCudaErrors, findCudaDevice and their like themselves.
#pragma once
#define SDK_HELPER_H
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime_api.h>
#include "helper_functions.h"
#include "sm_cores.h"
