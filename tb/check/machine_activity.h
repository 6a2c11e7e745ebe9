// SPDX-License-Identifier: Apache-2.0
// What moves in a machine and what is in flight in it, from the command processor down to the DRAM: for those who must
// tell a machine that is slow from one that stands still.
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

  /// Grows with every step that brings something nearer to its end: an instruction issued, a transaction handed on, a
  /// burst moved. Not with what a machine at rest does (refresh), nor with tries that may fail for ever.
  std::uint64_t moves() const;
  /// Something is in flight. What only waits for a warp that does not issue is not.
  bool anything_in_flight() const;
  /// The blocks and queues that hold what is in flight; as many as `most`, and how many there are beyond.
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
  void add_sm(Sm& sm);
  void add_queues();

  Gpu& gpu_;
  std::vector<Part> parts_;
};

/// Shader cycles that pass at most between two moves while something is in flight: every latency, interval and width of
/// the configuration once.
std::uint64_t longest_step(const Config& config);

}  // namespace g80
