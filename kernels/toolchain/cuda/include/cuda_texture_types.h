// A name that some programs include for types; they are all in builtin_types.h.
#pragma once
#include "builtin_types.h"
