// SPDX-License-Identifier: Apache-2.0
// What watches a machine. A GpuBackend has a list of observers and tells each, in the order of the list, what happens.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tb/driver/driver.h"
#include "tb/scenario/run_result.h"

namespace g80 {

class MachineObserver {
 public:
  virtual ~MachineObserver() = default;
  /// The methods of launch `number` are about to be sent.
  virtual void launch_begins(const LoadedKernel& /*kernel*/, std::uint64_t /*number*/) {}
  /// Called now and then between steps of the simulation.
  virtual void watch() {}
  /// Adds what was observed to the result, which has end, cycles and counters. `accepted`: shader edge of the doorbell.
  /// Throws ModelError.
  virtual void launch_ends(Cycle /*accepted*/, LaunchResult& /*result*/) {}
  /// Nothing more will run. Returns sentences for the user. Throws InputError.
  virtual std::vector<std::string> finish() { return {}; }

 protected:
  MachineObserver() = default;
  MachineObserver(const MachineObserver&) = delete;
  MachineObserver& operator=(const MachineObserver&) = delete;
};

}  // namespace g80
