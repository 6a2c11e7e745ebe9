// SPDX-License-Identifier: Apache-2.0
// --x random:SEED: what a reset leaves as it is starts from random bits, and what a wire or a queue carries beside its
// contents is random; results must not change.
//
// At the first edge after reset, in a block: the fields of an entry whose `valid` is 0, the places of its queues
// without an entry, the lines of its caches and the tables that it writes before it reads them; in a queue between
// clocks all places; in the SMs what sm.init covers; in device memory the pages that are handed out and not cleared.
// Later, at each write: the fields of a bundle that its `valid` calls meaningless, and the elements of its lanes'
// arrays that its `lanes` leave out.
#pragma once
#include <cstdint>
#include <vector>

#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/gpu/device_memory.h"
#include "tb/driver/address_space.h"

namespace g80 {

class RandomState final : private TraceSink {
 public:
  /// Call after the machine is built and before it runs; it must outlive this. `wires`: change what they carry, too.
  RandomState(std::vector<Domain*> domains, std::uint64_t seed, bool wires = true);
  ~RandomState() override;
  RandomState(const RandomState&) = delete;
  RandomState& operator=(const RandomState&) = delete;

  /// Gives random bits to pages that nobody has used, in the cells and in the reference's memory (null: there is none).
  void fill(DeviceMemory memory, const Mapping& mapping, std::uint8_t* reference) const;
  /// Fields that got random bits when the machine started.
  std::uint64_t fields() const { return fields_; }
  /// Fields that got them on wires and in queues, so far.
  std::uint64_t carried() const { return carried_; }

 private:
  /// A leaf that means something only if a bit of another one is set.
  struct Rule {
    std::uint32_t leaf, mask;
    std::uint8_t bit;
  };
  struct Carrier {
    Traceable* item;
    QueueView* queue;         // null: a wire
    std::vector<Rule> rules;  // by leaf
    std::uint64_t place;      // its own random bits
  };
  static std::vector<Rule> rules_of(const Traceable& item);

  void changed(std::uint32_t slot) override;
  void edge_begin(Domain& domain) override;
  void scramble(Traceable& item);

  const std::vector<Domain*> domains_;
  const std::uint64_t seed_;
  std::vector<bool> done_;  // by domain: its blocks have been reset and scrambled
  std::uint64_t fields_ = 0, carried_ = 0;
  std::vector<Carrier> carriers_;  // by slot
  std::vector<std::uint64_t> values_;
  std::vector<LeafEdit> edits_;
  bool editing_ = false;
};

}  // namespace g80
