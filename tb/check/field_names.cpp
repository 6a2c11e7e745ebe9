// SPDX-License-Identifier: Apache-2.0
#include "tb/check/field_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <systemc>

#include "hw/common/field_values.h"
#include "input/input_error.h"
#include "input/nearest_name.h"
#include "tb/waves/signal_table.h"

namespace g80 {
namespace {

/// Names the leaves of one object.
class Namer final : public FieldVisitor {
 public:
  Namer(Traceable& item, bool with_stored, std::vector<Field>& found)
      : FieldVisitor(with_stored), item_(item), found_(found), path_{item.trace_name()} {}
  void enter(const char* name, int index) override { path_.push_back(path_.back() + "." + element_name(name, index)); }
  void leave() override { path_.pop_back(); }
  void leaf(const char* name, int index, std::uint64_t, unsigned width, const EnumText* text) override {
    found_.push_back({path_.back() + "." + element_name(name, index), &item_, next_++, 1, width, text});
  }

 private:
  Traceable& item_;
  std::vector<Field>& found_;
  std::vector<std::string> path_;
  std::uint32_t next_ = 0;
};

/// The name without the numbers of array elements.
std::string without_indices(const std::string& name) {
  std::string out;
  bool inside = false;
  for (const char c : name) {
    if (c == '[') inside = true;
    if (!inside) out += c;
    if (c == ']') inside = false;
  }
  return out;
}

/// The last `count` components of a name.
std::string tail_of(const std::string& name, std::size_t count) {
  std::size_t at = name.size();
  while (count-- > 0 && at != std::string::npos) at = at == 0 ? std::string::npos : name.rfind('.', at - 1);
  return at == std::string::npos ? name : name.substr(at + 1);
}

/// Finds the fields whose name has a prefix that ends in `path`. The key is that prefix, as "gpu.tpc0.sm0.fetch".
std::map<std::string, std::vector<const Field*>> matches(const std::string& path, const std::vector<Field>& fields) {
  std::map<std::string, std::vector<const Field*>> found;
  for (const Field& field : fields) {
    const std::string& name = field.name;
    for (std::size_t at = name.find(path); at != std::string::npos; at = name.find(path, at + 1)) {
      const std::size_t end = at + path.size();
      const bool begins = at == 0 || name[at - 1] == '.';
      const bool ends = end == name.size() || name[end] == '.' || (name[end] == '[' && path.back() != ']');
      if (begins && ends) found[name.substr(0, end)].push_back(&field);
    }
  }
  return found;
}

}  // namespace

std::vector<Field> list_fields(bool with_stored) {
  std::vector<Field> fields;
  for (Traceable* item : collect_items({{}, WaveLevel::kLanes})) {
    const std::size_t before = fields.size();
    Namer namer(*item, with_stored, fields);
    item->trace_fields(namer);
    const auto* object = dynamic_cast<const sc_core::sc_object*>(item);
    // A wire of a plain type is the signal itself.
    if (object != nullptr && std::string(object->kind()) == "wire" && fields.size() == before + 1 &&
        fields.back().name == std::string(item->trace_name()) + ".value") {
      fields.back().name = item->trace_name();
    }
  }
  return fields;
}

std::string nearest_fields(const std::string& path, const std::vector<Field>& fields) {
  const std::string wanted = without_indices(path);
  const auto components = static_cast<std::size_t>(std::count(wanted.begin(), wanted.end(), '.')) + 1;
  std::map<std::string, std::string>
      known;  // fields and structs, by the end of their name without indices: the first of each
  std::string last;
  for (const Field& field : fields) {
    const std::string plain = without_indices(field.name);
    if (plain == last) continue;
    last = plain;
    for (std::size_t end = field.name.find('.');; end = field.name.find('.', end + 1)) {
      const std::string upto = field.name.substr(0, end);
      known.emplace(tail_of(without_indices(upto), components), upto);
      if (end == std::string::npos) break;
    }
  }
  if (const auto same = known.find(wanted); same != known.end()) {
    return fmt::format("these numbers do not exist; an existing name is {}", same->second);
  }
  std::vector<std::pair<std::size_t, const std::string*>> ranked;
  for (const auto& [name, full] : known) ranked.emplace_back(edit_distance(wanted, name), &full);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string out = "similar names are";
  for (std::size_t i = 0; i < std::min<std::size_t>(3, ranked.size()); ++i)
    out += (i == 0 ? " " : ", ") + *ranked[i].second;
  return out;
}

Field find_field(const std::string& path, const std::vector<Field>& all, bool whole) {
  const auto found = matches(path, all);
  if (found.empty()) throw InputError(fmt::format("unknown signal {}; {}", path, nearest_fields(path, all)));
  const auto exact = found.find(path);
  if (exact == found.end() && found.size() > 1) {
    std::string list;
    std::size_t shown = 0;
    for (const auto& [name, fields] : found) {
      if (shown++ == 4) break;
      list += (list.empty() ? "" : ", ") + name;
    }
    throw InputError(fmt::format("{} is ambiguous: it is the end of {} names: {}{}; write more of the name", path,
                                 found.size(), list, shown > 4 ? ", ..." : ""));
  }
  const auto& [name, fields] = exact != found.end() ? *exact : *found.begin();
  const Field& first = *fields.front();
  whole =
      whole && std::all_of(fields.begin(), fields.end(), [&](const Field* field) { return field->item == first.item; });
  for (const Field* field : fields) {
    if (field->item == first.item && name != first.item->trace_name()) continue;
    if (fields.size() == 1 || whole) break;  // of one: a plain wire
    std::string list;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, fields.size()); ++i)
      list += (i == 0 ? "" : ", ") + fields[i]->name;
    throw InputError(
        fmt::format("{} is a block with {} fields; name one of them, for example {}", name, fields.size(), list));
  }
  Field field = first;
  field.name = name;
  field.count = static_cast<std::uint32_t>(fields.size());
  return field;
}

}  // namespace g80
