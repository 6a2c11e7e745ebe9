// SPDX-License-Identifier: Apache-2.0
// What all twins have in common, whatever their block and their model: the ports of the block, each connected with the
// pins of its name, and what becomes of the values that the model shows. These change the block; where the twin runs
// beside its block (tb/twins/checked_twin.h), they are compared with it.
//
//   In<T> x_i, Out<T> x_o       pin x_i or x_o: a packed struct, or a plain value
//   In<T> x_i                   without such a pin: x_<field>_i for the fields that the twin has, or none
//   Ports<..> x_i               pin x_i, a packed array; or <unit>_x_i, where there is a port for each execution unit
//   CrossingIn<T> x_i           x_valid_i, x_i, x_pop_o
//   CrossingOut<T> x_o          x_room_i, x_push_o, x_o; x_all_free_i if the twin asks for it
//
// clock_i gets the number of the edge, and issue_en_i says whether it is one of the half-rate front end. A pin without
// a port does not run.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/wire.h"
#include "rtl/adapters/bundle_difference.h"
#include "rtl/adapters/model_pins.h"
#include "tb/twins/checked_twin.h"

namespace g80 {

class ConnectedTwin;

/// A port of the block and its pins.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual void write(Cycle) {}             // what enters the model, before the edge
  virtual void at_edge(ConnectedTwin&) {}  // what leaves with the edge, once the model has settled
  virtual void show(ConnectedTwin&) {}     // outputs
};

class ConnectedTwin : public CheckedTwin {
 public:
  /// Part of the block's state: `shown` by the model.
  template <class T>
  void take(const char* what, const T& shown, T& member) {
    if (beside()) {
      compare(what, member, shown);
    } else {
      member = shown;
    }
  }
  /// The same from a signal.
  template <class T>
  void take_pin(const char* what, const Pin& pin, T& member) {
    T shown = member;
    from_pin(pin, shown);
    take(what, shown, member);
  }
  template <class T>
  void show(const T& value, Out<T>& port) {
    if (beside()) {
      compare(port.basename(), port.read(), value, true);
    } else {
      port.write(value);
    }
  }
  /// Takes the entry in front if the model asks for it. At the edge only, as the next two.
  template <class T>
  void pop(bool asked, CrossingIn<T>& port) {
    if (beside()) {
      after_block_.push_back([this, asked, &port, before = port->size()] {
        compare((std::string(port.basename()) + ", pop").c_str(), port->size() != before, asked, true);
      });
    } else if (asked) {
      port->pop();
    }
  }
  template <class T>
  void push(bool asked, const Pin& pin, CrossingOut<T>& port) {
    T item{};
    if (asked) from_pin(pin, item);
    if (beside()) {
      after_block_.push_back([this, asked, item, &port, before = port->size()] {
        const bool pushed = port->size() != before;
        compare((std::string(port.basename()) + ", push").c_str(), pushed, asked, true);
        if (pushed && asked) compare(port.basename(), port->newest(), item, true);
      });
    } else if (asked) {
      port->push(item);
    }
  }
  void sleep_if(bool asked) {
    if (beside()) {
      after_block_.push_back([this, asked] { compare("sleep", block_.sleep_requested, asked); });
    } else if (asked) {
      block_.sleep_requested = true;
    }
  }
  /// Notes the first difference. An output says more than the register behind it, which was compared just before.
  template <class T>
  void compare(const char* what, const T& block, const T& twin, bool is_output = false) {
    if (found_ && (found_->edge != block_.edge() || found_->in_output || !is_output)) return;
    if (auto text = difference(what, block, twin)) {
      found_ = {block_.edge(), sc_core::sc_time_stamp().value(), is_output, *std::move(text), inputs_text()};
    }
  }

  /// A size of the chip on a pin, from the constructor on.
  void strap(const char* name, std::uint64_t value) {
    pin_by_hand(name).set(value);
    straps_.emplace_back(name, value);
  }
  const std::vector<std::pair<const char*, std::uint64_t>>& straps() const { return straps_; }

 protected:
  explicit ConnectedTwin(ClockedBase& block) : block_(block) {}
  virtual std::string inputs_text() const = 0;

  /// A pin that the adapter writes or reads itself; taken in its constructor.
  Pin pin_by_hand(const char* name) {
    const Pin pin = pins_.take(name);
    CHECK(pin, "{}: the model has no pin {}", block_.name(), name);
    return pin;
  }
  /// A signal of the observer.
  Pin signal(const char* name) const {
    const Pin signal = observed_.find(name);
    CHECK(signal, "{}: the observer has no signal {}", block_.name(), name);
    return signal;
  }

  /// Ports of the block whose pins the adapter has left.
  void write_ports(Cycle edge) {
    if (!std::exchange(connected_, true)) connect();
    for (const auto& each : connections_) each->write(edge);
    if (clock_pin_) clock_pin_.set(edge);
    if (issue_pin_) issue_pin_.set(edge % 2 == 0);
  }
  void leave_ports() {
    for (const auto& each : connections_) each->at_edge(*this);
  }
  void show_ports() {
    for (const auto& each : connections_) each->show(*this);
  }
  void compare_after_block() {
    for (const std::function<void()>& each : after_block_) each();
    after_block_.clear();
    ++edges_;
  }

  ModelPins pins_, observed_;

 private:
  void connect();

  ClockedBase& block_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<std::pair<const char*, std::uint64_t>> straps_;
  bool connected_ = false;
  Pin clock_pin_, issue_pin_;                       // clock_i and issue_en_i, if there are
  std::vector<std::function<void()>> after_block_;  // comparisons of what the block does at this edge
};

}  // namespace g80
