// SPDX-License-Identifier: Apache-2.0
// Progress in a machine and work in flight, from the command processor down to the DRAM. The watchdog uses it to
// distinguish a slow machine from a stuck one.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/gpu/gpu.h"

namespace g80 {

class MachineActivity {
 public:
  explicit MachineActivity(Gpu& gpu);

  /// Grows with every step of progress: an instruction issued, a transaction passed on, a burst moved. Does not grow
  /// with the activity of an idle machine (refresh), nor with retries that may fail forever.
  std::uint64_t moves() const;
  /// Grows when device memory may have changed, or host memory that a kernel can access.
  std::uint64_t memory_changes() const;
  /// Work is in flight. Entries that only wait for a warp that does not issue do not count.
  bool anything_in_flight() const;
  /// The blocks and queues that hold work in flight: at most `most` names, and the number of further ones.
  std::string in_flight_text(unsigned most) const;

 private:
  struct Part {
    std::string name;
    std::function<bool()> holds;
  };
  template <class Block>
  void add(const Block& block, std::function<bool()> holds) {
    parts_.push_back({block.name(), std::move(holds)});
  }
  void add_sm(SmPins& sm);
  void add_queues();

  Gpu& gpu_;
  std::vector<Part> parts_;
};

/// Upper bound of the shader cycles between two steps of progress while work is in flight: the sum of all latencies,
/// intervals and widths of the configuration.
std::uint64_t longest_step(const Config& config);

/// Transactions that may be in front of one: each lane of every load that the SMs have room for. Atomics on one word
/// are performed one after the other, a step each.
std::uint64_t most_transactions(const Config& config);

}  // namespace g80
