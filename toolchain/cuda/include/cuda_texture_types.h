/* SPDX-License-Identifier: Apache-2.0
   A name that some programs include for types; they are all in builtin_types.h. */
#pragma once
#pragma GCC system_header
#define __CUDA_TEXTURE_TYPES_H__
#include "builtin_types.h"
