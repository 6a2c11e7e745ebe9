// SPDX-License-Identifier: Apache-2.0
// The channel between two blocks of one clock domain: a plain variable that wakes its readers. And the ports of blocks.
//
// Implements SystemC's signal interface, so the ports are real sc_in/sc_out ports. Writes happen in the commit phase of
// the domain and reads in the step phase, so a wire needs one value and no update request. A wire has no events: a
// block that waits for one belongs on sc_signal.
#pragma once
#include <algorithm>
#include <cstring>
#include <memory>
#include <systemc>
#include <vector>

#include "hw/common/clocked.h"
#include "hw/common/port.h"
#include "hw/common/sc_trace.h"  // sc_in<Bundle> instantiates it
#include "hw/common/traceable.h"

namespace g80 {

namespace wire_detail {
[[noreturn]] inline void no_events(const char* name) {
  throw ModelError(std::string(name) + ": a wire has no events; use sc_signal");
}

template <class T>
class Interface : public sc_core::sc_signal_inout_if<T> {
 public:
  const sc_core::sc_event& value_changed_event() const override { no_events("wire"); }
  bool event() const override { no_events("wire"); }
};
template <>
class Interface<bool> : public sc_core::sc_signal_inout_if<bool> {
 public:
  const sc_core::sc_event& value_changed_event() const override { no_events("wire"); }
  const sc_core::sc_event& posedge_event() const override { no_events("wire"); }
  const sc_core::sc_event& negedge_event() const override { no_events("wire"); }
  bool event() const override { no_events("wire"); }
  bool posedge() const override { no_events("wire"); }
  bool negedge() const override { no_events("wire"); }
};

/// Bits of the words at these places that differ.
template <class Word>
G80_INLINE std::uint64_t difference(const void* a, const void* b, std::size_t at) {
  Word x, y;
  std::memcpy(&x, static_cast<const char*>(a) + at, sizeof x);
  std::memcpy(&y, static_cast<const char*>(b) + at, sizeof y);
  return static_cast<std::uint64_t>(x ^ y);
}

/// Bundles of a few words are compared word by word, in place, and the rest in smaller pieces: none of them covers two
/// pieces in which a register is copied, for which the host would wait until the copy is in its cache. Of larger
/// bundles the first word often differs already.
template <std::size_t kBytes>
G80_INLINE bool same_bytes(const void* a, const void* b) {
  constexpr std::size_t kWord = sizeof(std::uint64_t), kMostInPlace = 12 * kWord;
  if constexpr (kBytes > kMostInPlace) {
    return difference<std::uint64_t>(a, b, 0) == 0 && std::memcmp(a, b, kBytes) == 0;
  } else {
    std::uint64_t differs = 0;
    constexpr std::size_t kRest = kBytes / kWord * kWord;
#pragma GCC unroll 12
    for (std::size_t at = 0; at < kRest; at += kWord) differs |= difference<std::uint64_t>(a, b, at);
    if constexpr ((kBytes & 4) != 0) differs |= difference<std::uint32_t>(a, b, kRest);
    if constexpr ((kBytes & 2) != 0) differs |= difference<std::uint16_t>(a, b, kRest + (kBytes & 4));
    if constexpr ((kBytes & 1) != 0) differs |= difference<std::uint8_t>(a, b, kRest + (kBytes & 6));
    return differs == 0;
  }
}
}  // namespace wire_detail

template <class T>
class Wire final : public sc_core::sc_object, public wire_detail::Interface<T>, public Traceable {
  static_assert(std::is_trivially_copyable_v<T>, "wires carry plain data");

 public:
  explicit Wire(const char* name) : sc_object(name) {
    std::memset(static_cast<void*>(&value_), 0, sizeof value_), value_ = T{};
  }

  const T& read() const override { return value_; }
  const T& get_data_ref() const override { return value_; }
  /// For those outside of the readers' clock domain: the testbench, and the block that says what is launched.
  void write(const T& value) override {
    if (Outbox::current != nullptr) {  // blocks that read it may run just now, on another thread
      Outbox::current->writes.push_back([this, value] { write(value); });
      return;
    }
    drive(value);
    for (ClockedBase* reader : readers_) reader->woken();
  }
  /// For the block whose output it is.
  void drive(const T& value) {
    // Other padding alone counts as a change too: that wakes readers once more, which changes nothing.
    if (!wire_detail::same_bytes<sizeof(T)>(&value, &value_)) renew(value);
  }
  /// The same for a value that is most likely another one.
  G80_INLINE void renew(const T& value) {
    std::memcpy(static_cast<void*>(&value_), &value, sizeof(T));  // padding too: it takes part in the comparison
    wake_readers();
  }
  /// The same for a value that nobody waits for.
  void renew_quietly(const T& value) {
    std::memcpy(static_cast<void*>(&value_), &value, sizeof(T));
    mark_changed();
  }
  /// The same in place: `fill` is given the value that stood there before.
  template <class Fill>
  void renew_by(const Fill& fill) {
    fill(value_);
    wake_readers();
  }

  void register_port(sc_core::sc_port_base& port, const char*) override;
  /// The ports are bound: readers in other groups of the driver's domain are woken behind the edge.
  void driven_by(const ClockedBase& driver);
  bool is_read_only_in(const Domain* domain) const {
    return std::all_of(readers_.begin(), readers_.end(),
                       [=](const ClockedBase* reader) { return reader->domain() == domain; });
  }
  const char* trace_name() const override { return name(); }
  void trace_fields(FieldVisitor& visitor) const override;
  void edit_fields(FieldEditor& editor) override;
  ClockedBase* driver() override { return driver_; }
  const char* kind() const override { return "wire"; }

 private:
  void add(const Wakes& wakes) {
    if (first_.awake == &nobody_) first_ = {wakes.awake, 0};
    if (first_.awake == wakes.awake) {
      first_.bits |= wakes.bits;
    } else {
      join(more_, wakes);
    }
  }
  void join(std::vector<Wakes>& list, const Wakes& wakes) {
    const auto known = std::find_if(list.begin(), list.end(), [&](const Wakes& w) { return w.awake == wakes.awake; });
    if (known == list.end()) {
      list.push_back(wakes);
      ask_for_more();
    } else {
      known->bits |= wakes.bits;
    }
  }
  void wake_readers() {
    *first_.awake |= first_.bits;
    if (__builtin_expect(asks_for_more(), 0)) wake_more_readers();
  }
  void wake_more_readers() {
    for (const Wakes& wakes : more_) *wakes.awake |= wakes.bits;
    for (const Wakes& wakes : posts_) __atomic_fetch_or(wakes.awake, wakes.bits, __ATOMIC_RELAXED);
    mark_changed();
  }

  Wakes first_{&nobody_, 0};  // most wires have readers in one word of the domain only
  T value_;
  std::uint64_t nobody_ = 0;
  std::vector<Wakes> more_, posts_;  // posts: of readers in other groups, which may run on other threads
  std::vector<ClockedBase*> readers_;
  ClockedBase* driver_ = nullptr;
};

template <class T>
void Wire<T>::register_port(sc_core::sc_port_base& port, const char*) {
  auto* block = dynamic_cast<ClockedBase*>(port.get_parent_object());
  if (block == nullptr) return;
  if (dynamic_cast<sc_core::sc_in<T>*>(&port) != nullptr) {
    readers_.push_back(block);
    if (block->domain() != nullptr) add(block->wakes());
  } else {
    driver_ = block;  // an output drives, it is not woken
  }
}
template <class T>
void Wire<T>::driven_by(const ClockedBase& driver) {
  first_ = {&nobody_, 0};
  more_.clear();
  posts_.clear();
  for (const ClockedBase* reader : readers_) {
    if (reader->domain() == nullptr) continue;
    if (driver.domain()->joins_groups(driver, *reader)) {
      join(posts_, driver.domain()->wakes_by_post(*reader));
    } else {
      add(reader->wakes());
    }
  }
}
template <class T>
void Wire<T>::trace_fields(FieldVisitor& visitor) const {
  if constexpr (is_bundle<T>) {
    visitor.fields_of(value_);
  } else {
    visitor("value", value_);
  }
}
template <class T>
void Wire<T>::edit_fields(FieldEditor& editor) {
  if constexpr (is_bundle<T>) {
    visit_fields(value_, editor);
  } else {
    editor("value", value_);
  }
  if (editor.changed() == 0) return;
  for (ClockedBase* reader : readers_) reader->wake();
  mark_changed();
}

/// An input. Once it is bound, a read goes to the value without asking the channel.
template <class T>
class In final : public BlockPort<In<T>, sc_core::sc_in<T>> {
  using Base = BlockPort<In<T>, sc_core::sc_in<T>>;

 public:
  using Base::Base;
  const T& read() const { return *value_; }

 private:
  friend Base;
  void bound(sc_core::sc_in<T>& port) { value_ = &port->read(); }  // of a wire and of an sc_signal: it stays there

  const T* value_ = nullptr;
};

/// An output. Once it is bound to a wire, a write goes there without a virtual call.
template <class T>
class Out final : public BlockPort<Out<T>, sc_core::sc_out<T>> {
  using Base = BlockPort<Out<T>, sc_core::sc_out<T>>;

 public:
  using Base::Base;
  const T& read() const { return *value_; }
  G80_INLINE void write(const T& value) {
    if (!wire_detail::same_bytes<sizeof(T)>(&value, value_)) renew(value);
  }
  /// The same for what holds for one step of the readers only. It always wakes them; that it is over wakes none: who
  /// has seen it stays awake if it has something to do in the next step.
  G80_INLINE void write_event(bool happens, const T& value) {
    if (happens || wire_ == nullptr) {
      renew(value);
    } else if (!wire_detail::same_bytes<sizeof(T)>(&value, value_)) {
      wire_->renew_quietly(value);
    }
  }
  /// Shows a packet while the block offers it, and none else. Without one `packet` may be anything.
  template <class Packet>
  G80_INLINE void offer(bool offered, const Packet& packet) {
    if (offered) {
      write(packet);
    } else if (value_->valid) {
      renew(Packet{});
    }
  }
  /// The same in place: `fill(T&)` is given what was shown before.
  template <class Fill>
  G80_INLINE void offer_by(bool offered, const Fill& fill) {
    if (offered) {
      renew_by(fill);
    } else if (value_->valid) {
      renew({});
    }
  }
  /// The same as write() for large bundles that are most likely other ones than before: they are not compared.
  G80_INLINE void renew(const T& value) {
    if (__builtin_expect(wire_ != nullptr, 1)) {
      wire_->renew(value);
    } else {
      this->systemc()->write(value);
    }
  }
  /// The same for what `fill(T&)` changes in place, in what was shown before. A bundle that is put together first and
  /// copied then makes the host wait for its pieces.
  template <class Fill>
  void renew_by(const Fill& fill) {
    if (__builtin_expect(wire_ != nullptr, 1)) {
      wire_->renew_by(fill);
    } else {
      T value = *value_;
      fill(value);
      this->systemc()->write(value);
    }
  }

 private:
  friend Base;
  void bound(sc_core::sc_out<T>& port);

  const T* value_ = nullptr;
  Wire<T>* wire_ = nullptr;  // null: an sc_signal, or a wire with readers in another domain
};

template <class T>
void Out<T>::bound(sc_core::sc_out<T>& port) {
  value_ = &port->read();
  wire_ = dynamic_cast<Wire<T>*>(port.get_interface());
  const auto* block = dynamic_cast<ClockedBase*>(port.get_parent_object());
  if (block == nullptr || block->domain() == nullptr) return;
  if (wire_ == nullptr) {
    block->domain()->drives_signal();
    return;
  }
  wire_->driven_by(*block);
  if (!wire_->is_read_only_in(block->domain())) wire_ = nullptr;  // its write() also wakes the other domain
}

}  // namespace g80
