/* SPDX-License-Identifier: Apache-2.0
   OpenGL interoperability of the driver API: to include and to declare, not to call. */
#pragma once
#pragma GCC system_header
#define CUDAGL_H
#include "cuda.h"
#include "cuda_gl_interop.h"

typedef enum CUGLmap_flags_enum {
  CU_GL_MAP_RESOURCE_FLAGS_NONE = 0,
  CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY = 1,
  CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 2
} CUGLmap_flags;

#ifdef __cplusplus
extern "C" {
#endif
__G80_NO_GRAPHICS__ CUresult cuGLCtxCreate(CUcontext* context, unsigned int flags, CUdevice device);
__G80_NO_GRAPHICS__ CUresult cuGLInit(void);
__G80_NO_GRAPHICS__ CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource* resource, GLuint buffer,
                                                        unsigned int flags);
__G80_NO_GRAPHICS__ CUresult cuGraphicsGLRegisterImage(CUgraphicsResource* resource, GLuint image, GLenum target,
                                                       unsigned int flags);
__G80_NO_GRAPHICS__ CUresult cuGLRegisterBufferObject(GLuint buffer);
__G80_NO_GRAPHICS__ CUresult cuGLMapBufferObject(CUdeviceptr* address, size_t* size, GLuint buffer);
__G80_NO_GRAPHICS__ CUresult cuGLUnmapBufferObject(GLuint buffer);
__G80_NO_GRAPHICS__ CUresult cuGLUnregisterBufferObject(GLuint buffer);
__G80_NO_GRAPHICS__ CUresult cuGLSetBufferObjectMapFlags(GLuint buffer, unsigned int flags);
__G80_NO_GRAPHICS__ CUresult cuGLMapBufferObjectAsync(CUdeviceptr* address, size_t* size, GLuint buffer,
                                                      CUstream stream);
__G80_NO_GRAPHICS__ CUresult cuGLUnmapBufferObjectAsync(GLuint buffer, CUstream stream);
#ifdef __cplusplus
}
#endif
