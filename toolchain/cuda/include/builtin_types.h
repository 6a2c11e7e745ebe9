/* SPDX-License-Identifier: Apache-2.0
   All types, under the name that CUDA 1.x to 3.x had for them together. */
#pragma once
#pragma GCC system_header
#define __BUILTIN_TYPES_H__
#include "device_types.h"
#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"
