// SPDX-License-Identifier: Apache-2.0
// Names of a source: module-wide ones, and those of the kernel being assembled.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace g80 {

class SymbolTable {
 public:
  explicit SymbolTable(const SymbolTable* outer = nullptr) : outer_(outer) {}

  /// False if the name exists here or outside.
  bool define(const std::string& name, std::int64_t value) {
    return (outer_ == nullptr || !outer_->find(name)) && values_.emplace(name, value).second;
  }
  void assign(const std::string& name, std::int64_t value) { values_[name] = value; }
  std::optional<std::int64_t> find(std::string_view name) const {
    const auto found = values_.find(name);
    if (found != values_.end()) return found->second;
    return outer_ != nullptr ? outer_->find(name) : std::nullopt;
  }

 private:
  const SymbolTable* outer_;
  std::map<std::string, std::int64_t, std::less<>> values_;
};

}  // namespace g80
