// SPDX-License-Identifier: Apache-2.0
// The values of an item's leaves, without their names: to compare them, or to edit some.
#pragma once
#include <vector>

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

}  // namespace g80
