// SPDX-License-Identifier: Apache-2.0
// What the ports of blocks have in common: In and Out (wire.h), CrossingIn and CrossingOut (crossing_fifo.h).
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <typeinfo>

#include "hw/common/check.h"

namespace g80 {

/// What a port is, for those that find the ports of a block by their names, among the block's children.
class AnyPort {
 public:
  virtual ~AnyPort() = default;
  /// typeid(In<T>) and so on, and the object of this type.
  virtual const std::type_info& type() const = 0;
  virtual void* port() = 0;
};

/// A port of a block: what the block needs at every edge is in `Derived`. The port of SystemC, which only elaboration
/// needs, is large and lies elsewhere, so that the ports of a block share lines of the host's cache. When the model is
/// elaborated, `Derived::bound(SystemcPort&)` takes from it what an edge needs.
template <class Derived, class SystemcPort>
class BlockPort {
 public:
  explicit BlockPort(const char* name) { create(name); }
  BlockPort(const BlockPort&) = delete;
  BlockPort& operator=(const BlockPort&) = delete;
  void create(const char* name);
  /// Binds it to a channel.
  template <class Channel>
  void operator()(Channel& channel) {
    systemc()(channel);
  }
  /// Binds it to the port of a module around the block.
  void operator()(Derived& outer) { systemc()(outer.systemc()); }
  /// What it is bound to.
  auto* get_interface() { return systemc().get_interface(); }
  const char* basename() const { return static_cast<const Port&>(*port_).basename(); }

 protected:
  BlockPort() = default;  // in Ports, which names it
  ~BlockPort() = default;
  SystemcPort& systemc() { return static_cast<Port&>(*port_); }

 private:
  class Port final : public SystemcPort, public AnyPort {
   public:
    Port(const char* name, Derived& owner) : SystemcPort(name), owner_(owner) {}
    const std::type_info& type() const override { return typeid(Derived); }
    void* port() override { return &owner_; }

   private:
    void end_of_elaboration() override {
      SystemcPort::end_of_elaboration();
      owner_.bound(*this);
    }
    Derived& owner_;
  };
  std::unique_ptr<AnyPort> port_;  // of one type for all ports: less to compile
};

// Not inline, as all that is compiled for each bundle and does not run at clock edges: hw/bundles/signals.h.
template <class Derived, class SystemcPort>
void BlockPort<Derived, SystemcPort>::create(const char* name) {
  port_ = std::make_unique<Port>(name, static_cast<Derived&>(*this));
}

/// Ports of one kind: `name`_0, `name`_1 and so on, as sc_vector names them.
template <class Port>
class Ports {
 public:
  explicit Ports(const char* name, unsigned count = 0) : name_(name) {
    if (count != 0) init(count);
  }
  /// In the constructor of the block.
  void init(unsigned count) {
    ports_ = std::make_unique<Port[]>(count);
    size_ = count;
    for (unsigned i = 0; i < count; ++i) ports_[i].create((name_ + "_" + std::to_string(i)).c_str());
  }
  /// Binds each of them to the channel with its number.
  template <class Channels>
  void operator()(Channels& channels) {
    CHECK(channels.size() == size_, "{}: {} ports, but {} channels", name_, size_, channels.size());
    for (unsigned i = 0; i < size_; ++i) ports_[i](channels[i]);
  }
  unsigned size() const { return size_; }
  Port& operator[](std::size_t i) { return ports_[i]; }
  const Port& operator[](std::size_t i) const { return ports_[i]; }
  Port* begin() { return ports_.get(); }
  Port* end() { return begin() + size_; }
  const Port* begin() const { return ports_.get(); }
  const Port* end() const { return begin() + size_; }

 private:
  std::unique_ptr<Port[]> ports_;
  unsigned size_ = 0;
  std::string name_;
};

}  // namespace g80
