// SPDX-License-Identifier: Apache-2.0
// Copies between two places in device memory as the driver makes them: large ones with a kernel, because the copy
// engine has one crossbar port and the SMs have those of all clusters; others with the copy engine.
#pragma once
#include <vector>

#include "tb/scenario/backend.h"

namespace g80 {

/// The launches of such a kernel, in their order; none if the copy engine makes the copy. Each thread copies 8 bytes,
/// so a kernel is used where half-warps coalesce: no arrays, addresses and pitches are multiples of 128 bytes, line
/// lengths of 8.
/// And where its launch is worth it: for kLeastKernelCopy bytes or more.
std::vector<Launch> copy_launches(const Config& config, const Lines& to, const Lines& from);
inline constexpr std::uint64_t kLeastKernelCopy = 128 << 10;

class DeviceCopy {
 public:
  explicit DeviceCopy(Backend& machine) : machine_(machine) {}
  DeviceCopy(const DeviceCopy&) = delete;
  DeviceCopy& operator=(const DeviceCopy&) = delete;

  /// As Backend::copy.
  void copy(const Lines& to, const Lines& from);

 private:
  Backend& machine_;
  bool loaded_ = false;  // the kernel
};

}  // namespace g80
