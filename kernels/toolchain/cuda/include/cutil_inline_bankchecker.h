// A part of cutil_inline.h by itself.
#pragma once
#include "cutil_inline.h"
