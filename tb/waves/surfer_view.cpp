// SPDX-License-Identifier: Apache-2.0
#include "tb/waves/surfer_view.h"

#include <fmt/format.h>

#include <cctype>

namespace g80 {
namespace {

/// The name of a divider is one word.
std::string one_word(const std::string& title) {
  std::string word;
  for (const char c : title) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += c;
    } else if (!word.empty() && word.back() != '_') {
      word += '_';
    }
  }
  return word.substr(0, word.find_last_not_of('_') + 1);
}

/// Null: Surfer's own choice, which is names for an enumeration of an FST file, and a line for a bit.
const char* format_name(const ShownRow& shown) {
  if (shown.signal->text != nullptr || shown.signal->width == 1) return nullptr;
  switch (shown.row->format) {
    case ViewFormat::kDecimal: return "Unsigned";
    case ViewFormat::kBinary: return "Binary";
    default: return "Hexadecimal";
  }
}

const char* color_name(ViewColor color) {
  switch (color) {
    case ViewColor::kOrange: return "Orange";
    case ViewColor::kYellow: return "Yellow";
    case ViewColor::kGreen: return "Green";
    default: return nullptr;
  }
}

}  // namespace

std::string surfer_name(const Signal& signal) {
  std::string name = signal.name;
  for (std::size_t end = name.size(); end != 0 && name[end - 1] == ']';) {
    const std::size_t bracket = name.rfind('[', end - 1);
    name.insert(bracket, 1, '.');
    end = bracket;
  }
  return name;
}

std::string surfer_text(const ViewSpec& view, const std::vector<Signal>& signals) {
  // Surfer adds an item below the one in focus, and the new item gets the focus.
  std::string text = fmt::format("# {}\ndivider_add {}\nitem_focus a\n", view.question, one_word(view.question));
  for (const ShownGroup& group : shown_groups(view, signals)) {
    text += fmt::format("divider_add {}\n", one_word(group.title));
    for (const ShownRow& row : group.rows) {
      if (row.row->format == ViewFormat::kSourceLine) continue;
      text += fmt::format("variable_add {}\n", surfer_name(*row.signal));
      if (const char* format = format_name(row)) text += fmt::format("item_set_format {}\n", format);
      if (const char* color = color_name(group.color)) text += fmt::format("item_set_color {}\n", color);
      text += fmt::format("item_rename {}\n", row.title);
    }
  }
  if (view.marker != 0) text += fmt::format("cursor_set {}\n", view.marker);
  return text;
}

}  // namespace g80
