// SPDX-License-Identifier: Apache-2.0
// Base class of all adapters: a Verilated model that replaces a block, clocked by the block's domain. Pins only.
//
// An adapter derives from VerilatedTwin<Block, Model>, so it is the SystemC block with other behaviour: ports,
// registers and counters are the block's. Its constructor has the same parameters. It says which pin belongs to which
// field: write_pins() before the edge, read_pins() after it, drive_pins() for the output wires. It hands over what it
// reads with take(), show(), pop(), push() and sleep_if(). These change the block; where the twin runs beside its block
// (checked_twin.h), they compare it.
// write_pins() is told which edge comes; it may be called more than once for an edge, and for one that does not come.
// A bundle port is one pin, a packed struct: to_pin(), from_pin() and show() of it need no list of its fields.
// What happens at the clock edge itself (a pop, a request for sleep) is read in at_edge(), between settling and
// clocking.
#pragma once
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/wire.h"
#include "rtl/adapters/assertions.h"
#include "rtl/adapters/bundle_difference.h"
#include "rtl/adapters/checked_twin.h"
#include "rtl/adapters/drawn_bits.h"
#include "rtl/adapters/pins.h"
#include "rtl/adapters/reached.h"
#include "rtl/adapters/rtl_signals.h"
#include "rtl/adapters/sm_model.h"

namespace g80 {

template <class Block, class Model>
class VerilatedTwin : public Block, public CheckedTwin {
  static constexpr bool kPart = std::is_base_of_v<SmModelPart, Model>;  // of the model of a multiprocessor

 public:
  using SystemCBlock = Block;

  /// `arguments`: of the block's constructor.
  template <class... Args>
  explicit VerilatedTwin(const sc_core::sc_module_name& name, Args&&... arguments)
      : Block(name, std::forward<Args>(arguments)...), model_(this->name()), signals_(*this) {
    watch_assertions(*Verilated::defaultContextp());
    Verilated::traceEverOn(true);  // before the model is evaluated for the first time
    if constexpr (kPart) model_.sm().join({this, [this](Cycle edge) { write_pins(edge); }, [this] { at_edge(); }});
  }
  /// As the block draws itself. Its queues are empty here: what they hold is in the model.
  void trace_fields(FieldVisitor& visitor) const final {
    if (beside()) return Block::trace_fields(visitor);
    visitor.fields_of(this->q_);
    DrawnBits drawn(visitor, inside(), this->name());
    this->visit_inside(drawn);
    drawn.finish();
  }

 protected:
  virtual void write_pins(Cycle edge) = 0;  // inputs to pins
  virtual void at_edge() = 0;               // what leaves with the edge
  virtual void read_pins() = 0;             // registers and counters
  virtual void drive_pins() = 0;            // outputs
  /// What waves show of the block besides its registers, its queues above all: a signal of the observer with their
  /// bits, in the order in which the block draws them.
  virtual PackedBits inside() const { return {}; }

  void next() final {
    clock(true);
    if (beside()) {
      Block::next();
      for (const std::function<void()>& compare : after_block_) compare();
      after_block_.clear();
      ++edges_;
    }
    read_pins();
  }
  void reset() final {
    clock(false);
    if (beside()) Block::reset();
    read_pins();
  }
  void drive() final {
    if (beside()) Block::drive();
    drive_pins();
  }

  /// Part of the block's state: `shown` by the model.
  template <class T>
  void take(const char* what, const T& shown, T& member) {
    if (beside()) {
      compare(what, member, shown);
    } else {
      member = shown;
    }
  }
  /// The same from a pin.
  template <class Pin, class T>
  void take_pin(const char* what, const Pin& pin, T& member) {
    T shown = member;
    from_pin(pin, shown);
    take(what, shown, member);
  }
  /// Writes what an output pin holds to the port of the same name.
  template <class Pin, class T>
  void show(const Pin& pin, Out<T>& port) {
    T value;
    std::memset(static_cast<void*>(&value), 0, sizeof value);  // padding too: wires compare it
    from_pin(pin, value);
    show_value(value, port);
  }
  /// The same from element `i` of an array of structs.
  template <std::size_t kWords, class T>
  void show_element(const VlWide<kWords>& pin, unsigned i, Out<T>& port) {
    T value;
    std::memset(static_cast<void*>(&value), 0, sizeof value);
    from_element(pin, i, value);
    show_value(value, port);
  }
  template <class T>
  void show_value(const T& value, Out<T>& port) {
    if (beside()) {
      compare(port.basename(), port.read(), value, true);
    } else {
      port.write(value);
    }
  }
  /// Takes the entry in front if the model asks for it. In at_edge() only, as the next two.
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
  template <class Pin, class T>
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
      after_block_.push_back([this, asked] { compare("sleep", this->sleep_requested, asked); });
    } else if (asked) {
      this->sleep();
    }
  }
  /// Notes the first difference. An output says more than the register behind it, which was compared just before.
  template <class T>
  void compare(const char* what, const T& block, const T& twin, bool is_output = false) {
    if (found_ && (found_->edge != this->edge() || found_->in_output || !is_output)) return;
    if (auto text = difference(what, block, twin)) {
      found_ = {this->edge(), sc_core::sc_time_stamp().value(), is_output, *std::move(text), signals_.inputs_text()};
    }
  }

  Model model_;
  Reached reached_;

 private:
  class Signals final : public RtlSignals {
   public:
    explicit Signals(VerilatedTwin& twin) : RtlSignals(twin), twin_(twin) {}

   private:
    void connect(RtlTraceFile& file) const override { twin_.model_.trace(&file, 0); }
    void settle(Cycle edge) override { twin_.settle(edge, edge > clock()->reset_cycles()); }
    VerilatedTwin& twin_;
  };

  struct NoSignals {
    explicit NoSignals(const VerilatedTwin&) {}
    static std::string inputs_text() { return {}; }
  };

  void settle(Cycle edge, bool out_of_reset) {
    model_.rst_ni = out_of_reset;
    write_pins(edge);
    model_.clk_i = 0;
    model_.eval();
  }
  void clock(bool out_of_reset) {
    if constexpr (kPart) {
      model_.sm().clock(this->edge(), out_of_reset);
    } else {
      settle(this->edge(), out_of_reset);
      if (out_of_reset) at_edge();
      model_.clk_i = 1;
      model_.eval();
      signals_.clocked();
      check_assertions(*Verilated::defaultContextp(), this->name(), this->edge());
    }
  }

  std::conditional_t<kPart, NoSignals, Signals> signals_;
  std::vector<std::function<void()>> after_block_;  // comparisons of what the block does at this edge
};

}  // namespace g80
