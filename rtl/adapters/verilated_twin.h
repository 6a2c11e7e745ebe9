// SPDX-License-Identifier: Apache-2.0
// Base class of all adapters: a Verilated model that replaces a block, clocked by the block's domain. Pins only.
//
// An adapter derives from VerilatedTwin<Block, Model>, so it is the SystemC block with other behaviour: ports,
// registers and counters are the block's. Its constructor has the same parameters. It says which pin belongs to which
// field: write_pins() before the edge, read_pins() after it, drive() for the output wires.
// write_pins() is told which edge comes; it may be called more than once for an edge, and for one that does not come.
// A bundle port is one pin, a packed struct: to_pin(), from_pin() and show() of it need no list of its fields. (In the
// twins without struct ports, field x of bundle port req_i is pin req_x_i.) What happens at the clock edge itself (a
// pop, a request for sleep) is read in at_edge(), between settling and clocking.
#pragma once
#include <cstring>
#include <string>

#include "hw/common/clocked.h"
#include "rtl/adapters/drawn_bits.h"
#include "rtl/adapters/pins.h"
#include "rtl/adapters/rtl_signals.h"

namespace g80 {

/// Fills a counter struct, in the order of its visit(), from the twin's counters.
struct CounterPins {
  const std::uint64_t* pin;
  template <class T>
  void operator()(const char*, T& counter, unsigned = 0) {
    counter = *pin++;
  }
};

template <class Block, class Model>
class VerilatedTwin : public Block {
 public:
  using SystemCBlock = Block;

  /// `arguments`: of the block's constructor.
  template <class... Args>
  explicit VerilatedTwin(const sc_core::sc_module_name& name, Args&&... arguments)
      : Block(name, std::forward<Args>(arguments)...), model_(this->name()), signals_(*this) {
    Verilated::defaultContextp()->fatalOnError(false);  // a failed assertion is reported here, as any broken model
    Verilated::traceEverOn(true);                       // before it is evaluated for the first time
  }
  /// As the block draws itself. Its queues are empty here: what they hold is in the model.
  void trace_fields(FieldVisitor& visitor) const final {
    visit_fields(this->q_, visitor);
    DrawnBits drawn(visitor, inside(), this->name());
    this->visit_inside(drawn);
    drawn.finish();
  }

 protected:
  virtual void write_pins(Cycle edge) = 0;  // inputs to pins
  virtual void at_edge() = 0;               // what leaves with the edge
  virtual void read_pins() = 0;             // registers to d_ and counters
  /// What waves show of the block besides its registers, its queues above all: a signal of the observer with their
  /// bits, in the order in which the block draws them.
  virtual PackedBits inside() const { return {}; }

  void next() final {
    settle(this->edge(), true);
    at_edge();
    clock();
    read_pins();
  }
  void reset() final {
    settle(this->edge(), false);
    clock();
    read_pins();
  }
  /// Writes what an output pin holds to the port of the same name.
  template <class Pin, class T>
  static void show(const Pin& pin, sc_core::sc_out<T>& port) {
    T value;
    std::memset(static_cast<void*>(&value), 0, sizeof value);  // padding too: wires compare it
    from_pin(pin, value);
    port.write(value);
  }
  Model model_;

 private:
  class Signals final : public RtlSignals {
   public:
    explicit Signals(VerilatedTwin& twin) : RtlSignals(twin), twin_(twin) {}

   private:
    void connect(RtlTraceFile& file) const override { twin_.model_.trace(&file, 0); }
    void settle(Cycle edge) override { twin_.settle(edge, edge > clock()->reset_cycles()); }
    VerilatedTwin& twin_;
  };

  void settle(Cycle edge, bool out_of_reset) {
    model_.rst_ni = out_of_reset;
    write_pins(edge);
    model_.clk_i = 0;
    model_.eval();
  }
  void clock() {
    model_.clk_i = 1;
    model_.eval();
    signals_.clocked();
    VerilatedContext* context = Verilated::defaultContextp();
    if (__builtin_expect(context->gotError(), 0)) {
      context->gotError(false);
      context->gotFinish(false);
      throw ModelError(std::string(this->name()) + ": an assertion of its RTL failed");
    }
  }

  Signals signals_;
};

}  // namespace g80
