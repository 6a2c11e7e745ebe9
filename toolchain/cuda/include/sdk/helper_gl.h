// SPDX-License-Identifier: Apache-2.0
// OpenGL helpers of the SDK's programs: to include, not to call.
#pragma once
#define HELPER_GL_H
#include <host_defines.h>

__G80_NO_GRAPHICS__ inline int isGLVersionSupported(unsigned int, unsigned int) { return 0; }
__G80_NO_GRAPHICS__ inline int areGLExtensionsSupported(const char*) { return 0; }
__G80_NO_GRAPHICS__ inline bool sdkCheckErrorGL(const char*, const int) { return false; }
#define SDK_CHECK_ERROR_GL() sdkCheckErrorGL(__FILE__, __LINE__)
