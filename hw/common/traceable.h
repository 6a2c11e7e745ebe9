// SPDX-License-Identifier: Apache-2.0
// The interface of wires and registers for observers: a name, fields, and a mark when they may have
// changed. Several sinks may be attached at once; each assigns its own numbers to the objects.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "hw/common/fields.h"
#include "hw/common/outbox.h"
#include "hw/common/types.h"

namespace g80 {

class Traceable;
class Domain;
class ClockedBase;

/// Receives change marks while it is attached. It may detach itself in any of the calls.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  /// The object that was attached as `slot` changed value in the current time step.
  virtual void changed(std::uint32_t slot) = 0;
  /// `domain` is about to run an edge; the state is still the one before the current time.
  virtual void edge_begin(Domain&) {}
  /// All modules of `domain` have committed the edge at the current time.
  virtual void edge_done(Domain&) {}
};

/// A sink and its number for the object.
struct TraceWatch {
  TraceSink* sink = nullptr;
  std::uint32_t slot = 0;
};

/// The sinks of one object. The first stands in the object itself: most have no other.
class TraceWatches {
 public:
  bool empty() const { return first_ == nullptr; }
  void add(TraceSink& sink, std::uint32_t slot) {
    if (empty()) {
      first_ = &sink, first_slot_ = slot;
      return;
    }
    if (more_ == nullptr) more_ = std::make_unique<std::vector<TraceWatch>>();
    more_->push_back({&sink, slot});
  }
  void remove(const TraceSink& sink) {
    std::vector<TraceWatch> left;
    for (std::size_t i = 0; i < size(); ++i) {
      if (at(i).sink != &sink) left.push_back(at(i));
    }
    first_ = nullptr, more_ = nullptr;
    for (const TraceWatch& watch : left) add(*watch.sink, watch.slot);
  }
  /// Calls `call(watch)` for each; a sink may take itself out meanwhile.
  template <class Call>
  G80_INLINE void call_each(const Call& call) const {
    if (__builtin_expect(more_ != nullptr, 0)) return call_all(call);
    if (first_ != nullptr) call(at(0));
  }

 private:
  template <class Call>
  [[gnu::noinline]] void call_all(const Call& call) const {
    for (std::size_t i = 0; i < size();) {
      const TraceWatch watch = at(i);
      call(watch);
      if (i < size() && at(i).sink == watch.sink) ++i;
    }
  }
  std::size_t size() const { return empty() ? 0 : more_ == nullptr ? 1 : 1 + more_->size(); }
  TraceWatch at(std::size_t i) const { return i == 0 ? TraceWatch{first_, first_slot_} : (*more_)[i - 1]; }

  TraceSink* first_ = nullptr;
  std::unique_ptr<std::vector<TraceWatch>> more_;
  std::uint32_t first_slot_ = 0;
};

/// Detail level of a traced item, for --wave-level.
enum class TraceLevel : std::uint8_t { kArchitecture, kPipeline, kAll };

/// Fault injection: called when blocks have taken their new state, and when a queue takes an item. Attached only to
/// domains and queues with a fault.
class FaultHook {
 public:
  virtual ~FaultHook() = default;
  virtual void edge_committed(Domain& domain) = 0;
  /// The item just pushed is what the queue's edit_fields() edits.
  virtual void item_pushed(Traceable& queue) = 0;
};

/// Aligned, so that what every change asks of an object lies in one line of the host's cache with its first fields.
class alignas(kCacheLine) Traceable {
 public:
  virtual ~Traceable() = default;
  /// Hierarchical name, e.g. "gpu.tpc0.sm1.warp_scheduler.pick_o".
  virtual const char* trace_name() const = 0;
  virtual void trace_fields(FieldVisitor& visitor) const = 0;
  /// Lets the editor change fields; their readers see the change. The leaves are those of trace_fields, in its order.
  virtual void edit_fields(FieldEditor&) {}
  /// The block that sets the fields: a fault counts the edges of its clock. Null: the testbench, or no block.
  virtual ClockedBase* driver() { return nullptr; }
  /// Items are edited when they are pushed; false for what is not a queue.
  virtual bool attach_push_hook(FaultHook*) { return false; }
  /// Flops take what comes at edges at which their block sleeps, counters count, and nothing marks the object then.
  /// True if some will after `moment`, at which no block ran (0: the present), of those that a visitor sees
  /// `with_stored` fields or without.
  virtual bool moves_unmarked([[maybe_unused]] Picoseconds moment, [[maybe_unused]] bool with_stored) const {
    return false;
  }
  virtual TraceLevel trace_level() const { return TraceLevel::kPipeline; }

  void attach_trace(TraceSink& sink, std::uint32_t slot) {
    watches_.add(sink, slot);
    asked_ |= kTraced;
  }
  void detach_trace(const TraceSink& sink) {
    watches_.remove(sink);
    if (watches_.empty()) asked_ &= static_cast<std::uint8_t>(~kTraced);
  }
  void notify_sinks() {
    if (__builtin_expect(Outbox::current != nullptr && Outbox::current->in_order, 0)) return notify_later();
    watches_.call_each([](const TraceWatch& watch) { watch.sink->changed(watch.slot); });
  }

 protected:
  void mark_changed() {
    if (__builtin_expect(traced(), 0)) notify_sinks();
  }
  bool traced() const { return (asked_ & kTraced) != 0; }
  /// What a change entails besides the new value is asked at once: whether it is traced, and whether ask_for_more() was
  /// called.
  bool asks_for_more() const { return asked_ != 0; }
  void ask_for_more() { asked_ |= kMore; }

 private:
  [[gnu::noinline]] void notify_later() { Outbox::current->changed.push_back(this); }

  static constexpr std::uint8_t kTraced = 1, kMore = 2;
  TraceWatches watches_;
  std::uint8_t asked_ = 0;
};

}  // namespace g80
