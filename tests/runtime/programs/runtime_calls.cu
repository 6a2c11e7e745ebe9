// Calls of the runtime that no other test makes: limits and caches, pinned memory, asynchronous copies, 3D memory, events and
// streams. Each does what its name says, or says that this chip does not have it.
#include <cstdio>
#include <cstring>
#include <vector>

static unsigned failures = 0;
#define EXPECT(condition) \
  do {                    \
    if (!(condition)) ++failures, std::printf("%d: %s does not hold\n", __LINE__, #condition); \
  } while (0)
#define OK(call) EXPECT((call) == cudaSuccess)

__constant__ int table[8];
__device__ int copied[8];
texture<int, 1> words;
__global__ void copy_table() { copied[threadIdx.x] = table[threadIdx.x]; }
__global__ void read_words(int* to) { to[threadIdx.x] = tex1Dfetch(words, threadIdx.x); }

static void device() {
  int number = -1, version = 0;
  cudaDeviceProp wanted = {};
  wanted.major = 1;
  OK(cudaChooseDevice(&number, &wanted));
  EXPECT(number == 0);
  OK(cudaSetValidDevices(&number, 1));
  OK(cudaDriverGetVersion(&version));
  EXPECT(version == CUDART_VERSION);
  OK(cudaRuntimeGetVersion(&version));
  EXPECT(version == CUDART_VERSION);
  std::size_t limit = 1;
  EXPECT(cudaDeviceGetLimit(&limit, cudaLimitStackSize) == cudaThreadGetLimit(&limit, cudaLimitStackSize));
  EXPECT(cudaThreadSetLimit(cudaLimitStackSize, 1024) == cudaErrorUnsupportedLimit);
  cudaFuncCache cache;
  OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  OK(cudaThreadSetCacheConfig(cudaFuncCachePreferShared));
  OK(cudaDeviceGetCacheConfig(&cache));
  OK(cudaThreadGetCacheConfig(&cache));
  OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte));
  double number_of_host = 1.5;
  OK(cudaSetDoubleForHost(&number_of_host));
  EXPECT(number_of_host == 1.5);
  EXPECT(cudaDeviceEnablePeerAccess(0, 0) != cudaSuccess && cudaDeviceDisablePeerAccess(0) != cudaSuccess);
  OK(cudaFuncSetCacheConfig((const void*)copy_table, cudaFuncCachePreferL1));
  OK(cudaFuncSetSharedMemConfig((const void*)copy_table, cudaSharedMemBankSizeFourByte));
  cudaGetLastError();  // what was refused is not the next test's
}

static void pinned_memory() {
  int *pinned = 0, *device_view = 0;
  unsigned flags = 99;
  OK(cudaHostAlloc((void**)&pinned, 64, cudaHostAllocPortable));
  OK(cudaHostGetFlags(&flags, pinned));
  EXPECT(flags == cudaHostAllocPortable);
  EXPECT(cudaHostGetDevicePointer((void**)&device_view, pinned, 0) == cudaErrorNotSupported);
  std::vector<int> own(16);
  EXPECT(cudaHostRegister(own.data(), 64, cudaHostRegisterDefault) == cudaHostUnregister(own.data()));
  cudaGetLastError();
  OK(cudaFreeHost(pinned));
}

static void copies() {
  cudaStream_t stream;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const int in[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  int out[8] = {0}, *a = 0;
  OK(cudaMalloc((void**)&a, sizeof in));
  OK(cudaMemcpyAsync(a, in, sizeof in, cudaMemcpyHostToDevice, stream));
  OK(cudaMemcpyAsync(out, a, sizeof in, cudaMemcpyDeviceToHost, stream));
  EXPECT(std::memcmp(in, out, sizeof in) == 0);
  OK(cudaMemsetAsync(a, 0x11, 16, stream));
  OK(cudaMemcpy2DAsync(out, 16, a, 16, 8, 2, cudaMemcpyDeviceToHost, stream));
  EXPECT(out[0] == 0x11111111 && out[1] == 0x11111111 && out[2] == 4 && out[4] == 5 && out[5] == 9);

  OK(cudaMemcpyToSymbolAsync(table, in, sizeof in, 0, cudaMemcpyHostToDevice, stream));
  copy_table<<<1, 8, 0, stream>>>();
  OK(cudaMemcpyFromSymbolAsync(out, copied, sizeof out, 0, cudaMemcpyDeviceToHost, stream));
  EXPECT(std::memcmp(in, out, sizeof in) == 0);

  // A texture by its symbol, as C programs bind it
  const textureReference* reference = 0;
  OK(cudaGetTextureReference(&reference, &words));
  EXPECT(reference == &words);
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
  OK(cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice));
  OK(cudaBindTexture(0, reference, a, &desc, sizeof in));
  int* fetched = 0;
  OK(cudaMalloc((void**)&fetched, sizeof in));
  read_words<<<1, 8>>>(fetched);
  OK(cudaMemcpy(out, fetched, sizeof out, cudaMemcpyDeviceToHost));
  EXPECT(std::memcmp(in, out, sizeof in) == 0);
  OK(cudaStreamDestroy(stream));
}

static void arrays_and_boxes() {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
  const int in[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  int out[12] = {0};
  cudaArray *first, *second;
  OK(cudaMallocArray(&first, &desc, 4, 3));
  OK(cudaMallocArray(&second, &desc, 4, 3));
  OK(cudaMemcpyToArrayAsync(first, 0, 0, in, sizeof in, cudaMemcpyHostToDevice));
  OK(cudaMemcpyArrayToArray(second, 0, 0, first, 0, 0, sizeof in));
  OK(cudaMemcpyFromArrayAsync(out, second, 0, 0, sizeof out, cudaMemcpyDeviceToHost));
  EXPECT(std::memcmp(in, out, sizeof in) == 0);
  OK(cudaMemcpy2DFromArray(out, 8, second, 4, 1, 8, 2, cudaMemcpyDeviceToHost));
  EXPECT(out[0] == 5 && out[1] == 6 && out[2] == 9 && out[3] == 10);
  // From the middle of a row to the middle of another one
  cudaArray* narrow;
  OK(cudaMallocArray(&narrow, &desc, 3, 4));
  OK(cudaMemcpyArrayToArray(narrow, 4, 0, first, 8, 0, 36));
  OK(cudaMemcpyFromArray(out, narrow, 4, 0, 36, cudaMemcpyDeviceToHost));
  EXPECT(std::memcmp(in + 2, out, 36) == 0);
  EXPECT(cudaMemcpyArrayToArray(narrow, 4, 0, first, 8, 1, 36) == cudaErrorInvalidValue);
  OK(cudaFreeArray(narrow));
  OK(cudaMemcpy2DArrayToArray(second, 8, 1, first, 4, 0, 8, 2));
  OK(cudaMemcpy2DToArrayAsync(second, 0, 1, in + 10, 4, 4, 2, cudaMemcpyHostToDevice, 0));
  OK(cudaMemcpy2DFromArrayAsync(out, 16, second, 0, 1, 16, 2, cudaMemcpyDeviceToHost));
  const int moved[8] = {10, 5, 1, 2, 11, 9, 5, 6};
  EXPECT(std::memcmp(out, moved, sizeof moved) == 0);
  EXPECT(cudaMemcpy2DArrayToArray(second, 12, 1, first, 4, 0, 8, 2) == cudaErrorInvalidValue);

  cudaPitchedPtr box;
  const cudaExtent extent = make_cudaExtent(8, 3, 2);  // bytes, rows, slices
  OK(cudaMalloc3D(&box, extent));
  OK(cudaMemset3D(box, 0x21, extent));
  OK(cudaMemset3DAsync(box, 0x22, extent));
  int rows[12];
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(rows, 8, 2, 3);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3DAsync(&copy));
  for (int value : rows) EXPECT(value == 0x22222222);
  OK(cudaFree(box.ptr));

  // Slices of one row each, with a gap behind each row
  cudaArray* slices;
  OK(cudaMalloc3DArray(&slices, &desc, make_cudaExtent(3, 1, 4)));
  cudaMemcpy3DParms upload = {};
  upload.srcPtr = make_cudaPitchedPtr((void*)in, 12, 3, 1);
  upload.dstArray = slices;
  upload.extent = make_cudaExtent(3, 1, 4);
  upload.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&upload));
  cudaMemcpy3DParms last = {};
  last.srcArray = slices;
  last.srcPos = make_cudaPos(0, 0, 3);
  last.dstPtr = make_cudaPitchedPtr(out, 12, 3, 1);
  last.extent = make_cudaExtent(3, 1, 1);
  last.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&last));
  EXPECT(out[0] == 9 && out[1] == 10 && out[2] == 11);
  OK(cudaFreeArray(slices));
  OK(cudaFreeArray(first));
  OK(cudaFreeArray(second));
}

static void events() {
  cudaStream_t stream;
  cudaEvent_t start, stop, untimed;
  float ms = -1;
  OK(cudaStreamCreate(&stream));
  OK(cudaEventCreate(&start));
  OK(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
  OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  OK(cudaEventRecord(start, stream));
  copy_table<<<1, 8, 0, stream>>>();
  OK(cudaEventRecord(stop, stream));
  OK(cudaEventRecord(untimed, stream));
  OK(cudaStreamWaitEvent(stream, stop, 0));
  EXPECT(cudaEventQuery(stop) == cudaErrorNotReady);
  OK(cudaEventSynchronize(stop));
  OK(cudaEventQuery(stop));
  OK(cudaEventElapsedTime(&ms, start, stop));
  EXPECT(ms >= 0);
  EXPECT(cudaEventElapsedTime(&ms, start, untimed) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  OK(cudaEventDestroy(start));
  OK(cudaEventDestroy(stop));
  OK(cudaEventDestroy(untimed));
  OK(cudaStreamDestroy(stream));
}

int main() {
  device();
  pinned_memory();
  copies();
  arrays_and_boxes();
  events();
  OK(cudaGetLastError());
  std::printf("%s\n", failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
