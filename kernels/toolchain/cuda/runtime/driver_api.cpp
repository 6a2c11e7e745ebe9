// The driver API over the same device as the runtime's. A context is that device; modules stay until it is reset.
#include <cuda.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <vector>

#include "kernels/toolchain/cubin/cubin.h"
#include "kernels/toolchain/cuda/runtime/api.h"
#include "kernels/toolchain/cuda/runtime/device.h"
#include "kernels/toolchain/cuda/runtime/launch.h"

struct CUctx_st {};
struct CUmod_st {
  unsigned program = 0;  // of the device
};
struct CUfunc_st {
  g80::cuda::KernelRef kernel;
  dim3 block;
  std::size_t shared = 0;
  std::vector<std::uint32_t> params;
};

namespace g80::cuda {
namespace {

struct DriverState {
  bool initialised = false;
  CUctx_st context;
  std::deque<CUmod_st> modules;
  std::deque<CUfunc_st> functions;
};
DriverState& state() {
  static DriverState one;
  return one;
}

CUresult result_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return CUDA_SUCCESS;
    case cudaErrorMemoryAllocation:
      return CUDA_ERROR_OUT_OF_MEMORY;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidConfiguration:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDevice:
      return CUDA_ERROR_INVALID_DEVICE;
    case cudaErrorInvalidResourceHandle:
      return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorLaunchFailure:
      return CUDA_ERROR_LAUNCH_FAILED;
    case cudaErrorLaunchOutOfResources:
      return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    case cudaErrorLaunchTimeout:
      return CUDA_ERROR_LAUNCH_TIMEOUT;
    default:
      return CUDA_ERROR_UNKNOWN;
  }
}

/// A call of the driver API: cuInit comes first, failed kernels stick.
template <class Body>
CUresult driver(Body&& body) {
  if (!state().initialised) return CUDA_ERROR_NOT_INITIALIZED;
  CUresult result = CUDA_SUCCESS;
  const cudaError_t error = api([&] {
    result = body();
    return cudaSuccess;
  });
  return error != cudaSuccess ? result_of(error) : result;
}

template <class Call, class... Arguments>
CUresult forward(Call call, Arguments... arguments) {
  return state().initialised ? result_of(call(arguments...)) : CUDA_ERROR_NOT_INITIALIZED;
}

void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }

CUresult load(CUmodule* module, const std::string& text, const char* name) {
  Device& device = Device::current();
  device.machine();
  Module read;
  try {
    read = read_cubin(text, name);
  } catch (const SourceError& error) {
    std::fprintf(stderr, "g80: %s\n", error.what());
    return CUDA_ERROR_INVALID_IMAGE;
  }
  if (static_cast<unsigned>(read.arch) > device.config().device.compute_minor) return CUDA_ERROR_NO_BINARY_FOR_GPU;
  device.load(std::move(read), nullptr);
  *module = &state().modules.emplace_back(CUmod_st{static_cast<unsigned>(device.programs().size() - 1)});
  return CUDA_SUCCESS;
}

CUresult set_parameter(CUfunction function, int offset, const void* value, std::size_t bytes) {
  if (function == nullptr || value == nullptr || offset < 0 || static_cast<std::size_t>(offset) + bytes > kParameterBytes) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const std::size_t words = (static_cast<std::size_t>(offset) + bytes + 3) / 4;
  if (function->params.size() < words) function->params.resize(words);
  std::memcpy(reinterpret_cast<char*>(function->params.data()) + offset, value, bytes);
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

CUresult cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  state().initialised = true;
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) { return result_of(cudaDriverGetVersion(version)); }
CUresult cuDeviceGetCount(int* count) { return forward(cudaGetDeviceCount, count); }
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return driver([&] { return device == nullptr ? CUDA_ERROR_INVALID_VALUE : ordinal != 0 ? CUDA_ERROR_INVALID_DEVICE : (*device = 0, CUDA_SUCCESS); });
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return driver([&] {
    if (name == nullptr || length < 1 || device != 0) return CUDA_ERROR_INVALID_VALUE;
    std::snprintf(name, static_cast<std::size_t>(length), "%s", Device::current().config().device.name.c_str());
    return CUDA_SUCCESS;
  });
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return driver([&] {
    if (major == nullptr || minor == nullptr || device != 0) return CUDA_ERROR_INVALID_VALUE;
    *major = static_cast<int>(Device::current().config().device.compute_major);
    *minor = static_cast<int>(Device::current().config().device.compute_minor);
    return CUDA_SUCCESS;
  });
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  return driver([&] {
    if (bytes == nullptr || device != 0) return CUDA_ERROR_INVALID_VALUE;
    *bytes = Device::current().config().device.memory_bytes;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxCreate(CUcontext* context, unsigned, CUdevice device) {
  return driver([&] {
    if (context == nullptr || device != 0) return CUDA_ERROR_INVALID_VALUE;
    Device::current().machine();
    *context = &state().context;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxDestroy(CUcontext context) {
  if (context != &state().context) return CUDA_ERROR_INVALID_CONTEXT;
  state().functions.clear();
  state().modules.clear();
  return forward(cudaDeviceReset);
}
CUresult cuCtxDetach(CUcontext context) { return cuCtxDestroy(context); }
CUresult cuCtxSynchronize() { return forward(cudaDeviceSynchronize); }

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return driver([&] {
    if (module == nullptr || file == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::string text;
    try {
      text = g80::read_text_file(file);
    } catch (const g80::SourceError&) {
      return CUDA_ERROR_FILE_NOT_FOUND;
    }
    return load(module, text, file);
  });
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return driver([&] {
    return module == nullptr || image == nullptr ? CUDA_ERROR_INVALID_VALUE : load(module, static_cast<const char*>(image), "image");
  });
}
CUresult cuModuleUnload(CUmodule module) {
  return driver([&] { return module == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS; });
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return driver([&] {
    if (function == nullptr || module == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const LoadedProgram& program = Device::current().programs().at(module->program);
    const auto unique = program.unique.find(name);
    const g80::Kernel* kernel = unique == program.unique.end() ? nullptr : program.module.find_kernel(unique->second);
    if (kernel == nullptr) return CUDA_ERROR_NOT_FOUND;
    CUfunc_st& made = state().functions.emplace_back();
    made.kernel = {module->program, kernel};
    *function = &made;
    return CUDA_SUCCESS;
  });
}
CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  return driver([&] {
    if (module == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const LoadedProgram& program = Device::current().programs().at(module->program);
    const auto unique = program.unique.find(name);
    for (const g80::DeviceVariable& variable : program.module.device_variables) {
      if (unique == program.unique.end() || variable.name != unique->second) continue;
      if (address != nullptr) *address = Device::current().machine().device_variable(variable.name);
      if (bytes != nullptr) *bytes = variable.bytes;
      return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
  });
}

CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  if (address == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  void* pointer = nullptr;
  const CUresult result = forward(cudaMalloc, &pointer, bytes);
  *address = reinterpret_cast<std::uintptr_t>(pointer);
  return result;
}
CUresult cuMemFree(CUdeviceptr address) { return forward(cudaFree, pointer_of(address)); }
CUresult cuMemGetInfo(size_t* free, size_t* total) { return forward(cudaMemGetInfo, free, total); }
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return forward(cudaMemcpy, pointer_of(to), from, bytes, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return forward(cudaMemcpy, to, pointer_of(from), bytes, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return forward(cudaMemcpy, pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemsetD8(CUdeviceptr address, unsigned char value, size_t count) { return forward(cudaMemset, pointer_of(address), value, count); }

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  if (function == nullptr || x < 1 || y < 1 || z < 1) return CUDA_ERROR_INVALID_VALUE;
  function->block = dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
  return CUDA_SUCCESS;
}
CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
  return function == nullptr ? CUDA_ERROR_INVALID_HANDLE : (function->shared = bytes, CUDA_SUCCESS);
}
CUresult cuParamSetSize(CUfunction function, unsigned bytes) {
  if (function == nullptr || bytes > g80::kParameterBytes) return CUDA_ERROR_INVALID_VALUE;
  function->params.resize((bytes + 3) / 4);
  return CUDA_SUCCESS;
}
CUresult cuParamSeti(CUfunction function, int offset, unsigned value) { return set_parameter(function, offset, &value, sizeof value); }
CUresult cuParamSetf(CUfunction function, int offset, float value) { return set_parameter(function, offset, &value, sizeof value); }
CUresult cuParamSetv(CUfunction function, int offset, void* value, unsigned bytes) { return set_parameter(function, offset, value, bytes); }
CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return driver([&] {
    if (function == nullptr || width < 1 || height < 1) return CUDA_ERROR_INVALID_VALUE;
    const dim3 grid(static_cast<unsigned>(width), static_cast<unsigned>(height));
    return result_of(run_launch(function->kernel, grid, function->block, function->params, function->shared));
  });
}
CUresult cuLaunch(CUfunction function) { return cuLaunchGrid(function, 1, 1); }
CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                        CUstream, void** parameters, void** extra) {
  return driver([&] {
    if (function == nullptr || extra != nullptr) return CUDA_ERROR_INVALID_VALUE;
    const g80::Kernel& kernel = *function->kernel.kernel;
    if (parameters == nullptr && !kernel.params.empty()) return CUDA_ERROR_INVALID_VALUE;
    return result_of(run_launch(function->kernel, dim3(gx, gy, gz), dim3(bx, by, bz), parameter_block(kernel, parameters), shared));
  });
}

CUresult cuEventCreate(CUevent* event, unsigned flags) { return forward(cudaEventCreateWithFlags, event, flags); }
CUresult cuEventRecord(CUevent event, CUstream stream) { return forward(cudaEventRecord, event, stream); }
CUresult cuEventSynchronize(CUevent event) { return forward(cudaEventSynchronize, event); }
CUresult cuEventElapsedTime(float* ms, CUevent start, CUevent end) { return forward(cudaEventElapsedTime, ms, start, end); }
CUresult cuEventDestroy(CUevent event) { return forward(cudaEventDestroy, event); }
}
