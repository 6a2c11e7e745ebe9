#include "kernels/toolchain/cuda/compile/shared_order.h"

#include <algorithm>
#include <set>
#include <vector>

namespace g80::cuda {
namespace {

constexpr std::string_view kSharedSpace = "addrspace(3)";
constexpr std::string_view kFence = "  call void asm sideeffect \"\", \"~{memory}\"()\n";

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

/// Calls `visit` with each %name in the text until it returns true.
template <class Visit>
bool any_name(std::string_view text, Visit visit) {
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1)) {
    const std::size_t end = text.find_first_not_of("-._$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", at + 1);
    if (visit(text.substr(at, end - at))) return true;
  }
  return false;
}

/// The text between the first comma that is inside no bracket and the next one: the address of a store.
std::string_view second_operand(std::string_view text) {
  std::size_t begin = std::string_view::npos;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    depth += (c == '(' || c == '[' || c == '{' || c == '<') - (c == ')' || c == ']' || c == '}' || c == '>');
    if (c != ',' || depth != 0) continue;
    if (begin != std::string_view::npos) return text.substr(begin, at - begin);
    begin = at + 1;
  }
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

/// One function's body: which of its values are addresses in shared memory.
class SharedAddresses {
 public:
  explicit SharedAddresses(const std::vector<std::string_view>& lines) {
    for (bool changed = true; changed;) {  // a phi may name a value that comes further down
      changed = false;
      for (const std::string_view line : lines) changed |= learn(line);
    }
  }
  bool contain(std::string_view operand) const {
    return operand.find(kSharedSpace) != std::string_view::npos || any_name(operand, [&](std::string_view name) { return names_.count(name) != 0; });
  }

 private:
  bool learn(std::string_view line) {
    if (!starts_with(line, "  %")) return false;
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) return false;
    const std::string_view name = line.substr(2, equals - 2), value = line.substr(equals + 3);
    constexpr std::string_view kAddressOps[] = {"getelementptr ", "bitcast ", "addrspacecast ", "phi ", "select ", "freeze "};
    if (!std::any_of(std::begin(kAddressOps), std::end(kAddressOps), [&](std::string_view op) { return starts_with(value, op); })) return false;
    return contain(value) && names_.insert(name).second;
  }

  std::set<std::string_view> names_;
};

}  // namespace

std::string order_shared_stores(std::string_view ir) {
  std::string result;
  result.reserve(ir.size() + ir.size() / 16);
  std::vector<std::string_view> body;
  bool inside = false;
  while (!ir.empty()) {
    const std::size_t length = std::min(ir.find('\n'), ir.size() - 1) + 1;
    const std::string_view line = ir.substr(0, length);
    ir.remove_prefix(length);
    if (!inside || line != "}\n") {
      (inside ? body.push_back(line) : void(result += line));
      inside |= starts_with(line, "define ");
      continue;
    }
    const SharedAddresses shared(body);
    for (const std::string_view part : body) {
      result += part;
      if (starts_with(part, "  store ") && shared.contain(second_operand(part))) result += kFence;
    }
    result += line;
    body.clear();
    inside = false;
  }
  return result;
}

}  // namespace g80::cuda
