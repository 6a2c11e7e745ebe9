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
        fmt::format("{} is a signal of RTL, which --rtl has put in the place of its block: faults go into "
                    "SystemC blocks and into wires",
                    target.name));
  }
  FieldEditor probe(target.first, target.count, {true, 0});
  target.item->edit_fields(probe);
  if (probe.editable() != target.count) {
    throw InputError(
        fmt::format("{} is computed for display; a fault must be in a register, a memory or a wire", target.name));
  }
  return target;
}

}  // namespace g80
