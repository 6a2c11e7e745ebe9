// SPDX-License-Identifier: Apache-2.0
// Streams and events. All calls are synchronous, so a stream is only a handle, and an event records a point of the
// device's modelled time.
#include <set>

#include "runtime/api.h"
#include "runtime/device.h"

struct CUstream_st {};
struct CUevent_st {
  bool timed = true;
  bool recorded = false;  // since its creation
  std::uint64_t picoseconds = 0;
};

namespace g80::cuda {
namespace {

std::set<cudaStream_t>& streams() {
  static std::set<cudaStream_t> all;
  return all;
}
std::set<cudaEvent_t>& events() {
  static std::set<cudaEvent_t> all;
  return all;
}
bool known(cudaStream_t stream) { return stream == nullptr || streams().count(stream) != 0; }
bool known(cudaEvent_t event) { return events().count(event) != 0; }

}  // namespace

bool is_stream(cudaStream_t stream) { return known(stream); }

}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return api([&] {
    if (stream == nullptr || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    streams().insert(*stream = new CUstream_st);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return api([&] {
    if (streams().erase(stream) == 0) return cudaErrorInvalidResourceHandle;
    delete stream;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return api([&] { return known(stream) ? synchronized() : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return api([&] {
    if (flags != 0) return cudaErrorInvalidValue;
    return known(stream) && known(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return api([&] {
    if (event == nullptr || flags > (cudaEventBlockingSync | cudaEventDisableTiming)) return cudaErrorInvalidValue;
    events().insert(*event = new CUevent_st);
    (*event)->timed = (flags & cudaEventDisableTiming) == 0;
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return api([&] {
    if (!known(event) || !known(stream)) return cudaErrorInvalidResourceHandle;
    event->recorded = true;
    event->picoseconds = Device::current().machine().picoseconds();
    return cudaSuccess;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return api([&] { return known(event) ? synchronized() : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return api([&] {
    if (events().erase(event) == 0) return cudaErrorInvalidResourceHandle;
    delete event;
    return cudaSuccess;
  });
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return api([&] {
    if (ms == nullptr) return cudaErrorInvalidValue;
    if (!known(start) || !known(end) || !start->timed || !end->timed) return cudaErrorInvalidResourceHandle;
    if (!start->recorded || !end->recorded) return cudaErrorInvalidResourceHandle;
    *ms = static_cast<float>((static_cast<double>(end->picoseconds) - static_cast<double>(start->picoseconds)) * 1e-9);
    return cudaSuccess;
  });
}
}
