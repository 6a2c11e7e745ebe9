// SPDX-License-Identifier: Apache-2.0
// The driver API's functions: attributes, parameters, launches.
#include <fmt/format.h>

#include <cstring>

#include "runtime/copy.h"
#include "runtime/driver_api.h"
#include "runtime/launch.h"
#include "toolchain/cubin/kernel_name.h"

namespace g80::cuda {
namespace {

CUresult set_parameter(CUfunction function, int offset, const void* value, std::size_t bytes) {
  return driver([&] {
    if (function == nullptr || value == nullptr || offset < 0 ||
        static_cast<std::size_t>(offset) + bytes > kParameterBytes) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (!known(function)) return CUDA_ERROR_INVALID_HANDLE;
    const std::size_t words = (static_cast<std::size_t>(offset) + bytes + 3) / 4;
    if (function->params.size() < words) function->params.resize(words);
    std::memcpy(reinterpret_cast<char*>(function->params.data()) + offset, value, bytes);
    return CUDA_SUCCESS;
  });
}

/// The parameters that `extra` points to, in the kernel's layout. No value if `extra` has another form.
std::optional<std::vector<std::uint32_t>> packed_parameters(void** extra) {
  const void* buffer = nullptr;
  std::size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer = extra[1];
    } else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1] != nullptr) {
      bytes = *static_cast<const std::size_t*>(extra[1]);
    } else {
      return std::nullopt;
    }
  }
  if (bytes > kParameterBytes || (bytes != 0 && buffer == nullptr)) return std::nullopt;
  std::vector<std::uint32_t> words((bytes + 3) / 4);
  if (bytes != 0) std::memcpy(words.data(), buffer, bytes);
  return words;
}

void refuse(const CUfunc_st& function, const std::string& why) {
  refuse_launch(demangled_name(function.kernel.kernel->name), why, cudaErrorInvalidValue);
}

/// Refuses a block of parameters that is shorter than the kernel's.
CUresult launch(const CUfunc_st& function, dim3 grid, dim3 block, const std::vector<std::uint32_t>& words,
                std::size_t shared, CUstream stream) {
  const std::uint32_t needed = parameter_block_bytes(*function.kernel.kernel);
  if (4 * words.size() < needed) {
    refuse(function, fmt::format("it has {} bytes of parameters, and {} are given", needed, 4 * words.size()));
    return CUDA_ERROR_INVALID_VALUE;
  }
  return result_of(run_launch(function.kernel, grid, block, words, shared, stream));
}

}  // namespace
}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return driver([&] {
    if (value == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!known(function)) return CUDA_ERROR_INVALID_HANDLE;
    const cudaFuncAttributes is = function_attributes(function->kernel);
    switch (attribute) {
      case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = is.maxThreadsPerBlock; break;
      case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(is.sharedSizeBytes); break;
      case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = static_cast<int>(is.constSizeBytes); break;
      case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = static_cast<int>(is.localSizeBytes); break;
      case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = is.numRegs; break;
      case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = is.ptxVersion; break;
      case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = is.binaryVersion; break;
      default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
  });
}
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache) {
  return driver([&] { return known(function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE; });
}
CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  return driver([&] {
    if (function == nullptr || x < 1 || y < 1 || z < 1) return CUDA_ERROR_INVALID_VALUE;
    if (!known(function)) return CUDA_ERROR_INVALID_HANDLE;
    function->block = dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
    return CUDA_SUCCESS;
  });
}
CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
  return driver([&] { return known(function) ? (function->shared = bytes, CUDA_SUCCESS) : CUDA_ERROR_INVALID_HANDLE; });
}
CUresult cuParamSetSize(CUfunction function, unsigned bytes) {
  return driver([&] {
    if (function == nullptr || bytes > g80::kParameterBytes) return CUDA_ERROR_INVALID_VALUE;
    if (!known(function)) return CUDA_ERROR_INVALID_HANDLE;
    function->params.resize((bytes + 3) / 4);
    return CUDA_SUCCESS;
  });
}
CUresult cuParamSeti(CUfunction function, int offset, unsigned value) {
  return set_parameter(function, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return set_parameter(function, offset, &value, sizeof value);
}
CUresult cuParamSetv(CUfunction function, int offset, void* value, unsigned bytes) {
  return set_parameter(function, offset, value, bytes);
}
CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  say_if_launches_are_refused();
  return driver([&] {
    if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!known(function)) return CUDA_ERROR_INVALID_HANDLE;
    if (!is_stream(stream)) {
      refuse(*function, "its stream does not exist");
      return CUDA_ERROR_INVALID_HANDLE;
    }
    if (width < 1 || height < 1) {
      refuse(*function, fmt::format("grid {} x {}", width, height));
      return CUDA_ERROR_INVALID_VALUE;
    }
    const dim3 grid(static_cast<unsigned>(width), static_cast<unsigned>(height));
    return launch(*function, grid, function->block, function->params, function->shared, stream);
  });
}
CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return cuLaunchGridAsync(function, width, height, nullptr);
}
CUresult cuLaunch(CUfunction function) { return cuLaunchGrid(function, 1, 1); }
CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, CUstream stream, void** parameters, void** extra) {
  say_if_launches_are_refused();
  return driver([&] {
    if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!known(function)) return CUDA_ERROR_INVALID_HANDLE;
    const auto refused = [&](const char* why, CUresult error) {
      refuse(*function, why);
      return error;
    };
    if (!is_stream(stream)) return refused("its stream does not exist", CUDA_ERROR_INVALID_HANDLE);
    const g80::Kernel& kernel = *function->kernel.kernel;
    if (parameters != nullptr && extra != nullptr)
      return refused("its parameters are given in two ways", CUDA_ERROR_INVALID_VALUE);
    if (parameters == nullptr && extra == nullptr && !kernel.params.empty())
      return refused("it has parameters, and no arguments are given", CUDA_ERROR_INVALID_VALUE);
    const auto words = extra != nullptr ? packed_parameters(extra) : parameter_block(kernel, parameters);
    if (!words) return refused("its parameters have a form that does not exist", CUDA_ERROR_INVALID_VALUE);
    return launch(*function, dim3(gx, gy, gz), dim3(bx, by, bz), *words, shared, stream);
  });
}
}
