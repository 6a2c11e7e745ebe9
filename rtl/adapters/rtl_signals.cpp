// SPDX-License-Identifier: Apache-2.0
#include "rtl/adapters/rtl_signals.h"

#include <algorithm>

namespace g80 {

void RtlSignals::trace_fields(FieldVisitor& visitor) const {
  if (trace_ == nullptr) {
    trace_ = std::make_unique<RtlTrace>();
    RtlTraceFile file(*trace_);
    connect(file);
  }
  trace_->update();
  trace_->visit(visitor);
}

bool RtlSignals::clock_low(Cycle edge) {
  while (!block_.runs_at(edge)) ++edge;
  if (!block_.will_run(edge)) return false;
  settle(edge);
  return true;
}

bool is_rtl(const Traceable& item) {
  const auto inside = [](const sc_core::sc_object* object) {
    return dynamic_cast<const RtlSignals*>(object) != nullptr;
  };
  const auto* const object = dynamic_cast<const sc_core::sc_object*>(&item);
  if (object == nullptr) return false;
  const std::vector<sc_core::sc_object*>& children = object->get_child_objects();
  return inside(object) || std::any_of(children.begin(), children.end(), inside);
}

}  // namespace g80
