// SPDX-License-Identifier: Apache-2.0
// Pictures of the SDK's programs from CUDA 5 on; they are in helper_functions.h.
#pragma once
#define IMAGE_HELPER_H
#include "helper_functions.h"
