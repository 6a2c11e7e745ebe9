// SPDX-License-Identifier: Apache-2.0
#include "tb/waves/text_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tb/waves/instruction_filter.h"
#include "tb/waves/number.h"
#include "tb/waves/signal_table.h"
#include "tb/waves/trace_file.h"
#include "tb/waves/wave_sink.h"

namespace g80 {

namespace {

constexpr unsigned kWidestDecimal = 8;     // counts and numbers of things; wider fields are addresses, masks and data
constexpr std::size_t kShownElements = 4;  // of an array

bool ends_in(const std::string& name, const std::string& last) {
  if (name == last) return true;
  return name.size() > last.size() && name[name.size() - last.size() - 1] == '.' &&
         name.compare(name.size() - last.size(), last.size(), last) == 0;
}

bool is_wire(const Traceable* item) {
  const auto* object = dynamic_cast<const sc_core::sc_object*>(item);
  return object != nullptr && dynamic_cast<const sc_core::sc_module*>(object) == nullptr;
}

// Only the last component if that is unique in the line: uid, not origin.uid.
std::string short_name(const TraceField& field, const TraceLine& line) {
  const std::string last = field.name.substr(field.name.rfind('.') + 1);
  if (last == "words") return "insn";
  const auto alike = std::count_if(line.fields.begin(), line.fields.end(),
                                   [&](const TraceField& other) { return ends_in(other.name, last); });
  return alike > 1 ? field.name : last;
}

}  // namespace

std::vector<TraceCondition> parse_trace_conditions(const std::string& text) {
  std::vector<TraceCondition> conditions;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string part = text.substr(from, comma - from);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw WaveError(fmt::format("--trace {}: the form is FIELD=NUMBER, as in uid=0x2000007 or warp=3,pc=0x48", text));
    }
    conditions.push_back({part.substr(0, equals), 0});
    if (const std::string value = part.substr(equals + 1); !parse_number(value, conditions.back().value))
      throw WaveError(fmt::format("--trace {}: '{}' is not a number; write 42 or 0x2a", text, value));
    from = comma + 1;
  }
  return conditions;
}

const TraceField* TraceLine::find(const std::string& name) const {
  for (const TraceField& field : fields) {
    if (ends_in(field.name, name)) return &field;
  }
  return nullptr;
}

std::string trace_value(const TraceField& field, isa::Arch arch) {
  const auto one = [&](std::uint64_t value) {
    if (field.text != nullptr && value < field.text->count) return std::string(field.text->names[value]);
    if (ends_in(field.name, "words")) return fmt::format("`{}`", instruction_text(fmt::format("{:016x}", value), arch));
    return field.width <= kWidestDecimal ? fmt::format("{}", value) : fmt::format("0x{:x}", value);
  };
  if (!field.array) return one(field.values.front());
  std::string list;
  for (std::size_t i = 0; i < std::min(field.values.size(), kShownElements); ++i) {
    list += fmt::format("{}{}", i == 0 ? "" : " ", one(field.values[i]));
  }
  return fmt::format("[{}{}]", list, field.values.size() > kShownElements ? " .." : "");
}

std::string trace_text(const TraceLine& line, isa::Arch arch) {
  std::string text = fmt::format("{:<6} {:>8} {:>12}  {:<28}", line.clock, line.cycle, line.time, line.where);
  for (const TraceField& field : line.fields)
    text += fmt::format(" {}={}", short_name(field, line), trace_value(field, arch));
  return line.source.empty() ? text : text + " | " + line.source;
}

// Groups an object's fields into bundles: the object itself and every element of an array of bundles.
class TextTrace::Reader final : public FieldVisitor {
 public:
  struct Bundle {
    std::string path;  // below the object: "", ".entry[1]"
    int parent;
    bool valid = true;
    std::vector<TraceField> fields;
  };
  Reader() { bundles.push_back({"", -1, true, {}}); }
  std::vector<Bundle> bundles;

  void enter(const char* name, int index) override {
    places_.push_back(place_);
    if (index < 0) {
      place_.prefix += std::string(name) + '.';
      return;
    }
    const auto parent = place_.bundle;
    bundles.push_back({fmt::format("{}.{}{}[{}]", bundles[parent].path, place_.prefix, name, index),
                       static_cast<int>(parent),
                       true,
                       {}});
    place_ = {bundles.size() - 1, ""};
  }
  void leave() override {
    place_ = places_.back();
    places_.pop_back();
  }
  void leaf(const char* name, int index, std::uint64_t value, unsigned width, const EnumText* text) override {
    if (is_of_queue()) return;
    value &= ~std::uint64_t{0} >> (64 - width);
    Bundle& bundle = bundles[place_.bundle];
    if (index < 0 && std::strcmp(name, "valid") == 0) {
      bundle.valid &= value != 0;
      return;
    }
    // An empty crossing FIFO and a command bus without a command are not valid.
    if (index < 0 && std::strcmp(name, "count") == 0 && bundle.fields.empty() && place_.prefix.empty() && value == 0)
      bundle.valid = false;
    if (text != nullptr && value == 0 && std::strcmp(name, "kind") == 0 && std::strcmp(text->names[0], "-") == 0)
      bundle.valid = false;
    const std::string full = place_.prefix + name;
    if (index > 0 && !bundle.fields.empty() && bundle.fields.back().name == full) {
      bundle.fields.back().values.push_back(value);
    } else {
      bundle.fields.push_back({full, width, text, index >= 0, {value}});
    }
  }

  bool valid(std::size_t bundle) const {
    for (int b = static_cast<int>(bundle); b >= 0; b = bundles[static_cast<std::size_t>(b)].parent) {
      if (!bundles[static_cast<std::size_t>(b)].valid) return false;
    }
    return true;
  }
  bool fulfils(std::size_t bundle, const std::vector<TraceCondition>& conditions) const {
    return std::all_of(conditions.begin(), conditions.end(), [&](const TraceCondition& condition) {
      return std::any_of(bundles[bundle].fields.begin(), bundles[bundle].fields.end(), [&](const TraceField& field) {
        return !field.array && ends_in(field.name, condition.field) && field.values.front() == condition.value;
      });
    });
  }

 private:
  struct Place {
    std::size_t bundle;
    std::string prefix;
  };
  Place place_{0, ""};
  std::vector<Place> places_;
};

TextTrace::TextTrace(std::vector<TraceCondition> conditions, std::vector<Domain*> domains, Sink sink)
    : conditions_(std::move(conditions)), domains_(std::move(domains)), sink_(std::move(sink)) {}

void TextTrace::open() {
  std::vector<bool> known(conditions_.size(), false);
  for (Traceable* item : collect_items({})) {
    if (!is_wire(item)) continue;
    Reader reader;
    item->trace_fields(reader);
    bool all = false;
    for (const Reader::Bundle& bundle : reader.bundles) {
      bool here = true;
      for (std::size_t c = 0; c < conditions_.size(); ++c) {
        const bool has = std::any_of(bundle.fields.begin(), bundle.fields.end(), [&](const TraceField& field) {
          return !field.array && ends_in(field.name, conditions_[c].field);
        });
        if (has) known[c] = true;
        here &= has;
      }
      all |= here;
    }
    if (all) items_.push_back({item, {}});
  }
  for (std::size_t c = 0; c < conditions_.size(); ++c) {
    if (!known[c])
      throw WaveError(fmt::format("--trace {}={}: no wire has a field '{}'", conditions_[c].field, conditions_[c].value,
                                  conditions_[c].field));
  }
  if (items_.empty()) throw WaveError("--trace: no wire has all of these fields");
  for (std::uint32_t slot = 0; slot < items_.size(); ++slot) items_[slot].item->attach_trace(*this, slot);
  for (Domain* domain : domains_) domain->attach_trace(*this);
  open_ = true;
}

void TextTrace::close() {
  if (!open_) return;
  open_ = false;
  for (Domain* domain : domains_) domain->detach_trace(*this);
  for (Item& item : items_) item.item->detach_trace(*this);
}

void TextTrace::changed(std::uint32_t slot) {
  Item& item = items_[slot];
  if (!item.marked) {
    item.marked = true;
    marked_.push_back(slot);
  }
  if (!in_edge_) print_changes(nullptr);
}

void TextTrace::edge_done(Domain& domain) {
  in_edge_ = false;
  print_changes(&domain);
}

void TextTrace::print_changes(const Domain* domain) {
  std::sort(marked_.begin(), marked_.end());  // the order of the hierarchy, not of the modules' sleep
  for (const std::uint32_t slot : marked_) {
    items_[slot].marked = false;
    print_changes_of(items_[slot], domain);
  }
  marked_.clear();
}

void TextTrace::print_changes_of(Item& item, const Domain* domain) {
  Reader reader;
  item.item->trace_fields(reader);
  decltype(item.shown) now;
  for (std::size_t b = 0; b < reader.bundles.size(); ++b) {
    if (!reader.valid(b) || !reader.fulfils(b, conditions_)) continue;
    Reader::Bundle& bundle = reader.bundles[b];
    std::vector<std::uint64_t> values;
    for (const TraceField& field : bundle.fields) {
      // The line shows the oldest entry of a queue: a change of the count alone is no new line.
      if (field.name != "count") values.insert(values.end(), field.values.begin(), field.values.end());
    }
    const bool same =
        std::find(item.shown.begin(), item.shown.end(), std::make_pair(bundle.path, values)) != item.shown.end();
    now.emplace_back(bundle.path, std::move(values));
    if (same) continue;
    ++lines_;
    TraceLine line{sc_core::sc_time_stamp().value(),
                   domain != nullptr ? clock_name(*domain) : "host",
                   domain != nullptr ? domain->edge() : 0,
                   item.item->trace_name() + bundle.path,
                   std::move(bundle.fields),
                   ""};
    sink_(line);
  }
  item.shown = std::move(now);
}

}  // namespace g80
