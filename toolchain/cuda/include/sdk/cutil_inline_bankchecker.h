// SPDX-License-Identifier: Apache-2.0
// A part of cutil_inline.h by itself.
#pragma once
#pragma GCC system_header
#include "cutil_inline.h"
