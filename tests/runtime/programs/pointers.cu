// Initial values that are addresses: variables that point to others, tables of pointers, nodes of a list, a pointer that only
// the host asks for. The loader fills them in.
#include <cstdio>

struct Node {
  int value;
  const Node* next;
};
__device__ int x = 41;
__device__ int row[4] = {1, 2, 3, 4};
__device__ int* p = &x;
__device__ int* middle = row + 2;
__device__ int** pp = &p;
__constant__ int* table[3] = {row, &row[3], &x};
__device__ const Node second = {20, 0};
__device__ const Node first = {10, &second};
__device__ float* unused_by_kernels = 0;
__device__ int** for_the_host = &middle;

__global__ void follow(int* out) {
  out[0] = *p;
  out[1] = middle[-1] * 10 + *middle;
  out[2] = **pp;
  out[3] = *table[0] * 100 + *table[1] * 10 + (table[2] == p);
  out[4] = first.value * 100 + first.next->value;
  for (int k = 0; k < 3; ++k) out[5 + k] = *table[(threadIdx.x + k) % 3];
  *p += 1;
}

int main() {
  const int want[9] = {41, 23, 41, 141, 1020, 1, 4, 41, 42};
  int got[9] = {0}, *out = 0, **host = 0, *pointer = 0;
  cudaMalloc((void**)&out, sizeof got);
  follow<<<1, 1>>>(out);
  cudaMemcpy(got, out, 8 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&got[8], x, sizeof(int));
  int wrong = 0;
  for (int k = 0; k < 9; ++k) {
    if (got[k] != want[k]) ++wrong, std::printf("%d is %d, not %d\n", k, got[k], want[k]);
  }
  // The address that the host reads is that of the variable.
  void* address = 0;
  cudaGetSymbolAddress(&address, middle);
  cudaMemcpyFromSymbol(&host, for_the_host, sizeof host);
  if ((void*)host != address) ++wrong, std::printf("for_the_host is %p, not %p\n", (void*)host, address);
  cudaMemcpyFromSymbol(&pointer, unused_by_kernels, sizeof pointer);
  if (pointer != 0 || cudaGetLastError() != cudaSuccess) ++wrong;
  std::printf("%s\n", wrong == 0 ? "PASSED" : "FAILED");
  return wrong != 0;
}
