// SPDX-License-Identifier: Apache-2.0
// The channels of a block and its twin: both read the same wires, and each drives wires of its own. A queue, of which
// each takes or fills its own, ends at the testbench. They are made from the block's ports.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/wire.h"

namespace g80::testing {

class PairChannels {
 public:
  /// Binds every port of both, which run in `clock`. `depth`: of their queues.
  PairChannels(ClockedBase& block, ClockedBase& twin, Domain& clock, unsigned depth);
  /// The first output or queue that differs.
  std::optional<std::string> difference() const;

  /// What drives an input of both.
  template <class T>
  Wire<T>& wire(const In<T>& port) const {
    return dynamic_cast<Wire<T>&>(*channels_.at(&port));
  }
  /// The queue at a port of one of the two.
  template <class T, class Interface>
  CrossingFifo<T>& queue(const CrossingPort<T, Interface>& port) const {
    return dynamic_cast<CrossingFifo<T>&>(*channels_.at(&port));
  }

  // Used by those that make the channels, one for each type of port.
  template <class Channel>
  void keep(std::unique_ptr<Channel> channel, std::initializer_list<const void*> ports) {
    for (const void* port : ports) channels_[port] = channel.get();
    made_.push_back(std::move(channel));
  }
  using Comparison = std::function<std::optional<std::string>()>;
  void add(Comparison comparison) { comparisons_.push_back(std::move(comparison)); }

 private:
  std::map<const void*, sc_core::sc_object*> channels_;  // by port
  std::vector<std::shared_ptr<void>> made_;
  std::vector<Comparison> comparisons_;
};

}  // namespace g80::testing
