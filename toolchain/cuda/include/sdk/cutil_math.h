// SPDX-License-Identifier: Apache-2.0
// Arithmetic on vector types by its older name.
#pragma once
#define CUTIL_MATH_H
#include "helper_math.h"
