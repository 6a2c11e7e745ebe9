// SPDX-License-Identifier: Apache-2.0
#include "tb/waves/signal_table.h"

#include <fnmatch.h>

#include <algorithm>
#include <string_view>
#include <systemc>
#include <unordered_set>

#include "hw/common/check.h"

namespace g80 {

namespace {

// Verilator's trace writers read the kind of a scope from its last character: 0x80 plus vltscope_t, a struct here.

WaveLevel level_of(const sc_core::sc_object& object, const Traceable& item, const TraceSelection& selection) {
  const std::vector<const Traceable*>& architecture = selection.architecture;
  if (std::find(architecture.begin(), architecture.end(), &item) != architecture.end()) return WaveLevel::kArchitecture;
  if (item.trace_level() == TraceLevel::kAll) return WaveLevel::kLanes;
  return dynamic_cast<const sc_core::sc_module*>(&object) != nullptr ? WaveLevel::kRegisters : WaveLevel::kPipeline;
}

bool is_selected(const std::string& name, const std::vector<std::string>& scopes) {
  bool asked_for = false, in_one = false;
  for (const std::string& scope : scopes) {
    const bool left_out = !scope.empty() && scope.front() == '!';
    const bool matches = scope_matches(left_out ? scope.substr(1) : scope, name);
    if (left_out && matches) return false;
    asked_for |= !left_out;
    in_one |= !left_out && matches;
  }
  return in_one || !asked_for;
}

void walk(const std::vector<sc_core::sc_object*>& objects, const TraceSelection& selection,
          std::vector<Traceable*>& found) {
  for (sc_core::sc_object* object : objects) {
    if (auto* item = dynamic_cast<Traceable*>(object)) {
      if (is_selected(item->trace_name(), selection.scopes) && level_of(*object, *item, selection) <= selection.level) {
        found.push_back(item);
      }
    }
    walk(object->get_child_objects(), selection, found);
  }
}

std::string element(const std::string& name, int index) {
  return index < 0 ? name : name + "[" + std::to_string(index) + "]";
}

// Its functions are not called: KnownFields notes what changed.
class Comparer final : public FieldVisitor {
 public:
  using FieldVisitor::FieldVisitor;
  void enter(const char*, int) override {}
  void leave() override {}
  void leaf(const char*, int, std::uint64_t, unsigned, const EnumText*) override {}
};

}  // namespace

bool scope_matches(const std::string& glob, const std::string& name) {
  for (std::size_t end = name.find('.');; end = name.find('.', end + 1)) {
    if (fnmatch(glob.c_str(), name.substr(0, end).c_str(), 0) == 0) return true;
    if (end == std::string::npos) return false;
  }
}

std::vector<Traceable*> collect_items(const TraceSelection& selection) {
  std::vector<Traceable*> found;
  walk(sc_core::sc_get_top_level_objects(), selection, found);
  return found;
}

// Declares the fields of one object as signals below its scope.
class SignalTable::Declarer final : public FieldVisitor {
 public:
  struct Leaf {
    std::string dotted;
    Declaration declaration;
    unsigned width;
    const EnumText* text;
  };
  Declarer(std::string dotted, std::string scope, bool with_stored)
      : FieldVisitor(with_stored), dotted_{std::move(dotted)}, scope_{std::move(scope)} {}
  std::vector<Leaf> leaves;

  void enter(const char* name, int index) override {
    dotted_.push_back(dotted_.back() + "." + element(name, index));
    scope_.push_back(scope_.back() + " " + element(name, index) + kStructMark);
  }
  void leave() override {
    dotted_.pop_back();
    scope_.pop_back();
  }
  void leaf(const char* name, int index, std::uint64_t, unsigned width, const EnumText* text) override {
    leaves.push_back({dotted_.back() + "." + element(name, index), {scope_.back(), name, index, 0}, width, text});
  }

 private:
  std::vector<std::string> dotted_, scope_;
};

bool SignalTable::add_item(Traceable& item) {
  const std::string dotted = item.trace_name();
  std::string scope = dotted;
  std::replace(scope.begin(), scope.end(), '.', ' ');
  // A wire's bundle is shown as a struct, a module as a module.
  const auto* object = dynamic_cast<const sc_core::sc_object*>(&item);
  const bool is_module = dynamic_cast<const sc_core::sc_module*>(&item) != nullptr;
  Declarer declarer(dotted, is_module ? scope : scope + kStructMark, with_stored_);
  item.trace_fields(declarer);
  if (declarer.leaves.empty()) return false;
  // A wire of a plain type is the signal itself, in its parent's scope.
  const bool plain = object != nullptr && !is_module && std::string(object->kind()) == "wire" &&
                     declarer.leaves.front().declaration.name == "value" &&
                     declarer.leaves.front().declaration.scope == scope + kStructMark &&
                     declarer.leaves.front().declaration.index == -1 && declarer.leaves.size() == 1;
  if (plain) {
    Declarer::Leaf& leaf = declarer.leaves.front();
    const std::size_t cut = scope.rfind(' ');
    leaf.declaration.name = cut == std::string::npos ? scope : scope.substr(cut + 1);
    leaf.declaration.scope = cut == std::string::npos ? "top" : scope.substr(0, cut);
    leaf.dotted = cut == std::string::npos ? "top." + dotted : dotted;
  }
  const auto first = static_cast<std::uint32_t>(signals_.size());
  for (Declarer::Leaf& leaf : declarer.leaves)
    add(std::move(leaf.dotted), std::move(leaf.declaration), leaf.width, leaf.text);
  items_.push_back({&item, first, static_cast<std::uint32_t>(declarer.leaves.size()), KnownFields(layouts_)});
  return true;
}

std::uint32_t SignalTable::add_signal(const std::string& scope, const std::string& name, unsigned width) {
  add(scope + "." + name, {scope, name, -1, 0}, width, nullptr);
  return static_cast<std::uint32_t>(signals_.size() - 1);
}

void SignalTable::add(std::string dotted, Declaration declaration, unsigned width, const EnumText* text) {
  CHECK(width >= 1 && width <= 64, "{}: a traced field must have 1 to 64 bits, not {}", dotted, width);
  if (text != nullptr) {
    const auto same = [&](const EnumUse& use) { return use.text == text && use.width == width; };
    auto use = std::find_if(enums_.begin(), enums_.end(), same);
    if (use == enums_.end()) use = enums_.insert(enums_.end(), {text, width});
    declaration.enum_id = static_cast<unsigned>(use - enums_.begin()) + 1;
  }
  signals_.push_back({std::move(dotted), width, text});
  declarations_.push_back(std::move(declaration));
  widths_.push_back(static_cast<std::uint8_t>(width));
  values_.push_back(0);
}

void SignalTable::seal() {
  std::unordered_set<std::string_view> names(signals_.size());
  for (const Signal& signal : signals_) {
    CHECK(names.insert(signal.name).second, "two traced signals are called {}", signal.name);
  }
}

void SignalTable::update(std::uint32_t slot, Picoseconds moment) {
  Item& item = items_[slot];
  const std::size_t logged = log_.size();
  item.known.begin(values_, item.first, log_);
  Comparer comparer(item.known, with_stored_);
  comparer.show_at(moment);
  item.item->trace_fields(comparer);
  CHECK(item.known.leaf() == item.first + item.count, "{} has a different number of fields than at its declaration",
        item.item->trace_name());
  changes_ += log_.size() - logged;
}

void SignalTable::update_all() {
  for (std::uint32_t slot = 0; slot < items_.size(); ++slot) update(slot);
}

}  // namespace g80
