// SPDX-License-Identifier: Apache-2.0
// Reports whether the memory system has no work in flight: all blocks and queues that may hold a store, a fault or an
// instruction line.
//
// A block reports its own state; this class counts the entries of queues, visible to the reader or not. It is read on
// the core clock before any module steps at an edge, so wires and block state are from one moment. The result for the
// shader clock must not depend on which clock runs first at a common edge: a queue from there stays empty after
// the last block of the grid is reported, because its warps have pushed before they ended.
#pragma once
#include <functional>
#include <vector>

#include "hw/bundles/host_bundles.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/wire.h"

namespace g80 {

class IdleDetector final : public sc_core::sc_object, public IdleIf {
 public:
  explicit IdleDetector(const char* name) : sc_object(name) {}
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
