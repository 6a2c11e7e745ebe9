// Squares or doubles every element of a large array, in runs whose stride, offset and grouping decide how well the accesses
// coalesce and how warps diverge. Written as programs of 2008 were: cutil, a timer around the kernel.
// -DSTRIDE, -DOFFSET, -DGROUP_SIZE choose the trial; the first argument is the number of blocks of 32768 elements.
#include "stdafx.h"

#include <stdio.h>
#include <cuda.h>
#include <cutil.h>

#ifndef STRIDE
#define STRIDE 32
#endif
#ifndef OFFSET
#define OFFSET 0
#endif
#ifndef GROUP_SIZE
#define GROUP_SIZE 512
#endif

__global__ void square_array(float *a, int N)
{
  int per_thread = N / (gridDim.x * blockDim.x);
  int first = per_thread * blockIdx.x * blockDim.x
            + (threadIdx.x / STRIDE) * per_thread * STRIDE
            + ((threadIdx.x + OFFSET) % STRIDE);
  int end = first + per_thread * STRIDE;
  if (end > N) end = N;
  int odd_group = (threadIdx.x / GROUP_SIZE) & 1;
  for (int i = first; i < end; i += STRIDE)
  {
    if (!odd_group) a[i] = a[i] * a[i];
    else            a[i] = a[i] + a[i];
  }
}

int main(int argc, char **argv)
{
  float *a_h, *a_d;
  const int n_blocks = argc > 1 ? atoi(argv[1]) : 16;
  const int n_threads = 512;
  const int N = n_blocks * n_threads * 64;
  size_t size = N * sizeof(float);

  a_h = (float *)malloc(size);
  cudaMalloc((void **) &a_d, size);
  for (int i = 0; i < N; i++) a_h[i] = (float)i;
  cudaMemcpy(a_d, a_h, size, cudaMemcpyHostToDevice);

  unsigned int timer = 0;
  cutCreateTimer(&timer);
  cutStartTimer(timer);
  square_array <<< n_blocks, n_threads >>> (a_d, N);
  CUT_CHECK_ERROR("square_array");
  cutStopTimer(timer);

  cudaMemcpy(a_h, a_d, sizeof(float) * N, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i += N / 8) printf("%d %f\n", i, a_h[i]);
  printf("kernel: %f ms\n", cutGetTimerValue(timer));

  int wrong = 0, per_thread = N / (n_blocks * n_threads);
  for (int thread = 0; thread < n_threads; thread++)
    for (int i = 0; i < n_blocks * per_thread; i++)
    {
      int block = i / per_thread, in_block = (thread / STRIDE) * per_thread * STRIDE + ((thread + OFFSET) % STRIDE);
      int at = per_thread * block * n_threads + in_block + (i % per_thread) * STRIDE;
      float a = (float)at;
      if (at < N && a_h[at] != ((thread / GROUP_SIZE) & 1 ? a + a : a * a)) wrong++;
    }
  printf("%s\n", wrong ? "FAILED" : "PASSED");
  free(a_h); cudaFree(a_d);
  return wrong != 0;
}
