// SPDX-License-Identifier: Apache-2.0
// Contexts: a device and all that a program has made on it. Handles belong to their context.
//
// Before CUDA 4 a context is current to one thread of the host at a time, and a thread has a stack of them. The runtime
// API makes one for a thread that has none, and ends it with the thread. The driver API makes and moves them as it is
// told.
#pragma once
#define __G80_SIZE_T_ONLY__  // what is implemented is not a template
#include <cuda.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/device.h"

struct CUmod_st {
  unsigned program = 0;  // of the device
};
struct CUfunc_st {
  g80::cuda::KernelRef kernel;
  dim3 block;
  std::size_t shared = 0;
  std::vector<std::uint32_t> params;
};
struct CUtexref_st {
  unsigned program = 0;
  std::string name;
  cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
  cudaTextureAddressMode mode[3] = {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp};
  bool linear = false, read_integers = false, normalized = false;
  // What it is bound to: an array, rows or linear memory
  const cudaArray* array = nullptr;
  CUdeviceptr address = 0;
  std::size_t width = 0, height = 0, pitch = 0;  // texels, rows, bytes; height 0: linear memory
};
struct CUevent_st {
  bool timed = true;
  bool recorded = false;  // since its creation
  g80::cuda::WorkPoint after;
  std::uint64_t picoseconds = 0;  // when it was recorded; it happens when the work is done, if that is later
};

namespace g80::cuda {

/// What handles of one kind point to.
template <class Object>
class Handles {
 public:
  Object* add(Object object) {
    auto made = std::make_unique<Object>(std::move(object));
    Object* const handle = made.get();
    objects_[handle] = std::move(made);
    return handle;
  }
  bool has(const Object* handle) const { return objects_.count(handle) != 0; }
  bool remove(const Object* handle) { return objects_.erase(handle) != 0; }
  void clear() { objects_.clear(); }
  template <class Condition>
  void remove_if(const Condition& condition) {
    for (auto one = objects_.begin(); one != objects_.end();) {
      one = condition(*one->second) ? objects_.erase(one) : std::next(one);
    }
  }
  template <class Condition>
  Object* find(const Condition& condition) const {
    for (const auto& [handle, object] : objects_) {
      if (condition(*object)) return object.get();
    }
    return nullptr;
  }

 private:
  std::map<const Object*, std::unique_ptr<Object>> objects_;
};

}  // namespace g80::cuda

struct CUctx_st {
  explicit CUctx_st(bool made_by_runtime) : of_runtime(made_by_runtime) {}

  const bool of_runtime;
  const pid_t process = getpid();  // that made it
  unsigned users = 1;              // as cuCtxAttach counts them
  bool current = false;            // to a thread
  g80::cuda::Device device;
  g80::cuda::Handles<CUstream_st> streams;
  g80::cuda::Handles<CUevent_st> events;
  g80::cuda::Handles<CUmod_st> modules;
  g80::cuda::Handles<CUfunc_st> functions;
  g80::cuda::Handles<CUtexref_st> textures;
  std::vector<g80::cuda::VariableRef> constants;  // that were asked for by name; no name: unloaded

  /// Finishes the work and ends everything in the context.
  void reset();
};

namespace g80::cuda {

/// The context of this thread. Without one, the first makes it, the second returns a null pointer.
CUctx_st& current_context();
CUctx_st* current_context_if_any();

/// All that exist, in the order in which they were made.
std::vector<std::unique_ptr<CUctx_st>>& contexts();
bool is_context(const CUctx_st* context);
template <class Body>
void for_each_context(const Body& body) {
  for (const std::unique_ptr<CUctx_st>& context : contexts()) body(*context);
}

/// Makes a context that is current to no thread.
CUctx_st& make_context(bool of_runtime);
void push_context(CUctx_st& context);
/// There must be one.
CUctx_st& pop_context();
/// A context of this thread or of none.
void destroy_context(CUctx_st& context);

}  // namespace g80::cuda
