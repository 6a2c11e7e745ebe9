// SPDX-License-Identifier: Apache-2.0
const int kBins = 32;
const char* release();
void histogram(const int* device, int n, int* bins);
void square(int* device, int n);
