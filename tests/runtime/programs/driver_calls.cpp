// SPDX-License-Identifier: Apache-2.0
// A program of the driver API: it compiles PTX while it runs, launches in the old way and the new one, binds textures,
// and reads what the compiler says about a broken text. Every call of cuda.h is made.
#include <cuda.h>
#include <cutil.h>
#include <cutil_inline_drvapi.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

static unsigned failures = 0;
#define EXPECT(condition)                                                                      \
  do {                                                                                         \
    if (!(condition)) ++failures, std::printf("%d: %s does not hold\n", __LINE__, #condition); \
  } while (0)
#define OK(call) EXPECT((call) == CUDA_SUCCESS)

static const char* const kText = R"(
// scale: out[i] = factor * in[i] + bias, where bias is read through a pointer that the loader has filled in
.version 1.4
.target sm_11
.global .f32 values[4] = {0.5, 1.5, 2.5, 3.5};
.global .u64 bias_pointer = values + 8;
.global .u64 ring_a[2] = {1, ring_b};
.global .u64 ring_b[2] = {2, ring_a};
.const .s32 table[4] = {10, 20, 30, 40};
.tex .u64 line;
.tex .u64 plane;
.entry scale (.param .u64 out, .param .u64 in, .param .f32 factor) {
  .reg .u64 %d<6>; .reg .u32 %r<4>; .reg .f32 %f<5>;
  ld.param.u64 %d1, [out]; ld.param.u64 %d2, [in]; ld.param.f32 %f1, [factor];
  mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, 4; add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3;
  ld.global.u64 %d4, [bias_pointer]; ld.global.f32 %f2, [%d4]; ld.global.f32 %f3, [%d2];
  mul.rn.f32 %f3, %f3, %f1; add.rn.f32 %f3, %f3, %f2; st.global.f32 [%d1], %f3; exit;
}
.entry follow (.param .u64 out) {
  .reg .u64 %d<8>; .reg .u32 %r<6>;
  ld.param.u64 %d1, [out];
  ld.global.u64 %d2, [ring_a+8]; ld.global.u64 %d3, [%d2]; ld.global.u64 %d4, [%d2+8]; ld.global.u64 %d5, [%d4];
  cvt.u32.u64 %r1, %d3; cvt.u32.u64 %r2, %d5; st.global.u32 [%d1], %r1; st.global.u32 [%d1+4], %r2;
  ld.const.s32 %r3, [table+8]; st.global.u32 [%d1+8], %r3; exit;
}
.entry fetch (.param .u64 out) {
  .reg .u64 %d<4>; .reg .u32 %r<12>; .reg .s32 %i<3>; .reg .f32 %f<10>;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 8; add.u64 %d1, %d1, %d2;
  cvt.s32.u32 %i1, %r1; sub.s32 %i1, %i1, 1;
  tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [line, {%i1}];
  tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [plane, {%i1, %i1}];
  st.global.u32 [%d1], %r2; st.global.f32 [%d1+4], %f1; exit;
}
)";

static void devices() {
  int count = 0, version = 0, value = 0, major = 0, minor = 0;
  char name[64] = "";
  std::size_t bytes = 0, free_bytes = 0;
  CUdevice device = -1;
  EXPECT(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
  OK(cuInit(0));
  CUT_DEVICE_INIT_DRV(device, 0, 0);
  EXPECT(device == 0 && cutilDeviceInitDrv(0, 0) == 0 && cutilDrvCudaCapabilities(1, 1) &&
         !cutilDrvCudaCapabilities(1, 2));
  cutilDrvSafeCall(cuDriverGetVersion(&version));
  EXPECT(version == CUDA_VERSION);
  OK(cuDeviceGetCount(&count));
  OK(cuDeviceGet(&device, 0));
  OK(cuDeviceGetName(name, sizeof name, device));
  EXPECT(count == 1 && std::string(name) == "GeForce 8600 GTS");
  OK(cuDeviceComputeCapability(&major, &minor, device));
  EXPECT(major == 1 && minor == 1);
  OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  EXPECT(value == 32);
  OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
  EXPECT(value == 4);
  EXPECT(cuDeviceGetAttribute(&value, (CUdevice_attribute)999, device) == CUDA_ERROR_INVALID_VALUE);
  // Of CUDA 3.0 to 3.2 (CUDA C Programming Guide 3.2, appendix G)
  const int of_later[][2] = {{CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, 8192},
                             {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, 65536},
                             {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT, 32768},
                             {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, 2048},
                             {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT, 2048},
                             {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH, 2048},
                             {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH, 8192},
                             {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT, 8192},
                             {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES, 512},
                             {CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT, 256},
                             {CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 0},
                             {CU_DEVICE_ATTRIBUTE_ECC_ENABLED, 0},
                             {CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 0},
                             {CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 0},
                             {CU_DEVICE_ATTRIBUTE_TCC_DRIVER, 0}};
  for (const auto& [attribute, expected] : of_later) {
    value = -1;
    OK(cuDeviceGetAttribute(&value, (CUdevice_attribute)attribute, device));
    if (value != expected) ++failures, std::printf("attribute %d is %d\n", attribute, value);
  }
  OK(cuDeviceTotalMem(&bytes, device));
  CUcontext context = 0;
  OK(cuCtxCreate(&context, CU_CTX_SCHED_AUTO, device));
  OK(cuCtxGetDevice(&device));
  std::size_t total = 0;
  OK(cuMemGetInfo(&free_bytes, &total));
  CUfunc_cache cache = CU_FUNC_CACHE_PREFER_L1;
  OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_SHARED));
  OK(cuCtxGetCacheConfig(&cache));
  EXPECT(cache == CU_FUNC_CACHE_PREFER_NONE);  // the chip has none to choose
  EXPECT(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1024) == CUDA_ERROR_UNSUPPORTED_LIMIT);
  EXPECT(cuCtxGetLimit(&free_bytes, CU_LIMIT_PRINTF_FIFO_SIZE) == CUDA_ERROR_UNSUPPORTED_LIMIT);
  EXPECT(total == bytes && free_bytes <= total);
  OK(cuCtxDetach(context));
}

static void broken_text(CUmodule* module) {
  char errors[200] = "x", information[40] = "x";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                            CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {errors, (void*)sizeof errors, information, (void*)sizeof information};
  const char* const text = ".version 1.4\n.target sm_11\n.entry k () {\n  frob.u32 %r1;\n}\n";
  EXPECT(cuModuleLoadDataEx(module, text, 4, options, values) == CUDA_ERROR_INVALID_IMAGE);
  EXPECT(std::strstr(errors, "image:4: PTX has no instruction 'frob'") == errors);
  EXPECT((std::size_t)values[1] == std::strlen(errors));
  EXPECT(information[0] == '\0');
  char little[6] = "";
  values[0] = little;
  values[1] = (void*)sizeof little;
  EXPECT(cuModuleLoadDataEx(module, text, 2, options, values) == CUDA_ERROR_INVALID_IMAGE);
  EXPECT(std::strcmp(little, "image") == 0);
  CUjit_option later[] = {CU_JIT_TARGET};
  void* target[] = {(void*)CU_TARGET_COMPUTE_20};
  EXPECT(cuModuleLoadDataEx(module, kText, 1, later, target) == CUDA_ERROR_NO_BINARY_FOR_GPU);
}

static void launches(CUmodule module) {
  CUfunction scale, follow;
  OK(cuModuleGetFunction(&scale, module, "scale"));
  OK(cuModuleGetFunction(&follow, module, "follow"));
  EXPECT(cuModuleGetFunction(&follow, module, "none") == CUDA_ERROR_NOT_FOUND);
  int registers = 0, threads = 0;
  OK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, scale));
  OK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale));
  EXPECT(registers > 0 && registers < 17 && threads == 512);
  OK(cuFuncSetCacheConfig(scale, CU_FUNC_CACHE_PREFER_SHARED));

  float host[32], back[32];
  for (int k = 0; k < 32; ++k) host[k] = (float)k;
  CUdeviceptr in = 0, out = 0;
  OK(cuMemAlloc(&in, sizeof host));
  OK(cuMemAlloc(&out, sizeof host));
  OK(cuMemcpyHtoD(in, host, sizeof host));
  const auto check = [&](float factor, float bias) {
    OK(cuMemcpyDtoH(back, out, sizeof back));
    for (int k = 0; k < 32; ++k) EXPECT(back[k] == factor * (float)k + bias);
    OK(cuMemsetD8(out, 0xff, sizeof back));
  };
  // The old way: parameters at their offsets
  OK(cuParamSetv(scale, 0, &out, sizeof out));
  OK(cuParamSetv(scale, 8, &in, sizeof in));
  OK(cuParamSetf(scale, 16, 2.0f));
  OK(cuParamSetSize(scale, 20));
  OK(cuFuncSetBlockShape(scale, 32, 1, 1));
  OK(cuFuncSetSharedSize(scale, 64));
  OK(cuLaunchGrid(scale, 1, 1));
  check(2, 2.5f);
  CUstream stream = 0;
  OK(cuStreamCreate(&stream, 0));
  OK(cuParamSeti(scale, 16, 0x40400000));  // 3.0
  OK(cuLaunchGridAsync(scale, 1, 1, stream));
  OK(cuStreamSynchronize(stream));
  check(3, 2.5f);
  OK(cuLaunch(scale));
  OK(cuCtxSynchronize());
  // The new way: addresses of the arguments, or all of them in one piece
  float factor = 4;
  void* arguments[] = {&out, &in, &factor};
  OK(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, stream, arguments, 0));
  check(4, 2.5f);
  struct {
    CUdeviceptr out, in;
    float factor;
  } packed = {out, in, 5};
  std::size_t bytes = 20;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  OK(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, stream, 0, extra));
  check(5, 2.5f);

  // A variable by its name: the kernel reads the third element through a pointer
  CUdeviceptr values = 0, table = 0;
  OK(cuModuleGetGlobal(&values, &bytes, module, "values"));
  EXPECT(bytes == 16);
  const float seven = 7;
  OK(cuMemcpyHtoD(values + 8, &seven, 4));
  OK(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0));
  check(4, 7);
  // A constant, too
  OK(cuModuleGetGlobal(&table, &bytes, module, "table"));
  EXPECT(bytes == 16);
  const int ninety = 90;
  int words[4] = {0};
  OK(cuMemcpyHtoD(table + 8, &ninety, 4));
  OK(cuMemcpyDtoH(words, table, sizeof words));
  EXPECT(words[0] == 10 && words[2] == 90);
  EXPECT(cuMemcpyHtoD(table + 16, &ninety, 4) == CUDA_ERROR_INVALID_VALUE);
  void* only_out[] = {&out};
  OK(cuLaunchKernel(follow, 1, 1, 1, 1, 1, 1, 0, 0, only_out, 0));
  OK(cuMemcpyDtoH(words, out, 12));
  EXPECT(words[0] == 2 && words[1] == 1 && words[2] == 90);

  CUevent start = 0, stop = 0;
  float ms = -1;
  OK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&stop, CU_EVENT_BLOCKING_SYNC));
  OK(cuEventRecord(start, stream));
  OK(cuEventRecord(stop, stream));
  OK(cuEventSynchronize(stop));
  OK(cuEventQuery(stop));
  OK(cuEventElapsedTime(&ms, start, stop));
  EXPECT(ms >= 0);
  OK(cuEventDestroy(start));
  OK(cuEventDestroy(stop));
  OK(cuStreamQuery(stream));
  OK(cuStreamDestroy(stream));
  OK(cuMemFree(in));
  OK(cuMemFree(out));
}

static void memory() {
  CUdeviceptr rows = 0, start = 0, other = 0;
  std::size_t pitch = 0, bytes = 0;
  void* pinned = 0;
  OK(cuMemAllocPitch(&rows, &pitch, 40, 3, 4));
  EXPECT(pitch >= 40 && pitch % 256 == 0);
  OK(cuMemGetAddressRange(&start, &bytes, rows + 100));
  EXPECT(start == rows && bytes == 3 * pitch);
  OK(cuMemAllocHost(&pinned, 64));
  unsigned* words = (unsigned*)pinned;
  OK(cuMemsetD32(rows, 0x12345678, 8));
  OK(cuMemsetD16(rows + 4, 0xabcd, 1));
  OK(cuMemAlloc(&other, 32));
  OK(cuMemcpyDtoD(other, rows, 32));
  OK(cuMemcpyDtoHAsync(words, other, 32, 0));
  OK(cuStreamSynchronize(0));
  EXPECT(words[0] == 0x12345678 && words[1] == 0x1234abcd && words[7] == 0x12345678);
  OK(cuMemcpyHtoDAsync(other, words + 1, 4, 0));
  OK(cuMemcpyDtoH(words, other, 4));
  EXPECT(words[0] == 0x1234abcd);
  EXPECT(cuMemcpyDtoH(words, other, 64) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFreeHost(pinned));
  OK(cuMemFree(rows));
  OK(cuMemFree(other));
}

static void textures(CUmodule module) {
  CUfunction fetch;
  CUtexref line, plane;
  OK(cuModuleGetFunction(&fetch, module, "fetch"));
  OK(cuModuleGetTexRef(&line, module, "line"));
  OK(cuModuleGetTexRef(&plane, module, "plane"));
  EXPECT(cuModuleGetTexRef(&plane, module, "values") == CUDA_ERROR_NOT_FOUND);
  const unsigned char bytes[8] = {5, 6, 7, 8, 9, 250, 251, 252};
  float image[12], out_words[16];
  for (int k = 0; k < 12; ++k) image[k] = (float)k + 0.25f;
  CUdeviceptr memory = 0, out = 0, rows = 0;
  OK(cuMemAlloc(&memory, sizeof bytes));
  OK(cuMemAlloc(&out, sizeof out_words));
  OK(cuMemcpyHtoD(memory, bytes, sizeof bytes));
  OK(cuTexRefSetFormat(line, CU_AD_FORMAT_UNSIGNED_INT8, 1));
  OK(cuTexRefSetFlags(line, CU_TRSF_READ_AS_INTEGER));
  std::size_t offset = 1;
  OK(cuTexRefSetAddress(&offset, line, memory, sizeof bytes));
  EXPECT(offset == 0);
  CUDA_ARRAY_DESCRIPTOR desc = {4, 3, CU_AD_FORMAT_FLOAT, 1};
  CUarray array = 0;
  OK(cuArrayCreate(&array, &desc));
  OK(cuMemcpyHtoA(array, 0, image, sizeof image));
  float back[2];
  OK(cuMemcpyAtoH(back, array, 20, 8));
  EXPECT(back[0] == image[5] && back[1] == image[6]);
  OK(cuTexRefSetArray(plane, array, CU_TRSA_OVERRIDE_FORMAT));
  OK(cuTexRefSetAddressMode(plane, 0, CU_TR_ADDRESS_MODE_CLAMP));
  OK(cuTexRefSetFilterMode(plane, CU_TR_FILTER_MODE_POINT));
  OK(cuParamSetTexRef(fetch, CU_PARAM_TR_DEFAULT, line));
  void* arguments[] = {&out};
  const auto run = [&](float scale) {
    OK(cuLaunchKernel(fetch, 1, 1, 1, 8, 1, 1, 0, 0, arguments, 0));
    OK(cuMemcpyDtoH(out_words, out, sizeof out_words));
    for (int thread = 0; thread < 8; ++thread) {
      const int i = thread - 1;  // out of range: zero in a line, the edge in a plane
      unsigned word;
      std::memcpy(&word, &out_words[2 * thread], 4);
      EXPECT(word == (i < 0 ? 0u : bytes[i]));
      const int x = i < 0 ? 0 : i > 3 ? 3 : i, y = i < 0 ? 0 : i > 2 ? 2 : i;
      EXPECT(out_words[2 * thread + 1] == scale * image[4 * y + x]);
    }
  };
  run(1);
  OK(cuTexRefSetFilterMode(plane, CU_TR_FILTER_MODE_LINEAR));  // in the middle of a texel a filter changes nothing
  run(1);
  for (float& texel : image) texel *= 2;
  std::size_t pitch = 0;
  OK(cuMemAllocPitch(&rows, &pitch, 16, 3, 4));
  for (int row = 0; row < 3; ++row) OK(cuMemcpyHtoD(rows + row * pitch, image + 4 * row, 16));
  OK(cuTexRefSetAddress2D(plane, &desc, rows, pitch));
  run(1);
  OK(cuArrayDestroy(array));
}

/// Rows, boxes and arrays, one to the other and back.
static void copies() {
  CUDA_ARRAY3D_DESCRIPTOR box = {}, is = {};
  box.Width = 5, box.Height = 3, box.Depth = 2, box.Format = CU_AD_FORMAT_SIGNED_INT16, box.NumChannels = 2;
  CUarray volume = 0, plane = 0, other = 0;
  OK(cuArray3DCreate(&volume, &box));
  OK(cuArray3DGetDescriptor(&is, volume));
  EXPECT(is.Width == 5 && is.Height == 3 && is.Depth == 2 && is.Format == CU_AD_FORMAT_SIGNED_INT16 &&
         is.NumChannels == 2);
  const CUDA_ARRAY_DESCRIPTOR flat = {8, 4, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUDA_ARRAY_DESCRIPTOR seen = {};
  OK(cuArrayCreate(&plane, &flat));
  OK(cuArrayCreate(&other, &flat));
  OK(cuArrayGetDescriptor(&seen, plane));
  EXPECT(seen.Width == 8 && seen.Height == 4 && seen.Format == CU_AD_FORMAT_UNSIGNED_INT8 && seen.NumChannels == 1);
  EXPECT(cuArrayGetDescriptor(&seen, volume) == CUDA_ERROR_INVALID_VALUE);

  unsigned char bytes[256], back[256];
  for (int k = 0; k < 256; ++k) bytes[k] = (unsigned char)(k * 5 + 1);
  CUDA_MEMCPY3D in = {};  // 3 of 5 columns, 2 of 3 rows, both slices, to (1, 1, 0)
  in.srcMemoryType = CU_MEMORYTYPE_HOST, in.srcHost = bytes, in.srcPitch = 16, in.srcHeight = 4, in.srcXInBytes = 4,
  in.srcY = 1;
  in.dstMemoryType = CU_MEMORYTYPE_ARRAY, in.dstArray = volume, in.dstXInBytes = 4, in.dstY = 1;
  in.WidthInBytes = 12, in.Height = 2, in.Depth = 2;
  OK(cuMemcpy3D(&in));
  CUDA_MEMCPY3D out = {};
  std::memset(back, 0, sizeof back);
  out.srcMemoryType = CU_MEMORYTYPE_ARRAY, out.srcArray = volume, out.dstMemoryType = CU_MEMORYTYPE_HOST,
  out.dstHost = back;
  out.dstPitch = 20, out.dstHeight = 3, out.WidthInBytes = 20, out.Height = 3, out.Depth = 2;
  OK(cuMemcpy3DAsync(&out, 0));
  for (int z = 0; z < 2; ++z) {
    for (int y = 1; y < 3; ++y) EXPECT(std::memcmp(back + (z * 3 + y) * 20 + 4, bytes + (z * 4 + y) * 16 + 4, 12) == 0);
    EXPECT(back[z * 60 + 4] == 0 && back[z * 60 + 20] == 0);
  }
  in.dstZ = 1;
  EXPECT(cuMemcpy3D(&in) == CUDA_ERROR_INVALID_VALUE);

  CUdeviceptr rows = 0;
  std::size_t pitch = 0;
  OK(cuMemAllocPitch(&rows, &pitch, 8, 4, 4));
  CUDA_MEMCPY2D up = {};
  up.srcMemoryType = CU_MEMORYTYPE_HOST, up.srcHost = bytes, up.srcPitch = 8;
  up.dstMemoryType = CU_MEMORYTYPE_DEVICE, up.dstDevice = rows, up.dstPitch = pitch, up.WidthInBytes = 8, up.Height = 4;
  OK(cuMemcpy2D(&up));
  CUDA_MEMCPY2D across = {};
  across.srcMemoryType = CU_MEMORYTYPE_DEVICE, across.srcDevice = rows, across.srcPitch = pitch;
  across.dstMemoryType = CU_MEMORYTYPE_ARRAY, across.dstArray = plane, across.WidthInBytes = 8, across.Height = 4;
  OK(cuMemcpy2DUnaligned(&across));
  OK(cuMemcpyAtoA(other, 8, plane, 0, 16));
  std::memset(back, 0, sizeof back);
  OK(cuMemcpyAtoHAsync(back, other, 8, 16, 0));
  EXPECT(std::memcmp(back, bytes, 16) == 0);
  OK(cuMemcpyAtoD(rows, plane, 16, 8));
  OK(cuMemcpyDtoA(other, 0, rows, 8));
  OK(cuMemcpyHtoAAsync(other, 24, bytes + 50, 8, 0));
  OK(cuMemcpyAtoH(back, other, 0, 32));
  EXPECT(std::memcmp(back, bytes + 16, 8) == 0 && std::memcmp(back + 24, bytes + 50, 8) == 0);
  up.srcPitch = 7;
  EXPECT(cuMemcpy2DAsync(&up, 0) == CUDA_ERROR_INVALID_VALUE);

  OK(cuMemsetD2D32(rows, pitch, 0x01020304, 2, 4));
  OK(cuMemsetD2D16(rows + pitch, pitch, 0x0506, 1, 2));
  OK(cuMemsetD2D8(rows + 3 * pitch, pitch, 9, 3, 1));
  OK(cuMemcpyDtoDAsync(rows + 2 * pitch, rows + 3 * pitch, 4, 0));
  const unsigned wanted[] = {0x01020304, 0x01020506, 0x01090909, 0x01090909};
  for (int row = 0; row < 4; ++row) {
    unsigned word = 0;
    OK(cuMemcpyDtoH(&word, rows + row * pitch, 4));
    EXPECT(word == wanted[row]);
  }
  CUstream stream = 0;
  OK(cuStreamCreate(&stream, 0));
  OK(cuMemsetD32Async(rows, 0x11111111, 2, stream));
  OK(cuMemsetD16Async(rows, 0x2222, 3, stream));
  OK(cuMemsetD8Async(rows, 0x33, 3, stream));
  OK(cuMemsetD2D32Async(rows + pitch, pitch, 0x44444444, 1, 2, stream));
  OK(cuMemsetD2D16Async(rows + pitch, pitch, 0x5555, 1, 2, stream));
  OK(cuMemsetD2D8Async(rows + pitch, pitch, 0x66, 1, 2, stream));
  EXPECT(cuMemsetD8Async(rows, 0, 1, (CUstream)&failures) == CUDA_ERROR_INVALID_HANDLE);
  OK(cuStreamSynchronize(stream));
  unsigned set[2] = {0, 0}, below[2] = {0, 0};
  OK(cuMemcpyDtoH(set, rows, 8));
  EXPECT(set[0] == 0x22333333 && set[1] == 0x11112222);
  for (int row = 1; row < 3; ++row) OK(cuMemcpyDtoH(below + row - 1, rows + row * pitch, 4));
  EXPECT(below[0] == 0x44445566 && below[1] == 0x44445566);
  OK(cuStreamDestroy(stream));
  OK(cuMemFree(rows));
  OK(cuArrayDestroy(volume));
  OK(cuArrayDestroy(plane));
  OK(cuArrayDestroy(other));
}

static void questions(CUcontext context, CUmodule module) {
  CUcontext same = 0;
  unsigned version = 0, flags = 1;
  CUdevprop is;
  OK(cuCtxAttach(&same, 0));
  EXPECT(same == context);
  EXPECT(cuCtxDestroy(context) == CUDA_ERROR_INVALID_CONTEXT);
  OK(cuCtxDetach(context));
  OK(cuCtxPopCurrent(&same));
  OK(cuCtxPushCurrent(same));
  EXPECT(cuCtxPushCurrent(0) == CUDA_ERROR_INVALID_CONTEXT);
  OK(cuCtxGetApiVersion(context, &version));
  OK(cuDeviceGetProperties(&is, 0));
  EXPECT(version == CUDA_VERSION && is.SIMDWidth == 32 && is.maxGridSize[0] == 65535 && is.regsPerBlock == 8192 &&
         is.sharedMemPerBlock == 16384);
  void* host = 0;
  OK(cuMemHostAlloc(&host, 64, CU_MEMHOSTALLOC_PORTABLE));
  OK(cuMemHostGetFlags(&flags, host));
  OK(cuMemFreeHost(host));
  CUevent event;
  OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
  OK(cuEventRecord(event, 0));
  OK(cuStreamWaitEvent(0, event, 0));
  OK(cuEventDestroy(event));

  CUtexref plane;
  CUaddress_mode mode;
  CUfilter_mode filter;
  CUarray_format format;
  CUarray array = 0;
  CUdeviceptr address = 0;
  int components = 0;
  OK(cuModuleGetTexRef(&plane, module, "plane"));
  OK(cuTexRefSetAddressMode(plane, 1, CU_TR_ADDRESS_MODE_WRAP));
  OK(cuTexRefGetAddressMode(&mode, plane, 1));
  OK(cuTexRefGetFilterMode(&filter, plane));
  OK(cuTexRefGetFormat(&format, &components, plane));
  OK(cuTexRefGetFlags(&flags, plane));
  OK(cuTexRefGetAddress(&address, plane));
  EXPECT(mode == CU_TR_ADDRESS_MODE_WRAP && filter == CU_TR_FILTER_MODE_LINEAR && format == CU_AD_FORMAT_FLOAT &&
         components == 1 && flags == 0);
  EXPECT(address != 0 && cuTexRefGetArray(&array, plane) == CUDA_ERROR_INVALID_VALUE);
}

int main(int argc, char** argv) {
  devices();
  CUcontext context = 0;
  CUmodule module = 0, again = 0;
  OK(cuCtxCreate(&context, 0, 0));
  broken_text(&module);
  if (argc > 1) {  // the same text from a file
    std::FILE* file = std::fopen(argv[1], "w");
    std::fputs(kText, file);
    std::fclose(file);
    OK(cuModuleLoad(&again, argv[1]));
    OK(cuModuleUnload(again));
  }
  OK(cuModuleLoadData(&module, kText));
  launches(module);
  memory();
  textures(module);
  questions(context, module);
  copies();
  OK(cuCtxSynchronize());
  OK(cuCtxDestroy(context));
  std::printf("%s\n", failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
