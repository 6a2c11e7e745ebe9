// SPDX-License-Identifier: Apache-2.0
#include "tb/check/fault_target.h"

#include <fmt/format.h>

#include "hw/common/input_error.h"
#include "rtl/adapters/rtl_signals.h"

namespace g80 {

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
