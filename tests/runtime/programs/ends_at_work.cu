// Ends with work that nobody has waited for. Arguments: the work, how the program ends, a file that an asynchronous
// copy fills. A static object copies once more when it is destroyed; it and an exit handler launch once more, too.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

__global__ void fill(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }

const int kCount = 1024, kBytes = kCount * sizeof(int);
static int *device = 0, *other = 0;

static void launch_once_more(const char* who) {
  int word = 0;
  if (other == 0) return;
  fill<<<1, 64>>>(other, 7);
  const cudaError_t error = cudaMemcpy(&word, other, sizeof word, cudaMemcpyDeviceToHost);
  printf("%s %d %s\n", who, word, cudaGetErrorString(error));
}
static void at_exit() { launch_once_more("exit handler"); }

struct AtTheEnd {
  ~AtTheEnd() {
    int word = 0;
    if (device == 0) return;
    const cudaError_t error = cudaMemcpy(&word, device + kCount - 1, sizeof word, cudaMemcpyDeviceToHost);
    printf("last %d %s\n", word, cudaGetErrorString(error));
    launch_once_more("static object");
  }
} at_the_end;

int main(int argc, char** argv) {
  if (argc < 4) return 1;
  const char *work = argv[1], *end = argv[2];
  int first = 0;
  atexit(at_exit);
  cudaMalloc((void**)&device, kBytes);
  cudaMalloc((void**)&other, 256);
  fill<<<kCount / 64, 64>>>(device, 9);
  cudaMemcpy(&first, device, sizeof first, cudaMemcpyDeviceToHost);
  const int file = open(argv[3], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (ftruncate(file, kBytes) != 0) return 1;
  void* host = mmap(0, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  printf("done %d\n", first);
  if (strcmp(work, "launch") == 0) {
    fill<<<kCount / 64, 64>>>(device, 5);
  } else {
    fill<<<kCount / 64, 64, 0, stream>>>(device, 5);
  }
  if (strcmp(work, "copy") == 0) {
    cudaHostRegister(host, kBytes, 0);
    cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, stream);
  }
  if (strcmp(work, "event") == 0) cudaEventRecord(event, stream);
  if (strcmp(end, "exit") == 0) exit(0);
  if (strcmp(end, "throw") == 0) {
    fflush(stdout);
    throw std::runtime_error("nobody catches it");
  }
  return 0;
}
