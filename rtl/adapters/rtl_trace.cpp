// SPDX-License-Identifier: Apache-2.0
#include "rtl/adapters/rtl_trace.h"

#include <deque>

#include "hw/common/check.h"

namespace g80 {
namespace {

/// "address[3]" is element 3 of address.
struct Element {
  std::string name;
  int index = -1;
};
Element element_of(const std::string& token) {
  const std::size_t open = token.rfind('[');
  if (open == std::string::npos || token.back() != ']') return {token};
  return {token.substr(0, open), std::stoi(token.substr(open + 1))};
}

/// Returns the one copy of an enumeration. It is never freed, because signal tables compare its address.
const EnumText* shared_text(const std::string& type, const std::vector<std::string>& names) {
  struct Kept {
    std::string type;
    std::vector<std::string> names;
    std::vector<const char*> pointers;
    EnumText text;
  };
  static std::deque<Kept> all;
  for (const Kept& kept : all) {
    if (kept.type == type && kept.names == names) return &kept.text;
  }
  Kept& kept = all.emplace_back(Kept{type, names, {}, {}});
  for (const std::string& name : kept.names) kept.pointers.push_back(name.c_str());
  kept.text = {kept.type.c_str(), kept.pointers.data(), static_cast<unsigned>(kept.names.size())};
  return &kept.text;
}

}  // namespace

void RtlTrace::declDTypeEnum(int type, const char* name, std::uint32_t count, unsigned, const char** names,
                             const char** values) {
  const auto number = static_cast<std::size_t>(type);
  if (types_.size() <= number) types_.resize(number + 1, nullptr);
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (std::stoull(values[i], nullptr, 2) != i) return;  // only values 0, 1, 2, ... are shown with names
    texts.emplace_back(names[i]);
  }
  const std::string full = name;  // g80_pkg::stall_reason_e, coalescer.state_e
  types_[number] = shared_text(full.substr(full.find_last_of(".:") + 1), texts);
}

void RtlTrace::declare(const Line& line) {
  if (line.name == nullptr) return popNamePrefix(static_cast<unsigned>(line.code));
  if (line.code < 0) return pushNamePrefix(line.name);
  const auto code = static_cast<std::uint32_t>(line.code);
  const unsigned width = static_cast<unsigned>(line.high - line.low) + 1;
  const std::uint32_t words = (width + 31) / 32;
  if (values_.size() < code + words) values_.resize(code + words);
  // The first prefix is the model's name, the second the module's. A prefix ends in a space; a struct's has a mark
  // (a byte above 0x7f) before it. Verilator declares the ports twice; those outside the module are ignored.
  if (prefixes_.size() < 2) return;
  const std::string& module = prefixes_[1];
  if (module.size() < 2 || module.back() != ' ' || static_cast<unsigned char>(module[module.size() - 2]) >= 0x80)
    return;
  std::string path;
  for (std::size_t i = 2; i < prefixes_.size(); ++i) path += prefixes_[i];
  path += line.name;
  std::vector<std::string> tokens(1);
  for (const char c : path) {
    if (c == ' ') {
      tokens.emplace_back();
    } else if (static_cast<unsigned char>(c) < 0x80) {
      tokens.back() += c;
    }
  }
  for (const std::string& token : tokens) {
    if (token.rfind("unnamedblk", 0) == 0) return;
  }
  Element leaf = element_of(tokens.back());
  tokens.pop_back();
  go_to(tokens);
  const auto type = static_cast<std::size_t>(line.type);
  const EnumText* text = line.type < 0 || type >= types_.size() ? nullptr : types_[type];
  if (width <= 64) {
    steps_.push_back({Step::Kind::kLeaf, leaf.name, leaf.index, code, width, text});
    return;
  }
  if (leaf.index >= 0) leaf.name += '[' + std::to_string(leaf.index) + ']';
  for (std::uint32_t word = 0; word < words; ++word) {
    const unsigned bits = word + 1 < words ? 32 : width - 32 * word;
    steps_.push_back({Step::Kind::kLeaf, leaf.name, static_cast<int>(word), code + word, bits, nullptr});
  }
}

void RtlTrace::go_to(const std::vector<std::string>& scope) {
  std::size_t common = 0;
  while (common < scope.size() && common < scope_.size() && scope[common] == scope_[common]) ++common;
  for (std::size_t i = scope_.size(); i > common; --i) steps_.push_back({Step::Kind::kLeave, "", -1, 0, 0, nullptr});
  for (std::size_t i = common; i < scope.size(); ++i) {
    const Element entered = element_of(scope[i]);
    steps_.push_back({Step::Kind::kEnter, entered.name, entered.index, 0, 0, nullptr});
  }
  scope_ = scope;
}

void RtlTrace::update() {
  Buffer buffer(values_.data());
  all_(model_, &buffer);
}

void RtlTrace::visit(FieldVisitor& visitor) const {
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Step::Kind::kEnter: visitor.enter(step.name.c_str(), step.index); break;
      case Step::Kind::kLeave: visitor.leave(); break;
      case Step::Kind::kLeaf: {
        std::uint64_t value = values_[step.code];
        if (step.width > 32) value |= std::uint64_t{values_[step.code + 1]} << 32;
        visitor.see(step.name.c_str(), step.index, value, step.width, step.text);
      }
    }
  }
  for (std::size_t i = 0; i < scope_.size(); ++i) visitor.leave();
}

}  // namespace g80
