// SPDX-License-Identifier: Apache-2.0
// The values of everything that a block or bundle shows, as a list that can be compared.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hw/common/fields.h"
#include "hw/common/traceable.h"

namespace g80 {

/// The name of a field, or of element `index` of an array; -1: it is none.
inline std::string element_name(const char* name, int index) {
  return index < 0 ? std::string(name) : fmt::format("{}[{}]", name, index);
}

/// Values of all fields, in order; names only when they are needed.
class FieldValues final : public FieldVisitor {
 public:
  explicit FieldValues(bool named, bool with_stored = false) : FieldVisitor(with_stored), named_(named) {}
  void enter(const char* name, int index) override {
    if (named_) path_.push_back(element_name(name, index) + ".");
  }
  void leave() override {
    if (named_) path_.pop_back();
  }
  void leaf(const char* name, int index, std::uint64_t value, unsigned, const EnumText*) override {
    values.push_back(value);
    if (!named_) return;
    std::string full;
    for (const std::string& part : path_) full += part;
    names.push_back(full + element_name(name, index));
  }
  std::vector<std::uint64_t> values;
  std::vector<std::string> names;

 private:
  bool named_;
  std::vector<std::string> path_;
};

/// Values of all leaves of an item.
inline std::vector<std::uint64_t> values_of(const Traceable& item, bool with_stored) {
  FieldValues values(false, with_stored);
  item.trace_fields(values);
  return std::move(values.values);
}

}  // namespace g80
