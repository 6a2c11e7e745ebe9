// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/ptx/opcode_table.h"

#include <array>
#include <sstream>
#include <stdexcept>
#include <unordered_map>

namespace g80::ptx {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(ModifierGroup::kCount)> kGroupNames{
    "rounding", "integral", "ftz",      "sat",     "accuracy",  "carry",    "half",       "compare",
    "boolean",  "space",    "volatile", "cache",   "vector",    "geometry", "atomic",     "vote",
    "fence",    "barrier",  "to",       "uniform", "shiftmode", "permute",  "numbertest", "shiftamt"};

std::uint32_t group_bit(std::string_view name) {
  for (std::size_t k = 0; k < kGroupNames.size(); ++k)
    if (kGroupNames[k] == name) return 1u << k;
  throw std::logic_error("opcodes.def names an unknown group of modifiers");
}

OpcodeForm make_form(Opcode opcode, std::string_view name, const char* modifiers, const char* types,
                     const char* operands) {
  OpcodeForm form;
  form.opcode = opcode;
  form.name = name;
  std::istringstream groups(modifiers), type_words(types), letters(operands);
  for (std::string word; groups >> word;) {
    const bool required = word[0] == '!';
    const std::uint32_t bit = group_bit(required ? word.substr(1) : word);
    form.allowed |= bit;
    if (required) form.required |= bit;
  }
  for (std::string word; type_words >> word;) {
    if (form.types.empty()) form.types.emplace_back();
    if (word == "|") {
      form.types.emplace_back();
      continue;
    }
    const auto type = parse_scalar(word);
    if (!type) throw std::logic_error("opcodes.def names an unknown type");
    form.types.back().push_back(*type);
  }
  for (std::string word; letters >> word;) form.operands += word;
  return form;
}

struct Table {
  std::unordered_map<std::string_view, std::vector<OpcodeForm>> forms;
  std::unordered_map<std::string_view, std::string_view> refused;
  std::vector<std::string_view> names;
  Table() {
#define PTX_FORM(opcode, name, modifiers, types, operands) \
  add(make_form(Opcode::opcode, name, modifiers, types, operands));
#define PTX_REFUSED(name, reason) refused.emplace(name, reason);
#include "toolchain/compiler/ptx/opcodes.def"
  }
  void add(OpcodeForm form) {
    std::vector<OpcodeForm>& list = forms[form.name];
    if (list.empty()) names.push_back(form.name);
    list.push_back(std::move(form));
  }
};

const Table& table() {
  static const Table instance;
  return instance;
}

}  // namespace

const std::vector<OpcodeForm>& forms_of(std::string_view name) {
  static const std::vector<OpcodeForm> none;
  const auto found = table().forms.find(name);
  return found == table().forms.end() ? none : found->second;
}

std::string_view refusal_of(std::string_view name) {
  const auto found = table().refused.find(name);
  return found == table().refused.end() ? std::string_view() : found->second;
}

const std::vector<std::string_view>& opcode_names() { return table().names; }

}  // namespace g80::ptx
