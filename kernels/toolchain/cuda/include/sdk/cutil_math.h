// Arithmetic on vector types by its older name.
#pragma once
#include "helper_math.h"
