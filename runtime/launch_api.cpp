// SPDX-License-Identifier: Apache-2.0
// The three ways to launch: the calls that the compiler generates for <<<>>>, cudaConfigureCall with
// cudaSetupArgument, and pointers to arguments.
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include "hw/common/types.h"
#include "hw/config/occupancy.h"
#include "runtime/api.h"
#include "runtime/copy.h"
#include "runtime/launch.h"
#include "runtime/registry.h"
#include "toolchain/cubin/kernel_name.h"

namespace g80::cuda {
namespace {

struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  // Of cudaSetupArgument, as the host lays them out:
  std::vector<std::uint8_t> arguments;
  std::set<std::size_t> offsets;
};
using Configurations = std::vector<CallConfiguration>;
thread_local Configurations* prepared = nullptr;

/// What a thread has prepared ends with it. The first thread's exit handlers and static objects may still launch.
struct EndOfPreparations {
  ~EndOfPreparations() {
    if (gettid() != getpid()) delete std::exchange(prepared, nullptr);
  }
};

/// The launches being prepared by this thread; the last is the innermost.
Configurations& configurations() {
  if (prepared == nullptr) {
    prepared = new Configurations;
    static thread_local const EndOfPreparations end;
  }
  return *prepared;
}

constexpr std::size_t kMaxArguments = 256;  // bytes (CUDA C Programming Guide, parameters in shared memory)

/// Addresses of the arguments in the host's layout: where each was given by a call of its own, as its offset says (the
/// alignment of a struct is not known here); else natural alignment, in order. A pointer has 8 bytes there.
std::vector<void*> argument_addresses(const Kernel& kernel, CallConfiguration& call) {
  std::vector<std::uint8_t>& bytes = call.arguments;
  const bool given = call.offsets.size() == kernel.params.size();
  auto offset = call.offsets.begin();
  std::vector<void*> addresses;
  std::size_t at = 0;
  for (const Parameter& parameter : kernel.params) {
    const std::size_t size = parameter.type == DataType::kPtr ? 8 : parameter_bytes(parameter);
    const std::size_t align = parameter.type == DataType::kPtr ? 8 : data_type_bytes(parameter.type);
    at = given ? *offset++ : (at + align - 1) / align * align;
    bytes.resize(std::max(bytes.size(), at + size));
    addresses.push_back(reinterpret_cast<void*>(at));
    at += size;
  }
  for (void*& address : addresses) address = bytes.data() + reinterpret_cast<std::uintptr_t>(address);
  return addresses;
}

constexpr const char* kNoStream = "its stream does not exist";

/// Of a launch of something that is no kernel of this program.
cudaError_t refuse_unknown(const void* function) {
  return refuse_launch(fmt::format("at {}", function), "the program has no kernel there",
                       cudaErrorInvalidDeviceFunction);
}

}  // namespace

cudaFuncAttributes function_attributes(const KernelRef& ref) {
  Device& device = Device::current();
  const Kernel& kernel = *ref.kernel;
  const Module& module = device.programs()[ref.program].module;
  cudaFuncAttributes attributes{};
  attributes.sharedSizeBytes = kernel.smem;
  for (const ConstantVariable& variable : module.constants) attributes.constSizeBytes += variable.bytes;
  attributes.localSizeBytes = kernel.lmem;
  attributes.numRegs = static_cast<int>(kernel.reg);
  attributes.binaryVersion = attributes.ptxVersion = 10 + static_cast<int>(module.arch);
  std::uint32_t threads = device.config().device.max_threads_per_block;
  while (threads > kWarpSize && occupancy(device.config(), {threads, kernel.reg, kernel.smem}).blocks == 0)
    threads -= kWarpSize;
  attributes.maxThreadsPerBlock = static_cast<int>(threads);
  return attributes;
}

}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

const void* __g80KernelNamed(const char* name) {
  const std::lock_guard<std::recursive_mutex> lock(api_mutex());
  for (const Program& program : registry().programs) {
    if (!program.registered) continue;
    if (program.kernels.count(name) != 0) return name;  // the kernel itself: cudaLaunch((const char*)kernel)
    for (const auto& [stub, kernel] : program.kernels) {
      if (name != nullptr && g80::names_kernel(name, kernel)) return stub;
    }
  }
  return nullptr;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void* stream) {
  configurations().push_back({grid, block, shared, static_cast<cudaStream_t>(stream), {}, {}});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  return api([&] {
    if (configurations().empty()) return cudaErrorMissingConfiguration;
    const CallConfiguration& call = configurations().back();
    *grid = call.grid, *block = call.block, *shared = call.shared;
    std::memcpy(stream, &call.stream, sizeof call.stream);
    configurations().pop_back();
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
  say_if_launches_are_refused();
  return api([&] {
    const std::optional<KernelRef> kernel = Device::current().kernel_of(function);
    if (!kernel) return refuse_unknown(function);
    const std::string name = g80::demangled_name(kernel->kernel->name);
    if (!is_stream(stream)) return refuse_launch(name, kNoStream, cudaErrorInvalidResourceHandle);
    if (!kernel->kernel->params.empty() && arguments == nullptr)
      return refuse_launch(name, "it has parameters, and no arguments are given", cudaErrorInvalidValue);
    return run_launch(*kernel, grid, block, parameter_block(*kernel->kernel, arguments), shared, stream);
  });
}

cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  return api([&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    configurations().push_back({grid, block, shared, stream, {}, {}});
    return cudaSuccess;
  });
}
cudaError_t cudaSetupArgument(const void* argument, size_t size, size_t offset) {
  return api([&] {
    if (configurations().empty()) return cudaErrorMissingConfiguration;
    if (argument == nullptr || offset > kMaxArguments || size > kMaxArguments - offset) return cudaErrorInvalidValue;
    std::vector<std::uint8_t>& bytes = configurations().back().arguments;
    if (bytes.size() < offset + size) bytes.resize(offset + size);
    std::memcpy(bytes.data() + offset, argument, size);
    configurations().back().offsets.insert(offset);
    return cudaSuccess;
  });
}
cudaError_t cudaLaunch(const void* function) {
  say_if_launches_are_refused();
  return api([&] {
    const std::optional<KernelRef> kernel = Device::current().kernel_of(function);
    if (!kernel) {
      if (!configurations().empty()) configurations().pop_back();
      return refuse_unknown(function);
    }
    if (configurations().empty())
      return refuse_launch(g80::demangled_name(kernel->kernel->name),
                           "no call of cudaConfigureCall belongs to this launch", cudaErrorMissingConfiguration);
    CallConfiguration call = std::move(configurations().back());
    configurations().pop_back();
    std::vector<void*> addresses = argument_addresses(*kernel->kernel, call);
    return run_launch(*kernel, call.grid, call.block, parameter_block(*kernel->kernel, addresses.data()), call.shared,
                      call.stream);
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return api([&] {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    const std::optional<KernelRef> ref = Device::current().kernel_of(function);
    if (!ref) return cudaErrorInvalidDeviceFunction;
    *attributes = function_attributes(*ref);
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return api([&] { return Device::current().kernel_of(function) ? cudaSuccess : cudaErrorInvalidDeviceFunction; });
}
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return api([&] { return Device::current().kernel_of(function) ? cudaSuccess : cudaErrorInvalidDeviceFunction; });
}
}
