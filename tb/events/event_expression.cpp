// SPDX-License-Identifier: Apache-2.0
#include "tb/events/event_expression.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "input/input_error.h"
#include "input/nearest_name.h"

namespace g80 {
namespace {

constexpr std::size_t kMostInstances = 4096;
constexpr std::array<std::pair<const char*, SignalUse>, 3> kFunctions = {
    {{"rises", SignalUse::kRises}, {"falls", SignalUse::kFalls}, {"changes", SignalUse::kChanges}}};

bool is_glob(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }

std::vector<std::string_view> components(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t dot = name.find('.', at);
    parts.push_back(name.substr(at, dot == std::string_view::npos ? dot : dot - at));
    if (dot == std::string_view::npos) return parts;
    at = dot + 1;
  }
}

/// `*` is any text, `?` any character.
bool matches(std::string_view glob, std::string_view text) {
  std::size_t g = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      from = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g, ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

/// Number of components up to the last one with a `*` or `?`.
std::size_t head_size(const std::vector<std::string_view>& glob) {
  std::size_t size = glob.size();
  while (size > 0 && !is_glob(glob[size - 1])) --size;
  return size;
}

class EventNames final : public ExpressionNames {
 public:
  EventNames(EventExpression& event, const std::vector<Field>& fields) : event_(event), fields_(fields) {}

  bool holds(char c, bool first) const override {
    return c == '.' || c == '*' || c == '?' || (!first && (c == '[' || c == ']'));
  }

  Operand name(const std::string& name, std::optional<std::uint32_t> partner) override {
    const EnumText* const text = partner ? slots_[*partner].fields.front().text : nullptr;
    for (unsigned i = 0; text != nullptr && i < text->count; ++i) {
      if (strcasecmp(name.c_str(), text->names[i]) == 0) return {true, 0, static_cast<std::int64_t>(i)};
    }
    try {
      return {false, slot_of(name, SignalUse::kValue), 0};
    } catch (const InputError& error) {
      if (text == nullptr || name.find('.') != std::string::npos) throw;
      throw InputError(fmt::format("'{}' is not a signal and not a value of {}; its values are {}", name,
                                   slots_[*partner].name, fmt::join(text->names, text->names + text->count, ", ")));
    }
  }

  std::vector<std::string> functions() const override {
    std::vector<std::string> names;
    for (const auto& function : kFunctions) names.emplace_back(function.first);
    return names;
  }
  std::uint32_t call(const std::string& function, const std::string& name) override {
    const auto* found =
        std::find_if(kFunctions.begin(), kFunctions.end(), [&](const auto& f) { return function == f.first; });
    return slot_of(name, found->second);
  }

  void instantiate() {
    if (slots_.empty()) throw InputError(fmt::format("'{}' contains no signal, so it never changes", event_.text));
    std::vector<std::string> keys = {""};
    for (const Slot& slot : slots_) {
      if (!slot.keys.empty()) keys = slot.keys;
    }
    for (const Slot& slot : slots_) {  // an instance has all of its signals
      if (slot.keys.empty()) continue;
      keys.erase(std::remove_if(keys.begin(), keys.end(),
                                [&](const std::string& key) {
                                  return std::find(slot.keys.begin(), slot.keys.end(), key) == slot.keys.end();
                                }),
                 keys.end());
    }
    if (keys.empty())
      throw InputError(fmt::format("'{}': no SM, TPC or channel has all of these signals", event_.text));
    event_.instances = keys;
    std::map<std::pair<const Traceable*, std::uint32_t>, std::uint32_t> numbers;
    for (const Slot& slot : slots_) {
      EventExpression::Slot out;
      out.use = slot.use;
      for (const std::string& key : keys) {
        const std::size_t at =
            slot.keys.empty()
                ? 0
                : static_cast<std::size_t>(std::find(slot.keys.begin(), slot.keys.end(), key) - slot.keys.begin());
        const Field& field = slot.fields[at];
        const auto number =
            numbers.try_emplace({field.item, field.first * 2 + (field.count > 1)}, event_.signals.size());
        if (number.second) event_.signals.push_back(field);
        out.signal.push_back(number.first->second);
      }
      event_.slots.push_back(std::move(out));
    }
  }

 private:
  struct Slot {
    std::string name;
    SignalUse use;
    std::vector<Field> fields;
    std::vector<std::string> keys;  // of each field, with globs
  };

  std::uint32_t slot_of(const std::string& given, SignalUse use) {
    std::string name = given;
    if (name.front() == '.') {
      const std::size_t dot = last_.rfind('.');
      if (dot == std::string::npos)
        throw InputError(fmt::format("{} needs a signal before it, whose struct it belongs to", given));
      name = last_.substr(0, dot) + given;
    }
    last_ = name;
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].name == name && slots_[i].use == use) return i;
    }
    Slot slot{name, use, {}, {}};
    if (is_glob(name)) {
      find_all(name, slot);
    } else {
      const auto names_it = [&](const Field& field) { return field.name.find(name) != std::string::npos; };
      if (edit_distance(name, "launch") <= 2 && std::none_of(fields_.begin(), fields_.end(), names_it))
        throw InputError(fmt::format("there is no event and no signal {}; did you mean launch?", name));
      slot.fields.push_back(find_field(name, fields_));
    }
    const Field& field = slot.fields.front();
    if (field.count > 1 && use != SignalUse::kChanges) {
      throw InputError(
          fmt::format("{} has {} fields; name one of them, or write changes({})", field.name, field.count, given));
    }
    slots_.push_back(std::move(slot));
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }

  void find_all(const std::string& name, Slot& slot) {
    const std::vector<std::string_view> glob = components(name);
    const std::size_t head = head_size(glob);
    std::string beginning;
    for (std::size_t i = 0; i < head; ++i) beginning += (i == 0 ? "" : ".") + std::string(glob[i]);
    if (!head_.empty() && head_ != beginning) {
      throw InputError(fmt::format("{} and {} name different parts; names with * must be equal up to their last *",
                                   head_, beginning));
    }
    head_ = beginning;
    const std::string end = name.substr(name.find_last_of("*?") + 1);
    for (const Field& field : fields_) {
      // Most fields end here: the rest takes long.
      if (field.name.size() < end.size() || field.name.compare(field.name.size() - end.size(), end.size(), end) != 0)
        continue;
      const std::vector<std::string_view> parts = components(field.name);
      if (parts.size() < glob.size()) continue;
      const std::size_t skip = parts.size() - glob.size();
      bool all = true;
      for (std::size_t i = glob.size(); i-- > 0 && all;) all = matches(glob[i], parts[skip + i]);
      if (!all) continue;
      const std::string_view& last = parts[skip + head - 1];
      slot.fields.push_back(field);
      slot.keys.emplace_back(field.name.data(),
                             static_cast<std::size_t>(last.data() + last.size() - field.name.data()));
      if (slot.fields.size() > kMostInstances)
        throw InputError(fmt::format("{} matches more than {} signals", name, kMostInstances));
    }
    if (slot.fields.empty()) {
      throw InputError(fmt::format("unknown signal {}; {}", name, nearest_fields(name, fields_)));
    }
  }

  EventExpression& event_;
  const std::vector<Field>& fields_;
  std::vector<Slot> slots_;
  std::string head_;  // of the names with globs
  std::string last_;  // name
};

}  // namespace

EventExpression compile_event_expression(const std::string& text, const std::vector<Field>& fields) {
  EventExpression event;
  event.text = text;
  EventNames names(event, fields);
  event.expression = Expression::compile(text, names);
  names.instantiate();
  return event;
}

}  // namespace g80
