// SPDX-License-Identifier: Apache-2.0
// State that a block keeps outside its registers: stores, which change in the block's next().
//
// A store is given its block and its name where it is declared, so that waves, faults and the shell see it:
//     Stored<Ring<FetchRequest, 2>> queue_{*this, "queue"};   // Fifo<FetchRequest, 2> is short for the type
//     Stored<std::array<Ring<MemRequest, 2>, kMaxTpcs>> queue_{*this, "queue"};
// There is no other way to make one: a store cannot be forgotten.
#pragma once
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "hw/common/fields.h"

namespace g80 {

class Store {
 public:
  virtual ~Store() = default;
  virtual void visit(FieldVisitor& visitor) const = 0;
  virtual void visit(FieldEditor& editor) = 0;
};

/// A block, as its stores know it: they are visited in the order of their declaration.
class StoreOwner {
 public:
  void add(Store& store) { stores_.push_back(&store); }

 protected:
  ~StoreOwner() = default;
  void visit_stores(FieldVisitor& visitor) const {
    for (const Store* store : stores_) store->visit(visitor);
  }
  void visit_stores(FieldEditor& editor) {
    for (Store* store : stores_) store->visit(editor);
  }

 private:
  std::vector<Store*> stores_;
};

template <class Data>
class Stored final : public Data, private Store {
 public:
  template <class... Initial>
  explicit Stored(StoreOwner& block, const char* name, Initial&&... initial)
      : Data(std::forward<Initial>(initial)...), name_(name) {
    block.add(*this);
  }
  Stored(const Stored&) = delete;
  Stored& operator=(const Stored&) = delete;
  using Data::operator=;

 private:
  void visit(FieldVisitor& visitor) const override { visitor(name_, static_cast<const Data&>(*this)); }
  void visit(FieldEditor& editor) override { editor(name_, static_cast<Data&>(*this)); }

  const char* const name_;
};

/// What no reset sets and nobody may read before it is written: words and tags of lines that are not valid. `fill`
/// hands it to a FieldEditor made of a seed.
class Unwritten final : private Store {
 public:
  using Fill = std::function<void(FieldEditor& filler)>;
  Unwritten(StoreOwner& block, Fill fill) : fill_(std::move(fill)) { block.add(*this); }
  Unwritten(const Unwritten&) = delete;
  Unwritten& operator=(const Unwritten&) = delete;

 private:
  void visit(FieldVisitor&) const override {}
  void visit(FieldEditor& editor) override {
    if (editor.fills()) fill_(editor);
  }
  const Fill fill_;
};

/// Of a ring in `items`: how many entries there are, and the oldest; where there is none, nothing.
template <class Count, class Items, class V>
void visit_oldest(V& v, Count& count, unsigned count_bits, Count& head, Items& items) {
  auto& oldest = items[head];
  using Item = std::remove_reference_t<decltype(oldest)>;
  const auto places = static_cast<unsigned>(std::size(items));
  v.count("count", count, places, count_bits);
  static const std::remove_const_t<Item> nothing{};
  if (std::is_const_v<Item> && count == 0) {
    v("front", nothing);
  } else {
    v("front", oldest);
  }
  if constexpr (std::is_same_v<V, FieldEditor>) {
    for (unsigned i = count; v.fills() && i < places; ++i) v.fill(items[(head + i) % places]);
  }
}

}  // namespace g80
