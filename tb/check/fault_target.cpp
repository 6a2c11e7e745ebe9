#include "tb/check/fault_target.h"

#include <fmt/format.h>

#include "tb/scenario/input_error.h"

namespace g80 {

Field find_fault_target(const std::string& path) {
  const Field target = find_field(path, list_fields(true));
  FieldEditor probe(target.first, target.count, {true, 0});
  target.item->edit_fields(probe);
  if (probe.editable() != target.count) {
    throw InputError(
        fmt::format("{} is computed for display; a fault must be in a register, a memory or a wire", target.name));
  }
  return target;
}

}  // namespace g80
