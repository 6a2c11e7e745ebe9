// SPDX-License-Identifier: Apache-2.0
#include "tests/twins/pair_channels.h"

#include <typeindex>

#include "hw/bundles/signals.h"
#include "rtl/adapters/bundle_difference.h"

namespace g80::testing {
namespace {

struct PairOfPorts {
  std::string name;
  void* block;
  void* twin;
  Domain* clock;
  unsigned depth;
};

template <class T>
void make_channels(In<T>& block, In<T>& twin, const PairOfPorts& ports, PairChannels& to) {
  auto wire = std::make_unique<Wire<T>>(ports.name.c_str());
  block(*wire);
  twin(*wire);
  to.keep(std::move(wire), {&block, &twin});
}
template <class T>
void make_channels(Out<T>& block, Out<T>& twin, const PairOfPorts& ports, PairChannels& to) {
  for (Out<T>* port : {&block, &twin}) {
    auto wire = std::make_unique<Wire<T>>(((port == &block ? "block_" : "twin_") + ports.name).c_str());
    (*port)(*wire);
    to.keep(std::move(wire), {port});
  }
  to.add([&block, &twin, name = ports.name] { return g80::difference(name.c_str(), block.read(), twin.read()); });
}
template <class T, class Interface>
void make_channels(CrossingPort<T, Interface>& block, CrossingPort<T, Interface>& twin, const PairOfPorts& ports,
                   PairChannels& to) {
  constexpr bool kRead = std::is_same_v<Interface, CrossingReadIf<T>>;
  const CrossingFifo<T>* queues[2] = {};
  for (auto* port : {&block, &twin}) {
    const std::string name = (port == &block ? "block_" : "twin_") + ports.name;
    auto queue = std::make_unique<CrossingFifo<T>>(name.c_str(), kRead ? nullptr : ports.clock,
                                                   kRead ? ports.clock : nullptr, ports.depth, 1);
    (*port)(*queue);
    queues[port == &twin] = queue.get();
    to.keep(std::move(queue), {port});
  }
  to.add([of_block = queues[0], of_twin = queues[1], name = ports.name]() -> std::optional<std::string> {
    if (auto found = g80::difference((name + ", entries").c_str(), of_block->size(), of_twin->size())) return found;
    if (kRead || of_block->size() == 0) return std::nullopt;
    return g80::difference(name.c_str(), of_block->newest(), of_twin->newest());
  });
}

using Make = void (*)(const PairOfPorts& ports, PairChannels& to);
template <class Port>
void make_any(const PairOfPorts& ports, PairChannels& to) {
  make_channels(*static_cast<Port*>(ports.block), *static_cast<Port*>(ports.twin), ports, to);
}

const std::map<std::type_index, Make>& port_types() {
  static const std::map<std::type_index, Make> types = {
#define PORT(...) {typeid(__VA_ARGS__), make_any<__VA_ARGS__>},
#define SIGNAL(T) PORT(In<T>) PORT(Out<T>)
#define CROSSING(T) PORT(CrossingIn<T>) PORT(CrossingOut<T>)
      G80_SIGNALS(SIGNAL) SIGNAL(bool) G80_CROSSINGS(CROSSING)
#undef PORT
#undef SIGNAL
#undef CROSSING
  };
  return types;
}

/// By name.
std::map<std::string, AnyPort*> ports_of(const ClockedBase& block) {
  std::map<std::string, AnyPort*> ports;
  for (sc_core::sc_object* child : block.get_child_objects()) {
    if (auto* const port = dynamic_cast<AnyPort*>(child)) ports[child->basename()] = port;
  }
  return ports;
}

}  // namespace

PairChannels::PairChannels(ClockedBase& block, ClockedBase& twin, Domain& clock, unsigned depth) {
  const std::map<std::string, AnyPort*> of_twin = ports_of(twin);
  for (const auto& [name, port] : ports_of(block)) {
    const auto type = port_types().find(port->type());
    CHECK(type != port_types().end(), "{}.{}: hw/bundles/signals.h does not list what it carries", block.name(), name);
    type->second({name, port->port(), of_twin.at(name)->port(), &clock, depth}, *this);
  }
}

std::optional<std::string> PairChannels::difference() const {
  for (const Comparison& each : comparisons_) {
    if (auto found = each()) return found;
  }
  return std::nullopt;
}

}  // namespace g80::testing
