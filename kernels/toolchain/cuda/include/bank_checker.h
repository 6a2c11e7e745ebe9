// The bank checker of cutil; the macro is in cutil.h.
#pragma once
#include "cutil.h"
