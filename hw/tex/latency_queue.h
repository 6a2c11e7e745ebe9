// SPDX-License-Identifier: Apache-2.0
// The queue between tags and data that hides the latency of memory: a memory with one write and one read port.
//
// A row is what one edge of the tags has served: of each lane of the group, which taps, and where their texels lie. One
// of its texels at most brings its line in. Rows wait for the edges of padding that tex.pipeline_latency has; behind
// these there is room for as many rows as misses may be outstanding (tex.mshrs), and for two whose line is there.
// Not a module: texture_unit gives it ports.
#pragma once
#include <vector>

#include "hw/common/delayed_fifo.h"
#include "hw/common/queue.h"
#include "hw/tex/texture_address.h"

namespace g80 {

struct QueuedGroup {
  std::uint8_t count = 0;  // of lanes
  bool end = false;        // of its group
  bool last = false;       // and of its request
  bool fill = false;       // the oldest outstanding line goes into a slot first
  std::uint16_t fill_slot = 0;
  G80_FIELDS((count, 5), end, last, fill, fill_slot);
};
/// Of one lane of the group.
struct QueuedTexels {
  std::uint8_t lane = 0, present = 0, outside = 0;
  std::array<std::uint8_t, 3> fraction{};
  std::uint8_t taps = 0;                        // bit t: tap t is read by this row
  std::array<std::uint8_t, kMaxTaps> offset{};  // bytes in the line
  std::array<std::uint16_t, kMaxTaps> slot{};
  G80_FIELDS((lane, 4), present, outside, fraction, taps, (offset, 7), slot);
};

class LatencyQueue {
 public:
  LatencyQueue(unsigned padding, unsigned rows, unsigned lanes)
      : width_(lanes), group_(padding + rows + 2), texels_((padding + rows + 2) * lanes), padding_(padding + 1) {}

  void clear() {
    group_.clear();
    padding_.clear();
  }
  void step_to(Cycle edge) { padding_.step_to(edge); }
  bool empty() const { return group_.empty(); }
  bool full() const { return group_.full(); }

  /// The row that is written next.
  QueuedGroup& free_group() { return group_.free(); }
  QueuedTexels* free_texels() { return &texels_[group_.row(group_.size()) * width_]; }
  void push() {
    group_.push_free();
    padding_.enter();
  }
  bool arrived() const { return padding_.arrived(); }
  bool moving() const { return padding_.moving(); }
  Cycle next_arrival(Cycle edge) const { return padding_.next_arrival(edge); }
  const QueuedGroup& front() const { return group_.front(); }
  const QueuedTexels* texels() const {
    CHECK(front().count <= width_, "a row of {} lanes in a queue of {}", front().count, width_);
    return &texels_[group_.row(0) * width_];
  }
  void pop() {
    group_.pop();
    padding_.leave();
  }

  template <class S, class V>
  static void visit(S& s, V& v) {
    v("group", s.group_);
    v("padding", s.padding_);
    v.stored("texels", s.texels_);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      if (v.fills()) v.fill(s.texels_);
    }
  }

 private:
  unsigned width_;
  SizedRing<QueuedGroup> group_;
  std::vector<QueuedTexels> texels_;
  DelayLine padding_;
};

}  // namespace g80
