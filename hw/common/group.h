// SPDX-License-Identifier: Apache-2.0
// A group of up to 64 modules of a clock domain, which share wires: which of them are awake, and which are to wake at
// which edge. Bits stand for modules, by place in the group.
#pragma once
#include <array>
#include <cstdint>

#include "hw/common/clock_times.h"
#include "hw/common/outbox.h"
#include "hw/common/types.h"

namespace g80 {

class ClockedBase;

/// Blocks that a change wakes: their bits in a word of their domain.
struct Wakes {
  std::uint64_t* awake = nullptr;
  std::uint64_t bits = 0;
};

/// Modules of a group that other groups woke, by atomic operations of any thread.
struct alignas(kCacheLine) Inbox {
  static constexpr unsigned kEdges = 32;
  std::uint64_t awake = 0;     // from the next edge on
  std::uint64_t slots = 0;     // those that hold something
  std::uint64_t at[kEdges]{};  // by edge, those up to kEdges after the present one of the domain

  bool is_empty() const {
    return (__atomic_load_n(&awake, __ATOMIC_RELAXED) | __atomic_load_n(&slots, __ATOMIC_RELAXED)) == 0;
  }
  void post(unsigned index, Cycle edge) {
    const unsigned slot = edge % kEdges;
    __atomic_fetch_or(&at[slot], std::uint64_t{1} << (index % 64), __ATOMIC_RELAXED);
    __atomic_fetch_or(&slots, std::uint64_t{1} << slot, __ATOMIC_RELAXED);
  }
  /// The modules that wake at `edge`, or before it and from then on.
  std::uint64_t take(Cycle edge) {
    const std::uint64_t woken = __atomic_exchange_n(&awake, 0, __ATOMIC_RELAXED);
    const unsigned slot = edge % kEdges;
    const std::uint64_t bit = std::uint64_t{1} << slot;
    if ((__atomic_load_n(&slots, __ATOMIC_RELAXED) & bit) == 0) return woken;
    __atomic_fetch_and(&slots, ~bit, __ATOMIC_RELAXED);
    return woken | __atomic_exchange_n(&at[slot], 0, __ATOMIC_RELAXED);
  }
};

/// What comes first lies in one line of the host's cache: the thread that has run the group wrote it, and the one that
/// schedules edges reads it.
struct alignas(kCacheLine) Group {
  static constexpr unsigned kWheel = 256;                // timed wakes up to this many edges ahead take no heap
  using Slots = std::array<std::uint64_t, kWheel / 64>;  // a bit each

  std::uint64_t awake = 0, half_rate = 0;
  Moment now;             // the present edge, or the last one that the group ran
  std::uint64_t run = 0;  // modules that this edge steps and commits
  std::uint64_t activations = 0;
  std::uint8_t posted = 0;                    // phases whose outbox is not empty
  Slots timed{};                              // those that hold something
  std::array<std::uint64_t, kWheel> wheel{};  // modules to wake, by edge
  std::array<ClockedBase*, 64> modules{};
  double place = 0;
  std::array<Outbox, 2> outbox;  // by phase; a row of edges uses the first
  Inbox inbox;

  /// At an edge up to kWheel after the present one.
  void wake_at(unsigned index, Cycle edge) {
    const unsigned slot = edge % kWheel;
    wheel[slot] |= std::uint64_t{1} << (index % 64);
    timed[slot / 64] |= std::uint64_t{1} << (slot % 64);
  }
  std::uint64_t awake_at(Cycle edge) const { return (edge & 1) != 0 ? awake & ~half_rate : awake; }
  /// Returns the modules that run at the edge. While the group sleeps, no edge begins for it. `with_inbox`: other
  /// threads may wake its modules.
  std::uint64_t begin_edge(Cycle edge, Picoseconds time, bool with_inbox) {
    const unsigned slot = edge % kWheel;
    const std::uint64_t asking = wheel[slot];  // modules that have asked for this edge
    const bool has_post = with_inbox && !inbox.is_empty();
    if ((awake | asking) == 0 && !has_post) return 0;
    now = {edge, time};
    if (asking != 0) {
      timed[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
      wheel[slot] = 0;
      awake |= asking;
    }
    if (has_post) awake |= inbox.take(edge);
    return awake_at(edge);
  }
  /// Through all edges of these slots.
  bool sleeps(const Slots& slots, bool with_inbox) const {
    std::uint64_t wakes = awake;
    for (unsigned i = 0; i < timed.size(); ++i) wakes |= timed[i] & slots[i];
    return wakes == 0 && (!with_inbox || inbox.is_empty());
  }
};

/// Timed wakes that lie too far ahead for the wheel of a group.
struct LateWake {
  Cycle edge;
  unsigned index;
  bool operator>(const LateWake& other) const { return edge > other.edge; }
};
/// What the thread that begins turns has to know of the groups that a thread ran. It looks at the groups themselves
/// only if one of them has something in its outbox.
struct alignas(kCacheLine) ThreadNotes {
  bool posted = false;
};

/// Watches the groups of a domain one by one: each is told of its own edges, those at which modules of it run.
class GroupSink {
 public:
  virtual ~GroupSink() = default;
  /// The group's modules are about to run; the state is still the one before.
  virtual void edge_begin(unsigned group, const Moment& now) = 0;
  /// They have committed the edge, and so have those of each group that was told of it.
  virtual void edge_done() = 0;
};

}  // namespace g80
