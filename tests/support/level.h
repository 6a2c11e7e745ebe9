// SPDX-License-Identifier: Apache-2.0
// A wire whose level the test computes when it is read.
#pragma once
#include <functional>
#include <systemc>
#include <utility>

#include "hw/common/wire.h"

namespace g80::testing {

class Level final : public sc_core::sc_object, public sc_core::sc_signal_in_if<bool> {
 public:
  Level(const char* name, std::function<bool()> level) : sc_object(name), level_(std::move(level)) {}
  const bool& read() const override { return now_ = level_(); }
  const bool& get_data_ref() const override { return read(); }
  const sc_core::sc_event& value_changed_event() const override { wire_detail::no_events(name()); }
  const sc_core::sc_event& posedge_event() const override { wire_detail::no_events(name()); }
  const sc_core::sc_event& negedge_event() const override { wire_detail::no_events(name()); }
  bool event() const override { wire_detail::no_events(name()); }
  bool posedge() const override { wire_detail::no_events(name()); }
  bool negedge() const override { wire_detail::no_events(name()); }

 private:
  std::function<bool()> level_;
  mutable bool now_ = false;
};

}  // namespace g80::testing
