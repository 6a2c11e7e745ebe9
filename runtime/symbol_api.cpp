// SPDX-License-Identifier: Apache-2.0
// __constant__ and __device__ variables.
#include "runtime/api.h"
#include "runtime/copy.h"
#include "runtime/device.h"

namespace g80::cuda {
namespace {

void* device_address(const VariableRef& variable) {
  return reinterpret_cast<void*>(std::uintptr_t{Device::current().machine().device_variable(variable.name)});
}

cudaError_t copy_symbol(const void* symbol, void* memory, std::size_t count, std::size_t offset, cudaMemcpyKind kind,
                        bool into_symbol) {
  const std::optional<CopyDirection> direction = copy_direction(kind);
  if (!direction || !(into_symbol ? direction->to_device : direction->from_device))
    return cudaErrorInvalidMemcpyDirection;
  Device& device = Device::current();
  VariableRef variable;
  if (const cudaError_t error = device.variable_of(symbol, variable); error != cudaSuccess) return error;
  if (offset > variable.bytes || count > variable.bytes - offset) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;
  if (memory == nullptr) return cudaErrorInvalidValue;
  const bool other_on_device = into_symbol ? direction->from_device : direction->to_device;
  if (device.contains(memory, count) != other_on_device) return cudaErrorInvalidValue;
  if (other_on_device && !variable.constant) {
    const CopyEnd inside{true, static_cast<char*>(device_address(variable)) + offset, count, 1};
    const CopyEnd outside{true, memory, count, 1};
    return into_symbol ? copy_bytes(inside, outside, count) : copy_bytes(outside, inside, count);
  }
  const auto address = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(memory));
  const auto at = static_cast<std::uint32_t>(offset);
  Backend& machine = device.machine();
  // Constants go over the host: each kernel with words of its own in the bank has a copy of it.
  std::vector<std::uint8_t> buffer(other_on_device ? count : 0);
  void* bytes = other_on_device ? buffer.data() : memory;
  if (into_symbol) {
    if (other_on_device) machine.read(address, bytes, count);
    machine.write_symbol(variable.name, at, bytes, count);
  } else {
    machine.read_symbol(variable.name, at, bytes, count);
    if (other_on_device) machine.write(address, bytes, count);
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset, cudaMemcpyKind kind) {
  return api([&] { return copy_symbol(symbol, const_cast<void*>(from), count, offset, kind, true); });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  return api([&] { return copy_symbol(symbol, to, count, offset, kind, false); });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t s) {
  return api([&] {
    return is_stream(s) ? cudaMemcpyToSymbol(symbol, from, count, offset, kind) : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t s) {
  return api([&] {
    return is_stream(s) ? cudaMemcpyFromSymbol(to, symbol, count, offset, kind) : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return api([&] {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    VariableRef variable;
    if (const cudaError_t error = Device::current().variable_of(symbol, variable); error != cudaSuccess) return error;
    if (variable.constant) return cudaErrorAddressOfConstant;
    *pointer = device_address(variable);
    return cudaSuccess;
  });
}
cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return api([&] {
    if (size == nullptr) return cudaErrorInvalidValue;
    VariableRef variable;
    const cudaError_t error = Device::current().variable_of(symbol, variable);
    if (error == cudaSuccess) *size = variable.bytes;
    return error;
  });
}
}
