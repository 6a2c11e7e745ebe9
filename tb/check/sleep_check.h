// SPDX-License-Identifier: Apache-2.0
// Looks for lost wake-ups. A block may sleep only while stepping it would change nothing; here every sleeping block is
// stepped at every edge of its clock all the same, and what it changes is an error: the block, the cycle, the field.
//
// A wire that it drives or a queue that it uses is reported at once. The registers and stores that waves show are
// compared at the first edge of a sleep, at each 16th one after it, and when the block wakes; the words of memories
// when it wakes, in one of 64 sleeps.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/common/clocked.h"

namespace g80 {

class SleepCheck final : private TraceSink {
 public:
  /// Call after the machine is built and before it runs; it must outlive the check. `domains`: its clocks; the first,
  /// the shader clock, counts cycles. All edges of them run from now on.
  explicit SleepCheck(std::vector<Domain*> domains);
  ~SleepCheck() override;
  SleepCheck(const SleepCheck&) = delete;
  SleepCheck& operator=(const SleepCheck&) = delete;

  /// How often a sleeping block was stepped.
  std::uint64_t probes() const { return probes_; }

 private:
  static constexpr unsigned kProbesPerLook = 16, kSleepsPerLook = 64;
  struct Sleeper {
    bool asleep = false;
    std::uint64_t sleeps = 0, probes = 0;  // so far; in this sleep
    Picoseconds since = 0;                 // counters that count in their sleep are compared as they were then
    std::vector<std::uint64_t> shown;      // the fields when it fell asleep
    std::vector<std::uint64_t> all;        // with the words of memories; empty where they are not looked at
  };

  void edge_begin(Domain& domain) override;
  void changed(std::uint32_t slot) override;
  void probe(ClockedBase& block, Sleeper& sleeper);
  void compare(const ClockedBase& block, const Sleeper& sleeper, bool with_stored);
  [[noreturn]] void lost(const ClockedBase& block, const std::string& what) const;

  const std::vector<Domain*> domains_;
  std::vector<std::unique_ptr<ClockedBase>> awake_;  // keeps each clock running
  std::vector<std::vector<Sleeper>> sleepers_;       // by domain and block
  std::vector<Traceable*> outside_;                  // wires and queues, by slot
  std::vector<std::uint64_t> now_;                   // fields of a block that is compared
  const ClockedBase* probed_ = nullptr;              // is being stepped in its sleep
  const Sleeper* probed_sleeper_ = nullptr;
  std::uint64_t probes_ = 0;
};

}  // namespace g80
