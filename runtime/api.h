// SPDX-License-Identifier: Apache-2.0
// Common code of every runtime call: one call at a time, sticky errors, and errors that end the program.
#pragma once
#include <mutex>
#include <utility>

#include <cuda_runtime_api.h>

#include "tb/machine/interrupt.h"

namespace g80::cuda {

/// What cudaGetLastError returns to this thread of the host, unless a kernel failed.
cudaError_t& last_error();
/// Of a kernel of this thread's context that failed: every call returns it until the device is reset.
cudaError_t sticky_error();
/// True when the program has ended, and with it all contexts, or when an error ends it.
bool has_ended();
/// True from that error on: it is told, and what it makes of the rest is not.
bool has_failed();
/// True from the first call of the runtime on, or from cuInit: the runtime initialises the driver, and its context is
/// the driver's.
bool& driver_initialised();
/// Whoever reads or changes state of the API holds it.
std::recursive_mutex& api_mutex();

/// A call that may let the device work. Meanwhile a signal ends the work before it ends the program.
class Call {
 public:
  Call() { ++open_; }
  ~Call() { --open_; }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  /// True in the program's handler of a signal that came during a call of this thread.
  static bool is_open() { return open_ != 0; }
  /// The work of all open calls has been left by an exception.
  static void close_all() { open_ = 0; }

 private:
  const std::lock_guard<std::recursive_mutex> lock_{api_mutex()};
  const InterruptGuard signals_;
  inline static thread_local unsigned open_ = 0;
};

/// A call waited for the work of streams, and a kernel failed: the call returns the sticky error.
struct WorkFailed {};

/// Ends the program in a catch block: prints the error, completes records, exits with its code.
[[noreturn]] void exit_with_exception();

/// Runs the body of a call.
template <class Body>
cudaError_t api(Body&& body) {
  const Call call;
  if (has_ended()) return last_error() = cudaErrorCudartUnloading;
  driver_initialised() = true;
  if (sticky_error() != cudaSuccess) return last_error() = sticky_error();
  cudaError_t result = cudaSuccess;
  try {
    result = std::forward<Body>(body)();
    check_interrupt([] { return "outside of launches"; });
  } catch (const WorkFailed&) {
    result = sticky_error();
  } catch (...) {
    exit_with_exception();
  }
  if (result != cudaSuccess && result != cudaErrorNotReady) last_error() = result;
  return result;
}

/// Waits for the work of all streams and reports errors of launches.
cudaError_t synchronized();

}  // namespace g80::cuda
