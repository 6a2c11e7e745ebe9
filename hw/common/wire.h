// SPDX-License-Identifier: Apache-2.0
// The channel between two blocks of one clock domain: a plain variable that wakes its readers.
//
// Implements SystemC's signal interface, so blocks keep real sc_in/sc_out ports. Writes happen in the commit phase of
// the domain and reads in the step phase, so a wire needs one value and no update request. A wire has no events: a
// block that waits for one belongs on sc_signal.
#pragma once
#include <cstring>
#include <systemc>
#include <vector>

#include "hw/common/clocked.h"
#include "hw/common/sc_trace.h"  // sc_in<Bundle> instantiates it
#include "hw/common/traceable.h"

namespace g80 {

namespace wire_detail {
[[noreturn]] inline void no_events(const char* name) {
  throw ModelError(std::string(name) + ": a wire has no events; use sc_signal");
}

template <class T>
class Interface : public sc_core::sc_signal_inout_if<T> {
 public:
  const sc_core::sc_event& value_changed_event() const override { no_events("wire"); }
  bool event() const override { no_events("wire"); }
};
template <>
class Interface<bool> : public sc_core::sc_signal_inout_if<bool> {
 public:
  const sc_core::sc_event& value_changed_event() const override { no_events("wire"); }
  const sc_core::sc_event& posedge_event() const override { no_events("wire"); }
  const sc_core::sc_event& negedge_event() const override { no_events("wire"); }
  bool event() const override { no_events("wire"); }
  bool posedge() const override { no_events("wire"); }
  bool negedge() const override { no_events("wire"); }
};
}  // namespace wire_detail

template <class T>
class Wire final : public sc_core::sc_object, public wire_detail::Interface<T>, public Traceable {
  static_assert(std::is_trivially_copyable_v<T>, "wires carry plain data");

 public:
  explicit Wire(const char* name) : sc_object(name) {
    std::memset(static_cast<void*>(&value_), 0, sizeof value_), value_ = T{};
  }

  const T& read() const override { return value_; }
  const T& get_data_ref() const override { return value_; }
  void write(const T& value) override {
    // Other padding alone counts as a change too: that wakes readers once more, which changes nothing.
    if (std::memcmp(&value, &value_, sizeof(T)) == 0) return;     // NOLINT(bugprone-suspicious-memory-comparison)
    std::memcpy(static_cast<void*>(&value_), &value, sizeof(T));  // padding too: it takes part in the comparison
    for (ClockedBase* reader : readers_) reader->wake();
    mark_changed();
  }

  void register_port(sc_core::sc_port_base& port, const char*) override {
    auto* block = dynamic_cast<ClockedBase*>(port.get_parent_object());
    if (block == nullptr) return;
    if (dynamic_cast<sc_core::sc_in<T>*>(&port) != nullptr) {
      readers_.push_back(block);
    } else {
      driver_ = block;  // an output drives, it is not woken
    }
  }
  const char* trace_name() const override { return name(); }
  void trace_fields(FieldVisitor& visitor) const override {
    if constexpr (is_bundle<T>) {
      visit_fields(value_, visitor);
    } else {
      visitor("value", value_);
    }
  }
  void edit_fields(FieldEditor& editor) override {
    if constexpr (is_bundle<T>) {
      visit_fields(value_, editor);
    } else {
      editor("value", value_);
    }
    if (editor.changed() == 0) return;
    for (ClockedBase* reader : readers_) reader->wake();
    mark_changed();
  }
  ClockedBase* driver() override { return driver_; }
  const char* kind() const override { return "wire"; }

 private:
  T value_;
  std::vector<ClockedBase*> readers_;
  ClockedBase* driver_ = nullptr;
};

}  // namespace g80
