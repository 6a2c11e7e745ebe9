// The utility libraries of the SDK as its programs use them: cutil with its macros, and the helper headers that came after it.
// The first argument is a folder for files.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <cutil_inline.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <shrUtils.h>

static unsigned failures = 0;
#define EXPECT(condition) \
  do {                    \
    if (!(condition)) ++failures, std::printf("%d: %s does not hold\n", __LINE__, #condition); \
  } while (0)

__global__ void twice(float* data) {
  __shared__ float copy[32];
  CUT_BANK_CHECKER(copy, threadIdx.x) = data[threadIdx.x];
  data[threadIdx.x] = 2 * cutilBankChecker(copy, threadIdx.x);
}

static void command_lines() {
  const char* words[] = {"program", "--width=12", "-scale=0.5", "--name=lena.pgm", "--quiet"};
  int width = 0;
  float scale = 0;
  char* name = 0;
  EXPECT(cutCheckCmdLineFlag(5, words, "quiet") == CUTTrue);
  EXPECT(cutCheckCmdLineFlag(5, words, "loud") == CUTFalse);
  EXPECT(cutGetCmdLineArgumenti(5, words, "width", &width) == CUTTrue && width == 12);
  EXPECT(cutGetCmdLineArgumentf(5, words, "scale", &scale) == CUTTrue && scale == 0.5f);
  EXPECT(cutGetCmdLineArgumentstr(5, words, "name", &name) == CUTTrue && std::strcmp(name, "lena.pgm") == 0);
  cutFree(name);
  EXPECT(cutGetCmdLineArgumenti(5, words, "height", &width) == CUTFalse && width == 12);
  // What is not found: a text becomes NULL, a number stays; a flag without a value has the text FLAG.
  char poison[] = "old", *absent = poison;
  EXPECT(cutGetCmdLineArgumentstr(5, words, "absent", &absent) == CUTFalse && absent == 0);
  absent = poison;
  EXPECT(shrGetCmdLineArgumentstr(5, words, "absent", &absent) == shrFALSE && absent == 0);
  absent = poison;
  EXPECT(!getCmdLineArgumentString(5, words, "absent", &absent) && absent == 0);
  EXPECT(cutGetCmdLineArgumentstr(5, words, "quiet", &absent) == CUTTrue && std::strcmp(absent, "FLAG") == 0);
  EXPECT(shrGetCmdLineArgumentstr(5, words, "name", &absent) == shrTRUE && std::strcmp(absent, "lena.pgm") == 0);
  unsigned count = 7;
  EXPECT(cutGetCmdLineArgumenti(5, words, "name", &width) == CUTFalse && width == 12);
  EXPECT(cutGetCmdLineArgumenti(5, words, "quiet", &width) == CUTFalse && width == 12);
  EXPECT(cutGetCmdLineArgumentf(5, words, "name", &scale) == CUTFalse && scale == 0.5f);
  EXPECT(shrGetCmdLineArgumenti(5, words, "name", &width) == shrFALSE && width == 12);
  EXPECT(shrGetCmdLineArgumentf(5, words, "none", &scale) == shrFALSE && scale == 0.5f);
  EXPECT(shrGetCmdLineArgumentu(5, words, "name", &count) == shrFALSE && count == 7);
  EXPECT(shrGetCmdLineArgumentu(5, words, "width", &count) == shrTRUE && count == 12);
  EXPECT(checkCmdLineFlag(5, words, "quiet") && !checkCmdLineFlag(5, words, "loud"));
  EXPECT(getCmdLineArgumentInt(5, words, "width") == 12);
  EXPECT(getCmdLineArgumentFloat(5, words, "scale") == 0.5f);
  EXPECT(getCmdLineArgumentString(5, words, "name", &name) && std::strcmp(name, "lena.pgm") == 0);
}

static void timers(float* device) {
  unsigned timer = 0;
  CUT_SAFE_CALL(cutCreateTimer(&timer));
  for (int run = 0; run < 2; ++run) {
    cutStartTimer(timer);
    twice<<<1, 32>>>(device);
    cutilSafeThreadSync();
    cutStopTimer(timer);
  }
  EXPECT(cutGetTimerValue(timer) >= cutGetAverageTimerValue(timer));
  cutResetTimer(timer);
  EXPECT(cutGetTimerValue(timer) == 0);
  EXPECT(cutDeleteTimer(timer) == CUTTrue && cutDeleteTimer(timer) == CUTFalse);
  StopWatchInterface* watch = 0;
  EXPECT(sdkCreateTimer(&watch) && sdkStartTimer(&watch));
  twice<<<1, 32>>>(device);
  checkCudaErrors(cudaDeviceSynchronize());
  EXPECT(sdkStopTimer(&watch) && sdkGetTimerValue(&watch) >= 0 && sdkGetAverageTimerValue(&watch) >= 0);
  EXPECT(sdkResetTimer(&watch) && sdkGetTimerValue(&watch) == 0);
  EXPECT(sdkDeleteTimer(&watch) && watch == 0);
}

/// cutil_inline.h brings the driver API.
static void driver(int argc, char** argv) {
  CUdevice device = -1;
  int chosen = -1, offset = 5;
  cutilDrvSafeCallNoSync(cuInit(0));
  cutilDrvSafeCall(cuDeviceGet(&device, 0));
  EXPECT(cutilChooseCudaDeviceDrv(argc, argv, &chosen) == device && chosen == 0);
  EXPECT(std::strcmp(getCudaDrvErrorString(CUDA_SUCCESS), "CUDA_SUCCESS") == 0);
  EXPECT(std::strcmp(getCudaDrvErrorString(CUDA_ERROR_INVALID_HANDLE), "CUDA_ERROR_INVALID_HANDLE") == 0);
  EXPECT(cutilDrvCudaCapabilities(1, 1, argc, argv) && !cutilDrvCudaDevCapabilities(2, 0, 0, argc, argv));
  EXPECT(cutGetMaxGflopsGraphicsDeviceId() == 0 && cutilDrvGetMaxGflopsGraphicsDeviceId() == 0);
  EXPECT(_ConvertSMVer2CoresDrvApi(1, 3) == 8);
  CU_SAFE_CTX_SYNC();
  CU_CHECK_CTX_LOST("driver");
  cutilDrvCheckMsg("driver");
  CUDA_SAFE_THREAD_SYNC();
  CUDA_CHECK_CTX_LOST("driver");
  cutilCudaCheckCtxLost("driver", __FILE__, __LINE__);
  cutilDrvCudaCheckCtxLost("driver", __FILE__, __LINE__);
  cutilDrvAlignOffset(offset, 8);
  EXPECT(offset == 8 && MIN(offset, 9) == 8);
  ALIGN_OFFSET(offset, 32);
  EXPECT(offset == 32);
}

static void comparisons() {
  const float reference[4] = {1, 2, 3, 4}, near[4] = {1.01f, 2, 3, 4}, far[4] = {1, 2, 3, 9};
  const unsigned char bytes[4] = {1, 2, 3, 4}, other[4] = {1, 2, 3, 6};
  const int integers[2] = {5, 6};
  EXPECT(cutComparef(reference, reference, 4) == CUTTrue && cutComparef(reference, near, 4) == CUTFalse);
  EXPECT(cutComparei(integers, integers, 2) == CUTTrue);
  EXPECT(cutComparefe(reference, near, 4, 0.1f) == CUTTrue && cutComparefe(reference, far, 4, 0.1f) == CUTFalse);
  EXPECT(cutComparefet(reference, far, 4, 0.1f, 0.3f) == CUTTrue && cutComparefet(reference, far, 4, 0.1f, 0.2f) == CUTFalse);
  EXPECT(cutCompareub(bytes, bytes, 4) == CUTTrue && cutCompareub(bytes, other, 4) == CUTFalse);
  EXPECT(cutCompareube(bytes, other, 4, 2.0f) == CUTTrue);
  const unsigned words[4] = {1, 2, 3, 4}, distant[4] = {1, 2, 13, 4};
  EXPECT(cutCompareuit(words, distant, 4, 1.0f, 0.25f) == CUTTrue && cutCompareuit(words, distant, 4, 1.0f, 0.2f) == CUTFalse);
  const unsigned char near_bytes[4] = {1, 2, 3, 4}, far_bytes[4] = {1, 20, 30, 4};
  EXPECT(cutCompareubt(near_bytes, far_bytes, 4, 1.0f, 0.5f) == CUTTrue && cutCompareubt(near_bytes, far_bytes, 4, 1.0f, 0.4f) == CUTFalse);
  EXPECT(cutCompareL2fe(reference, near, 4, 1e-2f) == CUTTrue && cutCompareL2fe(reference, far, 4, 1e-2f) == CUTFalse);
  EXPECT(compareData(reference, near, 4, 0.1f, 0) && !compareData(reference, far, 4, 0.1f, 0));
  EXPECT(sdkCompareL2fe(reference, near, 4, 1e-2f) && !sdkCompareL2fe(reference, far, 4, 1e-2f));
  EXPECT(cutCheckCondition(1, __FILE__, __LINE__) == CUTTrue);
  EXPECT(ftoi(2.6f) == 3 && ftoi(-2.6f) == -3 && MAX(3, 4) == 4);
}

static void files(const std::string& folder) {
  const std::string numbers = folder + "/numbers.txt", grey = folder + "/grey.pgm", colour = folder + "/colour.ppm";
  const float written[3] = {0.25f, -7, 1e-20f};
  float* read = 0;
  unsigned count = 0;
  EXPECT(cutWriteFilef(numbers.c_str(), written, 3, 0.0f) == CUTTrue);
  EXPECT(cutReadFilef(numbers.c_str(), &read, &count) == CUTTrue && count == 3 && std::memcmp(read, written, sizeof written) == 0);
  cutFree(read);
  read = 0, count = 0;
  EXPECT(sdkWriteFile(numbers.c_str(), written, 3, 0.0f, false) && sdkReadFile(numbers.c_str(), &read, &count, false) && count == 3);
  cutFree(read);
  EXPECT(cutReadFilef((folder + "/none").c_str(), &read, &count) == CUTFalse);
  char* found = cutFindFilePath("numbers.txt", (folder + "/program").c_str());
  EXPECT(found != 0 && found == numbers);
  EXPECT(sdkFindFilePath("no such file", "program") == 0);

  unsigned char pixels[6] = {0, 50, 100, 150, 200, 255}, *back = 0;
  float* values = 0;
  unsigned width = 0, height = 0;
  EXPECT(cutSavePGMub(grey.c_str(), pixels, 3, 2) == CUTTrue);
  EXPECT(cutLoadPGMub(grey.c_str(), &back, &width, &height) == CUTTrue && width == 3 && height == 2 && std::memcmp(back, pixels, 6) == 0);
  EXPECT(cutLoadPGMf(grey.c_str(), &values, &width, &height) == CUTTrue && values[5] == 1.0f);
  EXPECT(cutComparePGM(grey.c_str(), grey.c_str(), 0, 0) == CUTTrue && sdkComparePGM(grey.c_str(), grey.c_str(), 0, 0));
  unsigned char* again = 0;
  EXPECT(sdkLoadPGM(grey.c_str(), &again, &width, &height) && sdkSavePGM((grey + "2").c_str(), again, width, height));
  EXPECT(cutComparePGM((grey + "2").c_str(), grey.c_str(), 0, 0) == CUTTrue);
  unsigned char dots[8] = {1, 2, 3, 0, 4, 5, 6, 0}, *four = 0, *fours = 0;
  width = height = 0;
  EXPECT(sdkSavePPM4ub(colour.c_str(), dots, 2, 1));
  EXPECT(sdkLoadPPM4(colour.c_str(), &four, &width, &height) && width == 2 && std::memcmp(four, dots, 8) == 0);
  EXPECT(sdkLoadPPM4ub(colour.c_str(), &fours, &width, &height) && std::memcmp(fours, dots, 8) == 0);
  EXPECT(cutComparePPM(colour.c_str(), colour.c_str(), 0, 0) == CUTTrue && sdkComparePPM(colour.c_str(), colour.c_str(), 0, 0));
}

int main(int argc, char** argv) {
  CUT_DEVICE_INIT(argc, argv);
  EXPECT(cutilChooseCudaDevice(argc, argv) == 0 && cutGetMaxGflopsDeviceId() == 0 && cutilGetMaxGflopsDeviceId() == 0);
  EXPECT(findCudaDevice(argc, (const char**)argv) == 0 && gpuDeviceInit(0) == 0 && gpuGetMaxGflopsDeviceId() == 0);
  EXPECT(checkCudaCapabilities(1, 0) && !checkCudaCapabilities(2, 0) && cutilCudaCapabilities(1, 1, argc, argv));
  float host[32], *device = 0;
  for (int k = 0; k < 32; ++k) host[k] = (float)k;
  CUDA_SAFE_CALL(cudaMalloc((void**)&device, sizeof host));
  CUDA_SAFE_CALL_NO_SYNC(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
  twice<<<1, 32>>>(device);
  CUT_CHECK_ERROR("twice");
  CUT_CHECK_ERROR_GL();
  cutilGetLastError("twice");
  getLastCudaError("twice");
  cutilCheckMsgAndSync("twice");
  cutilSafeCallNoSync(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[31] == 62);
  EXPECT(cutilThreadSynchronize() == cudaSuccess && cutilDeviceSynchronize() == cudaSuccess);
  timers(device);
  command_lines();
  driver(argc, argv);
  comparisons();
  files(argv[1]);
  float *memory, *more;
  CUT_SAFE_MALLOC(memory = (float*)malloc(64));
  cutilSafeMalloc(more = (float*)malloc(64));
  cutFree(memory);
  cutFree(more);
  cutilCheckError(cutCheckCondition(1, __FILE__, __LINE__));
  cutilCondition(1);
  CUT_CONDITION(1);
  EXPECT(cutilDeviceReset() == cudaSuccess);
  std::printf("%s\n", failures == 0 ? "PASSED" : "FAILED");
  if (failures != 0) return 1;
  CUT_EXIT(argc, argv);
}
