// SPDX-License-Identifier: Apache-2.0
// Base class of all adapters: a Verilated model that replaces a block, clocked by the block's domain. Pins only.
//
// An adapter derives from VerilatedTwin<Block, Model>, so it is the SystemC block with other behaviour: ports,
// registers and counters are the block's. Its constructor has the same parameters. Ports, registers, counters and what
// waves show besides are connected by their names (connected_twin.h; the observer's signals are registers, counters_q,
// sleep, idle and one with what is drawn). By hand are, until the multiprocessor is built for one size, the straps
// cfg_*_i, and what a testbench looks up in memories; and what a block reports to observers. Only pins are written.
#pragma once
#include <string>
#include <utility>

#include "rtl/adapters/assertions.h"
#include "rtl/adapters/connected_twin.h"
#include "rtl/adapters/drawn_bits.h"
#include "rtl/adapters/pins.h"
#include "rtl/adapters/reached.h"
#include "rtl/adapters/rtl_signals.h"
#include "rtl/adapters/sm_model.h"

#include <verilated_sym_props.h>

namespace g80 {

template <class Block, class = void>
struct has_counters : std::false_type {};
template <class Block>
struct has_counters<Block, std::void_t<decltype(std::declval<const Block&>().counters())>>
    : std::is_reference<decltype(std::declval<const Block&>().counters())> {};

template <class Block, class Model>
class VerilatedTwin : public Block, public ConnectedTwin {
  static constexpr bool kPart = std::is_base_of_v<SmModelPart, Model>;  // of the model of a multiprocessor

 public:
  using SystemCBlock = Block;

  /// `arguments`: of the block's constructor.
  template <class... Args>
  explicit VerilatedTwin(const sc_core::sc_module_name& name, Args&&... arguments)
      : Block(name, std::forward<Args>(arguments)...),
        ConnectedTwin(static_cast<ClockedBase&>(*this)),
        model_(make_model(this->name())),
        signals_(*this) {
    visit_pins(static_cast<const Block*>(nullptr), model_, pins_);
    visit_signals(static_cast<const Block*>(nullptr), model_, observed_);
    registers_ = signal("registers");
    counter_signal_ = observed_.find("counters_q");
    sleep_ = observed_.find("sleep");
    for (const char* drawn : {"queue", "queues", "entries", "drawn", "way_back", "readers"}) {
      if (observed_.find(drawn)) drawn_ = observed_.find(drawn);
    }
    Verilated::traceEverOn(true);  // before the model is evaluated for the first time
    if constexpr (kPart) {
      model_.sm().join({this, [this](Cycle edge) { write_pins(edge); }, [this] { leave(); }});
    } else {
      begin_reset(model_);
    }
  }
  /// As the block draws itself. Its queues are empty here: what they hold is in the model.
  void trace_fields(FieldVisitor& visitor) const final {
    if (beside()) return Block::trace_fields(visitor);
    visitor.fields_of(this->q_);
    DrawnBits drawn(visitor, inside(), this->name(), draws_all_);
    this->visit_inside(drawn);
    drawn.finish();
  }

 protected:
  // What an adapter adds by hand.
  virtual void write_by_hand() {}    // pins
  virtual void at_edge_by_hand() {}  // before anything leaves with the edge
  virtual void read_by_hand() {}     // after registers and counters
  virtual void show_by_hand() {}     // outputs
  /// What waves show of the block besides its registers, its queues above all: the bits in the order in which the block
  /// draws them.
  virtual PackedBits inside() const { return drawn_ ? drawn_.bits() : PackedBits(); }
  /// A public variable inside the model, by the instance that it is in: "<block>.gen_bank[3].u_memory".
  const std::uint32_t* words_of(const std::string& instance, const char* variable) {
    const VerilatedScope* scope = nullptr;
    if constexpr (kPart) {
      scope = model_.sm().scope(instance);
    } else {
      scope = model_.contextp()->scopeFind(fmt::format("{}.{}", model_.name(), instance).c_str());
    }
    CHECK(scope != nullptr, "{}: its model has no {}", this->name(), instance);
    return static_cast<const std::uint32_t*>(scope->varFind(variable)->datap());
  }
  /// The signal has the registers of the largest chip; the block draws those of this one, the last fields.
  void draws_what_the_chip_has() { draws_all_ = false; }

  void next() final {
    clock(true);
    if (beside()) {
      Block::next();
      compare_after_block();
    }
    read();
  }
  void reset() final {
    clock(false);
    if (beside()) Block::reset();
    read();
  }
  void drive() final {
    if (beside()) Block::drive();
    show_ports();
    show_by_hand();
  }

  Model model_;
  Reached reached_;

 private:
  class Signals final : public RtlSignals {
   public:
    explicit Signals(VerilatedTwin& twin) : RtlSignals(twin), twin_(twin) {}

   private:
    void connect(RtlTraceFile& file) const override { twin_.model_.trace(&file, 0); }
    void settle(Cycle edge) override { twin_.settle(edge, !clock()->in_reset()); }
    VerilatedTwin& twin_;
  };

  struct NoSignals {
    explicit NoSignals(const VerilatedTwin&) {}
    static std::string inputs_text() { return {}; }
  };

  static Model make_model(const char* name) {
    prepare_context(*Verilated::defaultContextp(), name);
    return Model(name);
  }
  std::string inputs_text() const override { return signals_.inputs_text(); }
  /// It is told which edge comes; it may be called more than once for an edge, and for one that does not come.
  void write_pins(Cycle edge) {
    write_ports(edge);
    write_by_hand();
  }
  void leave() {
    at_edge_by_hand();
    leave_ports();
    sleep_if(!sleep_ || sleep_.is_high());  // without the signal, until an input changes
  }
  void read() {
    take_pin("registers", registers_, this->d_);
    if constexpr (has_counters<Block>::value) {
      using Counters = std::remove_const_t<std::remove_reference_t<decltype(this->counters())>>;
      if (counter_signal_) take_pin("counters", counter_signal_, const_cast<Counters&>(this->counters()));
    }
    read_by_hand();
  }
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
      if (out_of_reset) leave();
      model_.clk_i = 1;
      model_.eval();
      signals_.clocked();
      check_assertions(*Verilated::defaultContextp(), this->name(), this->edge());
    }
  }

  std::conditional_t<kPart, NoSignals, Signals> signals_;
  Pin registers_, counter_signal_, sleep_, drawn_;
  bool draws_all_ = true;
};

}  // namespace g80
