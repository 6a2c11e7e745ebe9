// Files, comparisons, timers and command lines under the name that CUDA 4.1 had for them.
#pragma once
#include "helper_cuda.h"
#include "helper_functions.h"
