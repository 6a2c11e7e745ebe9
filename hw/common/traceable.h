// SPDX-License-Identifier: Apache-2.0
// The interface of wires and registers for observers: a name, fields, and a mark when they may have
// changed. Several sinks may be attached at once; each assigns its own numbers to the objects.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/common/fields.h"
#include "hw/common/outbox.h"

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
/// Calls `tell(watch)` for each; a sink may take itself out meanwhile.
template <class Tell>
void tell_sinks(const std::vector<TraceWatch>& watches, const Tell& tell) {
  if (watches.size() == 1) {  // the usual case
    const TraceWatch watch = watches.front();
    tell(watch);
    return;
  }
  for (std::size_t i = 0; i < watches.size();) {
    const TraceWatch watch = watches[i];
    tell(watch);
    if (i < watches.size() && watches[i].sink == watch.sink) ++i;
  }
}
inline void remove_sink(std::vector<TraceWatch>& watches, const TraceSink& sink) {
  watches.erase(
      std::remove_if(watches.begin(), watches.end(), [&](const TraceWatch& watch) { return watch.sink == &sink; }),
      watches.end());
}

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
  virtual TraceLevel trace_level() const { return TraceLevel::kPipeline; }

  void attach_trace(TraceSink& sink, std::uint32_t slot) {
    watches_.push_back({&sink, slot});
    asked_ |= kTraced;
  }
  void detach_trace(const TraceSink& sink) {
    remove_sink(watches_, sink);
    if (watches_.empty()) asked_ &= static_cast<std::uint8_t>(~kTraced);
  }
  void tell_changed() {
    if (Outbox::current != nullptr && Outbox::current->in_order) {
      Outbox::current->changed.push_back(this);
      return;
    }
    tell_sinks(watches_, [](const TraceWatch& watch) { watch.sink->changed(watch.slot); });
  }

 protected:
  void mark_changed() {
    if (__builtin_expect(traced(), 0)) tell_changed();
  }
  bool traced() const { return (asked_ & kTraced) != 0; }
  /// What a change entails besides the new value is asked at once: whether it is traced, and whether ask_for_more() was
  /// called.
  bool asks_for_more() const { return asked_ != 0; }
  void ask_for_more() { asked_ |= kMore; }

 private:
  static constexpr std::uint8_t kTraced = 1, kMore = 2;
  std::vector<TraceWatch> watches_;
  std::uint8_t asked_ = 0;
};

}  // namespace g80
