// SPDX-License-Identifier: Apache-2.0
// Reports whether the memory system has no work in flight: all blocks and queues that may hold a store, a fault or an
// instruction line.
//
// Every block on the core clock drives idle_o from its registers; a queue from the shader clock counts its entries,
// visible to the reader or not. The result is that of the last edge, so the order in which blocks are stepped does not
// matter. It must not depend on which clock runs first at a common edge either: a queue from the shader clock stays
// empty after the last block of the grid is reported, because its warps have pushed before they ended.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hw/bundles/host_bundles.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/wire.h"
#include "hw/sm/sm_pins.h"

namespace g80 {

class IdleDetector final : public sc_core::sc_object, public IdleIf {
 public:
  explicit IdleDetector(const char* name) : sc_object(name) {}
  /// Binds the block's idle_o to a wire of this name.
  template <class Block>
  void add(const std::string& wire, Block& block) {
    wires_.push_back(std::make_unique<Wire<bool>>(wire.c_str()));
    block.idle_o(*wires_.back());
  }
  /// A queue from another clock.
  void add(const QueueView& queue) { queues_.push_back(&queue); }
  /// An SM, of another clock: it must have been idle before this moment.
  void add(const SmPins& sm) { sms_.push_back(&sm); }
  bool idle() const override {
    for (const auto& wire : wires_) {
      if (!wire->read()) return false;
    }
    for (const QueueView* queue : queues_) {
      if (!queue->was_empty()) return false;
    }
    const Picoseconds now = sc_core::sc_time_stamp().value();
    for (const SmPins* sm : sms_) {
      if (!sm->idle_before(now)) return false;
    }
    return true;
  }

 private:
  std::vector<std::unique_ptr<Wire<bool>>> wires_;
  std::vector<const QueueView*> queues_;
  std::vector<const SmPins*> sms_;
};

}  // namespace g80
