// SPDX-License-Identifier: Apache-2.0
// Base class of all adapters: a Verilated model that replaces a block, clocked by the block's domain. Pins only.
//
// An adapter derives from VerilatedTwin<Ports, Model>, Ports being what the SystemC block derives from too, and says
// which pin belongs to which field: write_pins() before the edge, read_pins() after it, drive() for the output wires.
// write_pins() gets the next edge; it may be called more than once for an edge, and for one that does not come.
// A bundle port is one pin, a packed struct: to_pin(), from_pin() and show() of it need no list of its fields. (In the
// twins without struct ports, field x of bundle port req_i is pin req_x_i.) What happens at the clock edge itself (a
// pop, a request for sleep) is read in at_edge(), between settling and clocking.
#pragma once
#include <cstring>
#include <string>

#include "hw/common/clocked.h"
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

template <class Ports, class Model>
class VerilatedTwin : public Ports {
 public:
  explicit VerilatedTwin(const sc_core::sc_module_name& name) : Ports(name), model_(this->name()), signals_(*this) {
    Verilated::defaultContextp()->fatalOnError(false);  // a failed assertion is reported here, as any broken model
    Verilated::traceEverOn(true);                       // before it is evaluated for the first time
  }

 protected:
  virtual void write_pins(Cycle edge) = 0;  // inputs to pins
  virtual void at_edge() = 0;               // what leaves with the edge
  virtual void read_pins() = 0;             // registers to d_ and counters

  void next() final {
    settle(this->edge(), true);
    at_edge();
    clock();
    read_pins();
  }
  void reset() final {
    model_.rst_ni = 0;
    model_.clk_i = 0;
    model_.eval();
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
