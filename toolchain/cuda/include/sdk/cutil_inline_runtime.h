// SPDX-License-Identifier: Apache-2.0
// A part of cutil_inline.h by itself.
#pragma once
#pragma GCC system_header
#define _CUTIL_INLINE_FUNCTIONS_RUNTIME_H_
#include "cutil_inline.h"
