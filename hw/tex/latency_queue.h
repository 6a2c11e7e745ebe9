// SPDX-License-Identifier: Apache-2.0
// The queue between tags and data that hides the latency of memory: a memory with one write and one read port.
//
// A row is what one edge of the tags has served: where the lines of its ports lie, and of each lane of the group which
// taps, and at which port. One of its lines at most is brought in. Rows wait for the edges of padding that
// tex.pipeline_latency has; behind these there is room for as many rows as misses may be outstanding (tex.mshrs), and
// for two whose line is there.
// Not a module: texture_unit gives it ports.
#pragma once
#include <algorithm>
#include <vector>

#include "hw/common/delayed_fifo.h"
#include "hw/common/queue.h"
#include "hw/tex/texel_ports.h"

namespace g80 {

struct QueuedGroup {
  std::uint8_t count = 0;  // of lanes
  bool end = false;        // of its group
  bool last = false;       // and of its request
  bool fill = false;       // the oldest outstanding line goes into a slot first
  std::uint16_t fill_slot = 0;
  std::uint8_t first = 0, ports = 0;                   // ports [first, ports) are read
  std::array<std::uint16_t, kMaxTexturePorts> slot{};  // where the line of each is
  G80_FIELDS((count, 5), end, last, fill, fill_slot, (first, 5), (ports, 5), slot);
  bool reads(unsigned port) const { return port >= first && port < ports; }
};

/// The row that has left the queue: the address registers of the data.
struct RowRegister {
  explicit RowRegister(unsigned lanes) : texels(lanes) {}
  bool valid = false;
  bool read = false;  // its texels have been read, and wait for the filter
  QueuedGroup group;
  std::vector<PortTexels> texels;
  void reset() { *this = RowRegister(static_cast<unsigned>(texels.size())); }
  template <class S, class V>
  static void visit(S& s, V& v) {
    v("valid", s.valid);
    v("read", s.read);
    v("group", s.group);
    v("texels", s.texels);
  }
};

class LatencyQueue {
 public:
  LatencyQueue(unsigned padding, unsigned misses, unsigned lanes)
      : width_(lanes), group_(rows(padding, misses)), texels_(rows(padding, misses) * lanes), padding_(padding + 1) {}
  static unsigned rows(unsigned padding, unsigned misses) { return padding + misses + 2; }

  void clear() {
    group_.clear();
    padding_.clear();
  }
  void step_to(Cycle edge) { padding_.step_to(edge); }
  bool empty() const { return group_.empty(); }
  bool full() const { return group_.full(); }

  /// The row that is written next.
  QueuedGroup& free_group() { return group_.free(); }
  PortTexels* free_texels() { return &texels_[group_.row(group_.size()) * width_]; }
  void push() {
    group_.push_free();
    padding_.enter();
  }
  bool arrived() const { return padding_.arrived(); }
  bool moving() const { return padding_.moving(); }
  Cycle next_arrival(Cycle edge) const { return padding_.next_arrival(edge); }
  const QueuedGroup& front() const { return group_.front(); }
  /// The front row leaves.
  void pop(RowRegister& to) {
    to.valid = true;
    to.read = false;
    to.group = front();
    CHECK(to.group.count <= width_, "a row of {} lanes in a queue of {}", to.group.count, width_);
    std::copy_n(&texels_[group_.row(0) * width_], to.group.count, to.texels.begin());
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
  std::vector<PortTexels> texels_;
  DelayLine padding_;
};

}  // namespace g80
