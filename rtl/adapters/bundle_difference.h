// SPDX-License-Identifier: Apache-2.0
// The first difference between a block and its twin, as a sentence: in an output, a register, a counter.
#pragma once
#include <optional>
#include <string>

#include <fmt/format.h>

#include "hw/common/field_values.h"

namespace g80 {

/// "pass.lanes: block 0x3, twin 0x1", or nothing.
template <class T, class = std::enable_if_t<is_bundle<T>>>
std::optional<std::string> difference(const char* what, const T& block, const T& twin) {
  // Never destroyed: work that is left at the end of a thread is compared, too.
  thread_local FieldValues &of_block = *new FieldValues(false), &of_twin = *new FieldValues(false);
  of_block.values.clear();
  of_twin.values.clear();
  visit_fields(block, static_cast<FieldVisitor&>(of_block));
  visit_fields(twin, static_cast<FieldVisitor&>(of_twin));
  if (of_block.values == of_twin.values) return std::nullopt;
  FieldValues named(true);
  visit_fields(block, static_cast<FieldVisitor&>(named));
  std::size_t i = 0;
  while (of_block.values[i] == of_twin.values[i]) ++i;
  return fmt::format("{}.{}: block {:#x}, twin {:#x}", what, named.names[i], of_block.values[i], of_twin.values[i]);
}
inline std::optional<std::string> difference(const char* what, std::uint64_t block, std::uint64_t twin) {
  if (block == twin) return std::nullopt;
  return fmt::format("{}: block {:#x}, twin {:#x}", what, block, twin);
}

}  // namespace g80
