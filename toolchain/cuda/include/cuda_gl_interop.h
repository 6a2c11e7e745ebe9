/* SPDX-License-Identifier: Apache-2.0
   OpenGL interoperability. A program may include it and declare what it wants: calling it is an error that says why
   not. */
#pragma once
#pragma GCC system_header
#define __CUDA_GL_INTEROP_H__
#include "cuda_runtime_api.h"
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#else
typedef unsigned int GLenum;
typedef unsigned int GLuint;
#endif

enum cudaGLMapFlags { cudaGLMapFlagsNone = 0, cudaGLMapFlagsReadOnly = 1, cudaGLMapFlagsWriteDiscard = 2 };

#ifdef __cplusplus
extern "C" {
#endif
__G80_NO_GRAPHICS__ cudaError_t cudaGLSetGLDevice(int device);
__G80_NO_GRAPHICS__ cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource** resource, GLuint buffer,
                                                             unsigned int flags);
__G80_NO_GRAPHICS__ cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource** resource, GLuint image,
                                                            GLenum target, unsigned int flags);
__G80_NO_GRAPHICS__ cudaError_t cudaGLRegisterBufferObject(GLuint buffer);
__G80_NO_GRAPHICS__ cudaError_t cudaGLMapBufferObject(void** pointer, GLuint buffer);
__G80_NO_GRAPHICS__ cudaError_t cudaGLMapBufferObjectAsync(void** pointer, GLuint buffer, cudaStream_t stream);
__G80_NO_GRAPHICS__ cudaError_t cudaGLUnmapBufferObject(GLuint buffer);
__G80_NO_GRAPHICS__ cudaError_t cudaGLUnmapBufferObjectAsync(GLuint buffer, cudaStream_t stream);
__G80_NO_GRAPHICS__ cudaError_t cudaGLUnregisterBufferObject(GLuint buffer);
__G80_NO_GRAPHICS__ cudaError_t cudaGLSetBufferObjectMapFlags(GLuint buffer, unsigned int flags);
#ifdef __cplusplus
}
#endif
