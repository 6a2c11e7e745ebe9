// SPDX-License-Identifier: Apache-2.0
// Creates the wires and queues between the ports of blocks, for modules that only contain wiring.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "hw/common/crossing_fifo.h"
#include "hw/common/wire.h"

namespace g80 {

class Connector {
 public:
  /// A wire that the caller binds.
  template <class T>
  Wire<T>& wire(const std::string& name) {
    return own(std::make_shared<Wire<T>>(name.c_str()));
  }
  /// valid/ready: bundle from producer to consumer, ready the other way.
  template <class Bundle>
  void handshake(const std::string& name, Out<Bundle>& bundle_out, In<bool>& ready_in, In<Bundle>& bundle_in,
                 Out<bool>& ready_out) {
    direct(name, bundle_out, bundle_in);
    direct(name + "_ready", ready_out, ready_in);
  }
  /// One driver, one reader; the caller may bind more.
  template <class T>
  Wire<T>& direct(const std::string& name, Out<T>& out, In<T>& in) {
    Wire<T>& between = wire<T>(name);
    out(between);
    in(between);
    return between;
  }
  /// A crossing queue between two ports of blocks; `way`: registers behind the flops of the write pointer.
  template <class T>
  CrossingFifo<T>& crossing(const std::string& name, Domain& writer, Domain& reader, unsigned depth, unsigned edges,
                            CrossingOut<T>& out, CrossingIn<T>& in, unsigned way = 0) {
    CrossingFifo<T>& between =
        own(std::make_shared<CrossingFifo<T>>(name.c_str(), &writer, &reader, depth, edges, edges, way));
    out(between);
    in(between);
    return between;
  }

 private:
  template <class Object>
  Object& own(std::shared_ptr<Object> object) {
    objects_.push_back(object);
    return *object;
  }
  std::vector<std::shared_ptr<void>> objects_;
};

/// Entries of a queue between two clocks that passes one entry per cycle of the slower one: an entry shows at most
/// `edges` edges of one clock after it was written, its place is free at most `edges` of the other one after it was
/// read, and where the edges lie to each other may cost one more.
inline unsigned full_rate_depth(unsigned edges, const Domain& a, const Domain& b) {
  const double ratio = std::min(a.mhz(), b.mhz()) / std::max(a.mhz(), b.mhz());
  return edges + static_cast<unsigned>(std::ceil(edges * ratio)) + 1;
}

}  // namespace g80
