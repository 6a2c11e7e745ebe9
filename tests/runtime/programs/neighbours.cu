// Reads and writes past both ends of a buffer. On a chip another allocation lies there: granules of 256 bytes, side by side.
#include <cstdio>
#include <cstring>

__global__ void copy(const int* from, int* to) { to[threadIdx.x] = from[(int)threadIdx.x - 32]; }

int main(int argc, char** argv) {
  int *a, *b, *c, in[1024], out[64];
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4000);
  cudaMalloc(&c, 4096);
  for (int i = 0; i < 1024; ++i) in[i] = i;
  cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemset(b, 0x11, 4000);
  const int* from = b;
  if (argc > 1) from = strcmp(argv[1], "behind") == 0 ? b + 1000 : a;
  copy<<<1, 64>>>(from, c);
  const cudaError_t error = cudaMemcpy(out, c, sizeof out, cudaMemcpyDeviceToHost);
  printf("%s", cudaGetErrorString(error));
  if (error == cudaSuccess) printf(": %x, %x", out[0], out[32]);
  printf("\n");
}
