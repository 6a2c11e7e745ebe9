// SPDX-License-Identifier: Apache-2.0
// Whether the machine below its warps has nothing in flight: every block and queue that a store, a fault or an
// instruction line may be in, all at once.
//
// A block speaks for what it holds; what a queue holds is counted here, visible to its reader or not. Read on the core
// clock before anybody moves at an edge, so that wires and block state are those of one moment. What belongs to the
// shader clock must not depend on which clock goes first at a common edge: a queue from there is empty for good when
// the last block of the grid is reported, since its warps have pushed before they ended.
#pragma once
#include <functional>
#include <vector>

#include "hw/bundles/host_bundles.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/wire.h"

namespace g80 {

class IdleTree final : public sc_core::sc_object, public IdleIf {
 public:
  explicit IdleTree(const char* name) : sc_object(name) {}
  void add(const Wire<bool>& idle) { wires_.push_back(&idle); }
  template <class Block>
  void add_block(const Block& block) {
    checks_.push_back([&block] { return block.idle(); });
  }
  /// The queue that `reader` reads.
  template <class T>
  void add_queue(const sc_core::sc_port<CrossingReadIf<T>>& reader) {
    checks_.push_back([&reader] { return reader->drained(); });
  }
  /// A block of another clock: it must have been idle before this moment.
  template <class Block>
  void add_foreign_block(const Block& block) {
    checks_.push_back([&block] { return block.idle_before(sc_core::sc_time_stamp().value()); });
  }
  bool idle() const override {
    for (const Wire<bool>* wire : wires_) {
      if (!wire->read()) return false;
    }
    for (const auto& check : checks_) {
      if (!check()) return false;
    }
    return true;
  }

 private:
  std::vector<const Wire<bool>*> wires_;
  std::vector<std::function<bool()>> checks_;  // asked only while a launch or a fence waits
};

}  // namespace g80
