// A name that some programs include for functions of kernels; those that this generation has are in front of every .cu file.
#pragma once
#include "cuda_runtime.h"
