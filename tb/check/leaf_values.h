// SPDX-License-Identifier: Apache-2.0
// The values of an item's leaves, without their names: to compare them, or to edit some.
#pragma once
#include <string>
#include <vector>

#include <fmt/format.h>

#include "hw/common/traceable.h"

namespace g80 {

class LeafValues final : public FieldVisitor {
 public:
  /// Appends to `values`, in the order of the visit.
  LeafValues(std::vector<std::uint64_t>& values, bool with_stored) : FieldVisitor(with_stored), values_(values) {}
  void enter(const char*, int) override {}
  void leave() override {}
  void leaf(const char*, int, std::uint64_t value, unsigned, const EnumText*) override { values_.push_back(value); }

 private:
  std::vector<std::uint64_t>& values_;
};

/// The name of a field, or of element `index` of an array; -1: it is none.
inline std::string element_name(const char* name, int index) {
  return index < 0 ? std::string(name) : fmt::format("{}[{}]", name, index);
}

}  // namespace g80
