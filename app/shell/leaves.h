// SPDX-License-Identifier: Apache-2.0
// The fields of an object of the machine as a flat list with names, for the shell.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hw/common/fields.h"

namespace g80 {

class Leaves final : public FieldVisitor {
 public:
  struct Leaf {
    std::string bundle, name;  // "origin", "uid"
    std::uint64_t value;
    const EnumText* text;
  };
  std::vector<Leaf> list;

  const Leaf* find(const std::string& bundle, const char* name) const {
    const auto is_it = [&](const Leaf& leaf) { return leaf.bundle == bundle && leaf.name == name; };
    const auto found = std::find_if(list.begin(), list.end(), is_it);
    return found == list.end() ? nullptr : &*found;
  }
  void enter(const char* name, int index) override { path_.push_back(prefix() + element(name, index)); }
  void leave() override { path_.pop_back(); }
  void leaf(const char* name, int index, std::uint64_t value, unsigned width, const EnumText* text) override {
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
    list.push_back({path_.empty() ? "" : path_.back(), element(name, index), value & mask, text});
  }

 private:
  static std::string element(const char* name, int index) {
    return index < 0 ? name : fmt::format("{}[{}]", name, index);
  }
  std::string prefix() const { return path_.empty() ? "" : path_.back() + "."; }
  std::vector<std::string> path_;
};

/// A value: its enumeration name if it has one.
inline std::string leaf_text(const Leaves::Leaf& leaf) {
  if (leaf.text != nullptr && leaf.value < leaf.text->count) return leaf.text->names[leaf.value];
  if (leaf.name == "uid") return fmt::format("0x{:x}", leaf.value);
  return leaf.value < 10 ? fmt::format("{}", leaf.value) : fmt::format("0x{:x} ({})", leaf.value, leaf.value);
}

}  // namespace g80
