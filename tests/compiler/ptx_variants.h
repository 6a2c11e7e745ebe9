// SPDX-License-Identifier: Apache-2.0
// Every way to write an instruction that opcodes.def allows: its forms with each combination of types and modifiers.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/compiler/ptx/opcode_table.h"

namespace g80 {

using ptx::ModifierGroup;
using ptx::Opcode;
using ptx::Scalar;

struct PtxVariant {
  const ptx::OpcodeForm* form = nullptr;
  std::vector<Scalar> types;
  std::vector<std::string_view> words;  // modifiers, in the order of their groups
  ptx::Modifiers mods;
  bool refused = false;  // has a word of a later chip

  Opcode op() const { return form->opcode; }
  Scalar type(std::size_t k = 0) const { return types.at(k); }
  bool has(ModifierGroup group) const { return mods.has(group); }
  /// n, z, m or p of .rn or .rni and their like; n if there is none.
  char rounding() const {
    for (const std::string_view word : words)
      if (word[0] == 'r' && (word.size() == 2 || (word.size() == 3 && word[2] == 'i'))) return word[1];
    return 'n';
  }
  std::string text() const {
    std::string result(form->name);
    for (const std::string_view word : words) result += "." + std::string(word);
    for (const Scalar type : types) result += "." + std::string(ptx::scalar_name(type));
    return result;
  }
};

/// Modifiers that change no result by the chip's arithmetic, or are one of several names for the same: they are tried
/// with the first choice of everything else.
inline bool is_tried_once(ModifierGroup group) {
  return group == ModifierGroup::kFtz || group == ModifierGroup::kVolatile || group == ModifierGroup::kCache;
}

/// All groups, those tried once at the end: by then it is known whether everything else was a first choice.
inline std::vector<ModifierGroup> groups_in_order() {
  std::vector<ModifierGroup> once, order;
  for (unsigned k = 0; k < static_cast<unsigned>(ModifierGroup::kCount); ++k) {
    const auto group = static_cast<ModifierGroup>(k);
    (is_tried_once(group) ? once : order).push_back(group);
  }
  order.insert(order.end(), once.begin(), once.end());
  return order;
}

inline void add_variants(const PtxVariant& start, const std::vector<ModifierGroup>& order, std::size_t next,
                         bool all_first, std::vector<PtxVariant>& out) {
  if (next == order.size()) return out.push_back(start);
  const ModifierGroup group = order[next];
  const bool required = start.form->required >> static_cast<unsigned>(group) & 1;
  if (!required) add_variants(start, order, next + 1, all_first, out);
  if (!start.form->allows(group) || (is_tried_once(group) && !all_first)) return;
  bool first = required;
  for (const ptx::ModifierWord* word : ptx::modifiers_of(group)) {
    PtxVariant longer = start;
    longer.words.push_back(word->word);
    longer.refused |= !word->refusal.empty();
    ptx::set_modifier(longer.mods, *word);
    add_variants(longer, order, next + 1, all_first && first, out);
    first = false;
  }
}

inline std::vector<PtxVariant> variants_of(const ptx::OpcodeForm& form) {
  std::vector<PtxVariant> result;
  std::vector<std::vector<Scalar>> tuples{{}};
  for (const std::vector<Scalar>& choices : form.types) {
    std::vector<std::vector<Scalar>> longer;
    for (const std::vector<Scalar>& tuple : tuples) {
      for (const Scalar type : choices) {
        longer.push_back(tuple);
        longer.back().push_back(type);
      }
    }
    tuples = std::move(longer);
  }
  for (const std::vector<Scalar>& tuple : tuples) {
    PtxVariant start;
    start.form = &form;
    start.types = tuple;
    add_variants(start, groups_in_order(), 0, true, result);
  }
  return result;
}

}  // namespace g80
