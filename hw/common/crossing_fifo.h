// SPDX-License-Identifier: Apache-2.0
// The queue between two clock domains: an asynchronous FIFO with Gray pointers (hw/common/synchroniser.h).
//
// Storage, a write pointer in the writer's clock, a read pointer in the reader's, and on each side the synchroniser
// flops that bring over the other side's pointer. available() and can_push() see only the own pointer and the last
// flop. The flops take one edge each, and the edge after them uses the pointer: an entry is visible to the reader at
// the N-th reader edge strictly after the write with N - 1 flops, a freed place to the writer in the same way. A way
// in the reader's clock is plain registers for the write pointer, behind the flops: the entry rests.
// One entry an edge goes in and one comes out: Gray code needs it. It also needs a power of two places; those beyond
// `depth` stay free, as the writer counts its credits.
// What the writer sees of the reader only grows, so it counts the places that it has seen to be free, and looks at the
// flops again when it has used them up.
// Waves show both pointers in Gray code, and what each flop and each register of the way holds of them: the last one
// what the other side sees at its next edge. Faults reach each of them.
// A reader or writer that sleeps is woken when something becomes visible to it. The testbench is a writer or reader
// without a domain and without flops.
//
// Writer and reader may run on two threads. Each has its own pointer and sees that of the other behind its flops. What
// the writer pushed at the reader's present edge, or between that and the last one, the reader does not know.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/common/check.h"
#include "hw/common/clocked.h"
#include "hw/common/domain.h"
#include "hw/common/port.h"
#include "hw/common/synchroniser.h"
#include "hw/common/traceable.h"

namespace g80 {

/// When a reader has made room, its writer is woken ...
enum class RoomWake : std::uint8_t {
  kNever,    // it stays awake while it waits for a place
  kWaiting,  // if it may wait for one
  kAllFree,  // then, and when every place is free
};

template <class T>
class CrossingWriteIf : virtual public sc_core::sc_interface {
 public:
  /// A place is free, as the writer sees it now.
  virtual bool can_push() const = 0;
  /// Every place is free, as the writer sees it now: the reader has taken all that was written. A writer with
  /// RoomWake::kAllFree is woken then.
  virtual bool all_free() const = 0;
  /// The same at `edge` of the writer's clock, as far as is known now. For those who watch.
  virtual bool can_push_at(Cycle edge) const = 0;
  virtual bool all_free_at(Cycle edge) const = 0;
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
  /// Each bit that crosses may come an edge later, as a real synchroniser lets it: drawn from `seed`. Before the queue
  /// is used; one with an end at the testbench has no flops.
  virtual void catch_late(std::uint64_t seed) = 0;
};

template <class T>
class CrossingFifo final : public sc_core::sc_object,
                           public CrossingWriteIf<T>,
                           public CrossingReadIf<T>,
                           public Traceable,
                           public QueueView {
 public:
  /// `writer`/`reader`: the domains (nullptr = the testbench, which sees everything at once).
  /// `edges`: reader edges until an entry is visible, but for the `way` behind the flops; `free_edges`: writer edges
  /// until a freed place is.
  CrossingFifo(const char* name, Domain* writer, Domain* reader, unsigned depth, unsigned edges,
               unsigned free_edges = 1, unsigned way = 0)
      : sc_object(name),
        writer_(writer),
        reader_(reader),
        depth_(depth),
        places_(power_of_two_from(depth)),
        entries_(places_),
        reader_edge_(edge_of(reader)),
        writer_edge_(edge_of(writer)),
        write_seen_(flops_for(edges), way, 2 * places_),
        read_seen_(flops_for(free_edges), 0, 2 * places_) {
    CHECK(depth > 0 && depth <= kMaxDepth, "{}: {} places, but 1 to {} are possible", this->name(), depth, kMaxDepth);
    if (reader == nullptr || writer == nullptr) return;
    unknown_writes_ = writes_in_an_edge();
    reader->has_queue(edges + way);
    writer->has_queue(free_edges);
  }

  G80_INLINE bool can_push() const override { return seen_free_ != 0 || can_push_at(writer_edge()); }
  bool can_push_at(Cycle edge) const override {
    if (writer_ == nullptr || read_seen_.is_upset()) return used_at(edge) < depth_;
    return read_seen_.has_left(before(write_, depth_), edge);
  }
  bool all_free() const override { return all_free_at(writer_edge()); }
  bool all_free_at(Cycle edge) const override {
    if (writer_ == nullptr || read_seen_.is_upset()) return used_at(edge) == 0;
    return read_seen_.rests_at(write_, edge);
  }
  void push(const T& item) override {
    push_by([&item](T& entry) { entry = item; });
  }
  /// The same in place: `fill` is given what lay there before.
  template <class Fill>
  G80_INLINE void push_by(const Fill& fill) {
    if (seen_free_ == 0) {
      const unsigned used = used_at(writer_edge());
      CHECK(used < depth_, "{}: pushed although full", name());
      seen_free_ = read_seen_.is_upset() ? 1 : depth_ - used;
    }
    --seen_free_;
    if (writer_ != nullptr) {
      CHECK(last_push_ != writer_edge(), "{}: two entries pushed at one edge", name());
      last_push_ = writer_edge();
    }
    fill(entries_[place(write_)]);
    write_ = next(write_);
    if (reader_ != nullptr) write_seen_.move(write_, first_edge(*reader_, writer_module_));
    if (reader_module_ != nullptr) reader_module_->wake_at(write_seen_.shows_from());
    if (__builtin_expect(push_hook_ != nullptr, 0)) push_hook_->item_pushed(*this);
    mark_changed();
  }
  G80_INLINE bool available() const override { return available_at(reader_edge()); }
  G80_INLINE bool available_at(Cycle edge) const override {
    if (write_seen_.is_upset()) return write_seen_.at(edge) != read_;
    return reader_ == nullptr ? write_ != read_ : write_seen_.has_left(read_, edge);
  }
  const T& front() const override { return entries_[place(read_)]; }
  void pop() override {
    const Cycle edge = reader_edge();
    CHECK(available_at(edge), "{}: popped although nothing is visible", name());
    if (reader_ != nullptr) {
      CHECK(last_pop_ != edge, "{}: two entries popped at one edge", name());
      last_pop_ = edge;
    }
    read_ = next(read_);
    update_writer();
    mark_changed();
  }
  unsigned size() const override { return distance(read_, write_); }
  void visit_entry(unsigned place, FieldVisitor& visitor) const override;
  /// The entry pushed last, visible or not. For observers.
  const T& newest() const { return entries_[place(write_ - 1)]; }
  unsigned depth() const override { return depth_; }
  void catch_late(std::uint64_t seed) override {
    if (writer_ == nullptr || reader_ == nullptr) return;
    write_seen_.catch_late(seed);
    read_seen_.catch_late(~seed);
    unknown_writes_ = 2 * writes_in_an_edge() + 1;  // those of the late edge, and the free place that comes late
  }
  void wake_writer(RoomWake when) { room_wake_ = when; }
  bool read_by_host() const { return reader_ == nullptr; }

  void register_port(sc_core::sc_port_base& port, const char*) override;
  const char* trace_name() const override { return name(); }
  void trace_fields(FieldVisitor& visitor) const override;
  /// The entry pushed last.
  void edit_fields(FieldEditor& editor) override;
  ClockedBase* driver() override { return writer_module_; }
  bool moves_unmarked(Picoseconds moment, bool) const override {
    return has_flops() &&
           (write_seen_.moves_on(edge_by(*reader_, moment)) || read_seen_.moves_on(edge_by(*writer_, moment)));
  }
  bool attach_push_hook(FaultHook* hook) override {
    push_hook_ = hook;
    return true;
  }
  const char* kind() const override { return "crossing_fifo"; }

 private:
  static constexpr Cycle kNoEdge = ~Cycle{0};
  static constexpr unsigned kMaxDepth = 1u << 14;  // a pointer has one bit more than a place's number
  static unsigned flops_for(unsigned edges) {
    CHECK(edges > 0, "a crossing within no edge");
    return edges - 1;
  }
  static constexpr unsigned power_of_two_from(unsigned n) {
    unsigned power = 1;
    while (power < n) power *= 2;
    return power;
  }
  /// Of the reader, at most.
  unsigned writes_in_an_edge() const { return static_cast<unsigned>(writer_->mhz() / reader_->mhz()) + 1; }
  static const Cycle* edge_of(const Domain* domain) {
    static constexpr Cycle kNoClock = 0;
    return domain == nullptr ? &kNoClock : &domain->edge();
  }
  Cycle writer_edge() const { return *writer_edge_; }
  Cycle reader_edge() const { return *reader_edge_; }
  /// The first edge of the other side strictly after the present one of `block`. Groups that run apart are at edges of
  /// their own.
  G80_INLINE static Cycle first_edge(const Domain& other, const ClockedBase* block) {
    return block != nullptr ? other.first_edge_after(block->now().time) : other.first_edge_after_now();
  }
  /// The reader has moved its pointer.
  G80_INLINE void update_writer() {
    const Cycle edge = writer_ == nullptr ? 0 : first_edge(*writer_, reader_module_);
    const bool wakes = room_wake_ != RoomWake::kNever && writer_module_ != nullptr && waits(edge);
    if (writer_ != nullptr) read_seen_.move(read_, edge);
    if (wakes) writer_module_->wake_at(read_seen_.shows_from());
  }
  /// The writer may wait for the place that became free. `edge`: its first one from now on.
  bool waits(Cycle edge) const {
    if (read_seen_.is_upset() || write_seen_.is_upset()) return true;
    const unsigned stages = std::max(1u, write_seen_.stages());
    // Without what the reader does not know, or a part of that.
    const unsigned written = reader_ == nullptr ? write_ : write_seen_.at(reader_edge() + stages - 1);
    // The writer may fill the places that it knows of, at the present edge and at those that the pointer takes.
    const unsigned may_come = unknown_writes_ + read_seen_.flops() + 1;
    return distance(read_seen_.at(edge), written) + may_come >= depth_ ||
           (room_wake_ == RoomWake::kAllFree && written == read_);
  }
  unsigned place(unsigned pointer) const { return pointer & (places_ - 1); }
  unsigned next(unsigned pointer) const { return (pointer + 1) & (2 * places_ - 1); }
  unsigned before(unsigned pointer, unsigned moves) const { return (pointer - moves) & (2 * places_ - 1); }
  unsigned distance(unsigned from, unsigned to) const { return (to - from) & (2 * places_ - 1); }
  /// Places that are not free, as the writer sees it when `edge` of its clock begins.
  unsigned used_at(Cycle edge) const { return distance(writer_ == nullptr ? read_ : read_seen_.at(edge), write_); }

  static unsigned gray(unsigned pointer) { return pointer ^ pointer >> 1; }
  unsigned pointer_bits() const { return static_cast<unsigned>(__builtin_ctz(2 * places_)); }
  static unsigned pointer_of(unsigned code) {
    for (unsigned shift = 1; shift < 32; shift *= 2) code ^= code >> shift;
    return code;
  }
  bool has_flops() const { return writer_ != nullptr && reader_ != nullptr; }
  /// The last edge at `moment` or before; 0: the present.
  static Cycle edge_by(const Domain& clock, Picoseconds moment) {
    return moment == 0 ? clock.last_edge() : clock.last_edge_by(moment);
  }
  void trace_stages(FieldVisitor& visitor, const char* flop, const char* way, const Synchroniser& of,
                    const Domain& clock) const;
  /// True if a fault changes one: who sees it is awake at all edges at which it may.
  bool edit_stages(FieldEditor& editor, Synchroniser& of, const Domain& clock, ClockedBase* sees) const;
  /// True if a fault changes the pointer.
  bool edit_pointer(FieldEditor& editor, const char* name, unsigned& pointer) const;

  Domain* writer_;
  Domain* reader_;
  unsigned depth_, places_;
  unsigned unknown_writes_ = 0;  // at most
  RoomWake room_wake_ = RoomWake::kWaiting;
  std::vector<T> entries_;
  ClockedBase* reader_module_ = nullptr;
  ClockedBase* writer_module_ = nullptr;
  const Cycle *reader_edge_, *writer_edge_;  // the present one, of the block or its clock; without a clock 0
  FaultHook* push_hook_ = nullptr;
  // What one side writes lies in one line of the host's cache.
  alignas(kCacheLine) Synchroniser write_seen_;  // the write pointer, in the reader's clock
  unsigned write_ = 0;
  unsigned seen_free_ = 0;                      // places that the writer has seen to be free, and not filled
  Cycle last_push_ = kNoEdge;                   // edge of the writer
  alignas(kCacheLine) Synchroniser read_seen_;  // the read pointer, in the writer's clock
  unsigned read_ = 0;
  Cycle last_pop_ = kNoEdge;  // edge of the reader
};

template <class T>
void CrossingFifo<T>::register_port(sc_core::sc_port_base& port, const char*) {
  auto* module = dynamic_cast<ClockedBase*>(port.get_parent_object());
  if (module == nullptr) return;
  if (dynamic_cast<sc_core::sc_port<CrossingReadIf<T>>*>(&port) != nullptr) {
    reader_module_ = module;
    if (reader_ != nullptr) reader_edge_ = &module->now().edge;
  }
  if (dynamic_cast<sc_core::sc_port<CrossingWriteIf<T>>*>(&port) != nullptr) {
    writer_module_ = module;
    if (writer_ != nullptr) writer_edge_ = &module->now().edge;
  }
}
template <class T>
void CrossingFifo<T>::visit_entry(unsigned place, FieldVisitor& visitor) const {
  if constexpr (is_bundle<T>) visit_fields(entries_[this->place(read_ + place)], visitor);
}
template <class T>
void CrossingFifo<T>::trace_fields(FieldVisitor& visitor) const {
  visitor.shown("count", size(), 8);
  if constexpr (is_bundle<T>) visitor.fields_of(front());
  visitor.of_queue("write_pointer", gray(write_), pointer_bits());
  if (has_flops()) trace_stages(visitor, "write_flop", "write_way", write_seen_, *reader_);
  visitor.of_queue("read_pointer", gray(read_), pointer_bits());
  if (has_flops()) trace_stages(visitor, "read_flop", "read_way", read_seen_, *writer_);
  visitor.stored("place", entries_);
}
template <class T>
void CrossingFifo<T>::trace_stages(FieldVisitor& visitor, const char* flop, const char* way, const Synchroniser& of,
                                   const Domain& clock) const {
  const Cycle edge = edge_by(clock, visitor.moment());
  std::vector<std::uint32_t> code(of.stages());
  for (unsigned number = 0; number < of.stages(); ++number) code[number] = gray(of.stage(number, edge));
  const std::vector<std::uint32_t> behind(code.begin() + of.flops(), code.end());
  code.resize(of.flops());
  if (!code.empty()) visitor.of_queue(flop, code, pointer_bits());
  if (!behind.empty()) visitor.of_queue(way, behind, pointer_bits());
}
template <class T>
bool CrossingFifo<T>::edit_pointer(FieldEditor& editor, const char* name, unsigned& pointer) const {
  unsigned code = gray(pointer);
  editor.of_queue(name, code, pointer_bits());
  code = pointer_of(code);
  return std::exchange(pointer, code) != code && !editor.moves();
}
template <class T>
bool CrossingFifo<T>::edit_stages(FieldEditor& editor, Synchroniser& of, const Domain& clock, ClockedBase* sees) const {
  if (editor.moves()) return false;
  const Cycle edge = clock.last_edge();
  bool changed = false;
  for (unsigned number = 0; number < of.stages(); ++number) {
    const unsigned before = gray(of.stage(number, edge));
    unsigned code = before;
    editor.of_queue("stage", code, pointer_bits());
    if (code == before) continue;
    of.upset_stage(number, edge, pointer_of(code));
    changed = true;
  }
  for (unsigned ahead = 1; changed && sees != nullptr && ahead <= of.stages() + 1; ++ahead) sees->wake_at(edge + ahead);
  return changed;
}
template <class T>
void CrossingFifo<T>::edit_fields(FieldEditor& editor) {
  editor.shown("count", size(), 8);
  if constexpr (is_bundle<T>) {
    visit_fields(entries_[place(size() > 0 ? write_ - 1 : read_)], editor);
    for (unsigned i = size(); editor.fills() && i < places_; ++i) editor.fill(entries_[place(read_ + i)]);
  }
  const bool upset = edit_pointer(editor, "write_pointer", write_);
  bool stages = has_flops() && edit_stages(editor, write_seen_, *reader_, reader_module_);
  const bool frees = edit_pointer(editor, "read_pointer", read_);
  if (has_flops() && edit_stages(editor, read_seen_, *writer_, writer_module_)) stages = true;
  editor.stored("place", entries_);
  if (upset || frees || stages) {
    seen_free_ = 0;
    mark_changed();
  }
  if (upset || frees) {
    if (reader_ != nullptr) write_seen_.upset(write_, reader_->first_edge_after_now());
    if (writer_ != nullptr) read_seen_.upset(read_, writer_->first_edge_after_now());
    if (reader_module_ != nullptr) reader_module_->wake_at(write_seen_.shows_from());
    if (writer_module_ != nullptr) writer_module_->wake_at(read_seen_.shows_from());
  }
  if (!editor.moves()) return;
  seen_free_ = 0;
  editor.state(last_push_, last_pop_);
  write_seen_.move_state(editor);
  read_seen_.move_state(editor);
}

/// A port of a block: once it is bound, a call goes to the queue itself, not to its interface.
template <class T, class Interface>
class CrossingPort final : public BlockPort<CrossingPort<T, Interface>, sc_core::sc_port<Interface>> {
  using Base = BlockPort<CrossingPort<T, Interface>, sc_core::sc_port<Interface>>;

 public:
  using Base::Base;
  CrossingFifo<T>* operator->() const { return fifo_; }
  /// For a writer, in its constructor.
  void wake_for_room(RoomWake when) { room_wake_ = when; }

 private:
  friend Base;
  void bound(sc_core::sc_port<Interface>& port) {
    fifo_ = dynamic_cast<CrossingFifo<T>*>(port.get_interface());
    if (room_wake_) fifo_->wake_writer(*room_wake_);
  }

  CrossingFifo<T>* fifo_ = nullptr;
  std::optional<RoomWake> room_wake_;
};
template <class T>
using CrossingIn = CrossingPort<T, CrossingReadIf<T>>;
template <class T>
using CrossingOut = CrossingPort<T, CrossingWriteIf<T>>;

}  // namespace g80
