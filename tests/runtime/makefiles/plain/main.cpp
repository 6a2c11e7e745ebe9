// SPDX-License-Identifier: Apache-2.0
// Compiled by g++ with the toolkit's headers: both APIs, types of CUDA, the C++ forms of the runtime.
#include <cuda.h>
#include <cuda_runtime.h>

#include <iostream>
#include <vector>

#include "histogram.h"

int main() {
  const int n = 100;
  const int4 marks = make_int4(1, 4, 9, 16);
  int *values = 0, *bins = 0, version = 0;
  cuInit(0);
  cuDriverGetVersion(&version);
  std::vector<int> host(n), counted(kBins);
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&bins, kBins * sizeof(int));
  cudaMemcpy(values, &host[0], n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, kBins * sizeof(int));
  square(values, n);
  histogram(values, n, bins);
  cudaMemcpy(&counted[0], bins, kBins * sizeof(int), cudaMemcpyDeviceToHost);
  std::vector<int> wanted(kBins);
  for (int i = 0; i < n; ++i) ++wanted[i * i % kBins];
  std::cout << "release " << release() << ", driver " << version << ", "
            << (counted == wanted && marks.z == 9 ? "right" : "wrong") << "\n";
}
