// SPDX-License-Identifier: Apache-2.0
// Streams and events. An event records a point in the order of the work, and with it of the device's modelled time.
#include <algorithm>

#include "runtime/api.h"
#include "runtime/context.h"

namespace g80::cuda {
namespace {

Handles<CUstream_st>& streams() { return current_context().streams; }
Handles<CUevent_st>& events() { return current_context().events; }
bool known(cudaStream_t stream) { return stream == nullptr || streams().has(stream); }
bool known(cudaEvent_t event) { return events().has(event); }

cudaError_t wait_for(const WorkPoint& point) {
  Device& device = Device::current();
  if (device.has_machine() && !device.work().finish(point)) throw WorkFailed();
  return sticky_error();
}

/// A look at the device takes it some time, so that a program that asks again and again gets on.
cudaError_t query(const WorkPoint& point) {
  Device& device = Device::current();
  if (!device.has_machine() || device.work().done(point)) return sticky_error();
  if (!device.work().look()) throw WorkFailed();
  return device.work().done(point) ? cudaSuccess : cudaErrorNotReady;
}

/// What has been called in a stream so far.
WorkPoint point_of(cudaStream_t stream) {
  if (stream != nullptr) return stream->after;
  Device& device = Device::current();
  return device.has_machine() ? device.work().barrier() : WorkPoint{};
}

std::uint64_t time_of(const CUevent_st& event) {
  return std::max(event.picoseconds, Device::current().work().end_of(event.after));
}

}  // namespace

bool is_stream(cudaStream_t stream) { return known(stream); }

}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return api([&] {
    if (stream == nullptr || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    *stream = streams().add({});
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return api([&] { return streams().remove(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return api([&] { return known(stream) ? wait_for(point_of(stream)) : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return api([&] { return known(stream) ? query(point_of(stream)) : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return api([&] {
    if (flags != 0) return cudaErrorInvalidValue;
    if (!known(stream) || !known(event)) return cudaErrorInvalidResourceHandle;
    if (stream != nullptr) stream->after.merge(event->after);  // stream 0 waits for all
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return api([&] {
    if (event == nullptr || flags > (cudaEventBlockingSync | cudaEventDisableTiming)) return cudaErrorInvalidValue;
    *event = events().add({});
    (*event)->timed = (flags & cudaEventDisableTiming) == 0;
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return api([&] {
    if (!known(event) || !known(stream)) return cudaErrorInvalidResourceHandle;
    event->recorded = true;
    Device& device = Device::current();
    event->picoseconds = device.busy_machine().picoseconds();
    event->after = stream == nullptr ? device.work().barrier() : device.work().before_next(&stream->after);
    return cudaSuccess;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return api([&] { return known(event) ? wait_for(event->after) : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return api([&] { return known(event) ? query(event->after) : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return api([&] { return events().remove(event) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return api([&] {
    if (ms == nullptr) return cudaErrorInvalidValue;
    if (!known(start) || !known(end) || !start->timed || !end->timed) return cudaErrorInvalidResourceHandle;
    if (!start->recorded || !end->recorded) return cudaErrorInvalidResourceHandle;
    const StreamWork& work = Device::current().work();
    if (!work.done(start->after) || !work.done(end->after)) return cudaErrorNotReady;
    *ms = static_cast<float>((static_cast<double>(time_of(*end)) - static_cast<double>(time_of(*start))) * 1e-9);
    return cudaSuccess;
  });
}
}
