// SPDX-License-Identifier: Apache-2.0
// The queue between two clock domains (or a fixed-latency pipe inside one).
//
// An entry is visible to the reader at the N-th reader edge strictly after the write; a freed place is visible to the
// writer at the N-th writer edge strictly after the read. So the order of coincident edges cannot matter.
// Reader and writer see it through ports (CrossingReadIf / CrossingWriteIf) and are woken when something becomes
// visible to them. The testbench is a writer or reader without a domain.
#pragma once
#include <systemc>
#include <vector>

#include "hw/common/check.h"
#include "hw/common/clocked.h"
#include "hw/common/domain.h"
#include "hw/common/traceable.h"

namespace g80 {

template <class T>
class CrossingWriteIf : virtual public sc_core::sc_interface {
 public:
  /// A place is free, as the writer sees it now.
  virtual bool can_push() = 0;
  /// Every place is free, as the writer sees it now: the reader has taken all that was written. The writer is woken for
  /// it.
  virtual bool all_free() = 0;
  /// A place will be free at `edge` of the writer's clock, as far as is known now. For those who watch.
  virtual bool can_push_at(Cycle edge) const = 0;
  virtual void push(const T& item) = 0;
};

template <class T>
class CrossingReadIf : virtual public sc_core::sc_interface {
 public:
  /// An entry is visible to the reader now.
  virtual bool available() const = 0;
  /// An entry will be visible at `edge` of the reader's clock, as far as is known now. For observers.
  virtual bool available_at(Cycle edge) const = 0;
  virtual const T& front() const = 0;
  virtual void pop() = 0;
};

/// A queue of any item type, for observers that read all entries.
class QueueView {
 public:
  virtual ~QueueView() = default;
  virtual unsigned depth() const = 0;
  virtual unsigned size() const = 0;
  /// The entry `place` behind the head; it may not be visible to the reader yet.
  virtual void visit_entry(unsigned place, FieldVisitor& visitor) const = 0;
};

template <class T>
class CrossingFifo final : public sc_core::sc_object,
                           public CrossingWriteIf<T>,
                           public CrossingReadIf<T>,
                           public Traceable,
                           public QueueView {
 public:
  /// `writer`/`reader`: the domains (nullptr = the testbench, which sees everything at once).
  /// `latency`: N reader edges until visible; `depth`: entries.
  CrossingFifo(const char* name, Domain* writer, Domain* reader, unsigned depth, unsigned latency,
               unsigned free_latency = 1)
      : sc_object(name),
        writer_(writer),
        reader_(reader),
        depth_(depth),
        latency_(latency),
        free_latency_(free_latency),
        entries_(depth),
        freed_(depth) {
    CHECK(depth > 0 && latency > 0 && free_latency > 0, "{}: depth and latencies are at least 1", this->name());
  }

  bool can_push() override {
    collect_freed();
    return writer_used_ < depth_;
  }
  bool all_free() override {
    collect_freed();
    return writer_used_ == 0;
  }
  bool can_push_at(Cycle edge) const override {
    unsigned used = writer_used_;
    for (unsigned i = 0; i < freed_count_; ++i) used -= freed_[wrap(freed_head_ + i)] <= edge ? 1u : 0u;
    return used < depth_;
  }
  void push(const T& item) override {
    CHECK(can_push(), "{}: pushed although full", name());
    const unsigned slot = wrap(head_ + count_);
    entries_[slot].item = item;
    entries_[slot].visible = reader_ == nullptr ? 0 : edges_from_now(*reader_, latency_);
    ++count_;
    ++writer_used_;
    if (reader_module_ != nullptr) reader_module_->wake_at(entries_[slot].visible);
    if (__builtin_expect(push_hook_ != nullptr, 0)) push_hook_->item_pushed(*this);
    mark_changed();
  }
  bool available() const override { return available_at(reader_ == nullptr ? 0 : reader_->edge()); }
  bool available_at(Cycle edge) const override { return count_ > 0 && entries_[head_].visible <= edge; }
  const T& front() const override { return entries_[head_].item; }
  void pop() override {
    CHECK(available(), "{}: popped although nothing is visible", name());
    head_ = wrap(head_ + 1);
    --count_;
    const bool was_full = writer_used_ == depth_;
    freed_[wrap(freed_head_ + freed_count_)] = writer_ == nullptr ? 0 : edges_from_now(*writer_, free_latency_);
    ++freed_count_;
    if ((was_full || count_ == 0) && writer_module_ != nullptr)
      writer_module_->wake_at(freed_[wrap(freed_head_ + freed_count_ - 1)]);
    mark_changed();
  }
  unsigned size() const override { return count_; }
  void visit_entry(unsigned place, FieldVisitor& visitor) const override {
    if constexpr (is_bundle<T>) visit_fields(entries_[wrap(head_ + place)].item, visitor);
  }
  /// The entry pushed last, visible or not. For observers.
  const T& newest() const { return entries_[wrap(head_ + count_ - 1)].item; }
  unsigned depth() const override { return depth_; }

  void register_port(sc_core::sc_port_base& port, const char*) override {
    auto* module = dynamic_cast<ClockedBase*>(port.get_parent_object());
    if (module == nullptr) return;
    if (dynamic_cast<sc_core::sc_port<CrossingReadIf<T>>*>(&port) != nullptr) reader_module_ = module;
    if (dynamic_cast<sc_core::sc_port<CrossingWriteIf<T>>*>(&port) != nullptr) writer_module_ = module;
  }
  const char* trace_name() const override { return name(); }
  void trace_fields(FieldVisitor& visitor) const override {
    visitor.shown("count", count_, 8);
    if constexpr (is_bundle<T>) visit_fields(entries_[count_ > 0 ? head_ : 0].item, visitor);
  }
  /// The entry pushed last.
  void edit_fields(FieldEditor& editor) override {
    editor.shown("count", count_, 8);
    if constexpr (is_bundle<T>) {
      visit_fields(entries_[count_ > 0 ? wrap(head_ + count_ - 1) : 0].item, editor);
      for (unsigned i = count_; editor.fills() && i < depth_; ++i) editor.fill(entries_[wrap(head_ + i)].item);
    }
  }
  ClockedBase* driver() override { return writer_module_; }
  bool attach_push_hook(FaultHook* hook) override {
    push_hook_ = hook;
    return true;
  }
  const char* kind() const override { return "crossing_fifo"; }

 private:
  struct Entry {
    T item{};
    Cycle visible = 0;
  };
  void collect_freed() {
    while (freed_count_ > 0 && (writer_ == nullptr || freed_[freed_head_] <= writer_->edge())) {
      freed_head_ = wrap(freed_head_ + 1);
      --freed_count_;
      --writer_used_;
    }
  }
  unsigned wrap(unsigned i) const { return i >= depth_ ? i - depth_ : i; }
  /// The n-th edge of `domain` strictly after now. Inside the same domain "now" is its current edge.
  static Cycle edges_from_now(const Domain& domain, unsigned n) { return domain.first_edge_after_now() + n - 1; }

  Domain* writer_;
  Domain* reader_;
  unsigned depth_, latency_, free_latency_;
  std::vector<Entry> entries_;
  std::vector<Cycle> freed_;  // writer edges at which freed places become visible
  unsigned head_ = 0, count_ = 0, freed_head_ = 0, freed_count_ = 0, writer_used_ = 0;
  ClockedBase* reader_module_ = nullptr;
  ClockedBase* writer_module_ = nullptr;
  FaultHook* push_hook_ = nullptr;
};

/// The ports of blocks: once they are bound they call the queue itself, not its interface.
template <class T, class Interface>
class CrossingPort : public sc_core::sc_port<Interface> {
 public:
  using sc_core::sc_port<Interface>::sc_port;
  CrossingFifo<T>* operator->() const { return fifo_; }

 protected:
  void end_of_elaboration() override { fifo_ = dynamic_cast<CrossingFifo<T>*>(this->get_interface()); }

 private:
  CrossingFifo<T>* fifo_ = nullptr;
};
template <class T>
using CrossingIn = CrossingPort<T, CrossingReadIf<T>>;
template <class T>
using CrossingOut = CrossingPort<T, CrossingWriteIf<T>>;

}  // namespace g80
