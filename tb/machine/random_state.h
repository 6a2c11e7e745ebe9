// SPDX-License-Identifier: Apache-2.0
// --x random:SEED: what a reset leaves as it is starts from random bits, and results must not change.
//
// In a block these are the fields of an entry whose `valid` is 0, the places of its queues without an entry, and the
// lines of its caches; in a queue between clocks all places; in the SMs what sm.init covers; in device memory the pages
// that are handed out and not cleared.
#pragma once
#include <cstdint>
#include <vector>

#include "hw/common/clocked.h"
#include "hw/gpu/device_memory.h"
#include "tb/driver/address_space.h"

namespace g80 {

class RandomState final : private TraceSink {
 public:
  /// Call after the machine is built and before it runs; it must outlive this.
  RandomState(std::vector<Domain*> domains, std::uint64_t seed);
  ~RandomState() override;
  RandomState(const RandomState&) = delete;
  RandomState& operator=(const RandomState&) = delete;

  /// Gives random bits to pages that nobody has used, in the cells and in the reference's memory (null: there is none).
  void fill(DeviceMemory memory, const Mapping& mapping, std::uint8_t* reference) const;
  /// Fields that got random bits so far.
  std::uint64_t fields() const { return fields_; }

 private:
  void changed(std::uint32_t) override {}
  void edge_begin(Domain& domain) override;
  void scramble(Traceable& item);

  const std::vector<Domain*> domains_;
  const std::uint64_t seed_;
  std::vector<bool> done_;  // by domain: its blocks have been reset and scrambled
  std::uint64_t fields_ = 0;
};

}  // namespace g80
