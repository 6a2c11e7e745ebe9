// SPDX-License-Identifier: Apache-2.0
// cutil's inline forms for OpenGL: to include, not to call.
#pragma once
#pragma GCC system_header
#define _CUTIL_GL_INLINE_H_
#include <cuda_gl_interop.h>
#include "cutil_gl_error.h"
#include "cutil_inline.h"

__G80_NO_GRAPHICS__ inline int cutilGLDeviceInit(int, char**) { return 0; }
__G80_NO_GRAPHICS__ inline void cutilChooseCudaGLDevice(int, char**) {}
