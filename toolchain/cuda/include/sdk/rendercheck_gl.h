// SPDX-License-Identifier: Apache-2.0
// The SDK's comparison of what OpenGL has drawn: to include and to point to, not to make.
#pragma once
#pragma GCC system_header
#define _RENDERCHECK_GL_H_
#include <host_defines.h>

class CheckRender {
 public:
  __G80_NO_GRAPHICS__ CheckRender(...);
};
class CheckBackBuffer : public CheckRender {
 public:
  __G80_NO_GRAPHICS__ CheckBackBuffer(...);
};
class CheckFBO : public CheckRender {
 public:
  __G80_NO_GRAPHICS__ CheckFBO(...);
};
