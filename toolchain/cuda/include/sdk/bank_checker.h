// SPDX-License-Identifier: Apache-2.0
// The bank checker of cutil; the macro is in cutil.h.
#pragma once
#pragma GCC system_header
#include "cutil.h"
