// SPDX-License-Identifier: Apache-2.0
// A kernel in a file of C++: nvcc -x cu.
#include "histogram.h"

__global__ void square_each(int* values) { values[threadIdx.x] *= values[threadIdx.x]; }

void square(int* device, int n) { square_each<<<1, n>>>(device); }
