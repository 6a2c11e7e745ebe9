// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/shared_order.h"

#include <algorithm>
#include <set>
#include <vector>

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

constexpr std::string_view kSharedSpace = "addrspace(3)", kStore = "  store ";
constexpr std::string_view kFence = "  call void asm sideeffect \"\", \"~{memory}\"()\n";

/// The address of a store: the text between the first two commas outside of brackets.
std::string_view second_operand(std::string_view text) {
  text.remove_prefix(std::min(text.size(), next_comma(text) + 1));
  return text.substr(0, next_comma(text));
}

/// Finds the values of a function's body that are addresses in shared memory.
class SharedAddresses {
 public:
  explicit SharedAddresses(const std::vector<std::string_view>& lines) {
    for (bool changed = true; changed;) {  // repeated, because a phi may name a later value
      changed = false;
      for (const std::string_view line : lines) changed |= learn(line);
    }
  }
  bool contain(std::string_view operand) const {
    return operand.find(kSharedSpace) != std::string_view::npos ||
           any_name(operand, [&](std::string_view name) { return names_.count(name) != 0; });
  }

 private:
  bool learn(std::string_view line) {
    if (!starts_with(line, "  %")) return false;
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) return false;
    const std::string_view name = line.substr(2, equals - 2), value = line.substr(equals + 3);
    constexpr std::string_view kAddressOps[] = {"getelementptr ", "bitcast ", "addrspacecast ",
                                                "phi ",           "select ",  "freeze "};
    if (!std::any_of(std::begin(kAddressOps), std::end(kAddressOps),
                     [&](std::string_view op) { return starts_with(value, op); }))
      return false;
    return contain(value) && names_.insert(name).second;
  }

  std::set<std::string_view> names_;
};

/// Copies the text. Each store of a function whose address is known to be in shared memory is appended by `append`.
template <class Append>
std::string with_shared_stores(std::string_view ir, Append append) {
  std::string result;
  result.reserve(ir.size() + ir.size() / 16);
  std::vector<std::string_view> body;
  bool inside = false;
  for_each_line(ir, [&](std::string_view line) {
    if (!inside || line != "}\n") {
      (inside ? body.push_back(line) : void(result += line));
      inside |= starts_with(line, "define ");
      return;
    }
    const SharedAddresses shared(body);
    for (const std::string_view part : body) {
      if (starts_with(part, kStore) && shared.contain(second_operand(part))) {
        append(result, part);
      } else {
        result += part;
      }
    }
    result += line;
    body.clear();
    inside = false;
  });
  return result;
}

}  // namespace

std::string keep_shared_stores(std::string_view ir) {
  return with_shared_stores(ir, [](std::string& out, std::string_view store) {
    constexpr std::string_view kVolatile = "volatile ";
    const std::string_view rest = store.substr(kStore.size());
    out += kStore;
    if (!starts_with(rest, kVolatile) && !starts_with(rest, "atomic ")) out += kVolatile;
    out += rest;
  });
}

std::string order_shared_stores(std::string_view ir) {
  return with_shared_stores(ir, [](std::string& out, std::string_view store) {
    out += store;
    out += kFence;
  });
}

}  // namespace g80::cuda
