// SPDX-License-Identifier: Apache-2.0
// An AND gate: whether the memory system has no work in flight, all blocks that may hold a store, a fault or an
// instruction line.
//
// Every block of the core clock drives idle_o from its registers, so the order in which blocks are stepped does not
// matter. What the SMs hold, of another clock, and what they have sent that no block of this clock has taken yet, is
// counted there: an SM says that it is idle behind the end of its last CTA (CtaDone), and the CTA scheduler keeps that.
//
// In the chip the words of a TPC meet in the TPC, and one wire of kControlWay registers goes from there to the command
// processor, where the wires meet. Registers in front of an AND and as many behind it give the same word at every edge,
// so the model has them once, behind it: `idle_way` of the command processor.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hw/common/wire.h"

namespace g80 {

class IdleDetector final : public sc_core::sc_object, public sc_core::sc_signal_in_if<bool> {
 public:
  explicit IdleDetector(const char* name) : sc_object(name) {}
  /// Binds the block's idle_o to a wire of this name.
  template <class Block>
  void add(const std::string& wire, Block& block) {
    wires_.push_back(std::make_unique<Wire<bool>>(wire.c_str()));
    block.idle_o(*wires_.back());
  }
  const std::vector<std::unique_ptr<Wire<bool>>>& wires() const { return wires_; }
  const bool& read() const override {
    idle_ = true;
    for (const auto& wire : wires_) idle_ &= wire->read();
    return idle_;
  }
  const bool& get_data_ref() const override { return read(); }
  // It is read at edges: nobody waits for a change.
  const sc_core::sc_event& value_changed_event() const override { wire_detail::no_events(name()); }
  const sc_core::sc_event& posedge_event() const override { wire_detail::no_events(name()); }
  const sc_core::sc_event& negedge_event() const override { wire_detail::no_events(name()); }
  bool event() const override { wire_detail::no_events(name()); }
  bool posedge() const override { wire_detail::no_events(name()); }
  bool negedge() const override { wire_detail::no_events(name()); }

 private:
  std::vector<std::unique_ptr<Wire<bool>>> wires_;
  mutable bool idle_ = true;
};

}  // namespace g80
