// SPDX-License-Identifier: Apache-2.0
// A fault in a block: one bit of a field of its registers or memories; and what such a field holds.
#pragma once
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "hw/common/clocked.h"
#include "hw/common/field_values.h"

namespace g80::testing {

inline void flip(ClockedBase& block, const std::string& field, unsigned bit) {
  FieldValues fields(true, true);
  block.trace_fields(fields);
  const auto at = std::find(fields.names.begin(), fields.names.end(), field);
  ASSERT_NE(at, fields.names.end()) << field;
  FieldEditor editor(static_cast<std::uint32_t>(at - fields.names.begin()), 1, {true, std::uint64_t{1} << bit});
  block.edit_fields(editor);
  block.wake();
  ASSERT_EQ(editor.changed(), 1u) << field;
}

inline std::uint64_t value_of(const ClockedBase& block, const std::string& field) {
  FieldValues fields(true, true);
  block.trace_fields(fields);
  const auto at = std::find(fields.names.begin(), fields.names.end(), field);
  EXPECT_NE(at, fields.names.end()) << field;
  return at == fields.names.end() ? 0 : fields.values[static_cast<std::size_t>(at - fields.names.begin())];
}

}  // namespace g80::testing
