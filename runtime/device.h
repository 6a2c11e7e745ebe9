// SPDX-License-Identifier: Apache-2.0
// The device as a context has it: a machine, loaded programs, allocations.
//
// Each context has a machine of its own, so that nothing of another one reaches it: no memory, no variables, no kernel
// that failed. Together they have the memory of one device. Everything is created on first use; reset() destroys it.
// Work waits in `work()`. Modelled time passes only on the device.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/device_copy.h"
#include "runtime/copy.h"
#include "runtime/heap.h"
#include "runtime/registry.h"
#include "runtime/session.h"
#include "runtime/stream_work.h"
#include "tb/scenario/backend.h"

namespace g80::cuda {

/// A device pointer of a CUDA program as the 32-bit address that it is.
inline std::uint32_t address_of(const void* pointer) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

/// A kernel of the machine.
struct KernelRef {
  unsigned program = 0;  // index into the loaded programs
  const Kernel* kernel = nullptr;
};
struct VariableRef {
  std::string name;  // unique in the machine
  std::size_t bytes = 0;
  bool constant = false;
};

/// A program on the machine, its names made unique there.
struct LoadedProgram {
  Module module;
  const Program* source = nullptr;                         // nullptr: loaded by the driver API
  bool unloaded = false;                                   // by the driver API: another module may take this place
  std::map<std::string, std::string> unique;               // name in the source, name in the machine
  std::vector<std::pair<std::string, unsigned>> textures;  // name in the source, unit
  std::map<std::string, TextureBinding> bindings;          // by the driver API
  /// False also if its library was unloaded: another one may have its addresses.
  bool is_registered() const { return source != nullptr && source->registered; }
};

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  /// That of this thread's context.
  static Device& current();

  const Config& config() const { return Session::current().config(); }
  /// Of a kernel that failed: every call returns it until the device is reset.
  cudaError_t sticky_error() const { return sticky_error_; }
  /// SystemC works for the machine of one context at a time.
  void enter();
  bool has_machine() const { return backend_ != nullptr; }
  /// The machine with every registered program loaded, when the work of all streams is done. Throws WorkFailed.
  Backend& machine();
  /// The same, while that work may go on: for what needs no machine at rest.
  Backend& busy_machine();
  /// The work of streams.
  StreamWork& work() { return busy_machine(), *work_; }
  /// False if a kernel failed.
  bool finish_work();
  void wait_for_streams();
  void complete_records();
  /// Finishes the work, completes records and destroys the machine and all allocations.
  void reset();

  // Programs
  /// Returns its number. Throws InputError if it does not fit.
  unsigned load(Module module, const Program* source);
  /// One that was loaded by the driver API. Waits for all work.
  void unload(unsigned program);
  const std::deque<LoadedProgram>& programs() { return busy_machine(), programs_; }
  std::optional<KernelRef> kernel_of(const void* stub);
  /// A variable, by its shadow in the host program or by a name that only one of its files has.
  cudaError_t variable_of(const void* symbol, VariableRef& found);

  // Memory
  std::optional<std::uint32_t> allocate(std::uint64_t bytes);
  bool release(std::uint32_t address);
  /// Host memory that kernels can access; cudaDeviceMapHost must have been set before the machine was made.
  static bool can_map_host() { return Session::current().config().device.compute_minor >= 2; }
  void set_map_host() { map_host_ = true; }
  bool maps_host() const { return map_host_; }
  /// False if no addresses are left. A range that is not mapped can be unmapped.
  bool map_host(void* host, std::size_t bytes);
  void unmap_host(const void* host);
  bool has_mappings() const { return !mapped_.empty(); }
  /// Where the device has the range that begins there.
  std::optional<std::uint32_t> mapped_address(const void* host) const;
  /// Of the device that all contexts share.
  std::uint64_t free_bytes();
  std::uint64_t used_bytes() const { return backend_ ? all_bytes_ - heap_->free_bytes() : 0; }
  /// True if the range lies inside one allocation or __device__ variable.
  bool contains(const void* pointer, std::uint64_t bytes) const;
  /// Bytes from the address to the end of its allocation; 0 if there is none.
  std::uint64_t bytes_from(const void* pointer) const;
  /// Start of the allocation that holds the address.
  std::optional<std::uint32_t> allocation_start(const void* pointer) const;

  /// Between lines of equal number and length inside allocations, without overlap.
  void copy(const Lines& to, const Lines& from) { machine(), copies_->copy(to, from); }

  /// Binds the textures of the program that holds the kernel, and starts the launch. Its end prints errors to standard
  /// error.
  void start_launch(const KernelRef& kernel, const Launch& launch);
  /// False, and a sticky error, if the kernel failed.
  bool end_launch(LaunchResult result);

  // Arrays
  void add(std::unique_ptr<cudaArray> array);
  bool has(const cudaArray* array) const { return arrays_.count(array) != 0; }
  /// With its memory. The device must have it.
  void release(const cudaArray* array);

  /// The texture at a program's reference, bound to a pointer `offset` bytes behind the aligned base.
  void bind(const textureReference* host, const TextureBinding& binding, std::size_t offset);
  void unbind(const textureReference* host);
  /// The offset; nothing if the reference is not bound.
  std::optional<std::size_t> bound_offset(const textureReference* host) const;
  /// The same for a program of the driver API.
  void bind(unsigned program, const std::string& texture, const TextureBinding& binding) {
    wait_for_streams();
    programs_.at(program).bindings[texture] = binding;
  }

 private:
  template <class Step>
  auto recorded(const Step& step);
  Backend::Ended run_work(bool wait);
  void load_registered();
  void bind_textures(const LoadedProgram& program);

  std::unique_ptr<Backend> backend_;
  std::uint64_t all_bytes_ = 0;  // that are free before the first allocation
  std::optional<DeviceCopy> copies_;
  std::optional<Heap> heap_;
  std::optional<StreamWork> work_;
  std::deque<LoadedProgram> programs_;
  std::size_t loaded_sources_ = 0;                      // programs of the registry that are on the machine
  std::map<std::uint32_t, std::uint64_t> allocations_;  // address, bytes; __device__ variables, too
  std::map<const void*, std::uint32_t> mapped_;         // address of host memory, by its beginning
  bool map_host_ = false;
  std::map<const cudaArray*, std::unique_ptr<cudaArray>> arrays_;
  struct BoundTexture {
    TextureBinding binding;
    std::size_t offset;
  };
  std::map<const textureReference*, BoundTexture> bindings_;
  std::vector<std::optional<TextureBinding>> bound_units_;  // what the machine has
  cudaError_t sticky_error_ = cudaSuccess;
};

}  // namespace g80::cuda
