// SPDX-License-Identifier: Apache-2.0
// cutil's checks of OpenGL: to include, not to call.
#pragma once
#pragma GCC system_header
#define _CUTIL_GL_ERROR_H_
#include "cutil.h"

__G80_NO_GRAPHICS__ inline CUTBoolean cutCheckErrorGL(const char*, const int) { return CUTFalse; }
