// SPDX-License-Identifier: Apache-2.0
// The OpenGL side of helper_cuda.h: to include, not to call.
#pragma once
#define HELPER_CUDA_GL_H
#include <cuda_gl_interop.h>

__G80_NO_GRAPHICS__ inline int gpuGLDeviceInit(int, const char**) { return 0; }
__G80_NO_GRAPHICS__ inline int findCudaGLDevice(int, const char**) { return 0; }
