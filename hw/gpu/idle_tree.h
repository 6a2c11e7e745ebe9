// Whether the memory system has nothing in flight: all its parts at once.
//
// Read before anybody moves at an edge, so that wires and block state are those of one moment.
#pragma once
#include <functional>
#include <vector>

#include "hw/common/wire.h"
#include "hw/host/host_bundles.h"

namespace g80 {

class IdleTree final : public sc_core::sc_object, public IdleIf {
 public:
  explicit IdleTree(const char* name) : sc_object(name) {}
  void add(const Wire<bool>& idle) { wires_.push_back(&idle); }
  template <class Block>
  void add_block(const Block& block) {
    blocks_.push_back([&block] { return block.idle(); });
  }
  bool idle() const override {
    for (const Wire<bool>* wire : wires_) {
      if (!wire->read()) return false;
    }
    for (const auto& block : blocks_) {
      if (!block()) return false;
    }
    return true;
  }

 private:
  std::vector<const Wire<bool>*> wires_;
  std::vector<std::function<bool()>> blocks_;  // asked only while a launch or a fence waits
};

}  // namespace g80
