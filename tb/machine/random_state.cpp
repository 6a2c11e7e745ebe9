// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/random_state.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "hw/common/fnv.h"
#include "hw/config/initial_word.h"
#include "tb/check/leaf_values.h"
#include "tb/twins/checked_twin.h"
#include "tb/waves/signal_table.h"

namespace g80 {
namespace {

/// Numbers the leaves that mean nothing now: those of a struct with `valid` 0, and the front of an empty queue.
class Meaningless final : public FieldVisitor {
 public:
  struct Leaf {
    std::uint32_t number;
    unsigned width;
    const EnumText* text;
  };
  Meaningless() : FieldVisitor(true) {}
  std::vector<Leaf> leaves;

  void enter(const char* name, int) override {
    const Scope& outside = scopes_.back();
    scopes_.push_back({outside.invalid || (outside.empty && is_front(name)), false});
  }
  void leave() override { scopes_.pop_back(); }
  void leaf(const char* name, int, std::uint64_t value, unsigned width, const EnumText* text) override {
    Scope& scope = scopes_.back();
    if (scope.invalid || (scope.empty && is_front(name))) {
      leaves.push_back({next_, width, text});
    } else if (width == 1 && value == 0 && std::strcmp(name, "valid") == 0) {
      scope.invalid = scopes_.size() > 1;  // the bit itself has a reset value
    } else if (value == 0 && std::strcmp(name, "count") == 0) {
      scope.empty = true;
    }
    ++next_;
  }

 private:
  struct Scope {
    bool invalid = false;
    bool empty = false;
  };
  static bool is_front(const char* name) { return std::strcmp(name, "front") == 0; }
  std::vector<Scope> scopes_{{}};
  std::uint32_t next_ = 0;
};

/// Where the leaves are: the struct, or the row of a two-dimensional array, and the place in an array.
class Leaves final : public FieldVisitor {
 public:
  struct Leaf {
    std::string name;
    int index;  // in its array; -1: in none
    std::size_t scope;
  };
  struct Scope {
    std::string name;
    int index;
    std::size_t parent;
    int valid = -1, lanes = -1;  // numbers of these leaves; -1: there is none
    unsigned lanes_width = 0;
  };
  Leaves() : FieldVisitor(true) {}
  std::vector<Leaf> leaves;
  std::vector<Scope> scopes{{"", -1, 0}};

  void enter(const char* name, int index) override {
    if (index >= 0) ++elements_[{open_, name}];
    scopes.push_back({name, index, open_});
    open_ = scopes.size() - 1;
  }
  void leave() override { open_ = scopes[open_].parent; }
  void leaf(const char* name, int index, std::uint64_t, unsigned width, const EnumText*) override {
    const int number = static_cast<int>(leaves.size());
    leaves.push_back({name, index, open_});
    if (index >= 0) {
      ++elements_[{open_, name}];
    } else if (width == 1 && std::strcmp(name, "valid") == 0) {
      scopes[open_].valid = number;
    } else if (std::strcmp(name, "lanes") == 0) {
      scopes[open_].lanes = number;
      scopes[open_].lanes_width = width;
    }
  }
  /// Elements of the array of this name; 0: it is none.
  unsigned elements(std::size_t scope, const std::string& name) const {
    const auto found = elements_.find({scope, name});
    return found == elements_.end() ? 0 : found->second;
  }

 private:
  std::size_t open_ = 0;
  std::map<std::pair<std::size_t, std::string>, unsigned> elements_;
};

}  // namespace

RandomState::RandomState(std::vector<Domain*> domains, std::uint64_t seed, bool wires)
    : domains_(std::move(domains)), seed_(seed), done_(domains_.size()) {
  for (Domain* domain : domains_) domain->attach_trace(*this);
  for (Traceable* item : collect_items({{}, WaveLevel::kLanes})) {
    auto* const queue = dynamic_cast<QueueView*>(item);
    if (queue != nullptr) scramble(*item);
    const bool wire = std::strcmp(dynamic_cast<const sc_core::sc_object&>(*item).kind(), "wire") == 0;
    if (!wires || (!wire && queue == nullptr)) continue;
    Carrier carrier{item, queue, rules_of(*item), fnv1a(std::string_view(item->trace_name())) + seed_};
    if (carrier.rules.empty()) continue;
    item->attach_trace(*this, static_cast<std::uint32_t>(carriers_.size()));
    carriers_.push_back(std::move(carrier));
  }
}

RandomState::~RandomState() {
  for (Domain* domain : domains_) domain->detach_trace(*this);
  for (const Carrier& carrier : carriers_) carrier.item->detach_trace(*this);
}

// A leaf depends on the `valid` of each struct around it, and an element of an array with as many elements as `lanes`
// has bits on its bit.
std::vector<RandomState::Rule> RandomState::rules_of(const Traceable& item) {
  Leaves all;
  if (const auto* queue = dynamic_cast<const QueueView*>(&item)) {  // of the entry that changed() looks at
    all.leaf("count", -1, 0, 8, nullptr);
    queue->visit_entry(0, all);
  } else {
    item.trace_fields(all);
  }
  std::vector<Rule> rules;
  for (std::uint32_t number = 0; number < all.leaves.size(); ++number) {
    const Leaves::Leaf& leaf = all.leaves[number];
    // The place in the innermost arrays: of a leaf, then of the row or struct around it.
    unsigned elements = all.elements(leaf.scope, leaf.name), at = elements == 0 ? 0 : static_cast<unsigned>(leaf.index);
    unsigned rows = 0, row = 0;
    bool lane_known = false;
    for (std::size_t number_of = leaf.scope;;) {
      const Leaves::Scope& scope = all.scopes[number_of];
      if (scope.valid >= 0 && scope.valid != static_cast<int>(number))
        rules.push_back({number, static_cast<std::uint32_t>(scope.valid), 0});
      if (scope.lanes >= 0 && !lane_known && (rows == scope.lanes_width || elements == scope.lanes_width)) {
        lane_known = true;
        const unsigned lane = elements == scope.lanes_width ? at : row;
        rules.push_back({number, static_cast<std::uint32_t>(scope.lanes), static_cast<std::uint8_t>(lane)});
      }
      if (number_of == 0) break;
      rows = all.elements(scope.parent, scope.name);
      row = rows == 0 ? 0 : static_cast<unsigned>(scope.index);
      number_of = scope.parent;
    }
  }
  return rules;
}

// A wire was written, or a queue has taken or handed out an entry. What the newest entry of a queue holds beside its
// contents stays the same bits when it is looked at again.
void RandomState::changed(std::uint32_t slot) {
  const Carrier& carrier = carriers_[slot];
  if (editing_ || (carrier.queue != nullptr && carrier.queue->size() == 0)) return;
  values_.clear();
  LeafValues values(values_, true);
  if (carrier.queue != nullptr) {
    values_.push_back(carrier.queue->size());
    carrier.queue->visit_entry(carrier.queue->size() - 1, values);
  } else {
    carrier.item->trace_fields(values);
  }
  editing_ = true;
  edits_.clear();
  for (std::size_t i = 0; i < carrier.rules.size();) {
    // Neighbours that mean nothing get the same bits.
    const std::uint32_t first = carrier.rules[i].leaf;
    std::uint32_t end = first;
    for (bool meaningless = true; meaningless && i < carrier.rules.size() && carrier.rules[i].leaf == end;) {
      meaningless = false;
      for (; i < carrier.rules.size() && carrier.rules[i].leaf == end; ++i)
        meaningless |= (values_[carrier.rules[i].mask] >> carrier.rules[i].bit & 1) == 0;
      if (meaningless) ++end;
    }
    if (end == first) continue;
    const std::uint64_t place = carrier.place + 2 * first;
    edits_.push_back(
        {first, end - first, {false, std::uint64_t{random_word(seed_, place)} << 32 | random_word(seed_, place + 1)}});
  }
  FieldEditor editor(edits_);
  carrier.item->edit_fields(editor);
  carried_ += editor.changed();
  editing_ = false;
}

void RandomState::scramble(Traceable& item) {
  Meaningless meaningless;
  item.trace_fields(meaningless);
  const std::uint64_t place = fnv1a(std::string_view(item.trace_name()));
  edits_.clear();
  for (const Meaningless::Leaf& leaf : meaningless.leaves) {
    std::uint64_t value = std::uint64_t{random_word(seed_, place + 2 * leaf.number)} << 32 |
                          random_word(seed_, place + 2 * leaf.number + 1);
    value &= ~std::uint64_t{0} >> (64 - leaf.width);
    if (leaf.text != nullptr) value %= leaf.text->count;
    edits_.push_back({leaf.number, 1, {false, value}});
  }
  FieldEditor editor(edits_);
  item.edit_fields(editor);
  fields_ += editor.changed();
  FieldEditor filler(place + seed_);  // of the places behind the head of queues, and of caches
  item.edit_fields(filler);
  fields_ += filler.changed();
}

// The first edge after reset: all blocks are as the reset has left them.
void RandomState::edge_begin(Domain& domain) {
  const auto number = static_cast<std::size_t>(std::find(domains_.begin(), domains_.end(), &domain) - domains_.begin());
  if (done_[number] || domain.in_reset()) return;
  done_[number] = true;
  for (ClockedBase* block : domain.modules()) {
    if (dynamic_cast<const CheckedTwin*>(block) == nullptr) scramble(*block);  // the models have done it
  }
}

void RandomState::fill(DeviceMemory memory, const Mapping& mapping, std::uint8_t* reference) const {
  std::vector<std::uint32_t> words(mapping.bytes / 4);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = random_word(seed_, mapping.physical / 4 + i);
  memory.write(mapping.physical, words.data(), mapping.bytes);
  if (reference != nullptr) std::memcpy(reference, words.data(), mapping.bytes);
}

}  // namespace g80
