// What the wave sink sees of a wire or a module's registers: a name, fields, and a mark when they may have changed.
#pragma once
#include <cstdint>

#include "hw/common/fields.h"

namespace g80 {

class Traceable;
class Domain;
class ClockedBase;

/// Receives change marks while a trace is open. Nothing is called when no trace is open.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  /// `item` changed value in the current time step.
  virtual void changed(Traceable& item) = 0;
  /// `domain` is about to run an edge; the state is still the one before the current time.
  virtual void edge_begin(Domain&) {}
  /// All modules of `domain` have committed the edge at the current time.
  virtual void edge_done(Domain& domain) = 0;
};

/// Detail level of a traced item, for --wave-level.
enum class TraceLevel : std::uint8_t { kArchitecture, kPipeline, kAll };

/// Fault injection: told when blocks have taken their new state, and when a queue takes an item. Attached only to
/// domains and queues that a fault is in.
class FaultHook {
 public:
  virtual ~FaultHook() = default;
  virtual void edge_committed(Domain& domain) = 0;
  /// The item just pushed is what the queue's edit_fields() edits.
  virtual void item_pushed(Traceable& queue) = 0;
};

class Traceable {
 public:
  virtual ~Traceable() = default;
  /// Hierarchical name, e.g. "gpu.tpc0.sm1.warp_scheduler.pick_o".
  virtual const char* trace_name() const = 0;
  virtual void trace_fields(FieldVisitor& visitor) const = 0;
  /// Lets the editor change fields, and those who read them see it. The leaves are those of trace_fields, in its order.
  virtual void edit_fields(FieldEditor&) {}
  /// The block that sets the fields: a fault counts the edges of its clock. Null: the testbench, or nobody.
  virtual ClockedBase* driver() { return nullptr; }
  /// Items are edited when they are pushed; false for what is not a queue.
  virtual bool attach_push_hook(FaultHook*) { return false; }
  virtual TraceLevel trace_level() const { return TraceLevel::kPipeline; }

  void attach_trace(TraceSink* sink, std::uint32_t slot) {
    sink_ = sink;
    trace_slot = slot;
  }
  std::uint32_t trace_slot = 0;  // the sink's own index

 protected:
  void mark_changed() {
    if (__builtin_expect(sink_ != nullptr, 0)) sink_->changed(*this);
  }
  bool traced() const { return sink_ != nullptr; }

 private:
  TraceSink* sink_ = nullptr;
};

}  // namespace g80
