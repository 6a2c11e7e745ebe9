// What every adapter shares: a Verilated model in the place of a block, clocked by the block's domain. Pins only.
//
// An adapter derives from VerilatedTwin<Ports, Model>, Ports being what the SystemC block derives from too, and says
// which pin belongs to which field: write_pins() before the edge, read_pins() after it, drive() for the output wires.
// Field x of bundle port req_i is pin req_x_i; a field that the block never reads has no pin. An output of the clock
// edge itself (a pop, a request for sleep) is read in at_edge(), between settling and clocking.
#pragma once
#include <string>

#include "hw/common/clocked.h"
#include "tb/waves/verilated_time.h"

#include <verilated.h>

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
  explicit VerilatedTwin(const sc_core::sc_module_name& name) : Ports(name), model_(this->name()) {
    Verilated::defaultContextp()->fatalOnError(false);  // a failed assertion is reported here, as any broken model
  }

 protected:
  virtual void write_pins() = 0;  // inputs to pins
  virtual void at_edge() = 0;     // what leaves with the edge
  virtual void read_pins() = 0;   // registers to d_ and counters

  void next() final {
    write_pins();
    model_.clk_i = 0;
    model_.eval();
    at_edge();
    clock();
    read_pins();
  }
  void reset() final {
    model_.rst_ni = 0;
    model_.clk_i = 0;
    model_.eval();
    clock();
    model_.rst_ni = 1;
    model_.eval();
    read_pins();
  }
  Model model_;

 private:
  void clock() {
    model_.clk_i = 1;
    model_.eval();
    VerilatedContext* context = Verilated::defaultContextp();
    if (__builtin_expect(context->gotError(), 0)) {
      context->gotError(false);
      context->gotFinish(false);
      throw ModelError(std::string(this->name()) + ": an assertion of its RTL failed");
    }
  }
};

}  // namespace g80
