// SPDX-License-Identifier: Apache-2.0
#include "runtime/api.h"

#include <cstdlib>

#include "app/run/report_exception.h"
#include "runtime/context.h"

namespace g80::cuda {
namespace {

bool failed = false;

}  // namespace

cudaError_t& last_error() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}

cudaError_t sticky_error() {
  const CUctx_st* const context = current_context_if_any();
  return context == nullptr ? cudaSuccess : context->device.sticky_error();
}

bool& driver_initialised() {
  static bool initialised = false;
  return initialised;
}

std::recursive_mutex& api_mutex() {
  static auto& mutex = *new std::recursive_mutex;
  return mutex;
}

bool has_failed() { return failed; }

void exit_with_exception() {
  Call::close_all();
  failed = true;
  std::exit(report_exception());
}

}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

cudaError_t cudaGetLastError() {
  const std::lock_guard<std::recursive_mutex> lock(api_mutex());
  const cudaError_t error = std::exchange(last_error(), cudaSuccess);
  return sticky_error() != cudaSuccess ? sticky_error() : error;
}
cudaError_t cudaPeekAtLastError() {
  const std::lock_guard<std::recursive_mutex> lock(api_mutex());
  return sticky_error() != cudaSuccess ? sticky_error() : last_error();
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (static_cast<int>(error)) {
// clang-format off
#define G80_CUDA_ERROR(name, number, text) case number: return text;
// clang-format on
#include <g80/cuda_errors.def>
  }
  return "unrecognized error code";
}
const char* cudaGetErrorName(cudaError_t error) {
  switch (static_cast<int>(error)) {
// clang-format off
#define G80_CUDA_ERROR(name, number, text) case number: return #name;
// clang-format on
#include <g80/cuda_errors.def>
  }
  return "cudaErrorUnrecognized";
}
}

/// The SystemC library refers to sc_main, but the program starts in main.
extern "C" int sc_main(int, char**) { return 0; }
