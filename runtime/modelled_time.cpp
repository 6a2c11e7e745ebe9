// SPDX-License-Identifier: Apache-2.0
// The clock of cutil's timers.
#include "runtime/api.h"
#include "runtime/device.h"

/// Milliseconds that the device has worked; 0 before its first use, and with the reference, which has no time.
extern "C" double __g80ModelledMilliseconds() {
  double ms = 0;
  g80::cuda::api([&] {
    g80::cuda::Device& device = g80::cuda::Device::current();
    if (device.has_machine()) ms = static_cast<double>(device.busy_machine().picoseconds()) * 1e-9;
    return cudaSuccess;
  });
  return ms;
}
