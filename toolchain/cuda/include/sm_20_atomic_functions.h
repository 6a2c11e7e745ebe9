/* SPDX-License-Identifier: Apache-2.0
   A name that some programs include for functions of kernels; those that this generation has are in front of every .cu
   file. */
#pragma once
#pragma GCC system_header
#define __SM_20_ATOMIC_FUNCTIONS_H__
#include "cuda_runtime.h"
