// The driver API's header. Programs of the runtime API include it by habit.
#pragma once
#define CUDA_VERSION 3020
#include "cuda_runtime_api.h"
