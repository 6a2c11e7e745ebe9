// SPDX-License-Identifier: Apache-2.0
// A fault in a block: one bit of a field of its registers or memories; what such a field holds; and which port an
// account of places names then.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
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

/// `field`, with a {} for the port, counts what each of the first `ports` has.
template <class Block>
void expect_loss_named(Block& block, const std::string& what, unsigned ports, const std::string& field) {
  for (unsigned port = 0; port < ports; ++port) {
    const std::string name = fmt::format(fmt::runtime(field), port);
    flip(block, name, 0);
    std::vector<std::string> lost;
    block.count_places([&](const char* of, unsigned at, int n) {
      if (n != 0) lost.push_back(fmt::format("{} {}", of, at));
    });
    EXPECT_EQ(lost, (std::vector<std::string>{fmt::format("{} {}", what, port)}));
    flip(block, name, 0);
  }
}

}  // namespace g80::testing
