// SPDX-License-Identifier: Apache-2.0
// Names between braces: registers, variables and labels. Inner braces hide outer names.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/compiler/ptx/token.h"

namespace g80::ptx {

enum class BindingKind : std::uint8_t { kRegister, kVector, kVariable };

/// The meaning of a name: `id` is a register or variable of the function; a vector has `count` registers in a row.
struct Binding {
  BindingKind kind = BindingKind::kRegister;
  std::uint32_t id = 0;
  std::uint32_t count = 1;
};

/// A branch to a label that has not been met yet.
struct PendingLabel {
  std::string name;
  std::size_t instruction = 0, operand = 0;
  Place place;
};

struct Scope {
  std::map<std::string, Binding, std::less<>> names;
  std::map<std::string, Binding, std::less<>> ranges;  // %r<9>: prefix "%r", 9 registers from `id`
  std::map<std::string, std::uint32_t, std::less<>> labels;
  std::vector<PendingLabel> pending;
};

class ScopeStack {
 public:
  void open() { scopes_.emplace_back(); }
  Scope close() {
    Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    return scope;
  }
  Scope& inner() { return scopes_.back(); }
  std::size_t depth() const { return scopes_.size(); }

  std::optional<Binding> find(std::string_view name) const {
    std::size_t digits = name.size();
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (const auto found = scope->names.find(name); found != scope->names.end()) return found->second;
      if (const auto element = find_in_range(*scope, name, digits)) return element;
    }
    return std::nullopt;
  }

 private:
  /// The prefix of a range may itself end in digits: %f1<3> has %f10, %f11, %f12.
  static std::optional<Binding> find_in_range(const Scope& scope, std::string_view name, std::size_t digits) {
    for (std::size_t cut = digits; cut < name.size(); ++cut) {
      const auto range = scope.ranges.find(name.substr(0, cut));
      const std::string_view number = name.substr(cut);
      if (range == scope.ranges.end() || number.size() > 8 || (number.size() > 1 && number[0] == '0')) continue;
      std::uint32_t index = 0;
      for (char c : number) index = index * 10 + static_cast<std::uint32_t>(c - '0');
      if (index < range->second.count) return Binding{BindingKind::kRegister, range->second.id + index, 1};
    }
    return std::nullopt;
  }

  std::vector<Scope> scopes_;
};

}  // namespace g80::ptx
