// SPDX-License-Identifier: Apache-2.0
#include "tb/check/fault_target.h"

#include <fmt/format.h>

#include "input/input_error.h"
#include "tb/twins/checked_twin.h"
#include "tb/twins/low_phase.h"

namespace g80 {
namespace {

/// A twin in the place of its block, or the inside of a twin.
bool is_rtl(const Traceable& item) {
  if (dynamic_cast<const LowPhase*>(&item) != nullptr) return true;
  const auto* const twin = dynamic_cast<const CheckedTwin*>(&item);
  return twin != nullptr && !twin->beside();
}

}  // namespace

Field find_fault_target(const std::string& path) {
  const Field target = find_field(path, list_fields(true));
  if (is_rtl(*target.item)) {
    throw InputError(
        fmt::format("{} is an RTL signal of a block that --rtl has replaced: faults are only possible in "
                    "SystemC blocks and wires",
                    target.name));
  }
  FieldEditor probe(target.first, target.count, {true, 0});
  target.item->edit_fields(probe);
  if (probe.editable() != target.count) {
    throw InputError(
        fmt::format("{} exists for display only; a fault must be in a register, a memory or a wire", target.name));
  }
  return target;
}

}  // namespace g80
